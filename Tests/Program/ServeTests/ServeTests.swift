import Foundation
import TestSupport
import Testing
import ToolSupport

/// `reqcli serve`, called by curl over real sockets.
@Suite struct ServeTests {
    @Test("a variant is chosen by request, flag, environment, conditions, default")
    func choice() async throws {
        let server = try await ServeProcess([])
        #expect(try await server.curl("/v1/user/1/feed").body == "[1]")
        #expect(try await server.curl("/v1/user/2000/feed").body == #"{"id":2000}"#)
        let asked = try await server.curl("/v1/user/2000/feed", "-H", "X-Reqcli-Stub: empty")
        #expect(asked.body == "[]")
        #expect(asked.outputText.contains("X-Reqcli-Stub: user.feed=empty\r\n"))
        #expect(try await server.end().status == 0)

        let flagged = try await ServeProcess(["--stub", "user.feed=gone"])
        #expect(try await flagged.curl("/v1/user/2000/feed").outputText.hasPrefix("HTTP/1.1 410 "))
        #expect(try await flagged.end().status == 0)

        let chosen = try await ServeProcess(
            [],
            [
                "environments/development.json":
                    #"{ "baseURL": "http://a.test/v1", "stubs": { "user.feed": "empty", "*": "created" } }"#
            ])
        #expect(try await chosen.curl("/v1/user/2000/feed").body == "[]")
        #expect(try await chosen.end().status == 0)
    }

    @Test("a sequence gives its responses in turn")
    func sequence() async throws {
        let server = try await ServeProcess(["--stub", "user.feed=turns"])
        var statuses: [String] = []
        for _ in 0..<4 {
            statuses.append(String(try await server.curl("/v1/user/1/feed").outputText.prefix(12).suffix(3)))
        }
        #expect(statuses == ["200", "410", "200", "410"])
        #expect(try await server.end().status == 0)
    }

    @Test("what no endpoint is for is a problem with the nearest endpoints, and never 200")
    func misses() async throws {
        let server = try await ServeProcess([])
        let unknown = try await server.curl("/v1/user/1/feeds")
        #expect(unknown.outputText.hasPrefix("HTTP/1.1 404 "))
        #expect(unknown.outputText.contains("Content-Type: application/problem+json"))
        #expect(unknown.outputText.contains(#""endpoint":"user.feed""#))
        #expect(unknown.outputText.contains("endpoints/user.json:2:"))
        let baseless = try await server.curl("/user/1/feed")
        #expect(baseless.outputText.contains(#""title":"no endpoint; did you mean GET /v1/user/{{id}}/feed?""#))
        #expect(baseless.outputText.contains(#""endpoint":"user.feed""#))
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
        let lenient = try await ServeProcess([])
        let answered = try await lenient.curl("/v1/user", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4], wrong[5])
        #expect(answered.outputText.hasPrefix("HTTP/1.1 201 "))
        #expect(try await lenient.end().status == 0)
        let strict = try await ServeProcess(["--strict"])
        let refused = try await strict.curl("/v1/user", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4], wrong[5])
        #expect(refused.outputText.hasPrefix("HTTP/1.1 400 "))
        #expect(refused.outputText.contains("name must have at least 2 characters"))
        #expect(refused.outputText.contains("user.create has no $.age"))
        #expect(try await strict.end().status == 0)
    }

    @Test("faults are those of a socket: a reset, and half a body")
    func faults() async throws {
        let server = try await ServeProcess([])
        let reset = try await server.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: reset")
        #expect(reset.status == 56)
        let cut = try await server.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: cut")
        #expect(cut.status == 18)
        #expect(cut.body == "[")
        #expect(try await server.end().status == 0)
    }

    @Test("pages of this machine may read responses, others not; foreign hosts are refused")
    func browsers() async throws {
        let server = try await ServeProcess([])
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

    @Test(
        "--allow-host accepts a name and no other",
        arguments: [
            ("app.test", "200"), ("APP.test:8080", "200"), ("other.test", "200"), ("localhost", "200"),
            ("a.app.test", "403"),
            ("app.test.evil.example", "403"), ("evil.example", "403"),
        ])
    func allowedHost(_ host: String, _ code: String) async throws {
        let server = try await ServeProcess(["--allow-host", "app.test", "--allow-host", "Other.test"])
        #expect(try await server.curl("/v1/user/1/feed", "-H", "Host: \(host)").code == code)
        #expect(try await server.end().status == 0)
    }

    @Test("--delay holds up each response at least that long, the server's own ones, too")
    func delay() async throws {
        let server = try await ServeProcess(["--delay", "300ms..400ms"])
        for (path, code) in [
            ("/v1/user/1/feed", "200"), ("/v1/user/2000/feed", "200"), ("/nothing", "404"), ("/v1/bare", "501"),
        ] {
            let run = try await server.curl(path)
            #expect(run.code == code && run.time >= .milliseconds(300), "\(run.time)")
        }
        #expect(try await server.end().status == 0)
    }

    @Test("a signal ends it with success, and its port is free at once")
    func signal() async throws {
        let server = try await ServeProcess([])
        server.tool.send(signal: .terminate)
        #expect(try await server.tool.end(within: .seconds(20)).status == 0)
    }

    @Test(
        "mistakes are found before the start",
        arguments: [
            (["--stub", "user.feed=emty"], 2, "did you mean \"empty\""), (["nothing"], 2, "nothing"),
            (["--port", "70000"], 2, "--port"), (["--unix-socket", "/tmp/x", "--port", "1"], 2, "--port"),
            (
                ["--cors", "app.example"], 2,
                "--cors takes an origin such as http://localhost:5173, or *; found \"app.example\""
            ),
            (["--cors", "http://app.example/"], 2, "found \"http://app.example/\""), (["--cors", ""], 2, "found \"\""),
            (["--cors", "http://*.example"], 2, "found"), (["--cors", "http://a:70000"], 2, "found"),
            (["--cors", "http://a b"], 2, "found"), (["--cors", "http://"], 2, "found"),
            (
                ["--allow-host", "http://x.y"], 2,
                "--allow-host takes a name such as app.example, without scheme, port and path; found \"http://x.y\""
            ),
            (["--allow-host", "a/b"], 2, "found \"a/b\""), (["--allow-host", "a:80"], 2, "found \"a:80\""),
            (["--allow-host", "*.a"], 2, "found"), (["--allow-host", ""], 2, "found"),
        ])
    func mistakes(_ words: [String], _ status: Int32, _ message: String) async throws {
        let workspace = try ToolWorkspace(ServeProcess.files)
        let run = try await Tool.run(["serve"] + words, in: workspace, within: .seconds(20))
        #expect(run.status == status)
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
