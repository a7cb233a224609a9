import Assembly
import Definitions
import Mocking
import SourceText
import Synchronization
import TerminalText

/// Reports each request, without ever holding one up: where nobody reads, lines are dropped and counted.
final class ServeLog: Sendable {
    /// The number of lines that wait for a slow reader: about 1 MiB.
    private static let mostWaiting = 8192

    private let lines: AsyncStream<String>
    private let feed: AsyncStream<String>.Continuation
    private let dropped = Mutex(0)
    private let isJSON: Bool
    private let clock: WorldClock

    init(isJSON: Bool, clock: WorldClock) {
        (lines, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        self.isJSON = isJSON
        self.clock = clock
    }

    /// Writes what comes until the end.
    func write(to output: Output) async {
        for await line in lines { output.write(line + "\n") }
        let count = dropped.withLock(\.self)
        if count > 0 { output.write("\(count) lines are missing, because nobody read them\n") }
    }

    func end() { feed.finish() }

    func add(_ request: IncomingRequest, status: Int?, _ stub: String, _ problems: [RequestReading.Problem]) {
        add(request, status, stub: stub, note: stub, problems.map(\.shown))
    }

    func add(_ request: IncomingRequest, _ refusal: MockAnswer.Refusal, _ problems: [RequestReading.Problem]) {
        var note = refusal.title
        if let near = refusal.near.first {
            note += "; nearest is \(near.method) \(near.path) (\(near.endpoint.id)): \(near.difference)"
        }
        add(request, refusal.status, stub: "none", note: note, problems.map(\.shown))
    }

    private func add(
        _ request: IncomingRequest, _ status: Int?, stub: String, note: String, _ problems: [String]
    ) {
        let text = isJSON ? json(request, status, stub, note, problems) : self.text(request, status, note, problems)
        if case .dropped = feed.yield(text) { dropped.withLock { $0 += 1 } }
    }

    private func text(_ request: IncomingRequest, _ status: Int?, _ note: String, _ problems: [String]) -> String {
        let seconds = Int(clock.date()) % 86_400
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        let first = "\(time)  \(request.method) \(request.path)  \(status.map(String.init) ?? "---")  \(note)"
        return ([first] + problems.map { "          \($0)" }).map { TerminalText.harmless($0) }.joined(separator: "\n")
    }

    private func json(
        _ request: IncomingRequest, _ status: Int?, _ stub: String, _ note: String, _ problems: [String]
    ) -> String {
        var members = [
            OrderedJSON.Member("event", .string("request")), OrderedJSON.Member("method", .string(request.method)),
            OrderedJSON.Member("path", .string(request.path)),
            OrderedJSON.Member("status", status.map { .int($0) } ?? .null), OrderedJSON.Member("stub", .string(stub)),
        ]
        if stub == "none" { members.append(OrderedJSON.Member("reason", .string(note))) }
        if !problems.isEmpty {
            members.append(OrderedJSON.Member("problems", .array(problems.map { .string($0) })))
        }
        return OrderedJSON.object(members).compact
    }
}

extension RequestReading.Problem {
    fileprivate var shown: String { place.map { "\(message)   \($0.description)" } ?? message }
}
