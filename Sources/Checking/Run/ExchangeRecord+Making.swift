import Redaction

extension ExchangeRecord {
    private static let longestHead = 8 << 10
    private static let longestCommand = 16 << 10

    /// How much of a body is kept: more where somebody will want to look at it.
    private static func longestBody(_ verdict: Verdict) -> Int { verdict == .passed ? 2 << 10 : 16 << 10 }

    init(_ exchanged: Exchanged, _ verdict: Verdict, _ redactor: Redactor) {
        func shown(_ text: String, _ limit: Int) -> String {
            let start = redactor.redactedStart(of: Array(text.utf8), limit: limit)
            return String(decoding: start.bytes, as: UTF8.self) + (start.isWhole ? "" : "…")
        }
        let request = exchanged.request().map { request in
            Exchanged.Request(
                method: shown(request.method, 100), url: shown(request.url, Self.longestHead),
                curl: shown(request.curl, Self.longestCommand))
        }
        guard case .success(let answer) = exchanged.result else {
            self.init(request: request, status: nil, head: "", body: nil, bodyIsWhole: true, bodySize: 0)
            return
        }
        let start = redactor.redactedStart(of: answer.body, limit: Self.longestBody(verdict))
        self.init(
            request: request, status: answer.status, head: shown(Self.head(of: answer), Self.longestHead),
            body: start.bytes.contains(0) ? nil : String(decoding: start.bytes, as: UTF8.self),
            bodyIsWhole: start.isWhole, bodySize: answer.body.count)
    }

    private static func head(of answer: Answer) -> String {
        let lines = answer.headers.map { "\($0.name): \($0.shownValue)" }
        let reason = answer.reason.isEmpty ? "" : " \(answer.reason)"
        return (["HTTP \(answer.status)\(reason)"] + lines).joined(separator: "\n")
    }
}
