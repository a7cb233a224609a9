import Calling
import ReqcliText

extension ExchangeRecord {
    private static let mostLines = 20
    private static let mostBytes = 2 << 10

    /// The lines that show a person what went wrong: the request, the head and the beginning of the body of the response,
    /// and the command that sends the request again.
    package var excerpt: [String] {
        let requestLine = request.map { ["\($0.method) \($0.url)"] } ?? []
        let headLines =
            head.text.isEmpty ? [] : head.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let command = request.map { [""] + $0.curl.split(separator: "\n").map(String.init) } ?? []
        return requestLine + headLines + (status == nil ? [] : [""] + bodyLines) + command
    }

    private var bodyLines: [String] {
        if bodyIsHidden { return ["(the body is not shown, because it may hold a secret)"] }
        guard let body else { return ["(\(bodySize) bytes that are not text)"] }
        if body.isEmpty { return ["(no body)"] }
        let start = String(decoding: body.utf8.prefix(Self.mostBytes), as: UTF8.self)
        let lines = start.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        let isWhole = bodyIsWhole && lines.count <= Self.mostLines && body.utf8.count <= Self.mostBytes
        return lines.prefix(Self.mostLines) + (isWhole ? [] : ["… (\(bodySize) bytes)"])
    }
}
