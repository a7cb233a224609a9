import Foundation
import TestSupport
import Testing
import ToolSupport

/// No file that `--save-stub` writes contains a secret.
struct SaveStubSecretTests {
    private static let secret = EchoedSecret.value
    private static let forms = EchoedSecret.forms

    private static let environment = #"""
        { "secrets": { "token": { "env": "TOKEN" }, "pin": { "env": "PIN" } },
          "auth": { "basic": { "user": "ada", "password": "{{secret.token}}" } },
          "headers": { "X-Pin": "{{secret.pin}}" } }
        """#

    private func save(
        _ head: [String], _ body: String, endpoint: String = #"{ "path": "/" }"#
    ) async throws -> (workspace: TemporaryFolder, run: ToolRun) {
        let server = try CannedServer(["HTTP/1.1 200 OK"] + head, Array(body.utf8))
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": endpoint, "environments/development.json": Self.environment,
        ])
        let run = try await Tool.run(
            "send", "a", "--base-url", server.url, "--save-stub", "x", in: workspace.path,
            variables: ["TOKEN": Self.secret, "PIN": "271828"])
        #expect(run.status == 0, "\(run)")
        #expect(run.outputText == body, "what is printed is the server's own words")
        return (workspace, run)
    }

    @Test("Saved headers and bodies contain no form of a secret")
    func everyForm() async throws {
        let lines = Self.forms.filter { !$0.contains("é") }.enumerated().map { "X-Echo-\($0.offset): \($0.element)" }
        let (workspace, run) = try await save(lines + ["Content-Type: text/plain"], Self.forms.joined(separator: "\n"))
        for (name, bytes) in workspace.contents where name.hasPrefix("endpoints/") || name.hasPrefix("stubs/") {
            let text = String(decoding: bytes, as: UTF8.self)
            for form in Self.forms { #expect(!text.contains(form), "\(form) is in \(name)") }
        }
        let body = try #require(workspace.text("stubs/a.x.txt"))
        #expect(body.split(separator: "\n").count == Self.forms.count)
        #expect(body.hasPrefix("<secret.token>\n<secret.token>\n"))
        #expect(
            run.errors.hasSuffix("note: masked in the variant: \(Self.forms.count) secrets in its body\n"), "\(run)")
    }

    @Test("Saved JSON stays valid JSON, even if a number in it is a secret")
    func numbers() async throws {
        let (workspace, _) = try await save(
            ["Content-Type: application/json"], #"{ "pin": 271828, "near": 127182800, "text": "271828", "n": 27 }"#)
        #expect(
            workspace.text("stubs/a.x.json")
                == #"{ "pin": "<secret.pin>", "near": "1<secret.pin>00", "text": "<secret.pin>", "n": 27 }"#)
    }

    @Test("A secret that the endpoint captures is masked in the saved stub")
    func captured() async throws {
        let (workspace, run) = try await save(
            ["Content-Type: application/json", "X-Copy: tok-123456", "X-Nonce: abc123"],
            #"{ "access_token": "tok-123456", "url": "/?t=tok-123456", "pin": 271828 }"#,
            endpoint: #"""
                { "path": "/", "capture": {
                    "token": { "json": "$.access_token", "secret": true }, "nonce": { "header": "X-Nonce", "secret": true } } }
                """#)
        #expect(
            workspace.text("stubs/a.x.json")
                == #"{ "access_token": "<a.token>", "url": "/?t=<a.token>", "pin": "<secret.pin>" }"#)
        let file = try #require(workspace.text("endpoints/a.json"))
        #expect(file.contains(#""X-Copy": "<a.token>", "X-Nonce": "<a.nonce>""#), "\(file)")
        #expect(run.errors.hasSuffix("note: masked in the variant: 3 secrets in its body\n"), "\(run)")
    }

    @Test("A warning says if a secret capture finds nothing, because the secret cannot be masked")
    func lost() async throws {
        let (_, run) = try await save(
            ["Content-Type: application/json"], #"{ "access_token": "tok-123456" }"#,
            endpoint: #"{ "path": "/", "capture": { "token": { "json": "$.acces_token", "secret": true } } }"#)
        #expect(
            run.errors.hasSuffix(
                "warning: the capture \"token\" of a found nothing at $.acces_token: the saved files may still contain a secret\n  correct \"capture\", and check the saved files\n"
            ), "\(run)")
    }

    @Test("Cookies and credentials from the server are masked; a cookie keeps its name and attributes")
    func credentials() async throws {
        let (workspace, run) = try await save(
            [
                "Set-Cookie: sid=abc=123; Path=/; HttpOnly", "Set-Cookie: odd", "X-Auth-Token: abc123",
                "X-API-Key: abc123", "WWW-Authenticate: Basic realm=\"a\"", "Authentication-Info: nextnonce=\"abc123\"",
            ], "")
        let file = try #require(workspace.text("endpoints/a.json"))
        #expect(!file.contains("abc"))
        #expect(
            file == #"{ "path": "/", "stubs": { "variants": { "x": { "headers": { "#
                + #""Set-Cookie": ["sid=***; Path=/; HttpOnly", "***"], "X-Auth-Token": "***", "#
                + #""X-API-Key": "***", "WWW-Authenticate": "Basic realm=\"a\"", "#
                + #""Authentication-Info": "***" } } } } }"#)
        #expect(
            run.errors.hasSuffix(
                "note: masked in the variant: Set-Cookie, X-Auth-Token, X-API-Key, Authentication-Info\n"))
        let replayed = try await Tool.run(
            "send", "a", "--stub", "x", "--headers", "--base-url", "http://a.test", in: workspace.path,
            variables: ["TOKEN": "another", "PIN": "314159"])
        #expect(replayed.status == 0)
        #expect(replayed.outputText.contains("Set-Cookie: sid=***; Path=/; HttpOnly\nSet-Cookie: ***\n"))
    }
}
