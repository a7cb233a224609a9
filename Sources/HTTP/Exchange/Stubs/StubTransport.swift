import Foundation
import ReqcliBasics
public import RequestBuilding

/// A transport that responds with ``Stub``s and never opens a socket.
///
/// Everything before the transport works as usual: the request is built, middlewares see it, responses are decoded.
///
/// ```swift
/// let stubs = StubTransport().stubbing(Stub(json: #"{"id": 1}"#), for: "todos/{id}")
/// let client = APIClient(baseURL: url, transport: stubs)
/// ```
///
/// The operators of ``Stubbable`` return a new transport and do not change the original. Each transport counts its own requests to find the next stub
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
    /// A copy that responds with stubs in turn to requests that match a pattern.
    func adding(_ stubs: [Stub], for pattern: StubPattern, afterwards: Afterwards) -> StubTransport {
        var list = rules[pattern.name, default: []].filter { $0.pattern != pattern }
        let place = list.firstIndex { $0.pattern.weight <= pattern.weight } ?? list.endIndex
        list.insert(Rule(pattern: pattern, stubs: stubs, afterwards: afterwards), at: place)
        var transport = withoutStubs
        transport.rules = rules
        transport.rules[pattern.name] = list
        return transport
    }

    /// A copy that responds with a variant to the calls of its endpoint, unless a call selects another variant.
    func deciding<Variant: StubVariant>(_ variant: Variant) -> StubTransport {
        let pattern = StubPattern.named(Variant.Call.id)
        var transport = adding(variant.namedStubs, for: pattern, afterwards: variant.afterwards)
        let list = transport.rules[pattern.name, default: []]
        for index in list.indices where list[index].pattern == pattern {
            transport.rules[pattern.name, default: []][index].deciding = { request in
                guard let call = request.source?.value as? Variant.Call,
                    let chosen = Variant.variant(for: call, sentAs: request)
                else { return nil }
                return (chosen.rawValue, chosen.namedStubs, chosen.afterwards)
            }
        }
        return transport
    }

    /// Responds to each request with the stub that a closure picks.
    package func stub(picking: @escaping Picking) -> StubTransport {
        var transport = withoutStubs
        transport.picking = picking
        return transport
    }

    /// A copy without stubs.
    var withoutStubs: StubTransport { StubTransport(sleep: sleep, draw: draw) }
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
