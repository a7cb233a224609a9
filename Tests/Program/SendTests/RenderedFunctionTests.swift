import Foundation
import HostileServing
import Testing
import ToolSupport

/// A rendered command makes what functions make from secrets, in the shell that runs it.
@Suite(.serialized) struct RenderedFunctionTests {
    private static let values = [
        "secret.token | base64", "secret.token | base64url", "secret.token | hex", "secret.token | md5 | hex",
        "secret.token | sha1 | base64", "secret.token | sha256 | hex", "secret.token | sha384 | base64url",
        "secret.token | sha512 | hex | upper", "secret.token | base64 | sha256 | base64", "pair | base64",
        "text | hmacSHA1 secret.token | hex", "text | hmacSHA256 secret.token | base64",
        "text | hmacSHA512 secret.token | hex | upper", "secret.token | hmacSHA256 'a key' | hex",
        "signed | sha256 | hex",
    ]
    private static let endpoint = """
        { "method": "POST", "path": "/", "params": { "text": { "type": "string" } },
          "headers": { \(values.enumerated().map { #""X-\#($0.offset)": "{{\#($0.element)}}""# }.joined(separator: ", ")) },
          "query": { "q": "{{secret.token | base64url}}" }, "body": { "json": { "a": "{{secret.token | hex}}" } } }
        """
    private static let environment = #"""
        "secrets": { "token": { "env": "TOKEN" } },
        "variables": { "tenant": "acme", "pair": "ada:{{secret.token}}", "signed": "{{tenant | hmacSHA256 secret.token | hex}}" }
        """#

    private static func sent(_ request: HostileServer.Request?) throws -> [String] {
        let request = try #require(request)
        return values.indices.flatMap { request.values("X-\($0)") }
            + [request.line, String(decoding: request.body, as: UTF8.self)]
    }

    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, [], body: "fine") }
        }
    }

    @Test(
        "The command sends what send sends, under dash and bash, and shows no secret",
        arguments: [
            ("fish9876abcd", "order 1"), ("-n it's \"$HOME\" `x` \\n %s 100%", "-e '\\t\"$(x)"),
            ("pässwörd→9876", "ü\n"),
            ("x", "y"), ("zwei\nzeilen und mehr", "%%"),
            (String(repeating: "long 9876-", count: 12), String(repeating: "text ", count: 30)),
        ])
    func exact(_ token: String, _ text: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: Self.endpoint, environment: Self.environment)
        let variables = ["TOKEN": token]
        let call = ["it", "text=\(text)"]
        let run = try await Tool.run(["send"] + call + ["--yes"], in: workspace, environment: variables)
        let expected = try Self.sent(server.requests.last)
        let rendered = try await Tool.run(["render"] + call, in: workspace, environment: variables)
        #expect(run.status == 0 && rendered.status == 0, "\(run.errors) \(rendered.errors)")
        if token.count > 4 {
            #expect(expected.allSatisfy { !rendered.outputText.contains($0) }, "\(rendered.outputText)")
            #expect(!rendered.outputText.contains(token), "\(rendered.outputText)")
        }
        for shell in ["/usr/bin/dash", "/usr/bin/bash"] {
            let pasted = try await Tool.start(
                ["-c", rendered.outputText], program: shell, in: workspace, environment: variables
            ).end(within: .seconds(60))
            let found = try Self.sent(server.requests.last)
            for (index, (found, expected)) in zip(found, expected).enumerated() where !rendered.errors.contains("<") {
                #expect(found == expected, "\(shell) \(index): \(rendered.outputText) \(pasted.errors)")
            }
        }
        #expect(server.requests.count == 3)
    }

    @Test("Nothing is sent without the secret, or without a program that makes the value")
    func missing() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/", "headers": { "A": "{{secret.token | sha256 | hex}}" } }"#,
            environment: Self.environment)
        let command = try await Tool.run(["render", "it"], in: workspace, environment: ["TOKEN": "fish9876abcd"])
            .outputText
        for (variables, path) in [([:], "/usr/bin:/bin"), (["TOKEN": "fish9876abcd"], workspace.path("bin"))] {
            let script =
                "mkdir -p bin; ln -sf \"$(command -v curl)\" \"$(command -v od)\" \"$(command -v tr)\" bin; PATH='\(path)'; \(command)"
            let pasted = try await Tool.start(
                ["-c", script], program: "/usr/bin/dash", in: workspace, environment: variables
            ).end(within: .seconds(60))
            #expect(pasted.status != 0, "\(pasted)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("What no shell makes exactly is masked, with a note")
    func masked() async throws {
        let workspace = try ToolWorkspace(
            server: "http://h",
            endpoint: #"""
                { "path": "/", "params": { "p": { "type": "string", "secret": true } },
                  "headers": { "A": "{{secret.token | slice 0 9 | base64}}", "B": "{{secret.token | upper}}", "C": "{{p | replace '9' '8'}}" } }
                """#, environment: Self.environment)
        let run = try await Tool.run(
            ["render", "it", "p=crab9876abcd"], in: workspace, environment: ["TOKEN": "fisch-ö-9876abcd"])
        for label in ["secret.token | slice | base64", "secret.token | upper", "p | replace"] {
            #expect(run.outputText.contains("<\(label)>") && run.errors.contains("<\(label)>"), "\(run)")
        }
        for shell in ["fish", "powershell"] {
            let other = try await Tool.run(
                ["render", "it", "p=crab9876abcd", "--shell", shell], in: workspace,
                environment: ["TOKEN": "fish9876abcd"])
            #expect(other.outputText.contains("<secret.token | upper>"), "\(other)")
        }
        let ascii = try await Tool.run(
            ["render", "it", "p=crab9876abcd"], in: workspace, environment: ["TOKEN": "fish9876abcd"])
        #expect(ascii.outputText.contains(#"$(printf %s "${TOKEN:?}" | LC_ALL=C tr a-z A-Z)"#), "\(ascii)")
    }

    @Test("A hash of a script, a time and a generated number of Postman are rendered as functions make them")
    func imported() async throws {
        let workspace = try ToolWorkspace([
            "shop.json": #"""
            {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
             "variable": [{"key": "order", "value": "o1"}], "item": [{"name": "A",
              "request": {"url": "http://h/a", "header": [{"key": "X-A", "value": "{{check}} {{at}} {{$randomInt}}"}]},
              "event": [{"listen": "prerequest", "script": {"exec": [
                "pm.variables.set('check', CryptoJS.HmacSHA256(pm.variables.get('order'), pm.variables.get('order')).toString());",
                "pm.variables.set('at', new Date().toISOString());"]}}]}]}
            """#, "reqcli.json": "{}",
        ])
        let imported = try await Tool.run(["import", "shop.json"], in: workspace)
        #expect(imported.status == 0, "\(imported)")
        let words = ["render", "shop.a.a", "--seed", "1", "--at", "2026-01-01T00:00:00Z"]
        let run = try await Tool.run(words, in: workspace)
        // hmac.new(b"o1", b"o1", "sha256").hexdigest()
        let code = "212adca1f69d4cda0010331dbcdeb96ca415cc0ab0bb66283565cd096ffac8a9"
        #expect(run.outputText.contains("X-A: \(code) 2026-01-01T00:00:00Z "), "\(run)")
        #expect(run.outputText.contains(/Z ([0-9]{1,3}|1000)'/), "\(run)")
        #expect(try await Tool.run(words, in: workspace).outputText == run.outputText)
    }
}
