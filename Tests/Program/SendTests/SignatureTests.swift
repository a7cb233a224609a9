import Foundation
import HostileServing
import Testing
import ToolSupport

/// Signed requests are sent, and no sink shows a signature or a key.
@Suite(.serialized) struct SignatureTests {
    private static let hmac = #"""
        { "method": "POST", "path": "/", "body": { "text": "{{secret.key}} in the body" },
          "auth": { "hmac": { "key": "{{secret.key}}", "sign": "{{$method}}\n{{$now | unix}}\n{{$body | sha256 | hex}}",
            "headers": { "X-Time": "{{$now | unix}}", "X-Hash": "{{$body | sha256 | hex}}", "X-Mac": "v1={{$signature}}" },
            "query": { "mac": "{{$signature}}" } } },
          "expect": { "status": 201, "headers": { "X-Echo": "{{secret.key}}" } } }
        """#
    private static let aws = #"""
        { "method": "POST", "path": "/",
          "auth": { "aws": { "service": "s3", "region": "eu-central-1", "accessKeyID": "AKID", "secretAccessKey": "{{secret.key}}",
            "sessionToken": "{{secret.token}}", "in": "PLACE" } },
          "expect": { "status": 201, "headers": { "X-Echo": "{{secret.key}}" } } }
        """#
    private static let jwt = #"""
        { "method": "POST", "path": "/",
          "auth": { "jwt": { "algorithm": "HS256", "key": "{{secret.key}}", "claims": { "pin": "{{secret.token}}" } } },
          "expect": { "status": 201, "headers": { "X-Echo": "{{secret.key}}" } } }
        """#
    private static let environment = #""secrets": { "key": { "env": "KEY" }, "token": { "env": "TOKEN" } }"#
    private static let variables = ["KEY": "signing-key/98+76", "TOKEN": "session/token+98", "REQCLI_HISTORY": "1"]

    private static func server(_ answer: @escaping @Sendable (HostileServer.Request) -> [String] = { _ in [] }) throws
        -> HostileServer
    {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let line = request.line.split(separator: " ")[1].split(separator: "?").dropFirst().joined()
                let echo = request.values("Authorization") + request.values("X-Mac") + request.values("X-Hash") + [line]
                connection.respond(200, echo.map { "X-Echo: \($0)" } + answer(request), body: "fine")
            }
        }
    }

    @Test(
        "No sink shows a signature, what is made from the key, or the key",
        arguments: [hmac, jwt, aws.replacing("PLACE", with: "header"), aws.replacing("PLACE", with: "query")])
    func masked(_ endpoint: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: endpoint, environment: Self.environment)
        let calls: [[String]] = [
            ["send", "it", "-v", "-i", "--yes"], ["send", "it", "--json", "--yes"], ["explain", "it"],
            ["explain", "it", "--json"], ["render", "it"], ["render", "it", "--format", "http"],
            ["render", "it", "--format", "json"], ["render", "it", "--format", "har"],
            ["render", "it", "--shell", "fish"], ["check", "it", "--report", "json=-"],
            ["check", "it", "--report", "junit=-"], ["check", "it", "-v"], ["history", "show", "1"], ["status"],
            ["send", "it", "--base-url", "http://127.0.0.1:1", "--yes"],
            ["diff", "it", "--yes", "--env", "development"],
        ]
        var shown = ""
        for call in calls {
            let run = try await Tool.run(call, in: workspace, environment: Self.variables)
            shown += "\n== \(call)\n\(run.outputText)\n\(run.errors)"
        }
        var values = ["signing-key/98+76", "session/token+98"]
        for request in server.requests {
            values += request.values("X-Mac").map { String($0.dropFirst(3)) } + request.values("X-Hash")
            values += request.values("Authorization").flatMap {
                [$0.split(separator: "=").last, $0.split(whereSeparator: { " .".contains($0) }).last].compactMap {
                    $0.map(String.init)
                }
            }
            let query = request.line.split(separator: " ")[1].split(separator: "?").dropFirst().joined()
            values += query.split(separator: "&").filter { $0.hasPrefix("mac=") || $0.hasPrefix("X-Amz-Signature=") }
                .compactMap { $0.split(separator: "=").last.map(String.init) }
        }
        #expect(server.requests.count >= 5 && values.count >= 7, "\(values)")
        for value in Set(values) {
            let percent = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
            for form in [value, percent, value.replacing("/", with: "\\/"), Data(value.utf8).base64EncodedString()] {
                #expect(!shown.contains(form), "\(form) in \(shown)")
            }
        }
        #expect(shown.contains("<signature>") || shown.contains("<token>"))
        let revealed = try await Tool.run(
            ["render", "it", "--reveal", "--format", "http"], in: workspace, environment: Self.variables)
        #expect(
            !revealed.outputText.contains("<signature>") && !revealed.outputText.contains("<token>"),
            "\(revealed.outputText)")
    }

    @Test("A text of an HMAC without a value is found before anything is sent, and cookies may come later")
    func rehearsed() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let endpoint = #"""
            { "path": "/", "auth": { "hmac": { "key": "k", "sign": "{{$header.Cookie}}{{$header.NAME}}", "headers": { "X-Mac": "{{$signature}}" } } } }
            """#
        for (name, isFound) in [("Missing", true), ("Host", false)] {
            let workspace = try ToolWorkspace(
                server: "http://127.0.0.1:\(server.port)", endpoint: endpoint.replacing("NAME", with: name))
            for call in [["check", "it"], ["send", "it"]] {
                let run = try await Tool.run(call, in: workspace)
                let says = run.errors.contains("it.json:1:") && run.errors.contains("$header.Missing")
                #expect(says == isFound, "\(call) \(run.errors)")
                #expect(server.requests.isEmpty || !isFound)
            }
        }
    }

    @Test(
        "A token's key that can't be used is found before anything is sent, and isn't shown",
        arguments: ["send", "check", "render"])
    func unfitKey(_ command: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: Self.jwt.replacing("HS256", with: "ES256").replacing("POST", with: "GET"),
            environment: Self.environment)
        let run = try await Tool.run([command, "it"], in: workspace, environment: Self.variables)
        #expect(run.status == 3 && run.errors.contains("the key is not a private key in PEM"), "\(run)")
        #expect(run.errors.contains("it.json:2:") && !run.errors.contains("signing-key/98+76"), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }

    @Test("A report shows the request with the signature with which it was sent")
    func reported() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let endpoint = #"""
            { "path": "/", "auth": { "hmac": { "key": "k", "sign": "{{$header.X-Once}}", "headers": { "X-Mac": "{{$signature}}", "X-Once": "{{$random.hex 16}}" } } },
              "expect": { "status": 201 } }
            """#
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: endpoint)
        let run = try await Tool.run(["check", "it", "--report", "json=-"], in: workspace)
        let sent = try #require(server.requests.first?.values("X-Once").first)
        #expect(run.outputText.contains("X-Once: \(sent)"), "\(run.outputText)")
    }

    @Test("explain reads no file for a signature")
    func explainedUpload() async throws {
        let workspace = try ToolWorkspace(
            server: "https://example.com",
            endpoint: Self.aws.replacing("PLACE", with: "header").replacing(
                #""path": "/","#, with: #""path": "/", "body": { "file": "upload" },"#), environment: Self.environment)
        try workspace.write("upload", "content")
        let run = try await Tool.run(["explain", "it"], in: workspace, environment: Self.variables)
        #expect(run.outputText.contains("<SHA-256 of the body>"), "\(run.outputText)\(run.errors)")
        #expect(!run.outputText.contains("ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"))
    }

    @Test("curl signs for AWS where it signs rightly, and the command has no secret")
    func rendered() async throws {
        let endpoint = Self.aws.replacing("PLACE", with: "header")
        let cases = [
            (#""path": "/a/b""#, true), (#""path": "/a%20b""#, false), (#""path": "/a", "query": {"q": "b"}"#, true),
            (#""path": "/a", "query": {"q": "+"}"#, false),
        ]
        for (members, isSigned) in cases {
            let workspace = try ToolWorkspace(
                server: "https://s3.example.com", endpoint: endpoint.replacing(#""path": "/""#, with: members),
                environment: Self.environment)
            let run = try await Tool.run(["render", "it", "--one-line"], in: workspace, environment: Self.variables)
            let hasOption = run.outputText.contains("--aws-sigv4 aws:amz:eu-central-1:s3 ")
            #expect(run.status == 0 && hasOption == isSigned, "\(run.outputText) \(run.errors)")
            #expect(run.outputText.contains(#"-u AKID:"${KEY:?}""#) == isSigned, "\(run.outputText)")
            #expect(run.errors.contains("<signature>") != isSigned, "\(run.errors)")
        }
    }

    @Test("explain shows the text that is signed whole, with a line for each of its lines")
    func explained() async throws {
        let workspace = try ToolWorkspace(
            server: "https://\(String(repeating: "long.", count: 20))example.com",
            endpoint: Self.aws.replacing("PLACE", with: "header"), environment: Self.environment)
        let run = try await Tool.run(
            ["explain", "it", "--at", "2026-01-01T00:00:00Z"], in: workspace, environment: Self.variables)
        let lines = run.outputText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("signature ") }, "\(run.outputText)")
        let shown = lines[start...].dropFirst().prefix { !$0.contains("  environments/") }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(lines[start].contains("  POST ") && lines[start].contains("endpoints/it.json:"), "\(lines[start])")
        let host = "host:\(String(repeating: "long.", count: 20))example.com"
        #expect(Array(shown.prefix(4)) == ["/", "", "accept:*/*", host], "\(shown)")
        #expect(shown.contains("x-amz-date:20260101T000000Z") && shown.contains("x-amz-security-token:<secret.token>"))
        #expect(shown.contains("accept;host;x-amz-content-sha256;x-amz-date;x-amz-security-token"), "\(shown)")
    }

    @Test(
        "Each attempt is signed with its own time, --at sets no clock of what is sent, and --json shows what was sent")
    func attempts() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.respond(request.line.contains("/again") ? 200 : 307, ["Location: /again"], body: "")
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: Self.hmac.replacing(#""key": "{{secret.key}}", "#, with: #""key": "k", "#).replacing(
                "{{$method}}", with: "{{$path}}"), environment: Self.environment)
        let run = try await Tool.run(
            ["send", "it", "--json", "--follow", "--yes", "--at", "2020-01-01T00:00:00Z"], in: workspace,
            environment: Self.variables)
        let macs = server.requests.flatMap { $0.values("X-Mac") }
        #expect(run.status == 0 && macs.count == 2 && macs[0] != macs[1], "\(run.errors) \(macs)")
        let time = try #require(server.requests.first?.values("X-Time").first)
        #expect(!time.hasPrefix("1577"))
        #expect(
            run.outputText.contains(#""value": "\#(time)""#) || run.outputText.contains(#""value":"\#(time)""#),
            "\(run.outputText)")
    }
}
