import Foundation
import TestSupport
import Testing
import ToolSupport

/// What reqcli was founded on, shown by its commands: the exact method, target, headers and body on the wire.
struct OriginsWireTests {
    private static let shell = Tool.path(of: "dash")
    private static let hasCurl = Tool.path(of: "curl") != nil

    @Test(
        "send, the http format and the rendered curl make exactly this request",
        .enabled(if: hasCurl && shell != nil, "curl and dash are needed"),
        arguments: OriginsRow.baseline + OriginsRow.builder + OriginsRow.methods + OriginsRow.family)
    func request(_ row: OriginsRow) async throws {
        let server = try RecordingServer()
        let host = "127.0.0.1:\(server.port)"
        let workspace = try row.workspace(server: "http://\(host)")
        let arguments = row.arguments(server: "http://\(host)")

        let sent = try await Tool.run(["send"] + arguments, in: workspace)
        #expect(sent.status == 0 && sent.errors == ToolRun.noBody, "\(sent.errors)")
        let shown = try await Tool.run(["render"] + arguments + ["--format", "http"], in: workspace)
        #expect(shown.status == 0 && shown.errors == "", "\(shown.errors)")
        let rendered = try await Tool.run(["render"] + arguments, in: workspace)
        #expect(rendered.status == 0 && rendered.errors == "", "\(rendered.errors)")
        let shell = try #require(Self.shell)
        let pasted = try await Tool.run(
            "-c", rendered.outputText, in: workspace.path(""), variables: workspace.environment, program: [shell])
        #expect(pasted.status == 0 && pasted.errors == "", "\(pasted.errors)")

        var length = 0
        let message = try #require(RecordedRequest(shown.output, consumed: &length))
        #expect(message.text(host: host) == row.message && length == shown.output.count)
        try #require(server.requests.count == 2)
        #expect(server.requests[0].text(host: host) == row.message)
        // The headers that curl writes by itself have places of curl's choice.
        #expect(message.difference(from: server.requests[1]) == nil)
    }

    // MARK: Environments

    struct Environment: Sendable, CustomTestStringConvertible {
        let name: String
        let url: String
        let headers: [String]
        let seconds: Int
        let cachePolicy: String
        var testDescription: String { name }
    }

