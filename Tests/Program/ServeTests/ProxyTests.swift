import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `serve --proxy-to`: another server answers, through this one.
@Suite struct ProxyTests {
    /// An environment for a server, with everything that must not get there.
    static func environment(_ server: HostileServer, _ more: String = "") -> [String: String] {
        [
            "environments/real.json":
                #"{ "baseURL": "http://127.0.0.1:\#(server.port)/api/v1", "secrets": { "key": { "env": "KEY" } }, "#
                + #""auth": { "bearer": "{{secret.key}}" }, "headers": { "X-Own": "1" }, "query": { "own": "1" }, "#
                + #""retry": { "times": 3 }, "redirects": { "follow": true }\#(more) }"#
        ]
    }

    static func serving(_ body: @escaping @Sendable (HostileServer.Request, HostileConnection) -> Void) throws
        -> HostileServer
    {
        try HostileServer { connection in
            while let request = connection.readRequest() { body(request, connection) }
        }
    }

    @Test("a request goes on with its own headers and body, and with nothing of the environment but the address")
    func message() async throws {
        let upstream = try Self.serving { request, connection in
            connection.respond(
                201, ["X-A: 1", "Content-Type: text/plain", "X-B: 2", "X-A: 3", "Connection: X-Hop", "X-Hop: 1"],
                body: "made")
        }
        let server = try await ServeProcess(
            ["--proxy-to", "real"], Self.environment(upstream), variables: ["KEY": "s3cr3t-k3y"])
        let run = try await server.curl(
            "-g", "-X", "POST", "/v1/user?b=2&a=%2F[1]&own=x", "-H", "X-Mine: yes", "-H", "X-Reqcli-Session: s", "-H",
            "Connection: X-Gone", "-H", "X-Gone: 1", "-H", "Transfer_Encoding: chunked", "-H", "TE: trailers", "-d",
            "a=1")
        #expect(run.outputText.hasPrefix("HTTP/1.1 201 "))
        #expect(run.outputText.contains("X-A: 1\r\nContent-Type: text/plain\r\nX-B: 2\r\nX-A: 3\r\n"))
        #expect(run.outputText.contains("X-Reqcli-Stub: none\r\n"))
        #expect(!run.outputText.contains("X-Hop"))
        #expect(run.body == "made")
        let request = try #require(upstream.requests.first)
        #expect(request.line == "POST /api/v1/user?b=2&a=%2F%5B1%5D&own=x HTTP/1.1")
        #expect(String(decoding: request.body, as: UTF8.self) == "a=1")
        #expect(request.values("Host") == ["127.0.0.1:\(upstream.port)"])
        #expect(request.values("X-Mine") == ["yes"])
        #expect(request.values("Content-Length") == ["3"])
        #expect(request.values("Via").count == 1)
        let others = ["Authorization", "X-Own", "X-Reqcli-Session", "X-Gone", "Transfer_Encoding", "TE", "Connection"]
        for name in others { #expect(request.values(name) == [], "\(name)") }
        #expect(upstream.requests.count == 1)
        let event = try await server.event("request")
        #expect(event["status"] as? Int == 201)
        #expect(event["reason"] as? String == "passed on to real")
        #expect(try await server.end().status == 0)
    }

    @Test("a variant that is chosen by name answers; --only-missing passes on what has none")
    func choice() async throws {
        let upstream = try Self.serving { $1.respond(body: "real") }
        let all = try await ServeProcess(
            ["--proxy-to", "real", "--stub", "user.create=created"], Self.environment(upstream))
        #expect(try await all.curl("/v1/user/1/feed").body == "real")
        #expect(try await all.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: empty").body == "[]")
        #expect(try await all.curl("-X", "POST", "/v1/user").code == "201")
        #expect(try await all.curl("/v1/nothing").body == "real")
        #expect(try await all.end().status == 0)
        let missing = try await ServeProcess(["--proxy-to", "real", "--only-missing"], Self.environment(upstream))
        #expect(try await missing.curl("/v1/user/1/feed").body == "[1]")
        #expect(try await missing.curl("/v1/bare").body == "real")
        #expect(try await missing.curl("-X", "DELETE", "/v1/user").body == "real")
        #expect(try await missing.end().status == 0)
    }

    @Test("redirects and cookies of the other server lead here; they are not followed, and bodies stay")
    func turned() async throws {
        let upstream = try Self.serving { request, connection in
            let port = request.values("Host").first ?? ""
            let places = [
                "/1": "http://\(port)/api/v1/next?q=1#f", "/2": "/api/v1/next", "/3": "http://\(port)/other",
                "/4": "https://\(port)/api/v1/x", "/5": "http://example.com/api/v1/x", "/6": "next",
                "/7": "//\(port)/api/v1/x", "/8": "http://\(port)", "/9": "http://\(port)//evil.example/",
            ]
            let path = String(request.line.split(separator: " ")[1].dropFirst("/api/v1".count))
            connection.respond(
                302,
                [
                    "Location: \(places[path] ?? "")", "Set-Cookie: a=1; Domain=127.0.0.1; Path=/api/v1/x; HttpOnly",
                    "Set-Cookie: b=2; domain=example.com; Path=/",
                ], body: "see http://\(port)/api/v1/next")
        }
        let server = try await ServeProcess(["--proxy-to", "real"], Self.environment(upstream))
        let rows = [
            ("/1", "/v1/next?q=1#f"), ("/2", "/v1/next"), ("/3", "/other"),
            ("/4", "https://127.0.0.1:\(upstream.port)/api/v1/x"), ("/5", "http://example.com/api/v1/x"),
            ("/6", "next"),
            ("/7", "/v1/x"), ("/8", "/"), ("/9", "/.//evil.example/"),
        ]
        for (path, location) in rows {
            let run = try await server.curl("/v1\(path)")
            #expect(run.outputText.contains("Location: \(location)\r\n"), "\(path): \(run.outputText)")
            #expect(run.outputText.contains("Set-Cookie: a=1; Path=/v1/x; HttpOnly\r\n"))
            #expect(run.outputText.contains("Set-Cookie: b=2; domain=example.com; Path=/\r\n"))
            #expect(run.body == "see http://127.0.0.1:\(upstream.port)/api/v1/next")
        }
        let session = try await server.curl("/__reqcli/s/one/v1/2")
        #expect(session.outputText.contains("Location: /__reqcli/s/one/v1/next\r\n"))
        #expect(upstream.requests.count == rows.count + 1)
        #expect(try await server.end().status == 0)
    }

    @Test("the policy of the environment holds, and --yes agrees to what it asks about")
    func policy() async throws {
        let upstream = try Self.serving { $1.respond(body: "real") }
        let policy = #", "policy": { "methods": ["GET", "POST"], "confirm": ["POST"] }"#
        let careful = try await ServeProcess(["--proxy-to", "real"], Self.environment(upstream, policy))
        let refused = try await careful.curl("-X", "DELETE", "/v1/user")
        #expect(refused.code == "403")
        #expect(refused.body.contains("the environment real does not allow DELETE"))
        let asked = try await careful.curl("-X", "POST", "/v1/user")
        #expect(asked.code == "403")
        #expect(asked.body.contains("--yes"))
        #expect(upstream.requests.isEmpty)
        #expect(try await careful.end().status == 0)
        let agreed = try await ServeProcess(["--proxy-to", "real", "--yes"], Self.environment(upstream, policy))
        #expect(try await agreed.curl("-X", "POST", "/v1/user").body == "real")
        #expect(try await agreed.curl("-X", "DELETE", "/v1/user").code == "403")
        #expect(try await agreed.end().status == 0)
    }

    @Test("no connection is 502, a late response 504, each with its cause, and a broken one breaks off")
    func failures() async throws {
        let upstream = try Self.serving { request, connection in
            if request.line.contains("/late") { connection.pause(2) }
            if request.line.contains("/cut") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
                connection.closeSending()
                return
            }
            if request.line.contains("/odd") { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nhalf") }
            connection.respond(body: "real")
        }
        let server = try await ServeProcess(
            ["--proxy-to", "real", "--verify"],
            Self.environment(upstream, #", "timeout": { "firstByte": "300ms" }"#).merging([
                "endpoints/any.json": #"{ "path": "{{p}}", "params": { "p": { "type": "string" } } }"#
            ]) { $1 })
        let late = try await server.curl("/v1/late")
        #expect(late.code == "504")
        #expect(late.body.contains("didn't begin to respond in time"))
        let cut = try await server.curl("/v1/cut")
        #expect(cut.status == 18 || cut.status == 56)
        #expect(try await server.curl("/v1/odd").code == "502")
        upstream.stop()
        let refused = try await server.curl("/v1/none")
        #expect(refused.code == "502")
        #expect(refused.body.contains("refused the connection"))
        #expect(try await server.end().status == 1)
        let problems = try await server.event("end")["problems"] as? [String] ?? []
        for text in ["/v1/late: 127.0.0.1", "/v1/cut: the response is cut off", "/v1/odd: ", "/v1/none: 127.0.0.1"] {
            #expect(problems.contains { $0.contains(text) }, "\(text) in \(problems)")
        }
        #expect(problems.count == 4)
    }

