import HostileServing
import Testing
import ToolSupport

/// `send` of an endpoint that needs others first.
@Suite(.serialized) struct NeedsTests {
    private static let endpoints = """
        {"endpoints": {
          "login": {"method": "POST", "path": "/login", "capture": {"token": {"json": "$.token", "secret": true}}},
          "me": {"path": "/me/{{id}}", "params": {"id": {"type": "integer"}},
                 "needs": {"login": {"endpoint": "it.login", "refreshOn": [401]}}, "auth": {"bearer": "{{login.token}}"}}}}
        """

    /// Hands out `token-1`, `token-2`, …; `/me` takes those from `good` on.
    private static func server(takingFrom good: Int) throws -> HostileServer {
        let logins = Locked(0)
        return try HostileServer { connection in
            while let request = connection.readRequest() {
                if request.line.hasPrefix("POST /login ") {
                    let number = logins.withLock { count in
                        count += 1
                        return count
                    }
                    connection.respond(200, body: #"{"token": "token-\#(number)"}"#)
                } else {
                    let number = request.values("Authorization").first?.split(separator: "-").last.flatMap { Int($0) }
                    let isGood = (number ?? 0) >= good
                    connection.respond(isGood ? 200 : 401, body: isGood ? "hello" : "who?")
                }
            }
        }
    }

    private static func lines(_ server: HostileServer) -> [String] {
        server.requests.map { request in
            (request.line.split(separator: " ").prefix(2) + request.values("Authorization").map { $0[...] })
                .joined(separator: " ")
        }
    }

    private func send(_ server: HostileServer, _ words: [String]) async throws -> ToolRun {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: Self.endpoints,
            environment: #""policy": {"confirm": ["DELETE"]}"#)
        return try await Tool.run(["send", "it.me"] + words, in: workspace)
    }

    @Test("what is needed is sent first, and what it captured goes on")
    func first() async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let run = try await send(server, ["id=7"])
        #expect(run.status == 0 && run.outputText == "hello", "\(run.errors)")
        #expect(Self.lines(server) == ["POST /login", "GET /me/7 Bearer token-1"])
    }

    @Test("an answer that says it has run out has it sent again, and the request repeated")
    func refreshed() async throws {
        let server = try Self.server(takingFrom: 2)
        defer { server.stop() }
        let run = try await send(server, ["id=7", "-v"])
        #expect(run.status == 0 && run.outputText == "hello", "\(run.errors)")
        #expect(
            Self.lines(server) == [
                "POST /login", "GET /me/7 Bearer token-1", "POST /login", "GET /me/7 Bearer token-2",
            ])
        #expect(run.errors.contains("< HTTP/1.1 401") && run.errors.contains("< HTTP/1.1 200"), "\(run.errors)")
        #expect(!run.errors.contains("token-"), "\(run.errors)")
    }

    @Test("once: the second such answer is the answer")
    func once() async throws {
        let server = try Self.server(takingFrom: 9)
        defer { server.stop() }
        let run = try await send(server, ["id=7"])
        #expect(run.status == 4 && run.outputText == "who?")
        #expect(server.requests.count == 4)
    }

    @Test("a value that is given instead is not refreshed")
    func given() async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let run = try await send(server, ["id=7", "login.token=mine-0"])
        #expect(run.status == 4)
        #expect(Self.lines(server) == ["GET /me/7 Bearer mine-0"])
    }

    @Test(
        "nothing is sent for a request that can't be made",
        arguments: [(["id=seven"], "id takes a whole number"), ([], "needs the param \"id\"")])
    func rehearsed(_ words: [String], _ told: String) async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let run = try await send(server, words)
        #expect(run.status == 2 && run.errors.contains(told), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }
}
