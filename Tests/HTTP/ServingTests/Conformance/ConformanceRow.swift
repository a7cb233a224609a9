import Testing

/// Bytes that a client sends, what it gets for them, and the requirement of RFC 9112, or else RFC 9110, that decides this.
///
/// The server says each request again: its method, path and body.
struct ConformanceRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let outcome: String

    init(_ section: String, _ requirement: String, _ text: String, _ outcome: String) {
        testDescription = "\(section): \(requirement)"
        self.text = text
        self.outcome = outcome
    }

    /// The last request on a connection.
    static let end = "GET /end HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"

    /// A request line, followed by a Host, and a request that ends the connection.
    static func line(_ section: String, _ line: String, _ outcome: String) -> ConformanceRow {
        ConformanceRow(section, "the request line \(line)", "\(line)\r\nHost: h\r\n\r\n" + end, outcome)
    }

    static func host(_ host: String, _ outcome: String) -> ConformanceRow {
        ConformanceRow("3.2", "the host \(host)", "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n" + end, outcome)
    }

    /// A POST with these lines behind its Host, and with what follows its head.
    static func post(
        _ section: String, _ requirement: String, _ lines: String, _ rest: String, _ outcome: String
    ) -> ConformanceRow {
        ConformanceRow(
            section, requirement, "POST / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\r\n\(rest)" + end, outcome)
    }

    /// A POST with these lines behind its Host, and no body.
    static func post(
        _ section: String, _ requirement: String, _ lines: String, _ outcome: String
    ) -> ConformanceRow {
        post(section, requirement, lines, "", outcome)
    }

    /// A body in chunks.
    static func chunks(
        _ section: String, _ requirement: String, _ chunks: String, _ outcome: String
    ) -> ConformanceRow {
        post(section, requirement, "Transfer-Encoding: chunked", chunks, outcome)
    }
}
