import Calling
import ReqcliMatching
import ReqcliRedaction
import ReqcliText
import RequestBuilding

extension ExchangeRecord {
    private static let longestHead = 8 << 10
    private static let longestCommand = 16 << 10

    /// The number of bytes of a body that are kept: more for cases that didn't pass.
    private static func longestBody(_ verdict: Verdict) -> Int { verdict == .passed ? 2 << 10 : 16 << 10 }

    /// Makes the record of a call.
    ///
    /// - Parameter hidden: The parts of the response that must not be shown.
    init(_ exchanged: CallResult, _ verdict: Verdict, _ redactor: Redactor, hiding hidden: Set<ReceivedResponse.Part>) {
        func shown(_ text: String, _ limit: Int) -> String {
            let start = redactor.redactedStart(of: Array(text.utf8), limit: limit)
            return String(decoding: start.bytes, as: UTF8.self) + (start.isWhole ? "" : "…")
        }
        self.init()
        request = exchanged.request().map { request in
            CallResult.Request(
                method: request.method, url: shown(request.url, Self.longestHead),
                curl: shown(request.curl, Self.longestCommand))
        }
        timings = exchanged.timings
        guard case .success(let response) = exchanged.result else { return }
        status = response.status
        let reason =
            response.hasUsualReason ? Wording(own: response.reason) : Wording(quoting: shown(response.reason, 1 << 10))
        head = response.reason.isEmpty ? "HTTP \(response.status)" : "HTTP \(response.status) \(reason)"
        let fields = shown(Self.fields(of: response, isHidden: hidden.contains(.headers)), Self.longestHead)
        if !fields.isEmpty { head = "\(head)\n\(fields)" }
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

    private static func fields(of response: ReceivedResponse, isHidden: Bool) -> String {
        response.headers.map { "\($0.name): \(isHidden ? HeaderFields.Field.mask : $0.shownValue)" }
            .joined(separator: "\n")
    }
}
