import Calling
import Exchange
import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// A call of a run and its result, as a recording keeps them.
package struct RecordedCall: Sendable {
    /// The endpoint, the scenario and the occasion, by which a replay finds the call. Calls with the same key are in order.
    var key = ""
    /// The times on the run's clock at which the call began and ended.
    var began = Duration.zero
    var ended = Duration.zero
    var request: CallResult.Request?
    var status: Int?
    var reason = ""
    var headers: [HeaderFields.Field] = []
    var setCookies: [String] = []
    var url: String?
    var requestURL: String?
    var method = "GET"
    var duration = Duration.zero
    /// The body without its content codings, as far as it was kept. It is a separate entry.
    var body: [UInt8] = []
    var bodySize = 0
    var bodyIsLonger = false
    var bodyLimit = 0
    /// The events of a stream; nil for any other response, or if no events are expected.
    var events: [StreamEvent]?
    var eventsAreLate = false
    var failure: Failure?
    var secrets: [Redactor.Secret] = []
    var signatures: [Redactor.Secret] = []
    var stub: CallResult.Stub?
    var requests = 1
    var firstFailure: String?
    var sent: Duration?
    var timings: Timings?
    var isChain = false
    /// The reason why the response can't be kept; nil if it is kept.
    var gap: String?

    init() {}

    static func key(of call: Call) -> String { "\(call.endpoint.id)\n\(call.flow ?? "")\n\(call.occasion)" }

    /// The key without the numbers of the attempt and of the poll.
    var keyOfAttempts: String {
        var words = key.split(separator: " ", omittingEmptySubsequences: false)
        while words.count > 2, ["attempt", "after"].contains(words[words.count - 2]), Int(words[words.count - 1]) != nil
        {
            words.removeLast(2)
        }
        return words.joined(separator: " ")
    }

    // MARK: From a result

    init(_ result: CallResult, of call: Call, began: Duration, ended: Duration, events: [StreamEvent]?) {
        key = Self.key(of: call)
        (self.began, self.ended) = (began, ended)
        request = result.request()
        (secrets, signatures, stub) = (result.secrets, result.signatures, result.stub)
        (requests, firstFailure, sent) = (result.requests, result.firstFailure, result.began)
        (timings, isChain) = (result.timings, result.isChain)
        switch result.result {
        case .failure(let failure): self.failure = failure
        case .success(let response):
            (status, reason, headers) = (response.status, response.reason, Array(response.headers))
            (setCookies, url, requestURL) = (response.setCookies, response.url, response.requestURL)
            (method, duration, self.events) = (response.method, response.duration, events)
            eventsAreLate = response.events?.isOutOfTime ?? false
            (bodySize, bodyIsLonger, bodyLimit) = (response.body.size, response.body.isLonger, response.body.limit)
            keepBody(of: response)
        }
    }

    /// Keeps the body in a form in which secrets can be found: without its codings, and not in UTF-16, for example.
    private mutating func keepBody(of response: ReceivedResponse) {
        body = response.body.bytes
        if body.isEmpty { return }
        let codings = response.isDecoded ? [] : response.headers.values("Content-Encoding")
        if !codings.isEmpty {
            guard !response.body.isTooLarge,
                let plain = try? ContentCoding.decode(body, codings, limit: response.body.limit)
            else { return leaveOut("its compressed body can't be searched for secrets") }
            (body, bodySize) = (plain, plain.count)
        }
        guard case .success(let text) = response.content, !text.elementsEqual(body) else { return }
        if body.contains(0) { leaveOut("its charset can't be searched for secrets") }
    }

    private mutating func leaveOut(_ reason: String) { (body, gap) = ([], reason) }

    // MARK: To a result

    /// The result of the call for a user with these terms; nil if the recording has too little for them.
    func result(_ terms: CallTerms) -> CallResult? {
        var judge = events == nil ? nil : terms.events
        for event in events ?? [] where judge?.isComplete == false { judge?.take(event) }
        judge?.isOutOfTime = eventsAreLate
        // The run read no more events than it needed. Other expectations may need more.
        if let judge, !judge.isComplete, bodyIsLonger { return nil }
        return CallResult(
            failure.map { .failure($0) } ?? .success(response(judge)), request: request, secrets: secrets,
            signatures: signatures, stub: stub, requests: requests, firstFailure: firstFailure, cookies: nil,
            began: sent ?? began, timings: timings, isChain: isChain)
    }

    private func response(_ judge: (any EventJudge)?) -> ReceivedResponse {
        ReceivedResponse(
            status: status ?? 0, reason: reason, headers: HeaderFields(headers),
            body: ReceivedBody(body, size: bodySize, isLonger: bodyIsLonger, limit: bodyLimit), duration: duration,
            method: method, isDecoded: true, events: judge, setCookies: setCookies, url: url, requestURL: requestURL)
    }
}

