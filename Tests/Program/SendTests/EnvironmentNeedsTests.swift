import HostileServing
import Testing
import ToolSupport

/// An environment with a login for all of its endpoints.
@Suite struct EnvironmentNeedsTests {
    private static let endpoints = """
        {"endpoints": {
          "login": {"method": "POST", "path": "/login", "auth": null,
                    "capture": {"token": {"json": "$.token", "secret": true}}},
          "me": {"path": "/me", "expect": {"status": 200}},
          "open": {"path": "/open", "auth": null, "needs": {"login": null}, "expect": {"status": 200}}}}
        """
    private static let login =
        #""needs": {"login": {"endpoint": "it.login", "refreshOn": [401]}}, "auth": {"bearer": "{{login.token}}"}"#

    /// Issues `token-1`, `token-2`, … and accepts them from number `good` on.
    private static func server(takingFrom good: Int = 1) throws -> HostileServer {
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
                    let isGood = request.line.hasPrefix("GET /open") || (number ?? 0) >= good
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

    private static func workspace(_ server: HostileServer, _ environment: String = login) throws -> ToolWorkspace {
        try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: endpoints, environment: environment)
    }

    static let calls: [(words: [String], sent: [String])] = [
        (["send", "it.me"], ["POST /login", "GET /me Bearer token-1"]),
        (["send", "/typed"], ["POST /login", "GET /typed Bearer token-1"]),
        (["send", "it.open"], ["GET /open"]),
        (["send", "it.login"], ["POST /login"]),
        (["send", "it.me", "login.token=mine-7"], ["GET /me Bearer mine-7"]),
        (["check"], ["POST /login", "GET /me Bearer token-1", "GET /open"]),
        (["check", "it.open"], ["GET /open"]),
    ]

    @Test("each endpoint is called after the login, also a typed path; null takes the login off", arguments: calls)
    func loggedIn(_ words: [String], _ sent: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let valid = try await Tool.run(["validate"], in: workspace)
        #expect(valid.status == 0, "\(valid.errors)")
        let run = try await Tool.run(words + (words[0] == "check" ? ["--jobs", "1"] : []), in: workspace)
        #expect(run.status == 0 && !run.errors.contains("token-1"), "\(run.errors)")
        #expect(Self.lines(server) == sent)
    }

    @Test("an expired token is captured again, for a typed path, too", arguments: ["it.me", "/me"])
    func refreshed(_ target: String) async throws {
        let server = try Self.server(takingFrom: 2)
        defer { server.stop() }
        let run = try await Tool.run(["send", target], in: try Self.workspace(server))
        #expect(run.status == 0 && run.outputText == "hello", "\(run.errors)")
        #expect(
            Self.lines(server) == [
                "POST /login", "GET /me Bearer token-1", "POST /login", "GET /me Bearer token-2",
            ])
    }

    @Test("a typed path is saved as an endpoint without the login, which the environment has")
    func saved() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let run = try await Tool.run(["send", "/new", "--save", "user.new"], in: workspace)
        #expect(run.status == 0 && run.errors.contains("saved as user.new"), "\(run.errors)")
        let again = try await Tool.run(["send", "user.new"], in: workspace)
        #expect(again.status == 0, "\(again.errors)")
        #expect(
            Self.lines(server) == [
                "POST /login", "GET /new Bearer token-1", "POST /login", "GET /new Bearer token-2",
            ])
    }

    @Test("a step of a scenario can take the place of the login")
    func step() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write(
            "scenarios/two.json",
            """
            {"steps": [{"name": "in", "endpoint": "it.login"},
                       {"name": "who", "endpoint": "it.me", "needs": {"login": "in"}}]}
            """)
        let run = try await Tool.run(["check", "scenario:two"], in: workspace)
        #expect(run.status == 0, "\(run.outputText) \(run.errors)")
        #expect(Self.lines(server) == ["POST /login", "GET /me Bearer token-1"])
    }

    @Test("a typed URL at the environment's server leaves the base path to the login")
    func basePath() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)"
        let workspace = try ToolWorkspace([
            "endpoints/login.json":
                #"{"method": "POST", "path": "login", "auth": null, "capture": {"token": {"json": "$.token"}}}"#,
            "environments/development.json":
                #"{"baseURL": "\#(url)/login/v1", "needs": {"login": "login"}, "auth": {"bearer": "{{login.token}}"}}"#,
        ])
        let run = try await Tool.run(["\(url)/x", "--env", "development"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(Self.lines(server) == ["POST /login/v1/login", "GET /x Bearer token-1"])
    }

    @Test("an environment that extends it takes the login off with null")
    func extended() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write(
            "environments/guest.json", #"{"extends": "development", "auth": null, "needs": {"login": null}}"#)
        let run = try await Tool.run(["send", "it.open", "--env", "guest"], in: workspace)
        #expect(run.status == 0 && Self.lines(server) == ["GET /open"], "\(run.errors)")
    }

    @Test("a login that has the environment's credentials is an error with its place, before anything is sent")
    func circular() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write(
            "endpoints/it.json",
            Self.endpoints.replacing(#""path": "/login", "auth": null,"#, with: #""path": "/login","#))
        for words in [["validate"], ["send", "it.me"], ["send", "it.login"], ["check"]] {
            let run = try await Tool.run(words, in: workspace)
            #expect(
                run.status == 3 && run.errors.contains("environments/development.json:1:"), "\(words) \(run.errors)")
            #expect(run.errors.contains("null in it.login"), "\(words) \(run.errors)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("the conditions of an environment are for endpoints without conditions")
    func expected() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server, Self.login + #", "expect": {"body": {"startsWith": "hello"}}"#)
        try workspace.write(
            "endpoints/bare.json", #"{"endpoints": {"me": {"path": "/me"}, "none": {"path": "/me", "expect": null}}}"#)
        let none = try await Tool.run(["check", "bare.none"], in: workspace)
        #expect(none.status == 2 && none.errors.contains("bare.none is selected, but has neither"), "\(none.errors)")
        #expect(server.requests.isEmpty)
        // The response of the login isn't "hello".
        let run = try await Tool.run(["check", "bare.me"], in: workspace)
        #expect(run.status == 1 && run.outputText.contains("it.login"), "\(run.outputText) \(run.errors)")
        #expect(Self.lines(server) == ["POST /login"])
    }

    @Test("what is shown names the login; exports, stubs and generated Swift have it")
    func shown() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let curl = try await Tool.run(["render", "it.me"], in: workspace)
        #expect(
            curl.status == 0 && curl.outputText.contains("Bearer ") && curl.errors.contains("it.login"),
            "\(curl.errors)")
        let explained = try await Tool.run(["explain", "it.me"], in: workspace)
        #expect(explained.status == 0 && explained.outputText.contains("<login.token>"), "\(explained.outputText)")
        let hurl = try await Tool.run(["export", "hurl", "it.me"], in: workspace)
        #expect(hurl.status == 0 && hurl.outputText.contains("/login"), "\(hurl.errors)")
        let swift = try await Tool.run(["generate", "swift", "--output", "api"], in: workspace)
        #expect(swift.status == 0, "\(swift.errors)")
        let state = try await Tool.run(["env", "development"], in: workspace)
        #expect(state.status == 0 && state.outputText.contains("http://127.0.0.1:"), "\(state.outputText)")
        #expect(state.outputText.contains("needs"), "\(state.outputText)")
        #expect(server.requests.isEmpty)
    }
}
