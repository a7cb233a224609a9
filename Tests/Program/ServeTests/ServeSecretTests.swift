import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Secrets of requests are not shown by a running server: not in its log, its journal or its complaints, nor in what it records.
@Suite struct ServeSecretTests {
    private static let endpoints = #"""
        { "endpoints": {
          "key": { "path": "key", "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } }, "stubs": { "variants": { "a": { "text": "a" } } } },
          "head": { "path": "head", "auth": { "apiKey": { "header": "X-K", "value": "{{secret.tok}}" } }, "stubs": { "variants": { "a": { "text": "a" } } } },
          "item": { "method": "POST", "path": "fm/{{id}}", "body": { "json": { "t": "{{secret.tok}}" } },
            "params": { "id": { "type": "string", "pattern": "[0-9]{4}", "secret": true } }, "stubs": { "variants": { "a": { "text": "a" } } } } } }
        """#
    private static let environment =
        #"{ "baseURL": "https://api.example.com/v1", "secrets": { "tok": { "env": "TOK" } } }"#

    @Test("neither the log nor the journal nor the complaints have a secret of a request")
    func shown() async throws {
        let server = try await ServeProcess(
            ["--verify"],
            ["endpoints/user.json": Self.endpoints, "environments/development.json": Self.environment])
        let json = "Content-Type: application/json"
        let requests: [(arguments: [String], target: String)] = [
            (["/v1/key?k=SEKRETa"], "/v1/key?k=***"), (["/v1/head", "-H", "X-K: SEKRETb"], "/v1/head"),
            (["/v1/fm/SEKRETc", "-H", json, "-d", #"{"t": "SEKRETd"}"#], "/v1/fm/***"),
            (["/v1/fm/SEKRETe"], "/v1/fm/***"), (["-X", "POST", "/v1/fm/SEKRETf/x"], "/v1/fm/***/x"),
            (["/v1/nothing?k=SEKRETg"], "/v1/nothing?k=***"),
            (["/v1/fm/SEKRETh?k=SEKRETi", "-H", "Host: other.example"], "/v1/fm/***?k=***"),
        ]
        for (arguments, target) in requests {
            _ = try await server.curl(arguments)
            let event = try await server.event("request")
            #expect(event["target"] as? String == target)
            #expect(!"\(event)".contains("SEKRET"), "\(event)")
        }
        let journal = try await server.control("GET", "requests").body
        #expect(journal.contains(#""path":"/v1/fm/***""#) && journal.contains(#"["X-K","***"]"#))
        #expect(!journal.contains("SEKRET"), "\(journal)")
        let verified = try await server.control("POST", "verify", "{}")
        #expect(verified.code == "409")
        #expect(!verified.body.contains("SEKRET"), "\(verified.body)")
        let run = try await server.end()
        #expect(run.status == 1)
        #expect(!run.outputText.contains("SEKRET") && !run.errors.contains("SEKRET"))
    }

    @Test("a response that repeats a secret of its request is recorded without it")
    func recorded() async throws {
        let upstream = try ProxyTests.serving { request, connection in
            connection.respond(
                200, ["Content-Type: text/plain", "X-Echo: \(request.values("X-K").first ?? "none")"],
                body: "\(request.line) \(String(decoding: request.body, as: UTF8.self))")
        }
        let endpoints = #"""
            { "endpoints": {
              "key": { "path": "key", "auth": { "apiKey": { "query": "k", "value": "{{secret.tok}}" } } },
              "head": { "path": "head", "auth": { "apiKey": { "header": "X-K", "value": "{{secret.tok}}" } } },
              "json": { "method": "POST", "path": "json", "body": { "json": { "t": "{{secret.tok}}" } } },
              "note": { "path": "note/{{id}}", "params": { "id": { "type": "string", "pattern": "[0-9]{4}", "secret": true } } } } }
            """#
        let files = ["endpoints/user.json": endpoints, "environments/development.json": Self.environment]
        let server = try await ServeProcess(
            ["--proxy-to", "real", "--record"], ProxyTests.environment(upstream).merging(files) { $1 })
        for arguments in [
            ["/v1/key?k=SEKRET%2Fa"], ["/v1/head", "-H", "X-K: SEKRETb"],
            ["/v1/json", "-H", "Content-Type: application/json", "-d", #"{"t": "SEKRETc"}"#],
        ] {
            #expect(try await server.curl(arguments).outputText.contains("SEKRET"))
            _ = try await server.event("recorded")
        }
        #expect(try await server.curl("/v1/note/SEKRETd").code == "200")
        let note = try await server.event("note")
        #expect(note["text"] as? String == "not recorded: id is invalid or missing in the request")
        let run = try await server.end()
        #expect(!run.errors.contains("SEKRET"))
        for file in [
            "endpoints/user.json", "stubs/user.key.recorded.txt", "stubs/user.head.recorded.txt",
            "stubs/user.json.recorded.txt",
        ] {
            let text = String(decoding: try #require(server.workspace.read(file)), as: UTF8.self)
            #expect(!text.contains("SEKRET"), "\(file): \(text)")
        }
        let kept = String(decoding: server.workspace.read("stubs/user.json.recorded.txt") ?? [], as: UTF8.self)
        #expect(kept.contains(#"{"t": "<secret.tok>"}"#), "\(kept)")
    }
}
