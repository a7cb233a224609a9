import Exchange
import HostileServing
import ReqcliNetworking
import RequestBuilding
import Testing

@testable import Exchange

/// How often a request reaches a server.
@Suite(.timeLimit(.minutes(10))) struct DeliveryTests {
    /// A transport whose idle connections no other test uses.
    private func transport(_ name: String) -> URLSessionTransport {
        URLSessionTransport(engine: Engine(name: name))
    }

    private static func request(_ method: String, _ url: URL) throws -> PreparedRequest {
        PreparedRequest(
            url: url, method: try HTTPMethod(method),
            body: method.hasPrefix("P") ? .data(Data("pay".utf8)) : nil)
    }

    /// Opens this many connections, which stay open and idle.
    private func openConnections(_ count: Int, to server: HostileServer, _ transport: URLSessionTransport) async throws
    {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask { _ = try await transport.send(PreparedRequest(url: server.url("/open"))).body.data() }
            }
            try await group.waitForAll()
        }
    }

    /// Answers `/open` once as many connections as wanted are there, and closes the connection on anything else.
    private func closingServer(after count: Int) throws -> HostileServer {
        let arrived = Locked(0)
        return try HostileServer { connection in
            while let request = connection.readRequest() {
                guard request.line.hasPrefix("GET /open ") else { return }
                arrived.withLock { $0 += 1 }
                while arrived.withLock({ $0 < count }) { connection.pause(0.001) }
                connection.respond(body: "open")
            }
        }
    }

    @Test(
        "a request goes out once, however many idle connections the server closes under it",
        arguments: ["GET", "HEAD", "POST", "PUT"])
    func once(method: String) async throws {
        let server = try closingServer(after: 6)
        let transport = transport("once-\(method)")
        try await openConnections(6, to: server, transport)
        let request = try Self.request(method, server.url("/once"))
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        #expect(error?.kind == .reset)
        #expect(error?.detail.contains("connection was reused") == true, "\(error?.detail ?? "")")
        #expect(server.requests.count { $0.line.contains("/once") } == 1)
    }

    @Test("a retry that is asked for is the only thing that sends a request again")
    func retried() async throws {
        let server = try closingServer(after: 6)
        let transport = transport("retried")
        try await openConnections(6, to: server, transport)
        let attempts = Locked(0)
        let counter = CountingTransport(base: transport) { attempts.withLock { $0 += 1 } }
        let client = APIClient(
            baseURL: server.url(), transport: counter,
            middlewares: [RetryMiddleware(sleep: { _ in })])
        var request = try Self.request("GET", server.url("/once"))
        request.transfer.retry.times = 2
        let sent = request
        await #expect(throws: TransportError.self) { try await client.send(sent) }
        #expect(attempts.withLock { $0 } == 3)
        #expect(server.requests.count { $0.line.contains("/once") } == 3)
    }

    @Test("a connection that was closed while it was idle is replaced before anything is sent")
    func replaced() async throws {
        let closed = Locked(false)
        let server = try HostileServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(body: "first")
            connection.closeSending()
            closed.withLock { $0 = true }
            connection.waitForClose()
        }
        let transport = transport("replaced")
        for _ in 0..<3 {
            closed.withLock { $0 = false }
            let body = try await transport.send(Self.request("POST", server.url())).body.data()
            #expect(body == Data("first".utf8))
            while !closed.withLock({ $0 }) { await Task.yield() }
        }
        #expect(server.requests.map(\.body) == Array(repeating: Data("pay".utf8), count: 3))
        #expect(server.connections == 3)
    }

    @Test("417 to an Expect of one's own is a response, and the request isn't sent without the header")
    func expectationFailed() async throws {
        let server = try HostileServer { connection in
            while connection.readHead() != nil { connection.respond(417, body: "no") }
        }
        var request = try Self.request("POST", server.url())
        request.headers.append("Expect", "100-continue")
        let response = try await transport("expect").send(request)
        #expect(response.status == 417)
        #expect(server.connections == 1)
    }
}

/// Counts what goes through it.
private struct CountingTransport: Transport {
    let base: any Transport
    let count: @Sendable () -> Void

    func send(_ request: PreparedRequest) async throws -> Response {
        count()
        return try await base.send(request)
    }
}
