import ASCII
package import RequestBuilding
import Synchronization

/// A response of a server or a stub, as the checks see it, without the details of how it was fetched.
package final class Answer: Sendable {
    /// A part of a response that can hold a secret.
    package enum Part: Sendable {
        case headers
        case body
    }

    package let status: Int
    /// The reason phrase of an HTTP/1 response; empty if there is none.
    package let reason: String
    /// The headers in the order received, including repeated ones.
    package let headers: HeaderFields
    package let body: ReceivedBody
    /// The time from the first byte sent to the last byte of the body.
    package let duration: Duration
    /// The method of the request.
    let method: String
    /// Whether the transport has already decoded `Content-Encoding`.
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

    /// The body as UTF-8, with its content codings decoded, computed on first use. Bytes labelled as UTF-8 are not
    /// validated here; `text` and the JSON reader do that.
    var content: Result<[UInt8], UnreadableBody> {
        if let known = knownContent.withLock(\.self) { return known }
        let content = decoded()
        knownContent.withLock { $0 = content }
        return content
    }
}

extension HeaderFields.Field {
    /// The value as messages and reports quote it. Values of `Set-Cookie` are always hidden, even if nothing marks them
    /// as secret, because a cookie may open a session.
    var shownValue: String { name.isSameHeader(as: "Set-Cookie") ? maskedValue : value }
}
