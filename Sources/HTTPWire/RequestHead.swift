import ASCII

/// The request line and the header fields of a request, with what they say about its body and its connection.
package struct RequestHead: Sendable {
    package let method: String
    package let target: RequestTarget
    package let isHTTP10: Bool
    /// Where the body ends.
    package let body: BodyFraming
    /// Whether the client wants to send another request over the connection.
    package let keepsConnection: Bool
    /// Whether the client sends its body only once it has seen `100 Continue`.
    package let awaitsContinue: Bool
    /// The host and port that the request is for, as its target or else its Host field has them; nil in an HTTP/1.0 request that has
    /// neither.
    package let authority: String?
    /// Where in the buffer the head ends.
    package let end: Int
    package let headers: HeaderLines
    private static let largestRest = 4 << 10

    /// - Parameter message: Nil for a head that isn't complete, or is refused.
    init(_ line: RequestLine, _ message: MessageFields?, _ lines: [FieldLine], in bytes: [UInt8], end: Int) {
        method = line.method
        target = line.target
        isHTTP10 = line.isHTTP10
        body = message?.body ?? .none
        keepsConnection = message?.keepsConnection ?? false
        awaitsContinue = message?.awaitsContinue ?? false
        authority = line.target.authority ?? message?.host
        self.end = end
        // Whoever keeps the head doesn't keep a body with it.
        headers = HeaderLines(lines, in: bytes.count - end > Self.largestRest ? Array(bytes[..<end]) : bytes)
    }

    /// The header fields, in their order. A value that is not UTF-8 is read as Latin-1.
    package var fields: [(name: String, value: String)] { headers.fields }

    /// The values of all fields of this name.
    package func values(of name: String) -> [String] { headers.values(of: name) }
}

/// Where the body of a request ends.
package enum BodyFraming: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
}

extension ArraySlice<UInt8> {
    /// The bytes as a text, of UTF-8 if they are any, else of Latin-1, so that none is lost.
    var text: String {
        // Nearly all are ASCII, for which the first reader is the faster one.
        if allSatisfy({ $0 < 0x80 }) { return String(decoding: self, as: UTF8.self) }
        return String(validating: self, as: UTF8.self) ?? String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
    }

    /// Whether the bytes are those of an ASCII word, in whatever case.
    func isSame(as word: String) -> Bool {
        guard count == word.utf8.count else { return false }
        var index = startIndex
        for byte in word.utf8 {
            guard self[index].lowercased == byte.lowercased else { return false }
            index += 1
        }
        return true
    }
}
