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
                if request.line.hasPrefix("POST /login") {
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

    private static func workspace(_ server: HostileServer, _ environment: String) throws -> ToolWorkspace {
        try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: endpoints, environment: environment)
    }

    private func send(_ server: HostileServer, _ words: [String]) async throws -> ToolRun {
        try await Tool.run(
            ["send", "it.me"] + words, in: try Self.workspace(server, #""policy": {"confirm": ["DELETE"]}"#))
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

    // MARK: Agreement

    private static let asking = #""policy": {"confirm": ["POST", "GET"]}"#

    @Test(
        "a person is asked once about all that is to be sent, before any of it",
        arguments: [("y", 0, 2), ("n", 8, 0)] as [(String, Int32, Int)])
    func asked(_ answer: String, _ status: Int32, _ requests: Int) async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["send", "it.me", "id=7"], in: try Self.workspace(server, Self.asking), input: terminal.program,
            errors: .descriptor(terminal.program))
        #expect(await terminal.shows("development asks before such requests:"))
        #expect(await terminal.shows("  POST it.login"))
        #expect(await terminal.shows("Send them? [y/N] "))
        #expect(server.requests.isEmpty)
        terminal.type(answer + "\n")
        let run = try await tool.end()
        #expect(run.status == status, "\(terminal.text)")
        #expect(server.requests.count == requests)
        #expect(terminal.text.split(separator: "[y/N]").count == 2, "\(terminal.text)")
    }

    @Test("a param that was asked for goes to what is needed, too")
    func askedParameter() async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let endpoints = Self.endpoints
            .replacing(
                #""path": "/login""#,
                with: #""path": "/login", "query": {"of": "{{id}}"}, "params": {"id": {"type": "integer"}}"#
            )
            .replacing(#""it.login","#, with: #""it.login", "with": {"id": "{{id}}"},"#)
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: endpoints)
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["send", "it.me"], in: workspace, input: terminal.program, errors: .descriptor(terminal.program))
        #expect(await terminal.shows("id: "))
        terminal.type("7\n")
        #expect(try await tool.end().status == 0, "\(terminal.text)")
        #expect(Self.lines(server) == ["POST /login?of=7", "GET /me/7 Bearer token-1"])
    }

    @Test(
        "where nobody is, or nothing helps, nothing is sent and what needs it is named",
        arguments: [
            (#""policy": {"confirm": ["POST"]}"#, "development asks before each POST, and nobody is there to ask"),
            (#""policy": {"methods": ["GET"]}"#, "development doesn't take POST: its policy allows only GET"),
        ])
    func unasked(_ policy: String, _ told: String) async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let run = try await Tool.run(["send", "it.me", "id=7"], in: try Self.workspace(server, policy))
        #expect(run.status == 8)
        #expect(run.errors.contains("error: it.me needs it.login, which can't be sent: \(told)"), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }

    // MARK: What it comes to

    @Test(
        "a refusal of what is needed gives the status of one",
        arguments: [
            (401, #""expect": {"status": 200}, "#, 4), (404, "", 4), (500, #""expect": {"status": "2xx"}, "#, 5),
            // The server has not said no: it's an expectation that failed.
            (302, #""expect": {"status": 200}, "#, 1),
            (404, #""expect": {"status": 404, "json": {"$.token": "other"}}, "#, 1), (204, "", 1),
        ] as [(Int, String, Int32)])
    func refusal(_ answer: Int, _ expectation: String, _ status: Int32) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(answer, body: answer == 204 ? "" : #"{"code": "none"}"#)
            }
        }
        defer { server.stop() }
        let endpoints = Self.endpoints.replacing(#""login": {"method""#, with: #""login": {\#(expectation)"method""#)
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: endpoints)
        let run = try await Tool.run(["send", "it.me", "id=7"], in: workspace)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains("it.me needs it.login, which failed: "), "\(run.errors)")
        #expect(server.requests.count == 1)
    }

    @Test("-v names what was sent before, and shows nothing that was captured")
    func narrated() async throws {
        let server = try Self.server(takingFrom: 2)
        defer { server.stop() }
        let run = try await send(server, ["id=7", "-v"])
        let login = "* needs it.login: POST http://127.0.0.1:\(server.port)/login → 200\n"
        let parts = run.errors.split(separator: login, omittingEmptySubsequences: false)
        #expect(parts.count == 3 && parts.first == "", "\(run.errors)")
        #expect(parts.dropFirst().first?.contains("< HTTP/1.1 401") == true, "\(run.errors)")
        #expect(!run.errors.contains("token-"), "\(run.errors)")
    }

    @Test("-v names what is needed and got no answer")
    func narratedFailure() async throws {
        let server = try HostileServer { connection in _ = connection.readRequest() }
        defer { server.stop() }
        let run = try await send(server, ["id=7", "-v"])
        #expect(run.status == 6)
        #expect(
            run.errors.hasPrefix("* needs it.login: POST http://127.0.0.1:\(server.port)/login → no answer\n"),
            "\(run.errors)")
    }
}
