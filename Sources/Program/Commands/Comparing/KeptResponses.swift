import Checking
import CommandLineKit
import Exchange
import ReqcliBasics
import ReqcliText

/// Two recorded calls whose responses are compared.
enum KeptResponses {
    case numbers([Int])
    case lastTwo(of: String)

    /// Two whole numbers; nil for other words.
    init?(_ words: [String]) {
        let numbers = words.compactMap { $0.utf8.allSatisfy(\.isDigit) ? Int($0) : nil }
        guard words.count == 2, numbers.count == 2 else { return nil }
        self = .numbers(numbers)
    }

    /// The responses, and the endpoint if both are responses of the same endpoint.
    func read(
        from history: History, _ context: Context
    ) throws(Failure) -> (endpoint: String?, responses: [ComparedResponse]) {
        let calls: [(call: History.Kept, entry: HistoryEntry)]
        switch self {
        case .numbers(let numbers):
            calls = try numbers.map { number throws(Failure) in try history.entry(number: number) }
        case .lastTwo(let endpoint): calls = try history.lastTwo(of: endpoint)
        }
        if let (call, _) = calls.first(where: { $0.entry.extent == .words }) {
            throw Failure(
                .usage, code: .historyMissing,
                "the history has only the words of call \(call.number), and not its response",
                hint: "set \"history\": true in reqcli.json, or \(History.variable)=1, and make the calls again")
        }
        for (call, entry) in calls where !entry.isWhole {
            context.note("the history has only the beginning of the body of call \(call.number)")
        }
        let endpoints = Set(calls.map(\.entry.endpoint))
        return (
            endpoints.count == 1 ? endpoints.first : nil,
            calls.map { ComparedResponse(name: "call \($0.call.number)", $0.entry) }
        )
    }
}

extension ComparedResponse {
    init(name: String, _ entry: HistoryEntry) {
        self.init(
            name: name, head: entry.head.map { Head(status: $0.status, headers: $0.headers) }, body: entry.body,
            duration: entry.timings?.total)
    }
}
