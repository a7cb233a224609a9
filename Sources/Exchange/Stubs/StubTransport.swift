import Foundation
public import RequestBuilding
import Synchronization

/// A transport that answers from ``Stub``s and never opens a socket.
///
/// Everything before it is the real thing: the request is built, middlewares see it, answers are decoded.
///
/// ```swift
/// let transport = StubTransport()
///     .stub(Stub(json: #"{"id": 1}"#), for: "todos/1")
///     .stub(Stub(json: "[]"), for: "todos")
/// let client = APIClient(baseURL: url, transport: transport)
/// ```
///
/// Operators return a new transport and leave the receiver as it was. Which answer of a queue is next belongs to one
/// transport and is shared by nobody else, so that tests can run at the same time. A request for which there is no stub
/// is a ``StubMissing``.
public struct StubTransport: Transport {
    private let routes: [StubRoute]
    private let rest: Stub?
    private let sleep: @Sendable (Duration) async throws -> Void
    private let draw: @Sendable (ClosedRange<Duration>) -> Duration
    private let record = Record()

    /// What comes when a queue of answers is used up.
    public enum Afterwards: String, Hashable, Sendable, CaseIterable {
        /// The last answer, again and again.
        case last
        /// The first answer, and all from there.
        case loop
        /// ``StubMissing``
        case fail
    }

    /// What has happened to one transport.
    private final class Record: Sendable {
        let state = Mutex<(requests: [PreparedRequest], used: [Int: Int])>(([], [:]))
    }

    /// A transport with no stubs.
    ///
    /// - Parameters:
    ///   - sleep: Waits for an answer's delay; a test may return at once.
    ///   - draw: Chooses a delay from a range.
    public init(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        draw: @escaping @Sendable (ClosedRange<Duration>) -> Duration = { range in
            range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1)
        }
    ) {
        self.init(routes: [], rest: nil, sleep: sleep, draw: draw)
    }

    private init(
        routes: [StubRoute], rest: Stub?, sleep: @escaping @Sendable (Duration) async throws -> Void,
        draw: @escaping @Sendable (ClosedRange<Duration>) -> Duration
    ) {
        self.routes = routes
        self.rest = rest
        self.sleep = sleep
        self.draw = draw
    }

    /// The requests so far, in order.
    public var requests: [PreparedRequest] { record.state.withLock(\.requests) }

    /// Answers a request; see ``Transport/send(_:)``.
    public func send(_ request: PreparedRequest) async throws -> Response {
        guard let stub = next(for: request) else {
            throw StubMissing(request: Self.line(of: request), stubs: routes.map(\.name))
        }
        if let delay = stub.delay { try await sleep(draw(delay)) }
        try Task.checkCancellation()
        return try stub.response(to: request)
    }
}

// MARK: - Stubbing

extension StubTransport {
    /// Answers requests whose URL ends with `endpoint`; a further stub for the same endpoint is the next answer.
    ///
    /// The end is compared by whole path segments, and with the query where `endpoint` has one. Of several that fit, the
    /// longest is taken, and one with a method before one without.
    public func stub(_ stub: Stub, for endpoint: String, method: HTTPMethod? = nil) -> StubTransport {
        self.stub([stub], for: endpoint, method: method)
    }

    /// Answers with several stubs in turn.
    public func stub(
        _ stubs: [Stub], for endpoint: String, method: HTTPMethod? = nil, afterwards: Afterwards = .last
    ) -> StubTransport {
        var routes = routes
        if let index = routes.firstIndex(where: { $0.endpoint == endpoint && $0.method == method }) {
            routes[index].answers += stubs
            routes[index].afterwards = afterwards
        } else {
            routes.append(StubRoute(endpoint: endpoint, method: method, answers: stubs, afterwards: afterwards))
        }
        return StubTransport(routes: routes, rest: rest, sleep: sleep, draw: draw)
    }

    /// Answers all requests for which there is nothing else.
    public func stubRest(_ stub: Stub) -> StubTransport {
        StubTransport(routes: routes, rest: stub, sleep: sleep, draw: draw)
    }

    /// A transport that has forgotten all stubs.
    public func reset() -> StubTransport {
        StubTransport(routes: [], rest: nil, sleep: sleep, draw: draw)
    }
}

// MARK: - Choosing

extension StubTransport {
    private func next(for request: PreparedRequest) -> Stub? {
        let index = route(for: request)
        return record.state.withLock { state in
            state.requests.append(request)
            guard let index else { return rest }
            defer { state.used[index, default: 0] += 1 }
            return routes[index].answer(after: state.used[index, default: 0])
        }
    }

    private func route(for request: PreparedRequest) -> Int? {
        routes.indices
            .filter { routes[$0].fits(request) }
            .max { routes[$0].weight < routes[$1].weight }
    }

    private static func line(of request: PreparedRequest) -> String {
        "\(request.method) \(request.url.absoluteString)"
    }
}
