import Foundation
import TestSupport
import Testing
import ToolSupport

/// `reqcli serve`, called by curl over real sockets.
@Suite struct ServeTests {
    private static let endpoints = #"""
        { "endpoints": {
          "feed": { "path": "user/{{id}}/feed", "params": { "id": { "type": "integer" } },
            "stubs": { "default": "standard", "variants": {
              "standard": { "json": [1] }, "empty": { "json": [] },
              "large": { "when": { "params": { "id": { ">": 1000 } } }, "fill": true, "json": { "id": "{{id}}" } },
              "gone": { "status": 410, "text": "gone" }, "cut": { "like": "standard", "error": "truncated" },
              "reset": { "error": "reset" }, "turns": { "sequence": ["empty", "gone"], "then": "loop" } } } },
          "create": { "method": "POST", "path": "user", "body": { "json": { "name": "{{name}}" } },
            "params": { "name": { "type": "string", "minLength": 2 } },
            "stubs": { "variants": { "created": { "status": 201, "headers": { "Location": "/user/1" } } } } },
          "bare": { "path": "bare" } } }
        """#

    /// A server in the background.
    private final class Server: Sendable {
        let tool: RunningTool
        let url: String
        private let stdin: Int32

        init(_ options: [String], _ files: [String: String] = [:]) async throws {
            let workspace = try ToolWorkspace(
                [
                    "endpoints/user.json": ServeTests.endpoints,
                    "environments/development.json": #"{ "baseURL": "https://api.example.com/v1" }"#,
                ].merging(files) { $1 })
            let input = try Descriptor.pipe()
            let output = try Descriptor.pipe()
            stdin = input.writing
            tool = try Tool.start(
                ["serve", "--port", "0", "--json", "--until-eof"] + options, in: workspace, input: input.reading,
                output: .descriptor(output.writing))
            Descriptor.close(output.writing)
            Descriptor.close(input.reading)
            let line = String(decoding: Descriptor.read(output.reading, upTo: 4096) ?? [], as: UTF8.self)
            let ready = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            url = ready?["url"] as? String ?? ""
        }

        /// What curl prints, with its head.
        func curl(_ arguments: String...) async throws -> ToolRun {
            let words = arguments.map { $0.hasPrefix("/") ? url + $0 : $0 }
            return try await Tool.run(["-sS", "-i"] + words, program: [Tool.path(of: "curl") ?? "curl"])
        }

        /// Closes the server's standard input, which ends it.
        func end() async throws -> ToolRun {
            Descriptor.close(stdin)
            return try await tool.end(within: .seconds(20))
        }
    }

    private static func body(_ run: ToolRun) -> String {
        run.outputText.firstRange(of: "\r\n\r\n").map { String(run.outputText[$0.upperBound...]) } ?? ""
    }

    @Test("a variant is chosen by request, flag, environment, conditions, default")
    func choice() async throws {
        let server = try await Server([])
        #expect(Self.body(try await server.curl("/v1/user/1/feed")) == "[1]")
        #expect(Self.body(try await server.curl("/v1/user/2000/feed")) == #"{"id":2000}"#)
        let asked = try await server.curl("/v1/user/2000/feed", "-H", "X-Reqcli-Stub: empty")
        #expect(Self.body(asked) == "[]")
        #expect(asked.outputText.contains("X-Reqcli-Stub: user.feed=empty\r\n"))
        #expect(try await server.end().status == 0)

        let flagged = try await Server(["--stub", "user.feed=gone"])
        #expect(try await flagged.curl("/v1/user/2000/feed").outputText.hasPrefix("HTTP/1.1 410 "))
        #expect(try await flagged.end().status == 0)

        let chosen = try await Server(
            [],
            [
                "environments/development.json":
                    #"{ "baseURL": "http://a.test/v1", "stubs": { "user.feed": "empty", "*": "x" } }"#
            ])
        #expect(Self.body(try await chosen.curl("/v1/user/2000/feed")) == "[]")
        #expect(try await chosen.end().status == 0)
    }

    @Test("a sequence gives its responses in turn")
    func sequence() async throws {
        let server = try await Server(["--stub", "user.feed=turns"])
        var statuses: [String] = []
        for _ in 0..<4 {
            statuses.append(String(try await server.curl("/v1/user/1/feed").outputText.prefix(12).suffix(3)))
        }
        #expect(statuses == ["200", "410", "200", "410"])
        #expect(try await server.end().status == 0)
    }

    @Test("what no endpoint is for is a problem with the nearest endpoints, and never 200")
    func misses() async throws {
        let server = try await Server([])
        let unknown = try await server.curl("/v1/user/1/feeds")
        #expect(unknown.outputText.hasPrefix("HTTP/1.1 404 "))
        #expect(unknown.outputText.contains("Content-Type: application/problem+json"))
        #expect(unknown.outputText.contains(#""endpoint":"user.feed""#))
        #expect(unknown.outputText.contains("endpoints/user.json:2:"))
        let method = try await server.curl("-X", "DELETE", "/v1/user/1/feed")
        #expect(method.outputText.hasPrefix("HTTP/1.1 405 "))
        #expect(method.outputText.contains("Allow: GET, HEAD, OPTIONS\r\n"))
        #expect(try await server.curl("/v1/bare").outputText.hasPrefix("HTTP/1.1 501 "))
        #expect(try await server.curl("--path-as-is", "/v1/../v1/bare").outputText.hasPrefix("HTTP/1.1 400 "))
        let variant = try await server.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: emty")
        #expect(variant.outputText.hasPrefix("HTTP/1.1 400 "))
        #expect(variant.outputText.contains("did you mean"))
        #expect(try await server.end().status == 0)
    }

    @Test("a wrong request is answered and reported, and with --strict refused")
    func wrong() async throws {
        let wrong = ["-X", "POST", "-H", "Content-Type: application/json", "-d", #"{"name": "a", "age": 1}"#]
        let lenient = try await Server([])
        let answered = try await lenient.curl("/v1/user", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4], wrong[5])
        #expect(answered.outputText.hasPrefix("HTTP/1.1 201 "))
        #expect(try await lenient.end().status == 0)
        let strict = try await Server(["--strict"])
        let refused = try await strict.curl("/v1/user", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4], wrong[5])
        #expect(refused.outputText.hasPrefix("HTTP/1.1 400 "))
        #expect(refused.outputText.contains("name must have at least 2 characters"))
        #expect(refused.outputText.contains("user.create has no $.age"))
        #expect(try await strict.end().status == 0)
    }

    @Test("faults are those of a socket: a reset, and half a body")
    func faults() async throws {
        let server = try await Server([])
        let reset = try await server.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: reset")
        #expect(reset.status == 56)
        let cut = try await server.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: cut")
        #expect(cut.status == 18)
        #expect(Self.body(cut) == "[")
        #expect(try await server.end().status == 0)
    }

    @Test("pages of this machine may read responses, others not; foreign hosts are refused")
    func browsers() async throws {
        let server = try await Server([])
        let own = try await server.curl("/v1/user/1/feed", "-H", "Origin: http://localhost:5173")
        #expect(own.outputText.contains("Access-Control-Allow-Origin: http://localhost:5173\r\n"))
        #expect(own.outputText.contains("Access-Control-Allow-Credentials: true\r\n"))
        let foreign = try await server.curl("/v1/user/1/feed", "-H", "Origin: https://evil.example")
        #expect(!foreign.outputText.contains("Access-Control-Allow-Origin"))
        let unknown = try await server.curl("/nothing", "-H", "Origin: http://127.0.0.1:1")
        #expect(unknown.outputText.contains("Access-Control-Allow-Origin: http://127.0.0.1:1\r\n"))
        let preflight = try await server.curl(
            "-X", "OPTIONS", "/v1/user", "-H", "Origin: http://a.localhost", "-H",
            "Access-Control-Request-Method: POST",
            "-H", "Access-Control-Request-Headers: content-type")
        #expect(preflight.outputText.hasPrefix("HTTP/1.1 204 "))
        #expect(preflight.outputText.contains("Access-Control-Allow-Methods: POST\r\n"))
        #expect(preflight.outputText.contains("Access-Control-Allow-Headers: content-type\r\n"))
        let host = try await server.curl("/v1/user/1/feed", "-H", "Host: evil.example")
        #expect(host.outputText.hasPrefix("HTTP/1.1 403 "))
        #expect(host.outputText.contains("--allow-host"))
        #expect(try await server.end().status == 0)
    }

    @Test("a signal ends it with success, and its port is free at once")
    func signal() async throws {
        let server = try await Server([])
        server.tool.send(signal: .terminate)
        #expect(try await server.tool.end(within: .seconds(20)).status == 0)
    }

    @Test(
        "mistakes are found before the start",
        arguments: [
            (["--stub", "user.feed=emty"], 2, "did you mean \"empty\""), (["nothing"], 2, "nothing"),
            (["--port", "70000"], 2, "--port"), (["--unix-socket", "/tmp/x", "--port", "1"], 2, "--port"),
        ])
    func mistakes(_ words: [String], _ status: Int32, _ message: String) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/user.json": Self.endpoints,
            "environments/development.json": #"{ "baseURL": "https://api.example.com/v1" }"#,
        ])
        let run = try await Tool.run(["serve"] + words, in: workspace, within: .seconds(20))
        #expect(run.status == status)
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