    @Test("a server that leads to itself says so")
    func loop() async throws {
        let free = try HostileServer { _ in }
        let port = free.port
        free.stop()
        let server = try await ServeProcess(
            ["--proxy-to", "real"],
            ["environments/real.json": #"{ "baseURL": "http://127.0.0.1:\#(port)/v1" }"#], port: port)
        let run = try await server.curl("/v1/user/1/feed")
        #expect(run.code == "508")
        #expect(run.body.contains("real is this server"))
        #expect(try await server.end().status == 0)
    }

    @Test("a response comes piece by piece, and takes little memory however long it is")
    func streams() async throws {
        let size = 96 << 20
        let upstream = try Self.serving { request, connection in
            if request.line.contains("/slow") {
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
                connection.pause(60)
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 1 << 20)
            for _ in 0..<(size >> 20) { guard connection.send(piece) else { return } }
        }
        let server = try await ServeProcess(["--proxy-to", "real"], Self.environment(upstream))
        let slow = try await server.curl("-m", "3", "/v1/slow")
        #expect(slow.status == 28)
        #expect(slow.body == "one")
        let counted = try await server.curl("/v1/large", "-o/dev/null", "-w", "%{size_download}")
        #expect(counted.outputText == "\(size)")
        // A reader that is slower than the other server.
        let limited = try await server.curl(
            "/v1/large", "-o/dev/null", "-w", "%{size_download}", "--limit-rate", "40M")
        #expect(limited.outputText == "\(size)")
        let status = try String(contentsOfFile: "/proc/\(server.tool.id)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ")
        let kilobytes = try #require(peak.flatMap { $0.count > 1 ? Int($0[$0.count - 2]) : nil })
        #expect(kilobytes < 80 << 10, "\(kilobytes) KiB")
        #expect(try await server.end().status == 0)
    }

    @Test("a client that goes ends its request to the other server")
    func leaving() async throws {
        let closed = Counter()
        let upstream = try Self.serving { _, connection in
            connection.waitForClose()
            closed.add()
        }
        let server = try await ServeProcess(["--proxy-to", "real"], Self.environment(upstream))
        #expect(try await server.curl("-m", "1", "/v1/never").status == 28)
        #expect(await eventually { closed.count == 1 })
        #expect(try await server.end().status == 0)
    }

    @Test("pages of other sites get 403 before anything else, and nothing goes on")
    func pages() async throws {
        let upstream = try Self.serving { _, connection in
            connection.respond(200, ["Access-Control-Allow-Origin: https://app.example"], body: "real")
        }
        let server = try await ServeProcess(["--proxy-to", "real"], Self.environment(upstream))
        let rows: [([String], String)] = [
            (["Origin: https://evil.example"], "403"), (["Origin: null"], "403"),
            (["Sec-Fetch-Site: cross-site"], "403"), (["Origin: http://localhost:1", "Origin: http://a.test"], "403"),
            (["Origin: http://localhost:5173", "Sec-Fetch-Site: cross-site"], "200"),
            (["Sec-Fetch-Site: none"], "200"), ([], "200"),
        ]
        for (headers, code) in rows {
            let before = upstream.requests.count
            let run = try await server.curl("/v1/user/1/feed", headers: headers)
            #expect(run.code == code, "\(headers)")
            #expect(upstream.requests.count == before + (code == "200" ? 1 : 0))
        }
        // Also what a stub would answer.
        #expect(
            try await server.curl("/v1/user/1/feed", headers: ["X-Reqcli-Stub: empty", "Origin: http://a.test"]).code
                == "403")
        let own = try await server.curl("/v1/x", headers: ["Origin: http://localhost:5173"])
        #expect(own.outputText.contains("Access-Control-Allow-Origin: http://localhost:5173\r\n"))
        #expect(!own.outputText.contains("app.example"))
        #expect(try await server.end().status == 0)
        let closed = try await ServeProcess(["--proxy-to", "real", "--no-cors"], Self.environment(upstream))
        #expect(try await closed.curl("/v1/x", headers: ["Origin: http://localhost:5173"]).code == "403")
        #expect(try await closed.curl("/v1/x", headers: ["Origin: \(closed.url)"]).code == "200")
        #expect(try await closed.end().status == 0)
    }

    @Test(
        "what one side forwards and the other reads never differ",
        arguments: [
            // Each row: what the client sends, and the body that the other server reads; nil if nothing reaches it.
            (
                "POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: 1\r\n\r\n",
                "abc"
            ),
            (
                "POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nTransfer_Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n",
                "0\r\n"
            ),
            (
                "POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nConnection: Content-Length\r\nContent-Length: 3\r\n\r\nabc",
                "abc"
            ),
            ("POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nContent_Length: 9\r\nContent-Length: 3\r\n\r\nabc", "abc"),
            ("POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc", "abc"),
            ("POST http://x.localhost/v1/a HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 3\r\n\r\nabc", "abc"),
            ("GET /v1/a HTTP/1.1\r\nHost: x.localhost\r\nContent-Length: 0\r\n\r\n", ""),
            (
                "GET /v1/a HTTP/1.1\r\nHost: x.localhost\r\nX: a\r\nTransfer-Encoding:\tchunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                "abc"
            ),
            (
                "POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                nil
            ),
            ("POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", nil),
            ("POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", nil),
            ("POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nContent-Length: +3\r\n\r\nabc", nil),
            ("POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nContent-Length: 3, 4\r\n\r\nabc", nil),
            ("POST /v1/a HTTP/1.1\r\nHost: x.localhost\r\nX: 1\nContent-Length: 3\r\n\r\nabc", nil),
            ("GET /v1/a/../b HTTP/1.1\r\nHost: x.localhost\r\n\r\n", nil),
            ("GET /v1/a/%2e%2e/b HTTP/1.1\r\nHost: x.localhost\r\n\r\n", nil),
            ("TRACE /v1/a HTTP/1.1\r\nHost: x.localhost\r\n\r\n", nil),
            ("OPTIONS * HTTP/1.1\r\nHost: x.localhost\r\n\r\n", nil),
        ] as [(String, String?)])
    func framing(_ bytes: String, _ body: String?) async throws {
        let upstream = try Self.serving { $1.respond(body: "real") }
        let server = try await ServeProcess(["--proxy-to", "real"], Self.environment(upstream))
        let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
        // A second request on the same connection: were the first one longer or shorter there, this one would be torn.
        let next = "GET /v1/next HTTP/1.1\r\nHost: x.localhost\r\nConnection: close\r\n\r\n"
        let answer = try RawClient.exchange(bytes + next, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 "))
        let received = upstream.requests
        if let body {
            #expect(received.map(\.line).count == 2, "\(received.map(\.line))")
            #expect(received.first.map { String(decoding: $0.body, as: UTF8.self) } == body)
            #expect(received.last?.line == "GET /api/v1/next HTTP/1.1")
            #expect(received.last?.body.isEmpty == true)
        } else {
            #expect(received.allSatisfy { $0.line == "GET /api/v1/next HTTP/1.1" && $0.body.isEmpty })
        }
        for request in received {
            for name in ["Transfer-Encoding", "Transfer_Encoding", "Content_Length", "Expect", "Connection"] {
                #expect(request.values(name) == [], "\(name)")
            }
            #expect(request.values("Host") == ["127.0.0.1:\(upstream.port)"])
        }
        #expect(try await server.end().status == 0)
    }

    @Test(
        "a path and a query go on as they are, but for bytes that no URL has",
        arguments: [
            ("/v1/a/%2F/b", "/api/v1/a/%2F/b"), ("/v1//a/?", "/api/v1//a/?"), ("/v1", "/api/v1"), ("/v1x", "/v1x"),
            ("/v1/a?b=[c]&d={e}|%zz", "/api/v1/a?b=%5Bc%5D&d=%7Be%7D%7C%25zz"),
            ("/v1/;a=1,b:@!$&'()*+~", "/api/v1/;a=1,b:@!$&'()*+~"),
            ("/v1/a?b=%C3%A4&c=%ff", "/api/v1/a?b=%C3%A4&c=%ff"), ("/v1/a?b=c?d/e", "/api/v1/a?b=c?d/e"),
        ])
    func targets(_ target: String, _ passed: String) async throws {
        let upstream = try Self.serving { $1.respond(body: "real") }
        let server = try await ServeProcess(["--proxy-to", "real"], Self.environment(upstream))
        let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
        let answer = try RawClient.exchange(
            "GET \(target) HTTP/1.1\r\nHost: x.localhost\r\nConnection: close\r\n\r\n", port: port)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(upstream.requests.map(\.line) == ["GET \(passed) HTTP/1.1"])
        #expect(try await server.end().status == 0)
    }

    @Test(
        "mistakes are found before the start",
        arguments: [
            (["--only-missing"], "--only-missing can only be used together with --proxy-to"),
            (["--record"], "--record can only be used together with --proxy-to"),
            (["--proxy-to", "real", "--force"], "--force can only be used together with --record"),
            (["--proxy-to", "rael"], "rael"), (["--proxy-to", "bare"], "bare"),
            (["--proxy-to", "secret"], "the server address of the environment secret contains a secret"),
            (["--proxy-to", "real", "--host", "0.0.0.0"], "pass --yes"),
            (["--proxy-to", "real", "--host", "0.0.0.0", "--yes", "--record"], "--record writes files"),
            (["--proxy-to", "real", "--record=a b"], "--record"),
        ])
    func mistakes(_ words: [String], _ message: String) async throws {
        let workspace = try ToolWorkspace(
            ServeProcess.files.merging([
                "environments/real.json": #"{ "baseURL": "http://127.0.0.1:1" }"#, "environments/bare.json": "{}",
                "environments/secret.json":
                    #"{ "baseURL": "http://{{secret.host}}", "secrets": { "host": { "env": "HOST" } } }"#,
            ]) { $1 })
        let run = try await Tool.run(
            ["serve", "--port", "0"] + words, in: workspace, environment: ["HOST": "127.0.0.1"], within: .seconds(20))
        #expect(run.status == 2 || words == ["--proxy-to", "bare"] && run.status == 3)
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
