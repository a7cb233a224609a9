import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// A need that fails shows what it was sent and what it got.
struct FailedNeedTests {
    private static let endpoints = """
        {"endpoints": {
          "login": {"method": "POST", "path": "/login", "body": {"json": {"password": "{{secret.password}}"}},
            "expect": {"status": 200}, "capture": {"token": {"json": "$.token", "secret": true}}},
          "me": {"path": "/me", "needs": {"login": "it.login"}, "auth": {"bearer": "{{login.token}}"},
            "expect": {"status": 200}},
          "you": {"path": "/you", "needs": {"login": "it.login"}, "auth": {"bearer": "{{login.token}}"},
            "expect": {"status": 200}}}}
        """

    private static func run(_ words: [String], status: Int, body: String) async throws -> ToolRun {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(status, ["X-Reason: locked"], body: body)
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: endpoints,
            environment: #""secrets": {"password": {"env": "PASSWORD"}}"#)
        return try await Tool.run(words, in: workspace, environment: ["PASSWORD": "hunter2-hunter2"])
    }

    @Test("send shows the response's head, the beginning of its body, and a command to try it alone")
    func send() async throws {
        let run = try await Self.run(
            ["send", "it.me"], status: 403, body: #"{"error": "no hunter2-hunter2 here"}"#)
        #expect(run.status == 4 && run.outputText == "")
        let parts = [
            "it.me needs it.login, which failed: ", "\n  POST http://127.0.0.1:", "\n  HTTP 403 Some Reason\n",
            "\n  X-Reason: locked\n", #"  {"error": "no <secret.password> here"}"#, "\n  curl -q -sS http://127.0.0.1:",
            #""${PASSWORD:?}""#,
        ]
        for part in parts { #expect(run.errors.contains(part), "\(part) in \(run.errors)") }
        #expect(!run.errors.contains("hunter2"))
    }

    @Test("check shows them once, however many cases wait for it")
    func check() async throws {
        let run = try await Self.run(["check", "it.me", "it.you"], status: 403, body: "locked out")
        #expect(run.outputText.components(separatedBy: "HTTP 403 Some Reason").count == 2, "\(run)")
        #expect(run.outputText.contains("      locked out\n"), "\(run)")
    }

    @Test("A body in which a secret was expected and not found is not shown")
    func hidden() async throws {
        let run = try await Self.run(["send", "it.me"], status: 200, body: #"{"tokn": "s3cr3t-value"}"#)
        #expect(run.status == 1)
        #expect(run.errors.contains("\n  HTTP 200 Some Reason\n"), "\(run)")
        #expect(run.errors.contains("(the body is not shown, because it may hold a secret)"), "\(run)")
        #expect(!run.errors.contains("s3cr3t"))
    }

    @Test("A program that reads the errors as JSON gets them alone")
    func json() async throws {
        let run = try await Self.run(["send", "it.me", "--json"], status: 403, body: "locked out")
        #expect(run.errors.hasPrefix("{") && run.errors.hasSuffix("}\n") && !run.errors.contains("HTTP 403"), "\(run)")
    }
}
