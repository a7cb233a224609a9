public import Exchange
public import Foundation
import HTTPWire
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliMocking
import ReqcliServing
import ReqcliText
public import RequestBuilding

/// A server on a free port of this machine that responds with stubs.
///
/// The code under test opens real connections, and the test sees the requests:
///
/// ```swift
/// let server = try await StubServer(
///     StubTransport().stubbing(Stub(json: "[]"), for: "todos").stubbing(Stub(status: 404), for: "todos/{id}"))
/// let todos = try await TodoStore(server: server.url).all()
/// #expect(todos.isEmpty)
/// #expect(server.requests.map(\.method) == [.get])
/// await server.stop()
/// ```
///
/// Each server has its own port, thread, requests and turns of sequences, so that tests can run at the same time. Nothing is
/// global: no signal is handled, and no setting of the process changes. A server ends with ``stop(grace:)``, or when the last
/// reference to it is gone.
///
/// If the code under test takes a transport, use `StubTransport` instead, which needs no socket.
public final class StubServer: Sendable {
    /// The server's URL, such as `http://localhost:40123`.
    public let url: URL
    private let server: Server
    private let record: ReceivedRequests
    /// The engine; nil for a server with stubs instead of a workspace.
    private let engine: MockEngine?

    /// Starts a server that responds with stubs. A request without a stub gets the status 404, with a body that lists the stubs.
    ///
    /// A stub with an error is a fault of the connection. Usually the connection is reset. For the error `timeout`, nothing is sent.
    /// For `truncated`, the body ends in the middle.
    ///
    /// - Parameter stubs: The stubs. The most specific pattern responds; see `StubPattern`.
    /// - Throws: ``StubServerError`` if no port is free.
    public convenience init(_ stubs: StubTransport) async throws {
        let responder = StubResponder(stubs)
        try self.init(nil, refusal: { problem, _ in responder.refusal(of: problem) }) { request, _ in
            (responder.reply(to: request), nil)
        }
    }

    /// Starts a server that responds with the stub variants of a workspace, as `reqcli serve` does.
    ///
    /// ```swift
    /// let server = try await StubServer(workspace: "api", environment: "staging")
    /// try server.choose("empty", for: "user.feed")
    /// #expect(try await Feed(server: server.url).items().isEmpty)
    /// try server.verify(["user.feed": 1...1])
    /// ```
    ///
    /// The files are read once, before the initializer returns.
    ///
    /// - Parameters:
    ///   - workspace: The path of the folder that holds `endpoints`.
    ///   - environment: The environment. If nil, the environment in `reqcli.json` is used or, without one, `development`.
    ///   - seed: Makes the random values in responses the same for each server with the same seed, as `--seed` does. If nil, they
    ///     are others each time.
    ///   - time: The time in responses, such as `{{$now | iso}}`. If nil, the time of the response.
    /// - Throws: ``StubServerError`` with the errors of the files and their places, or if no port is free.
    public convenience init(
        workspace: String, environment: String? = nil, seed: String? = nil, time: Date? = nil
    ) async throws {
        let engine = try MockEngine(ofWorkspace: workspace, environment: environment, seed: seed, time: time)
        let responder = WorkspaceResponder(engine, clock: .live)
        try self.init(
            responder.engine, refusal: { responder.reply(to: $0, $1) },
            reply: { _, request in
                var endpoint: String?
                let reply = responder.reply(to: request) { endpoint = $0.endpoint?.id }
                return (reply, endpoint)
            })
    }

