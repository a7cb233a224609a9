import HostileServing
import Testing
import ToolSupport

/// `send` with an endpoint that needs other requests first.
@Suite(.serialized) struct NeedsTests {
    private static let endpoints = """
        {"endpoints": {
          "login": {"method": "POST", "path": "/login", "capture": {"token": {"json": "$.token", "secret": true}}},
          "me": {"path": "/me/{{id}}", "params": {"id": {"type": "integer"}},
                 "needs": {"login": {"endpoint": "it.login", "refreshOn": [401]}}, "auth": {"bearer": "{{login.token}}"}}}}
        """

    /// A server that issues `token-1`, `token-2`, … and whose `/me` accepts them from number `good` on.
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

    @Test("needed requests are sent first, and their captured values are used")
    func first() async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let run = try await send(server, ["id=7"])
        #expect(run.status == 0 && run.outputText == "hello", "\(run.errors)")
        #expect(Self.lines(server) == ["POST /login", "GET /me/7 Bearer token-1"])
    }

    @Test("an expired token is fetched again and the request is repeated")
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

    @Test("a captured secret is masked and not saved, whether or not the request uses it", arguments: [true, false])
    func unusedSecret(_ isUsed: Bool) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(
                    200, ["X-Session: t0ken-12345678", "Content-Type: application/json"],
                    body: #"{"token": "t0ken-12345678"}"#)
            }
        }
        defer { server.stop() }
        let use = isUsed ? #", "auth": {"bearer": "{{login.token}}"}"# : ""
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: """
                {"endpoints": {
                  "login": {"method": "POST", "path": "/login", "capture": {"token": {"json": "$.token", "secret": true}}},
                  "me": {"path": "/me", "needs": {"login": "it.login"}\(use)}}}
                """)
        let run = try await Tool.run(["send", "it.me", "-i", "-v", "--save-stub", "s"], in: workspace)
        #expect(run.status == 0, "\(run)")
        #expect(!run.errors.contains("t0ken") && run.outputText.contains("X-Session: <login.token>"), "\(run)")
        let saved = try #require(workspace.read("stubs/it.me.s.json"))
        #expect(!String(decoding: saved, as: UTF8.self).contains("t0ken"))
    }

    @Test("the pages of an endpoint that needs a login are read, whether or not the request uses it")
    func pages() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let page = request.line.contains("page=1") ? "[1]" : request.line.contains("page=2") ? "[2]" : "[]"
                connection.respond(200, body: request.line.hasPrefix("POST") ? "{}" : page)
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: """
                {"endpoints": {
                  "login": {"method": "POST", "path": "/login"},
                  "list": {"path": "/list", "needs": {"login": "it.login"}, "pages": {"next": {"count": "page", "from": 1}}}}}
                """)
        let run = try await Tool.run(["send", "it.list", "--paginate"], in: workspace)
        #expect(run.status == 0 && run.outputText == "[\n1,\n2\n]\n", "\(run)")
    }

    @Test("a program for a secret runs once for the request and what it needs")
    func secretProgram() async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let workspace = try Self.workspace(
            server,
            #"""
            "headers": {"X-Key": "{{secret.key}}"},
            "secrets": {"key": {"command": ["sh", "-c", "echo x >> runs; echo 5ecret-key"]}}
            """#)
        let run = try await Tool.run(["send", "it.me", "id=7", "--trust"], in: workspace)
        #expect(run.status == 0 && run.outputText == "hello", "\(run.errors)")
        #expect(server.requests.map { $0.values("X-Key") } == [["5ecret-key"], ["5ecret-key"]])
        #expect(workspace.read("runs") == Array("x\n".utf8))
    }

    @Test("a token is refreshed only once, and a second 401 is the response")
    func once() async throws {
        let server = try Self.server(takingFrom: 9)
        defer { server.stop() }
        let run = try await send(server, ["id=7"])
        #expect(run.status == 4 && run.outputText == "who?")
        #expect(server.requests.count == 4)
    }

    @Test("a value given on the command line is not refreshed")
    func given() async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let run = try await send(server, ["id=7", "login.token=mine-0"])
        #expect(run.status == 4)
        #expect(Self.lines(server) == ["GET /me/7 Bearer mine-0"])
    }

    @Test(
        "nothing is sent, not even needed requests, if the request itself is invalid",
        arguments: [(["id=seven"], "id takes a whole number"), ([], "needs the param \"id\"")])
    func rehearsed(_ words: [String], _ told: String) async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let run = try await send(server, words)
        #expect(run.status == 2 && run.errors.contains(told), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }

    // MARK: Confirmation

    private static let asking = #""policy": {"confirm": ["POST", "GET"]}"#

    @Test(
        "at a terminal, one question confirms all requests before any is sent",
        arguments: [("y", 0, 2), ("n", 8, 0)] as [(String, Int32, Int)])
    func asked(_ answer: String, _ status: Int32, _ requests: Int) async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["send", "it.me", "id=7"], in: try Self.workspace(server, Self.asking), input: terminal.program,
            errors: .descriptor(terminal.program))
        #expect(await terminal.shows("the environment development asks before such requests:"))
        #expect(await terminal.shows("  POST it.login"))
        #expect(await terminal.shows("Send them? [y/N] "))
        #expect(server.requests.isEmpty)
        terminal.type(answer + "\n")
        let run = try await tool.end()
        #expect(run.status == status, "\(terminal.text)")
        #expect(server.requests.count == requests)
        #expect(terminal.text.split(separator: "[y/N]").count == 2, "\(terminal.text)")
    }

    @Test("a param entered at a prompt is passed on to needed requests")
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
        #expect(await terminal.shows("id (integer): "))
        terminal.type("seven\n")
        #expect(await terminal.shows("found \"seven\""))
        terminal.type("7\n")
        #expect(try await tool.end().status == 0, "\(terminal.text)")
        #expect(Self.lines(server) == ["POST /login?of=7", "GET /me/7 Bearer token-1"])
    }

    @Test(
        "a needed request that is not confirmed or not allowed is named, and nothing is sent",
        arguments: [
            (
                #""policy": {"confirm": ["POST"]}"#,
                "the environment development asks before each POST, and there is no terminal to ask at"
            ),
            (
                #""policy": {"methods": ["GET"]}"#,
                "the environment development does not allow POST: its policy allows only GET"
            ),
        ])
    func unasked(_ policy: String, _ told: String) async throws {
        let server = try Self.server(takingFrom: 1)
        defer { server.stop() }
        let run = try await Tool.run(["send", "it.me", "id=7"], in: try Self.workspace(server, policy))
        #expect(run.status == 8)
        #expect(run.errors.contains("error: it.me needs it.login, which can't be sent: \(told)"), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }

    // MARK: Exit status and messages

    @Test(
        "a failed needed request sets the exit status",
        arguments: [
            (401, #""expect": {"status": 200}, "#, 4), (404, "", 4), (500, #""expect": {"status": "2xx"}, "#, 5),
            // An expectation failed here, not the request.
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

    @Test("-v names the needed requests and shows no captured value")
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

    @Test("-v names a needed request that got no response")
    func narratedFailure() async throws {
        let server = try HostileServer { connection in _ = connection.readRequest() }
        defer { server.stop() }
        let run = try await send(server, ["id=7", "-v"])
        #expect(run.status == 6)
        #expect(
            run.errors.hasPrefix("* needs it.login: POST http://127.0.0.1:\(server.port)/login → no response\n"),
            "\(run.errors)")
    }
}
