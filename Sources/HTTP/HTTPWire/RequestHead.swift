import ReqcliBasics

/// The request line and the header fields of a request, with their information about the body and the connection.
///
/// This is a class because many functions pass a request on, and copying a reference is cheap.
package final class RequestHead: Sendable {
    package let method: String
    package let target: RequestTarget
    package let isHTTP10: Bool
    /// The way in which the end of the body is found.
    package let body: BodyFraming
    /// Whether the client wants to send another request over the connection.
    package let keepsConnection: Bool
    /// Whether the client waits for `100 Continue` before it sends its body.
    package let awaitsContinue: Bool
    /// The index in the buffer at which the head ends.
    package let end: Int
    package let headers: HeaderLines
    private let host: Range<Int>?
    private static let largestRest = 4 << 10

    /// - Parameter message: Nil if the head isn't complete or is refused.
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
        // If many bytes follow the head, only the head's bytes are copied. Otherwise, a head that is kept would keep a large body
        // in memory.
        headers = HeaderLines(lines, in: buffer.count - end > Self.largestRest ? Array(buffer[..<end]) : buffer)
    }

    /// The host and port that the request is for. They are from the target, or from the Host field if the target has none; nil in
    /// an HTTP/1.0 request that has neither.
    package var authority: String? { target.authority ?? host.map { headers.text($0) } }

    /// The header fields in the order received. A value that is not UTF-8 is read as Latin-1.
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
