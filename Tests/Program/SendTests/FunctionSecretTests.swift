import Foundation
import HostileServing
import Testing
import ToolSupport

/// What functions make from a secret is sent, and never shown.
@Suite(.serialized) struct FunctionSecretTests {
    private static let secret = "fish/98+76=abcd"
    /// The functions over a secret, with the values that they make.
    private static let values: [(text: String, value: String)] = [
        ("secret.token | upper", "FISH/98+76=ABCD"), ("secret.token | hex", "666973682f39382b37363d61626364"),
        ("secret.token | base64 | lower", "zmlzac85ocs3nj1hymnk"),
        ("secret.token | replace '/' '_'", "fish_98+76=abcd"),
        ("secret.token | slice 3 12", "h/98+76=a"), ("secret.token | split '/' | last | upper", "98+76=ABCD"),
        ("order | hmacSHA256 secret.token | hex", "cb6fda3f1d7dc0e5ebe6bb4ca0b8e2b3"),
        ("pair | sha256 | base64url", ""),
    ]

    private static let endpoint = """
        { "method": "POST", "path": "/", "params": { "order": { "type": "string", "default": "o1" } },
          "headers": { \(values.enumerated().map { #""X-\#($0.offset)": "{{\#($0.element.text)}}""# }.joined(separator: ", ")) },
          "query": { "q": "{{secret.token | upper}}" },
          "body": { "json": { "a": ["{{secret.token | upper}}", "{{secret.token | hex}}"], "b": "x{{pair | json}}y" } },
          "expect": { "status": 201, "headers": { "X-Echo": "{{secret.token | upper}}" } } }
        """
    private static let environment =
        #""secrets": { "token": { "env": "TOKEN" } }, "variables": { "pair": "ada:{{secret.token}}" }"#

    @Test("No sink shows a value that functions made from a secret, in any form")
    func masked() async throws {
        let server = try HostileServer { connection in
            guard let request = connection.readRequest() else { return }
            let echo = (0..<Self.values.count).flatMap { request.values("X-\($0)") }
            connection.respond(200, echo.map { "X-Echo: \($0)" }, body: "fine")
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: Self.endpoint, environment: Self.environment)
        let variables = ["TOKEN": Self.secret, "REQCLI_HISTORY": "1"]
        let calls: [[String]] = [
            ["send", "it", "-v", "-i", "--yes"], ["send", "it", "--json", "--yes"], ["explain", "it"],
            ["explain", "it", "--json"],
            ["render", "it"], ["render", "it", "--format", "http"], ["render", "it", "--format", "json"],
            ["render", "it", "--format", "har"], ["render", "it", "--shell", "fish"],
            ["check", "it", "--report", "json=-"],
            ["check", "it", "--report", "junit=-"], ["check", "it", "-v"], ["history", "show", "1"], ["status"],
            ["send", "it", "--base-url", "http://127.0.0.1:1", "--yes"],
        ]
        var shown = ""
        for call in calls {
            let run = try await Tool.run(call, in: workspace, environment: variables)
            shown += "\n== \(call)\n\(run.outputText)\n\(run.errors)"
        }
        let sent = try #require(server.requests.first)
        for (index, one) in Self.values.enumerated() {
            let value = try #require(sent.values("X-\(index)").first, "\(one.text)")
            if index < 6 { #expect(value == one.value) }
            let escaped = value.replacing("/", with: "\\/")
            let percent = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
            let base64 = Data(value.utf8).base64EncodedString()
            for form in [value, escaped, percent, base64, base64.replacing("=", with: ""), percent.lowercased()] {
                #expect(!shown.contains(form), "\(one.text): \(form)")
            }
        }
        #expect(shown.contains("<secret.token | upper>"))
        let revealed = try await Tool.run(["render", "it", "--reveal"], in: workspace, environment: variables)
        #expect(revealed.outputText.contains("FISH/98+76=ABCD"))
    }

    @Test("With a seed and a time, two processes print the same request, and with another seed a different one")
    func seed() async throws {
        let workspace = try ToolWorkspace(
            server: "http://h",
            endpoint: #"""
                { "path": "/", "headers": { "A": "{{$uuid}}", "B": "{{$uuid}}", "C": "{{$randomInt}}", "D": "{{$random.text 9}}",
                  "E": "{{$random.pick 'a' 'b' 'c' | upper}}", "T": "{{$now | iso}} {{$timestamp}}" } }
                """#)
        func run(_ words: String...) async throws -> String {
            try await Tool.run(["render", "it", "--format", "http"] + words, in: workspace, environment: [:]).outputText
        }
        let first = try await run("--seed", "1", "--at", "2026-01-01T00:00:00Z")
        let second = try await run("--seed", "1", "--at", "2026-01-01T00:00:00Z")
        #expect(first == second && first.contains("T: 2026-01-01T00:00:00Z 1767225600"), "\(first)")
        let other = try await run("--seed", "2", "--at", "2026-01-01T00:00:00Z")
        #expect(other != first)
        let headers = first.split(separator: "\r\n").filter { $0.hasPrefix("A: ") || $0.hasPrefix("B: ") }.map {
            $0.dropFirst(3)
        }
        #expect(headers.count == 2 && headers[0] != headers[1], "\(first)")
    }
}
