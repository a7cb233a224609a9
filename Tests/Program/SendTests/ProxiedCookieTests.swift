import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Cookies that a need sets are sent by the request that needs it, and by no other.
struct ProxiedCookieTests {
    private static let endpoints = """
        {"endpoints": {
          "login": {"method": "POST", "path": "/login", "redirects": {"follow": true},
            "capture": {"last": {"url": true}, "session": {"cookie": "sid"}, "csrf": {"cookie": "csrf"}}},
          "me": {"path": "/app/me", "needs": {"login": "it.login"}, "expect": {"status": 200, "body": "in"}},
          "form": {"path": "/app/form", "needs": {"login": "it.login"}, "headers": {"X-CSRF": "{{login.csrf}}", "X-At": "{{login.last}}"},
            "expect": {"status": 200}},
          "alone": {"path": "/app/me", "expect": {"status": 401}}}}
        """

    /// `/login` redirects, and both responses set a cookie; `/app/me` wants the first one.
    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let path = request.line.split(separator: " ").dropFirst().first ?? ""
                let isIn = request.values("Cookie").joined().contains("sid=session-12345")
                switch path {
                case "/login":
                    connection.respond(
                        302, ["Location: /welcome", "Set-Cookie: sid=session-12345; Path=/app"])
                case "/welcome": connection.respond(200, ["Set-Cookie: csrf=token-67890; Path=/"])
                default: connection.respond(isIn ? 200 : 401, body: isIn ? "in" : "out")
                }
            }
        }
    }

    private static func cookies(_ server: HostileServer) -> [String] {
        server.requests.map { request in
            (request.line.split(separator: " ")[1] + " " + request.values("Cookie").joined(separator: "|"))
                .trimmingSpaces
        }
    }

    private static func run(_ server: HostileServer, _ words: [String]) async throws -> ToolRun {
        try await Tool.run(
            words, in: try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: endpoints))
    }

    @Test("send passes them on, those of redirects included, and shows no value")
    func send() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Self.run(server, ["send", "it.me", "-v"])
        #expect(run.status == 0 && run.outputText.hasSuffix("in"), "\(run)")
        #expect(Self.cookies(server) == ["/login", "/welcome", "/app/me sid=session-12345; csrf=token-67890"])
        #expect(!run.errors.contains("session-12345") && !run.outputText.contains("session-12345"), "\(run)")
    }

    @Test("check passes them on to the cases that need the call, and to no others")
    func check() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Self.run(server, ["check"])
        #expect(run.status == 0, "\(run)")
        #expect(
            Self.cookies(server).filter { $0.hasPrefix("/app/me") }.sorted() == [
                "/app/me", "/app/me sid=session-12345; csrf=token-67890",
            ])
    }

    @Test("A cookie that a redirect sets and the final URL can be captured")
    func captured() async throws {
        let server = try Self.server()
        defer { server.stop() }
        _ = try await Self.run(server, ["send", "it.form"])
        let form = try #require(server.requests.first { $0.line.contains("/app/form") })
        #expect(form.values("X-CSRF") == ["token-67890"])
        #expect(form.values("X-At") == ["http://127.0.0.1:\(server.port)/welcome"])
    }
}

extension String {
    fileprivate var trimmingSpaces: String { hasSuffix(" ") ? String(dropLast()) : self }
}
