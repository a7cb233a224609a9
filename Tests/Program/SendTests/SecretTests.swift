import HostileServing
import Testing
import ToolSupport

/// A secret is sent only to its own server and never shown.
@Suite(.serialized) struct SecretTests {
    private static let secret = "s3cr3t/with+odd=chars"
    private static let endpoint = #"""
        { "path": "/", "method": "POST", "query": { "key": "{{secret.token}}" },
          "headers": { "X-Key": "{{secret.token}}" },
          "body": { "form": { "token": "{{secret.token}}" } } }
        """#
    private static let environment =
        #""secrets": { "token": { "env": "TOKEN" } }, "auth": { "basic": { "user": "u", "password": "{{secret.token}}" } }"#

    /// The secret in all forms in which it is sent.
    private static let forms = [secret, "s3cr3t%2Fwith%2Bodd%3Dchars", "dTpzM2NyM3Qvd2l0aCtvZGQ9Y2hhcnM="]

    private func run(
        _ flags: [String], endpoint: String = endpoint, answer: @escaping @Sendable (HostileConnection) -> Void
    ) async throws -> (run: ToolRun, server: HostileServer) {
        let server = try HostileServer(answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: endpoint, environment: Self.environment)
        let run = try await Tool.run(["send", "it"] + flags, in: workspace, environment: ["TOKEN": Self.secret])
        return (run, server)
    }

    @Test(
        "a password in --base-url is rejected and not repeated in the message",
        arguments: ["http://ada:pa55@h", "http://pa55@h/a?b@c"])
    func password(url: String) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        let run = try await Tool.run(["render", "it", "--base-url", url], in: workspace)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("error: --base-url http://…@h"))
        #expect(run.errors.contains("set the authorization instead") && !run.errors.contains("pa55"), "\(run.errors)")
    }

    @Test("a secret is sent, and -v, -i and --json do not show it", arguments: [["-v", "-i"], ["--json"], ["-v"]])
    func masked(flags: [String]) async throws {
        let (run, server) = try await run(flags) { connection in
            guard let request = connection.readRequest() else { return }
            let echo = request.values("Authorization") + request.values("X-Key")
            connection.respond(200, echo.map { "X-Echo: \($0)" }, body: "fine")
        }
        #expect(run.status == 0)
        let request = try #require(server.requests.first)
        #expect(Self.forms.allSatisfy { request.head.contains($0) }, "\(request.head)")
        #expect(String(decoding: request.body, as: UTF8.self) == "token=\(Self.forms[1])")
        let shown = run.outputText + run.errors
        #expect(shown.contains("secret.token"))
        for form in Self.forms { #expect(!shown.contains(form), "\(shown)") }
    }

    @Test("a secret that the server repeats in the body is printed unchanged")
    func body() async throws {
        let (run, _) = try await run([]) { connection in
            _ = connection.readRequest()
            connection.respond(200, body: Self.secret)
        }
        #expect(run.outputText == Self.secret)
    }

    @Test("an error message shows no secret", arguments: [[], ["--json"], ["-v"]])
    func error(flags: [String]) async throws {
        let (run, _) = try await run(flags + ["--follow"]) { connection in
            _ = connection.readRequest()
            connection.respond(302, ["Location: \(Self.secret)://\(Self.secret)/\(Self.secret)"])
        }
        #expect(run.status == 6)
        let shown = run.outputText + run.errors
        for form in Self.forms { #expect(!shown.contains(form), "\(shown)") }
    }

    @Test("a redirect to another origin does not pass on secrets", arguments: [301, 307])
    func otherOrigin(status: Int) async throws {
        let other = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(200, body: "other")
        }
        defer { other.stop() }
        let endpoint = #"{ "path": "/", "headers": { "X-Key": "{{secret.token}}", "X-Plain": "kept" } }"#
        let (run, server) = try await run(["--follow"], endpoint: endpoint) { connection in
            _ = connection.readRequest()
            connection.respond(status, ["Location: http://127.0.0.1:\(other.port)/"])
        }
        #expect(run.status == 0 && run.outputText == "other")
        #expect(server.requests.first?.values("Authorization").count == 1)
        let request = try #require(other.requests.first)
        #expect(request.values("X-Plain") == ["kept"])
        #expect(request.values("Authorization") == [] && request.values("X-Key") == [])
    }
}