    @Test(
        "The environments that the first article names: scheme, host, port, headers, cache policy, timeout",
        arguments: [
            Environment(
                name: "development", url: "http://localhost:8080/ping",
                headers: ["Accept: application/json", "X-Environment: development"],
                seconds: 120, cachePolicy: "reloadIgnoringLocalCacheData"),
            Environment(
                name: "staging", url: "https://staging.example.com/ping",
                headers: ["Accept: application/json", "Authorization: Bearer 'x", "X-Environment: staging"],
                seconds: 60, cachePolicy: "useProtocolCachePolicy"),
            Environment(
                name: "production", url: "https://api.example.com/ping",
                headers: ["Accept: application/json", "Authorization: Bearer 'x", "X-Environment: production"],
                seconds: 30, cachePolicy: "useProtocolCachePolicy"),
        ])
    func environment(_ environment: Environment) async throws {
        let workspace = try OriginsRow("", ["ping"], sends: "").workspace(server: "")
        let variables = ["STAGING_TOKEN": "'x", "PRODUCTION_TOKEN": "'x"]
        let call = ["ping", "--env", environment.name]
        let har = try await Tool.run(
            ["render"] + call + ["--format", "har", "--reveal"], in: workspace, environment: variables)
        let entry = try JSONDecoder().decode(Archive.self, from: Data(har.output)).log.entries[0].request
        #expect(entry.url == environment.url)
        let headers = entry.headers.map { "\($0.name): \($0.value)" }.filter { !$0.hasPrefix("User-Agent:") }
        #expect(
            headers.filter { !$0.hasPrefix("Host:") } == environment.headers
                + ["Accept-Encoding: deflate, gzip, br, zstd"])
        let curl = try await Tool.run(["render"] + call, in: workspace, environment: variables)
        #expect(curl.outputText.hasPrefix("curl -q -sS \(environment.url) "))
        #expect(curl.outputText.contains(" -m \(environment.seconds) \\\n"))
        let explained = try await Tool.run(["explain"] + call, in: workspace, environment: variables)
        #expect(explained.outputText.contains(" \(environment.cachePolicy) "))
    }

    private struct Archive: Decodable {
        struct Log: Decodable { let entries: [Entry] }
        struct Entry: Decodable { let request: Request }
        struct Request: Decodable {
            let url: String
            let headers: [Field]
        }
        struct Field: Decodable {
            let name: String
            let value: String
        }
        let log: Log
    }

    struct Choice: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var flags: [String] = []
        var variable: String?
        var settings: String?
        let expected: String
    }

    @Test(
        "The current environment is chosen once: --env, REQCLI_ENV, reqcli.json, development",
        arguments: [
            Choice(testDescription: "nothing said", expected: "development"),
            Choice(testDescription: "reqcli.json", settings: "three", expected: "three"),
            Choice(testDescription: "REQCLI_ENV", variable: "two", settings: "three", expected: "two"),
            Choice(
                testDescription: "--env", flags: ["--env", "one"], variable: "two", settings: "three", expected: "one"),
            Choice(testDescription: "-e", flags: ["-e", "one"], variable: "two", expected: "one"),
        ])
    func chosen(_ choice: Choice) async throws {
        let server = try RecordingServer()
        let names = ["one", "two", "three", "development"]
        var files = ["endpoints/it.json": "{}"]
        for name in names {
            files["environments/\(name).json"] = #"{ "baseURL": "http://127.0.0.1:\#(server.port)/\#(name)" }"#
        }
        files["reqcli.json"] = choice.settings.map { #"{ "environment": "\#($0)" }"# }
        let workspace = try ToolWorkspace(files)
        let run = try await Tool.run(
            ["send", "it"] + choice.flags, in: workspace, environment: choice.variable.map { ["REQCLI_ENV": $0] } ?? [:]
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.map(\.target) == ["/" + choice.expected])
    }

    @Test("The endpoint's timeout overrides the environment's")
    func timeout() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/it.json": #"{ "timeout": "1500ms" }"#,
            "environments/development.json": #"{ "baseURL": "http://localhost", "timeout": 60 }"#,
        ])
        let run = try await Tool.run(["render", "it", "--one-line"], in: workspace)
        #expect(run.outputText.hasSuffix(" -m 1.5 --compressed\n"), "\(run.outputText)")
    }

    // MARK: Failures

    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var endpoint = "{}"
        var environment = #"{ "baseURL": "http://localhost" }"#
        var arguments: [String] = []
        let status: Int32
        let message: String
    }

    @Test(
        "What makes no request has a name and a place, and nothing is sent",
        arguments: [
            Failure(
                testDescription: "an invalid URL", environment: #"{ "baseURL": "http://exa mple.com" }"#, status: 3,
                message: "environments/development.json:1:"),
            Failure(
                testDescription: "no base URL", environment: "{}", status: 3,
                message: "environments/development.json: error: the request has no server"),
            Failure(
                testDescription: "CONNECT", endpoint: #"{ "method": "CONNECT" }"#, status: 3,
                message: "endpoints/it.json:1:13: error: reqcli can't send CONNECT"),
            Failure(
                testDescription: "a value that can't stand where it is put",
                endpoint: #"{ "headers": { "X-A": "{{a}}" }, "params": { "a": { "type": "string" } } }"#,
                arguments: ["a=1\r\nX-B: 2"], status: 3,
                message: "endpoints/it.json:1:16: error: header X-A: the value contains CR at character 2"),
        ])
    func failure(_ failure: Failure) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/it.json": failure.endpoint, "environments/development.json": failure.environment,
        ])
        for command in ["send", "render"] {
            let run = try await Tool.run([command, "it"] + failure.arguments, in: workspace)
            #expect(run.status == failure.status && run.output.isEmpty)
            #expect(run.errors.contains(failure.message), "\(run.errors)")
        }
    }
}
