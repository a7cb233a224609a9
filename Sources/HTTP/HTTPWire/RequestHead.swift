import ReqcliBasics

/// The request line and the header fields of a request, with what they say about its body and its connection.
///
/// A class, since every function that handles a request passes it on.
package final class RequestHead: Sendable {
    package let method: String
    package let target: RequestTarget
    package let isHTTP10: Bool
    /// The way in which the end of the body is found.
    package let body: BodyFraming
    /// Whether the client wants to send another request over the connection.
    package let keepsConnection: Bool
    /// Whether the client sends its body only once it has seen `100 Continue`.
    package let awaitsContinue: Bool
    /// The index in the buffer where the head ends.
    package let end: Int
    package let headers: HeaderLines
    private let host: Range<Int>?
    private static let largestRest = 4 << 10

    /// - Parameter message: Nil for a head that isn't complete, or is refused.
    init(_ line: RequestLine, _ message: MessageFields?, _ lines: [FieldLine], in buffer: [UInt8], end: Int) {
        let bytes = buffer.span
        method = bytes.isEqual(line.method, to: "GET") ? "GET" : bytes.text(line.method)
        target = RequestTarget(line.target, in: bytes)
        isHTTP10 = line.isHTTP10
        body = message?.body ?? .none
        keepsConnection = message?.keepsConnection ?? false
        awaitsContinue = message?.awaitsContinue ?? false
        host = message?.host
        self.end = end
        // With a copy of its own bytes, a head that is kept doesn't keep a large body in memory.
        headers = HeaderLines(lines, in: buffer.count - end > Self.largestRest ? Array(buffer[..<end]) : buffer)
    }

    /// The host and port that the request is for, from its target or else from its Host field; nil in an HTTP/1.0 request that
    /// has neither.
    package var authority: String? { target.authority ?? host.map { headers.text($0) } }

    /// The header fields, in their order. A value that is not UTF-8 is read as Latin-1.
    package var fields: [(name: String, value: String)] { headers.fields }

    /// The values of all fields of this name.
    package func values(of name: String) -> [String] { headers.values(of: name) }
}

/// The way in which the end of a request's body is found.
package enum BodyFraming: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
}