    /// - Parameters:
    ///   - refusal: Responds to input that is not a request.
    ///   - reply: Responds to a request, and says which endpoint the request is for.
    private init(
        _ engine: MockEngine?, refusal: @escaping @Sendable (WireProblem, RequestHead?) -> ServerReply,
        reply: @escaping @Sendable (PreparedRequest, ServerRequest) -> (reply: ServerReply?, endpoint: String?)
    ) throws {
        let record = ReceivedRequests()
        self.record = record
        self.engine = engine
        do throws(ListenProblem) {
            let loop = try EventLoop()
            var handler = ServerHandler(loop, upTo: RequestLimits().wholeBody) { request in
                guard var received = PreparedRequest(request) else {
                    return StubReplies().refusal(501, "a stub cannot respond to the method \(request.head.method)")
                }
                let (reply, endpoint) = reply(received, request)
                received.name = endpoint
                record.add(received)
                return reply
            }
            handler.refusal = refusal
            server = try Server(on: [.loopback(port: 0)], loop: loop, handler: handler)
        } catch {
            throw StubServerError(description: error.reason)
        }
        guard let url = server.urls.first.flatMap({ URL(string: $0) }) else {
            throw StubServerError(description: "the server has no URL")
        }
        self.url = url
    }

    /// The last 10,000 requests, in the order in which they were completely received. A request is listed before its response
    /// begins.
    ///
    /// The URL of each request is the URL that the client used. In a workspace, `name` is the id of the endpoint.
    public var requests: [PreparedRequest] { record.all }

    /// Waits until requests have been received.
    ///
    /// - Parameters:
    ///   - pattern: The requests that count, including those received before this call. In a workspace, `.named("user.feed")`
    ///     means the requests of an endpoint.
    ///   - count: The number of these requests to wait for.
    ///   - timeout: How long to wait.
    /// - Returns: All requests so far that the pattern matches.
    /// - Throws: ``StubServerError`` if fewer are received in that time.
    @discardableResult
    public func wait(
        for pattern: StubPattern = .any, count: Int = 1, timeout: Duration = .seconds(5)
    ) async throws -> [PreparedRequest] {
        try await record.wait(for: pattern, count: count, timeout: timeout)
    }

    /// Chooses the variant that responds for an endpoint of the workspace from now on, whatever its `when` says.
    ///
    /// - Parameters:
    ///   - variant: The name of the variant; nil removes the choice.
    ///   - endpoint: The id of an endpoint, a group, or a pattern such as `user.*`.
    /// - Throws: ``StubServerError`` if there is no such endpoint or no such variant.
    public func choose(_ variant: String?, for endpoint: String) throws {
        if let complaint = try workspaceEngine().choose([(endpoint, variant)], session: IncomingRequest.standardSession)
        {
            throw StubServerError(description: complaint)
        }
    }

    /// Compares the requests so far with what the endpoints of the workspace describe, and with the calls that are expected.
    ///
    /// - Parameter calls: The number of valid calls that each endpoint must have received, by its id.
    /// - Throws: ``StubServerError`` if the requests or the calls are wrong. The error names all requests without an endpoint,
    ///   requests that differ from the description of their endpoint, requests that the server refuses, such as those for another
    ///   host, missing calls, calls that are too many, and sequences that ran out. The error is also thrown if no request was
    ///   received at all.
    public func verify(_ calls: [String: ClosedRange<Int>] = [:]) throws {
        let engine = try workspaceEngine()
        let unknown = calls.keys.sorted().compactMap { engine.complaint(aboutEndpoint: $0) }
        let expected = calls.sorted { $0.key < $1.key }.map { CallExpectation($0.key, $0.value) }
        let lines = unknown.isEmpty ? engine.complaints(expecting: expected).map(\.description) : unknown
        if !lines.isEmpty { throw StubServerError(description: lines.joined(separator: "\n")) }
    }

    private func workspaceEngine() throws -> MockEngine {
        if let engine { return engine }
        throw StubServerError(description: "this server uses rules, and has no workspace")
    }

    /// Accepts no more connections, and returns when all existing ones are closed.
    ///
    /// - Parameter grace: The time to wait for responses that are not sent yet, such as delayed responses.
    public func stop(grace: Duration = .zero) async { await server.stop(grace: grace) }
}

/// The reason why a server doesn't start, or why a wait ended without its requests.
public struct StubServerError: DescribedError, Hashable, Sendable {
    /// The reason.
    public let description: String
}
