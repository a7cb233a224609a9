import Foundation
import TestSupport
import Testing
import ToolSupport

/// The control API, sessions, and what `--verify` makes of the calls.
@Suite struct ControlTests {
    @Test("tests choose variants in sessions of their own, and read their requests")
    func sessions() async throws {
        let server = try await ServeProcess([])
        #expect(try await server.control("PUT", "stubs?session=a", #"{"user.feed": "empty"}"#).code == "204")
        #expect(try await server.curl("/__reqcli/s/a/v1/user/1/feed").body == "[]")
        #expect(try await server.curl("/v1/user/1/feed", "-H", "X-Reqcli-Session: a").body == "[]")
        #expect(try await server.curl("/v1/user/1/feed", "-H", "Authorization: Bearer hush").body == "[1]")
        let requests = try await server.control("GET", "requests")
        #expect(requests.body.contains(#""stub":"user.feed=standard""#))
        #expect(!requests.body.contains("empty"))
        #expect(!requests.body.contains("hush"))
        #expect(try await server.control("POST", "reset?session=a").code == "204")
        #expect(try await server.curl("/__reqcli/s/a/v1/user/1/feed").body == "[1]")
        #expect(try await server.end().status == 0)
    }

    @Test("a wait ends with the call for which it waits, or with 408")
    func wait() async throws {
        let server = try await ServeProcess([])
        async let waiting = server.control("POST", "wait", #"{"endpoint": "user.feed", "timeout": "20s"}"#)
        try await Task.sleep(for: .milliseconds(300))
        _ = try await server.curl("/v1/user/7/feed")
        let done = try await waiting
        #expect(done.code == "200")
        #expect(done.body.contains("/v1/user/7/feed"))
        let late = try await server.control(
            "POST", "wait", #"{"endpoint": "user.feed", "count": 9, "timeout": "10ms"}"#)
        #expect(late.code == "408")
        #expect(late.body.contains("user.feed: 9 calls expected, 1 received"))
        #expect(try await server.end().status == 0)
    }

    @Test("waits are cut at the end")
    func waitAtEnd() async throws {
        let server = try await ServeProcess([])
        async let waiting = server.control("POST", "wait", #"{"endpoint": "user.feed", "timeout": "60s"}"#)
        try await Task.sleep(for: .seconds(1.5))
        let run = try await server.end()
        #expect(run.status == 0)
        #expect(run.time < .seconds(55))
        #expect(try await waiting.code == "408")
    }

    @Test("the token comes from REQCLI_TOKEN; without one, and from a page, the API refuses")
    func token() async throws {
        let server = try await ServeProcess([], variables: ["REQCLI_TOKEN": "sesame"])
        #expect(server.token == "sesame")
        #expect(try await server.curl("/__reqcli/").code == "401")
        #expect(try await server.curl("/__reqcli/health").code == "204")
        let page = try await server.curl(
            "/__reqcli/", "-H", "Authorization: Bearer sesame", "-H", "Origin: http://localhost:5173")
        #expect(page.code == "403")
        #expect(!page.outputText.contains("Access-Control"))
        let run = try await server.end()
        #expect(!run.errors.contains("sesame"))
        let without = try await ServeProcess(["--no-control"])
        #expect(without.token.isEmpty)
        #expect(try await without.curl("/__reqcli/health").code == "404")
        #expect(try await without.end().status == 0)
    }

    @Test("connections are refused from the response to POST refuse on, for the time that was asked for")
    func refuseAtOnce() async throws {
        let server = try await ServeProcess([])
        for _ in 0..<2 {
            let client = try RawConnection(server)
            client.send(
                "POST /__reqcli/refuse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(server.token)\r\n"
                    + "Content-Length: 12\r\n\r\n{\"for\":\"4s\"}")
            #expect(client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 204 "))
            #expect(throws: ToolProblem.self) { try RawConnection(server) }
            #expect(await eventually { (try? RawConnection(server)) != nil })
        }
        #expect(try await server.end().status == 0)
    }

    @Test("a wrong method is told the right one, and a missing token the scheme, in whatever case it comes")
    func challenge() async throws {
        let server = try await ServeProcess([])
        let method = try await server.control("GET", "stop")
        #expect(method.code == "405" && method.outputText.contains("\r\nAllow: POST\r\n"))
        let health = try await server.control("POST", "health")
        #expect(health.code == "405" && health.outputText.contains("\r\nAllow: GET, HEAD\r\n"))
        let token = try await server.curl("/__reqcli/")
        #expect(token.code == "401" && token.outputText.contains("\r\nWWW-Authenticate: Bearer realm=\"reqcli\"\r\n"))
        #expect(try await server.curl("/__reqcli/", "-H", "Authorization: bEARER  \(server.token)").code == "200")
        #expect(try await server.end().status == 0)
    }

    @Test("OPTIONS * says which methods there are, and is no call")
    func wholeServer() async throws {
        let server = try await ServeProcess(["--verify"])
        let run = try await server.curl("-X", "OPTIONS", "--request-target", "*", "/")
        #expect(
            run.code == "204" && run.outputText.contains("\r\nAllow: GET, HEAD, OPTIONS, POST\r\n"), "\(run.outputText)"
        )
        #expect(try await server.control("GET", "requests").body == "{\"requests\":[]}\n")
        #expect(try await server.end().status == 1)
    }

    @Test("POST stop ends the server")
    func stop() async throws {
        let server = try await ServeProcess([])
        #expect(try await server.control("POST", "stop").code == "204")
        #expect(try await server.tool.end(within: .seconds(20)).status == 0)
    }

    @Test("--verify fails for wrong, unknown and missing calls, and says so in the last event")
    func verify() async throws {
        let server = try await ServeProcess(["--verify", "--expect", "user.create=1"])
        _ = try await server.curl(
            "-X", "POST", "/v1/user", "-H", "Content-Type: application/json", "-d", #"{"name": "A"}"#)
        _ = try await server.curl("/nothing")
        async let ended = server.end()
        let end = try await server.event("end")
        #expect(end["verified"] as? Bool == false)
        let problems = end["problems"] as? [String] ?? []
        #expect(problems.count == 3)
        #expect(
            problems.first?.hasPrefix(
                "POST /v1/user: name must have at least 2 characters; found \"A\"   endpoints/user.json:")
                == true)
        #expect(problems.contains("GET /nothing: no endpoint"))
        #expect(problems.last == "user.create: 1 call expected, no valid call received")
        #expect(try await ended.status == 1)

        let good = try await ServeProcess(["--verify", "--expect", "user.create"])
        _ = try await good.curl(
            "-X", "POST", "/v1/user", "-H", "Content-Type: application/json", "-d", #"{"name": "Ada"}"#)
        #expect(try await good.end().status == 0)
    }

    @Test("a command runs with URL and token, and the server ends with it")
    func command() async throws {
        let workspace = try ToolWorkspace(ServeProcess.files)
        func run(_ options: [String], _ script: String) async throws -> ToolRun {
            try await Tool.run(
                ["serve", "--port", "0"] + options + ["--", "sh", "-c", script], in: workspace, within: .seconds(30))
        }
        let good = try await run(
            ["--verify", "--expect", "user.feed=2"],
            #"curl -s "$REQCLI_URL/v1/user/1/feed" && curl -s "$REQCLI_URL/v1/user/2/feed" && curl -sf -X POST -H "Authorization: Bearer $REQCLI_TOKEN" "$REQCLI_URL/__reqcli/verify" -d '{"user.feed": 2}'"#
        )
        #expect(good.outputText == "[1][1]")
        #expect(good.status == 0, "\(good.errors)")
        let missing = try await run(["--verify", "--expect", "user.feed=2"], #"curl -s "$REQCLI_URL/v1/user/1/feed""#)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("✗ user.feed: 2 calls expected, 1 received"))
        #expect(try await run(["--verify"], "exit 7").status == 7)
        #expect(try await run([], "exit 0").status == 0)
        let asJSON = try await run(["--json"], "echo mine")
        #expect(asJSON.outputText.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
        #expect(asJSON.errors == "mine\n")
        let none = try await Tool.run(["serve", "--port", "0", "--", "no-such-program"], in: workspace)
        #expect(none.status == 2)
        #expect(none.errors.contains(#"cannot run "no-such-program": there is no such program"#))
    }

    @Test("a signal ends the command, too, and its status is the command's")
    func signalWithCommand() async throws {
        let workspace = try ToolWorkspace(ServeProcess.files)
        let mark = workspace.path("mark")
        let tool = try Tool.start(
            [
                "serve", "--port", "0", "--", "sh", "-c",
                "trap 'exit 5' TERM; touch \(mark); while :; do sleep 0.1; done",
            ],
            in: workspace)
        #expect(await eventually { FileManager.default.fileExists(atPath: mark) })
        tool.send(signal: .terminate)
        #expect(try await tool.end(within: .seconds(20)).status == 5)
    }
}
