/// What came back from a server or a stub: what the checks look at, and nothing of how it was fetched.
package struct Answer: Sendable, Equatable {
    package struct Header: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    package var status: Int
    /// What stands behind the status in an HTTP/1 answer; empty where there is none.
    package var reason: String
    /// In the order they came in, repeated ones included.
    package var headers: [Header]
    package var body: [UInt8]
    /// From the first byte sent to the last byte of the body.
    package var duration: Duration

    package init(
        status: Int, reason: String = "", headers: [Header] = [], body: [UInt8] = [], duration: Duration = .zero
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        self.duration = duration
    }

    /// The values of a header, however its name is spelt.
    package func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return headers.filter { $0.name.lowercased() == wanted }.map(\.value)
    }
}
