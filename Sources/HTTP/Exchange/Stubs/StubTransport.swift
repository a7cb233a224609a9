import Foundation
import ReqcliBasics
public import RequestBuilding

/// A transport that responds with ``Stub``s and never opens a socket.
///
/// Everything before the transport works as usual: the request is built, middlewares see it, responses are decoded.
///
/// ```swift
/// let fixture = StubTransport()
///     .stub(Stub(json: #"{"id": 1}"#), for: "todos/{id}")
///     .stub([Stub(status: 503), Stub(json: "[]")], for: "todos")
/// let offline = fixture.stub(Stub(error: .dns), for: "todos")  // takes the place of the two responses
/// let client = APIClient(baseURL: url, transport: offline)
/// ```
///
/// Operators return a new transport and do not change the original. Each transport counts its own requests to find the next stub
/// of a sequence, so tests can run at the same time. A request without a stub throws ``StubMissing``.
public struct StubTransport: Transport {
    /// The rules, grouped by the name that requests must have. The key nil is for rules that require no name. In each list, the
    /// most specific rule is first.
    private var rules: [String?: [Rule]] = [:]
    private let sleep: @Sendable (Duration) async throws -> Void
    private let draw: @Sendable (ClosedRange<Duration>) -> Duration
    private let record = Record()
    /// Picks the stub for every request; the rules are then not used.
    private var picking: Picking?
    /// Called with each stub that is used.
    private var onStub: (@Sendable (Stub) -> Void)?

    /// The response after the last stub of a sequence.
    public enum Afterwards: String, Hashable, Sendable, CaseIterable {
        /// The last stub again.
        case last
        /// The first stub, and then the others again.
        case loop
        /// No stub: the request throws ``StubMissing``.
        case fail

        /// The element for the request with this number, counted from 0; nil if there are no more elements.
        package func element<Element>(_ number: Int, of elements: [Element]) -> Element? {
            index(number, of: elements.count).map { elements[$0] }
        }

        /// The index of the element for the request with this number, counted from 0, in a list of `count` elements; nil if there
        /// are no more elements.
        package func index(_ number: Int, of count: Int) -> Int? {
            if number < count { return number }
            return switch self {
            case .last: count > 0 ? count - 1 : nil
            case .loop: count > 0 ? number % count : nil
            case .fail: nil
            }
        }
    }

    /// Picks the stub for a request. `turn` returns how many times it was called before with the same name.
    package typealias Picking = @Sendable (_ request: PreparedRequest, _ turn: (String) -> Int) throws -> Stub

    /// Chooses a named list of stubs for a request. Nil means the stubs of the rule.
    typealias Deciding = @Sendable (PreparedRequest) -> (name: String, stubs: [Stub], afterwards: Afterwards)?

    private struct Rule {
        let pattern: StubPattern
        let stubs: [Stub]
        let afterwards: Afterwards
        /// Chooses other stubs for a request, to use instead of `stubs`.
        var deciding: Deciding?

        /// The name in messages.
        var name: String { stubs.count == 1 ? "\(pattern)" : "\(pattern) (\(stubs.count) responses)" }

        /// The stub for the request with this number, counted from 0; nil if there are no more stubs.
        func stub(_ number: Int) -> Stub? { afterwards.element(number, of: stubs) }
    }

    /// The requests of one transport, and the position in each sequence.
    private final class Record: Sendable {
        let state = Mutex<(requests: [PreparedRequest], turns: [StubPattern: Int])>(([], [:]))

        /// Counts a request for a pattern, and returns the number of earlier requests.
        func takeTurn(_ pattern: StubPattern) -> Int {
            state.withLock { state in
                defer { state.turns[pattern, default: 0] += 1 }
                return state.turns[pattern, default: 0]
            }
        }
    }

    /// A transport with no stubs.
    ///
    /// - Parameters:
    ///   - sleep: Waits for a stub's delay. In a test, this function can return at once.
    ///   - draw: Picks a delay from a range.
    public init(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        draw: @escaping @Sendable (ClosedRange<Duration>) -> Duration = { range in
            range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
        }
    ) {
        self.sleep = sleep
        self.draw = draw
    }

    /// The requests so far, in order.
    public var requests: [PreparedRequest] { record.state.withLock(\.requests) }

