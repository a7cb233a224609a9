import ASCII
package import RequestBuilding
import Synchronization

/// What came back from a server or a stub: what the checks look at, and nothing of how it was fetched.
package final class Answer: Sendable {
    /// What can hold a secret.
    package enum Part: Sendable {
        case headers
        case body
    }

    package let status: Int
    /// What stands behind the status in an HTTP/1 answer; empty where there is none.
    package let reason: String
    /// In the order they came in, repeated ones included.
    package let headers: HeaderFields
    package let body: ReceivedBody
    /// From the first byte sent to the last byte of the body.
    package let duration: Duration
    /// The method of the request.
    let method: String
    /// Whether the transport has taken off what `Content-Encoding` names.
    let isDecoded: Bool
    private let knownContent = Mutex<Result<[UInt8], UnreadableBody>?>(nil)

    package init(
        status: Int, reason: String = "", headers: HeaderFields = [:], body: ReceivedBody = ReceivedBody([]),
        duration: Duration = .zero, method: String = "GET", isDecoded: Bool = false
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        self.duration = duration
        self.method = method
        self.isDecoded = isDecoded
    }

    /// The body without its content codings and in UTF-8, worked out when it is first asked for. Bytes that are said to be
    /// UTF-8 are not looked at: `text` does that, and so does a reader of JSON.
    var content: Result<[UInt8], UnreadableBody> {
        if let known = knownContent.withLock(\.self) { return known }
        let content = decoded()
        knownContent.withLock { $0 = content }
        return content
    }
}

extension HeaderFields.Field {
    /// The value as messages and reports quote it. A cookie that is set opens a session, whether or not a file calls it a
    /// secret.
    var shownValue: String { name.isSameHeader(as: "Set-Cookie") ? maskedValue : value }
}
