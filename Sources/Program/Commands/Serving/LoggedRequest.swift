import HTTPWire
import ReqcliBasics
import ReqcliDefinitions
import ReqcliMocking
import ReqcliText
import StubServing

/// A request and its response, as the log shows them. Credentials are masked.
struct LoggedRequest: Sendable {
    let method: String
    /// The path and the query.
    let target: String
    /// The status of the response; nil if a fault of the connection replaced the response.
    var status: Int?
    /// The endpoint and the variant; nil if the server itself has responded.
    var stub: String?
    /// The reason why the server itself has responded.
    var note: String?
    var problems: [String] = []
    /// The number in the journal.
    var number: Int?
    var session = IncomingRequest.standardSession
    /// The time until the response was ready.
    var time: Duration?

    init(_ event: WorkspaceResponder.Event) {
        switch event {
        case .answered(let answer, let time): self.init(answer, time: time)
        case .refused(let request, let mask, let status, let title):
            self.init(request.method, mask.target(of: request), status, mask.text(title))
        case .unreadable(let problem): self.init("---", "", problem.status, problem.reason)
        }
    }

    private init(_ method: String, _ target: String, _ status: Int, _ note: String) {
        self.method = method
        self.target = target
        self.status = status
        self.note = note
    }

    init(_ answer: MockAnswer, time: Duration) {
        let (request, mask) = (answer.request, answer.mask)
        method = request.method
        target = mask.target(of: request)
        status = answer.status
        stub = answer.stub
        problems = answer.problems.map { problem in
            let message = mask.text(problem.message)
            return problem.place.map { "\(message)   \($0.description)" } ?? message
        }
        number = answer.number
        session = mask.session(of: request)
        self.time = time
        guard case .refusal(let refusal) = answer.content else { return }
        var note = mask.text(refusal.title)
        // The title has already named an endpoint of which only the base path is missing.
        if let near = refusal.near.first, !near.lacksOnlyBase {
            note +=
                "; the nearest endpoint is \(near.method) \(near.path) (\(near.endpoint.id)): \(mask.text(near.difference))"
        }
        self.note = note
    }

    /// Appends the request as a line, and its problems as further lines. Appends bytes: if a string is built first, `serve` with
    /// a log takes 15 % more instructions for a request.
    ///
    /// - Parameter clock: The time of day.
    func append(to log: inout [UInt8], at clock: String) {
        let start = log.count
        func append(_ text: String, behind spaces: Int) {
            for _ in 0..<spaces { log.append(.space) }
            log += text.utf8
        }
        append(clock, behind: 0)
        append(method, behind: 2)
        append(target, behind: 1)
        append(status.map(String.init) ?? "---", behind: 2)
        append(stub ?? note ?? "", behind: 2)
        if session != IncomingRequest.standardSession { append("session \(session)", behind: 2) }
        if let time {
            append(Self.milliseconds(time), behind: 2)
            append("ms", behind: 1)
        }
        if !log[start...].allSatisfy({ 0x20..<0x7F ~= $0 }) {
            let line = TerminalText.harmless(String(decoding: log[start...], as: UTF8.self))
            log.replaceSubrange(start..., with: line.utf8)
        }
        for problem in problems {
            log.append(.lineFeed)
            append(TerminalText.harmless(problem), behind: 10)
        }
    }

    var json: OrderedJSON {
        .object([
            "event": "request", "number": number.map { .int($0) }, "session": .string(session),
            "method": .string(method), "target": .string(target), "status": status.map { .int($0) } ?? .null,
            "stub": .string(stub ?? "none"), "reason": note.map { .string($0) },
            "problems": problems.isEmpty ? nil : .array(problems.map { .string($0) }),
            "milliseconds": time.map { .number(Self.milliseconds($0)) },
        ])
    }

    /// The milliseconds with one digit after the point.
    private static func milliseconds(_ time: Duration) -> String {
        let tenths = UInt64(max(0, (time / .microseconds(100)).rounded()))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
