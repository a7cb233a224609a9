public import Exchange
public import Foundation
import HTTPWire
public import RequestBuilding
import Serving

/// A server on a free port of this machine that responds with stubs.
///
/// The code under test opens real connections, and the test sees what came:
///
/// ```swift
/// let server = try await StubServer(
///     .stub(Stub(json: "[]"), for: "todos"), .stub(Stub(status: 404), for: "todos/{id}"))
/// let todos = try await TodoStore(server: server.url).all()
/// #expect(todos.isEmpty)
/// #expect(server.requests.map(\.method) == [.get])
/// await server.stop()
/// ```
///
/// Each server has its own port, thread, requests and turns of sequences, so that tests can run at the same time. Nothing
/// is global: no signal is handled, and no setting of the process changes. A server ends with ``stop(grace:)``, or when
/// nothing refers to it any more.
///
/// Use `StubTransport` where the code under test takes a transport: it needs no socket.
public final class StubServer: Sendable {
    /// The server's URL, such as `http://localhost:40123`.
    public let url: URL
    private let server: Server
    private let record: ReceivedRequests

    /// Starts a server that responds to some requests. All others get the status 404, and the body says which stubs there are.
    ///
    /// - Parameter rules: The requests and their responses. The most specific pattern responds; see
    ///   `StubPattern`.
    /// - Throws: ``StubServerError`` if no port is free.
    public convenience init(_ rules: Rule...) async throws {
        try self.init(responder: RuleResponder(rules))
    }

    init(responder: any Responder) throws {
        let record = ReceivedRequests()
        self.record = record
        var handler = ServerHandler { request in
            guard let received = PreparedRequest(request) else {
                return .refusal(501, "a stub cannot be for the method \(request.head.method)")
            }
            let (reply, name) = responder.reply(to: received, request)
            var named = received
            named.name = name
            record.add(named)
            return reply
        }
        handler.refusal = { .refusal($0.status, $0.reason) }
        do throws(ListenProblem) {
            let loop = try EventLoop()
            server = try Server(on: [.loopback(port: 0)], loop: loop, handler: handler)
        } catch {
            throw StubServerError(description: error.reason)
        }
        guard let url = server.urls.first.flatMap({ URL(string: $0) }) else {
            throw StubServerError(description: "the server has no URL")
        }
        self.url = url
    }

    /// The last 10,000 requests, in the order in which they were complete. A request is here before its response begins.
    ///
    /// The URL of a request is the one that the client named, and `name` is the id of
    /// the endpoint in a workspace.
    public var requests: [PreparedRequest] { record.all }

    /// Waits until requests have come.
    ///
    /// - Parameters:
    ///   - pattern: The requests that count, also those that came before this call. In a workspace,
    ///     `.named("user.feed")` are those of an endpoint.
    ///   - count: How many of them to wait for.
    ///   - timeout: How long to wait.
    /// - Returns: All requests so far that the pattern matches.
    /// - Throws: ``StubServerError`` if fewer have come in that time.
    @discardableResult
    public func wait(
        for pattern: StubPattern = .any, count: Int = 1, timeout: Duration = .seconds(5)
    ) async throws -> [PreparedRequest] {
        try await record.wait(for: pattern, count: count, timeout: timeout)
    }

    /// Takes no more connections, and returns when all of them are closed.
    ///
    /// - Parameter grace: How long to wait for responses under way, such as delayed ones.
    public func stop(grace: Duration = .zero) async { await server.stop(grace: grace) }
}

extension StubServer {
    /// Requests, and the responses to them.
    public struct Rule: Sendable {
        let pattern: StubPattern
        let stubs: [Stub]
        let afterwards: StubTransport.Afterwards

        /// Responds to requests with a stub.
        ///
        /// A stub with an error is a fault of the connection. It is reset, except for `timeout`, where nothing is sent,
        /// and `truncated`, where the body ends in its middle.
        public static func stub(_ stub: Stub, for pattern: StubPattern) -> Rule {
            .stub([stub], for: pattern)
        }

        /// Responds to requests with several stubs in turn.
        public static func stub(
            _ stubs: [Stub], for pattern: StubPattern, afterwards: StubTransport.Afterwards = .last
        ) -> Rule {
            Rule(pattern: pattern, stubs: stubs, afterwards: afterwards)
        }

        /// Responds to all requests for which there is no other rule.
        public static func stubRest(_ stub: Stub) -> Rule { .stub(stub, for: .any) }
    }
}

/// The reason why a server doesn't start, or why a wait ended without its requests.
public struct StubServerError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The reason.
    public let description: String

    /// The reason.
    public var errorDescription: String? { description }
}