extension RecordedCall {
    /// The keys of a call in `calls.json`. Its body is a separate entry.
    static let table = RecordTable<RecordedCall>([
        RecordField("key", \.key, .text, isRequired: true),
        RecordField("began", \.began, .nanoseconds, isRequired: true),
        RecordField("ended", \.ended, .nanoseconds, isRequired: true),
        RecordField(
            "request", optional: \.request, ExchangeRecord.request.form { .init(method: "", url: "", curl: "") }),
        RecordField("status", optional: \.status, .int), RecordField("reason", \.reason, .text) { !$0.isEmpty },
        RecordField("headers", \.headers, RecordForm.field.list) { !$0.isEmpty },
        RecordField("setCookies", \.setCookies, RecordForm.text.list) { !$0.isEmpty },
        RecordField("url", optional: \.url, .text), RecordField("requestURL", optional: \.requestURL, .text),
        RecordField("method", \.method, .text), RecordField("duration", \.duration, .nanoseconds),
        RecordField("bodySize", \.bodySize, .int), RecordField("bodyIsLonger", \.bodyIsLonger, .bool) { $0 },
        RecordField("bodyLimit", \.bodyLimit, .int),
        RecordField("events", optional: \.events, RecordForm.event.list),
        RecordField("eventsAreLate", \.eventsAreLate, .bool) { $0 },
        RecordField("failure", optional: \.failure, .failure),
        RecordField("secrets", \.secrets, RecordForm.secret.list) { !$0.isEmpty },
        RecordField("signatures", \.signatures, RecordForm.secret.list) { !$0.isEmpty },
        RecordField("stub", optional: \.stub, CallResult.Stub.table.form { .init(name: "", mustFail: false) }),
        RecordField("requests", \.requests, .int), RecordField("firstFailure", optional: \.firstFailure, .text),
        RecordField("sent", optional: \.sent, .nanoseconds),
        RecordField("timings", optional: \.timings, Timings.table.form { Timings() }),
        RecordField("isChain", \.isChain, .bool) { $0 }, RecordField("gap", optional: \.gap, .text),
    ])
}

extension RecordForm<Duration> {
    /// A duration in whole nanoseconds.
    static var nanoseconds: Self {
        Self("a number of nanoseconds") {
            let parts = $0.components
            return .int(Int(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000))
        } read: {
            $0.number?.int.map { .nanoseconds($0) }
        }
    }
}

extension RecordForm<HeaderFields.Field> {
    /// The name, the value, and whether the value is Latin-1.
    fileprivate static var field: Self {
        Self("a list of a name and a value") {
            .array([.string($0.name), .string($0.value)] + ($0.isLatin1 ? [.bool(true)] : []))
        } read: { value in
            let parts = value.kind == .array ? Array(value.elements) : []
            guard parts.count >= 2, let name = parts[0].string, let text = parts[1].string else { return nil }
            return HeaderFields.Field(name, text, isLatin1: parts.count > 2)
        }
    }
}

extension RecordForm<StreamEvent> {
    /// The type, the id and the data.
    fileprivate static var event: Self {
        Self("an event") {
            .array([.string($0.event), .string($0.id), .string($0.data)])
        } read: { value in
            let parts = value.kind == .array ? value.elements.map(\.string) : []
            guard parts.count == 3, let event = parts[0], let id = parts[1], let data = parts[2] else { return nil }
            return StreamEvent(event: event, id: id, data: data)
        }
    }
}

extension RecordForm<Redactor.Secret> {
    /// The label and the stand-in.
    static var secret: Self {
        Self("a list of a label and a value") {
            .array([.string($0.label), .string($0.value)])
        } read: { value in
            let parts = value.kind == .array ? value.elements.map(\.string) : []
            guard parts.count == 2, let label = parts[0], let text = parts[1] else { return nil }
            return Redactor.Secret(label: label, value: text)
        }
    }
}
