public import Foundation
public import RequestBuilding

/// A response: its head, and its body as it arrives.
public struct Response: Sendable {
    /// The status line, the headers, and what is known about the connection.
    public var head: ResponseHead
    /// The bytes, which can be read once.
    public var body: ResponseBody

    /// A response from its two parts.
    public init(head: ResponseHead, body: ResponseBody) {
        self.head = head
        self.body = body
    }

    /// A response that is already complete, as stubs and test doubles return it.
    public init(status: Int, headers: HeaderFields = [:], body: Data = Data(), url: URL? = nil) {
        self.init(head: ResponseHead(status: status, headers: headers, url: url), body: ResponseBody(body))
    }

    /// The status code.
    public var status: Int { head.status }

    /// The header fields in the order in which they were received.
    public var headers: HeaderFields { head.headers }

    /// True for 200 to 299.
    public var isSuccess: Bool { (200...299).contains(head.status) }
}