    /// Responds to a request; see ``Transport/send(_:)``.
    public func send(_ request: PreparedRequest) async throws -> Response {
        try request.refuseCacheAlone()
        let stub = try next(for: request)
        onStub?(stub)
        try await wait(for: stub, to: request)
        try Task.checkCancellation()
        var response = try stub.response(to: request)
        if let time = stub.bodyTime, time > .zero { response.body = response.body.coming(over: time, sleep) }
        return response
    }

    /// A copy of this transport. Both transports share the positions in sequences. The copy calls `onStub` with each stub that is
    /// used. Requests to the copy are not recorded in ``requests``.
    package func reporting(_ onStub: @escaping @Sendable (Stub) -> Void) -> StubTransport {
        var transport = self
        transport.onStub = onStub
        return transport
    }
}

// MARK: - Stubbing

extension StubTransport {
    /// Responds with a stub to requests that match a pattern. The stub replaces earlier stubs for the same pattern.
    public func stub(_ stub: Stub, for pattern: StubPattern) -> StubTransport {
        self.stub([stub], for: pattern)
    }

    /// Responds with several stubs in turn to requests that match a pattern. The stubs replace earlier stubs for the same pattern.
    public func stub(
        _ stubs: [Stub], for pattern: StubPattern, afterwards: Afterwards = .last
    ) -> StubTransport {
        var list = rules[pattern.name, default: []].filter { $0.pattern != pattern }
        let place = list.firstIndex { $0.pattern.weight <= pattern.weight } ?? list.endIndex
        list.insert(Rule(pattern: pattern, stubs: stubs, afterwards: afterwards), at: place)
        var transport = reset()
        transport.rules = rules
        transport.rules[pattern.name] = list
        return transport
    }

    /// Lets a closure choose other stubs for the requests of a pattern that already has stubs.
    func deciding(_ pattern: StubPattern, _ deciding: @escaping Deciding) -> StubTransport {
        var transport = reset()
        transport.rules = rules
        let list = rules[pattern.name, default: []]
        for index in list.indices where list[index].pattern == pattern {
            transport.rules[pattern.name, default: []][index].deciding = deciding
        }
        return transport
    }

    /// Responds to all requests that have no other stub.
    public func stubRest(_ stub: Stub) -> StubTransport {
        self.stub(stub, for: .any)
    }

    /// Responds to each request with the stub that a closure picks.
    package func stub(picking: @escaping Picking) -> StubTransport {
        var transport = reset()
        transport.picking = picking
        return transport
    }

    /// A copy of this transport without its stubs.
    public func reset() -> StubTransport {
        StubTransport(sleep: sleep, draw: draw)
    }
}

// MARK: - Responding

extension StubTransport {
    /// The stub for a request. The request is counted, so that the next request gets the next stub of a sequence.
    package func next(for request: PreparedRequest) throws -> Stub {
        if let picking {
            if onStub == nil { record.state.withLock { $0.requests.append(request) } }
            return try picking(request) { name in record.takeTurn(.named(name)) }
        }
        func rule(named name: String?) -> Rule? { rules[name]?.first { $0.pattern.fits(request) } }
        let rule = request.name.flatMap(rule) ?? rule(named: nil)
        if onStub == nil { record.state.withLock { $0.requests.append(request) } }
        if let rule, let stub = stub(of: rule, for: request) { return stub }
        throw StubMissing(
            request: "\(request.method) \(request.maskedURL)",
            stubs: rules.values.joined().map(\.name).sorted(), exhausted: rule?.name)
    }

    private func stub(of rule: Rule, for request: PreparedRequest) -> Stub? {
        guard let decided = rule.deciding?(request) else { return rule.stub(record.takeTurn(rule.pattern)) }
        let turn = record.takeTurn(.named("\(rule.pattern) \(decided.name)"))
        return decided.afterwards.element(turn, of: decided.stubs)
    }

    /// Waits for the stub's delay. The limits for a server's response apply here too.
    private func wait(for stub: Stub, to request: PreparedRequest) async throws {
        guard let delay = stub.delay.map(draw), delay > .zero else { return }
        let timeouts = request.transfer.timeouts
        let limits: [(TransportError.Timeout, Duration?)] = [
            (.total, timeouts.left), (.firstByte, timeouts.firstByte), (.idle, timeouts.idle),
        ]
        let shortest = limits.compactMap { kind, limit in limit.map { (kind, $0) } }.min { $0.1 < $1.1 }
        if let (kind, limit) = shortest, delay > limit {
            try await sleep(limit)
            throw stub.failure(.timeout(kind), of: request)
        }
        try await sleep(delay)
    }
}
