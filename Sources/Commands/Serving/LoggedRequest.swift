import Definitions
import HTTPWire
import Mocking
import SourceText
import TerminalText

/// A request and its response, as the log shows them. Credentials are masked.
struct LoggedRequest: Sendable {
    let method: String
    /// The path and the query.
    let target: String
    /// Nil for a fault of the connection.
    var status: Int?
    /// The endpoint and the variant; nil if the server itself has responded.
    var stub: String?
    /// Why the server itself has responded.
    var note: String?
    var problems: [String] = []
    /// The number in the journal.
    var number: Int?
    var session = IncomingRequest.standardSession
    /// The time until the response was ready.
    var time: Duration?

    init(_ request: IncomingRequest, _ answer: MockAnswer, time: Duration) {
        let mask = answer.mask
        method = request.method
        target = mask.target(of: request)
        status = answer.status
        stub = answer.stub
        problems = answer.problems.map { problem in
            let message = mask.text(problem.message)
            return problem.place.map { "\(message)   \($0.description)" } ?? message
        }
        number = answer.number
        session = request.session
        self.time = time
        guard case .refusal(let refusal) = answer.content else { return }
        var note = mask.text(refusal.title)
        if let near = refusal.near.first {
            note += "; nearest is \(near.method) \(near.path) (\(near.endpoint.id)): \(mask.text(near.difference))"
        }
        self.note = note
    }

    /// A request to which the engine has no response.
    init(_ request: IncomingRequest, _ mask: RequestMask, status: Int?, note: String) {
        method = request.method
        target = mask.target(of: request)
        self.status = status
        self.note = note
    }

    /// What is no request, or one beyond the limits.
    init(_ problem: WireProblem) {
        method = "---"
        target = ""
        status = problem.status
        note = problem.reason
    }

    /// - Parameter clock: The time of day.
    func text(at clock: String) -> String {
        var first = "\(clock)  \(method) \(target)  \(status.map(String.init) ?? "---")  \(stub ?? note ?? "")"
        if session != IncomingRequest.standardSession { first += "  session \(session)" }
        if let time { first += "  \(Self.milliseconds(time)) ms" }
        return problems.reduce(TerminalText.harmless(first)) { $0 + "\n" + TerminalText.harmless("          \($1)") }
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

    /// With one digit behind the point.
    private static func milliseconds(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let tenths = seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
