import Matching
import Redaction
import RequestBuilding

extension ExchangeRecord {
    private static let longestHead = 8 << 10
    private static let longestCommand = 16 << 10

    /// The number of bytes of a body that are kept: more for cases that didn't pass.
    private static func longestBody(_ verdict: Verdict) -> Int { verdict == .passed ? 2 << 10 : 16 << 10 }

    /// - Parameter hidden: The parts of the response that must not be shown.
    init(_ exchanged: Exchanged, _ verdict: Verdict, _ redactor: Redactor, hiding hidden: Set<ReceivedResponse.Part>) {
        func shown(_ text: String, _ limit: Int) -> String {
            let start = redactor.redactedStart(of: Array(text.utf8), limit: limit)
            return String(decoding: start.bytes, as: UTF8.self) + (start.isWhole ? "" : "…")
        }
        self.init()
        request = exchanged.request().map { request in
            Exchanged.Request(
                method: shown(request.method, 100), url: shown(request.url, Self.longestHead),
                curl: shown(request.curl, Self.longestCommand))
        }
        guard case .success(let response) = exchanged.result else { return }
        status = response.status
        head = shown(Self.head(of: response, isHidden: hidden.contains(.headers)), Self.longestHead)
        bodySize = response.body.size
        bodyIsLonger = response.body.isLonger
        bodyIsHidden = hidden.contains(.body)
        bodyIsWhole = false
        if bodyIsHidden { return }
        let shownBody = response.shownBody
        let start = redactor.redactedStart(of: shownBody, limit: Self.longestBody(verdict))
        body = start.bytes.contains(0) ? nil : String(decoding: start.bytes, as: UTF8.self)
        if !response.body.isTooLarge {
            bodyIsWhole = start.isWhole
            bodySize = shownBody.count
        }
    }

    private static func head(of response: ReceivedResponse, isHidden: Bool) -> String {
        let lines = response.headers.map { "\($0.name): \(isHidden ? HeaderFields.Field.mask : $0.shownValue)" }
        let reason = response.reason.isEmpty ? "" : " \(response.reason)"
        return (["HTTP \(response.status)\(reason)"] + lines).joined(separator: "\n")
    }
}
