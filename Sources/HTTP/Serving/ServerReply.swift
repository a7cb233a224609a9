package import HTTPWire
import ReqcliBasics

/// A response, and the way in which it is sent to the client.
package struct ServerReply: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        case file(OpenFile, Range<Int>)
        /// Pieces that are given later with `EventLoop.send`. If there is no length, the body is chunked. For HTTP/1.0, the body
        /// then ends with the connection.
        case stream(length: Int?)

        var count: Int {
            switch self {
            case .none: 0
            case .bytes(let bytes): bytes.count
            case .file(_, let range): range.count
            case .stream(let length): length ?? 0
            }
        }
    }

    /// A failure that is simulated instead of a proper response.
    package enum Fault: Sendable {
        /// The connection ends with RST, without a response.
        case reset
        /// The connection ends after the first half of the body.
        case truncated
        /// No response is sent.
        case timeout
    }

    package var head: ReplyHead
    /// Further header fields, written after the fields of the head. None of them is about the date, the length or the connection.
    package var lines: [UInt8]
    package var body: Body
    /// The time to wait before the first byte is sent.
    package var delay: Duration
    /// The time over which the body is sent evenly.
    package var bodyTime: Duration
    package var fault: Fault?

    package init(
        _ head: ReplyHead, _ lines: [UInt8] = [], body: Body = .none, delay: Duration = .zero,
        bodyTime: Duration = .zero, fault: Fault? = nil
    ) {
        self.head = head
        self.lines = lines
        self.body = body
        self.delay = delay
        self.bodyTime = bodyTime
        self.fault = fault
    }

    package init(status: Int, fields: [(name: String, value: String)] = [], body: Body = .none) {
        self.init(ReplyHead(status: status, fields: fields), body: body)
    }

    /// The problem as `application/problem+json` (RFC 9457).
    package static func problem(_ problem: WireProblem) -> ServerReply {
        // Needs no escapes: no reason has a character that JSON must escape, because header names in a reason are tokens.
        let title = ReasonPhrase.usual(for: problem.status)
        let text = #"{"title": "\#(title)", "status": \#(problem.status), "detail": "\#(problem.reason)"}"# + "\n"
        return ServerReply(
            status: problem.status, fields: [("Content-Type", "application/problem+json")],
            body: .bytes(Array(text.utf8)))
    }
}
