import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// The variants that were recorded in this run.
struct RecordedStubs {
    private static let limit = 20

    private(set) var count = 0
    /// The names of the last ones, such as `user.feed=recorded`.
    private(set) var last: [String] = []

    mutating func add(_ stub: String) {
        count += 1
        last.append(stub)
        if last.count > Self.limit { last.removeFirst() }
    }
}

extension MockEngine {
    /// The state of a run for its page.
    struct News {
        /// The number of the last request.
        let last: Int
        /// The number of changes of endpoints and choices so far.
        let changes: Int
        /// The newest requests, in their order.
        let entries: [JournalEntry]
        let recorded: RecordedStubs
    }

    /// The most requests that a page gets at a time. Under load, a page shows only the newest requests.
    private static let newsLimit = 50

    /// The requests since a page has last asked.
    func news(after number: Int) -> News {
        withState { state in
            let last = state.journal.lastNumber
            return News(
                last: last, changes: state.changes,
                entries: state.journal.entries(after: max(number, last - Self.newsLimit)), recorded: state.recorded)
        }
    }

    /// Notes that a response was kept as a variant, such as `user.feed=recorded`.
    package func noteRecorded(_ stub: String) { withState { $0.recorded.add(stub) } }

    /// A request of an endpoint with these values of params; nil if there is no such endpoint.
    func example(
        of id: String, _ values: [(name: String, text: String)]
    ) throws(Failure) -> PreparedRequest? {
        let pattern = withState { $0.served.router.patterns.first { $0.endpoint.id == id } }
        return try pattern.map { (pattern) throws(Failure) in
            try pattern.maker.example(of: pattern.endpoint, values)
        }
    }
}

extension RequestPattern.Maker {
    /// A request of an endpoint with these values of params. Secrets are not read, and neither are files: a stand-in takes the place
    /// of each one that the request needs.
    fileprivate func example(
        of endpoint: LocatedEndpoint, _ values: [(name: String, text: String)]
    ) throws(Failure) -> PreparedRequest {
        let unread = endpoint.parameters.filter { $0.value.isSecret || $0.value.kind == .file }
        let open = unread.filter(\.value.isRequired).map(\.name)
        let standIns = open.map { ($0, OrderedJSON.string(StandIn.text(for: .parameter($0)))) }
        var call = examples.call(endpoint, Dictionary(standIns, uniquingKeysWith: { first, _ in first })).call
        call.arguments.removeAll { !open.contains($0.name) }
        call.arguments += values.filter { value in !unread.contains { $0.name == value.name } }.map {
            ParameterArgument(name: $0.name, source: .text($0.text))
        }
        call.readsBodyFiles = false
        return try examples.assembler(world).assemble(call).request
    }
}
