import Redaction
import RequestBuilding

extension ExchangeRecord {
    private static let longestHead = 8 << 10
    private static let longestCommand = 16 << 10

    /// The number of bytes of a body that are kept: more for cases that didn't pass.
    private static func longestBody(_ verdict: Verdict) -> Int { verdict == .passed ? 2 << 10 : 16 << 10 }

    /// - Parameter hidden: The parts of the response that must not be shown.
    init(_ exchanged: Exchanged, _ verdict: Verdict, _ redactor: Redactor, hiding hidden: Set<Answer.Part>) {
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
        let head = shown(Self.head(of: answer, isHidden: hidden.contains(.headers)), Self.longestHead)
        if hidden.contains(.body) {
            self.init(
                request: request, status: answer.status, head: head, body: nil, bodyIsWhole: false,
                bodySize: answer.body.size, bodyIsLonger: answer.body.isLonger, bodyIsHidden: true)
            return
        }
        let shownBody = answer.shownBody
        let start = redactor.redactedStart(of: shownBody, limit: Self.longestBody(verdict))
        self.init(
            request: request, status: answer.status, head: head,
            body: start.bytes.contains(0) ? nil : String(decoding: start.bytes, as: UTF8.self),
            bodyIsWhole: start.isWhole && !answer.body.isTooLarge,
            bodySize: answer.body.isTooLarge ? answer.body.size : shownBody.count, bodyIsLonger: answer.body.isLonger)
    }

    private static func head(of answer: Answer, isHidden: Bool) -> String {
        let lines = answer.headers.map { "\($0.name): \(isHidden ? HeaderFields.Field.mask : $0.shownValue)" }
        let reason = answer.reason.isEmpty ? "" : " \(answer.reason)"
        return (["HTTP \(answer.status)\(reason)"] + lines).joined(separator: "\n")
    }
}
