import Foundation
import HostileServing
import Testing
import ToolSupport

/// The output on a terminal.
@Suite(.serialized) struct TerminalTests {
    private func send(
        _ flags: [String] = [], answer: String, environment: [String: String] = [:]
    ) async throws -> (run: ToolRun, screen: String) {
        try await send(flags, answer: Array(answer.utf8), environment: environment)
    }

    /// Sends with stdout and stderr on one terminal.
    private func send(
        _ flags: [String] = [], answer: [UInt8], environment: [String: String] = [:]
    ) async throws -> (run: ToolRun, screen: String) {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send(answer)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it"] + flags, in: workspace, environment: environment, output: .descriptor(terminal.program),
            errors: .descriptor(terminal.program))
        return (run, await terminal.finalText())
    }

    @Test("a terminal shows status line, headers, a blank line and the indented body; the prompt starts a line")
    func layout() async throws {
        let answer = "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 20\r\n\r\n{\"b\":1.0,\"a\":\"\\u00e9\"}"
        let (run, screen) = try await send(
            answer: answer.replacing("Length: 20", with: "Length: 22"), environment: ["NO_COLOR": "1"])
        #expect(run.status == 0)
        #expect(screen == "HTTP/1.1 200 OK\nX-A: b\nContent-Length: 22\n\n{\n  \"b\": 1.0,\n  \"a\": \"\\u00e9\"\n}\n")
    }

    @Test(
        "selected text has its control characters escaped on a terminal, unless raw bytes are requested",
        arguments: [
            (["-s", "$.a"], "␛[2Jx\ny\n"), (["-s", "$.a", "--raw"], "\u{1B}[2Jx\ny\n"),
            (["-s", "$.b", "--json"], "[\n  \"\u{FFFD}\"\n]\n"),
        ])
    func selected(flags: [String], expected: String) async throws {
        let body = #"{"a":"\u001b[2Jx\ny","b":"\u009b"}"#
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let (run, screen) = try await send(flags, answer: answer)
        #expect(run.status == 0)
        #expect(screen == expected)
    }

    @Test(
        "colours appear only on a terminal or if they are requested",
        arguments: [
            ([], [:], true), (["--color", "never"], [:], false), ([], ["NO_COLOR": "1"], false),
            ([], ["TERM": "dumb"], false),
        ] as [([String], [String: String], Bool)])
    func colours(flags: [String], environment: [String: String], isColoured: Bool) async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}"
        let (_, screen) = try await send(flags + ["-v"], answer: answer, environment: environment)
        #expect(screen.contains("\u{1B}[") == isColoured)
    }

    /// A server that redirects `/` to `/next`.
    private func redirecting() throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let isStart = request.line.hasPrefix("GET / ")
                let sent = connection.respond(
                    isStart ? 302 : 200, isStart ? ["Location: /next"] : ["X-A: b"], body: isStart ? "" : "{\"a\":1}")
                if !sent { return }
            }
        }
    }

    /// The lines at which a head begins or ends, to show the order.
    private static func outline(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter {
            $0.contains(/^(> GET|(< )?HTTP|\* (connected|reused|30)|\{)/)
        }
        .map { $0.replacing(/port \d+/, with: "port N") }
    }

    @Test("-v shows each request followed by its response, and nothing twice on a terminal")
    func verboseRedirects() async throws {
        let server = try redirecting()
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it", "-v", "--follow"], in: workspace, environment: ["NO_COLOR": "1"],
            output: .descriptor(terminal.program), errors: .descriptor(terminal.program))
        #expect(run.status == 0)
        let screen = await terminal.finalText()
        let requests = [
            "> GET /", "* connected to 127.0.0.1 port N", "< HTTP/1.1 302 Some Reason", "> GET /next",
            "* reused connection to 127.0.0.1 port N", "< HTTP/1.1 200 Some Reason",
        ]
        #expect(Self.outline(screen) == requests + ["{"], "\(screen)")
        #expect(screen.contains("< Location: /next\n") && screen.contains("< X-A: b\n"))
        #expect(screen.contains("<\n{\n  \"a\": 1\n}\n* "), "\(screen.debugDescription)")
        // Two streams with different targets each contain everything that belongs there.
        let split = try await Tool.run(["send", "it", "-vi", "--follow"], in: workspace)
        #expect(Self.outline(split.errors) == requests)
        #expect(Self.outline(split.outputText) == ["HTTP/1.1 200 Some Reason", "{\"a\":1}"])
    }

    struct SentBody: Sendable {
        var endpoint: String
        var file = ""
        var shown: String
    }

    private static let long = String(repeating: "a", count: BodyRoom.shown - 3)

    private enum BodyRoom {
        /// The number of bytes that `-v` shows of a body.
        static let shown = 2000
    }

    @Test(
        "-v shows the body of each request after its head, shortened and without secrets",
        arguments: [
            SentBody(endpoint: #""body": { "text": "one\ntwo\r\n" }"#, shown: "> one\n> two\n"),
            SentBody(
                endpoint: #""body": { "json": { "key": "{{secret.key}}" } }"#, shown: "> {\"key\":\"<secret.key>\"}\n"),
            SentBody(endpoint: #""body": { "text": "" }"#, shown: ""),
            SentBody(endpoint: #""body": { "file": "up" }"#, file: "of a file", shown: "> of a file\n"),
            SentBody(
                endpoint: #""body": { "file": "up" }"#, file: "\u{0}12", shown: "> (3 bytes that are not text)\n"),
            // The cut would go through a character, or through a secret.
            SentBody(
                endpoint: #""body": { "file": "up" }"#, file: long + "ü😀zz",
                shown: "> \(long)ü… (6 more bytes)\n"),
            SentBody(
                endpoint: #""body": { "file": "up" }"#, file: long + "k3y-s3cr3tz",
                shown: "> \(long)<secret.key>… (1 more byte)\n"),
            SentBody(
                endpoint: #""body": { "file": "up" }"#, file: "k3y-s3cr3t" + long + "k3y-s3cr3t",
                shown: "> <secret.key>\(long.dropLast(7))… (17 more bytes)\n"),
        ])
    func verboseBody(body: SentBody) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil, connection.respond(body: "ok") {}
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/", "method": "POST", \#(body.endpoint) }"#,
            environment: #""secrets": { "key": { "env": "KEY" } }, "headers": { "X-Key": "{{secret.key}}" }"#)
        try workspace.write("up", body.file)
        let run = try await Tool.run(["send", "it", "-v"], in: workspace, environment: ["KEY": "k3y-s3cr3t"])
        #expect(run.status == 0)
        let sent = run.errors.components(separatedBy: "\n>\n").last?.components(separatedBy: "* connected").first
        #expect(sent == body.shown, "\(run.errors)")
    }

    @Test("--json shows the request's body and each redirect")
    func jsonHops() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isStart = request.line.hasPrefix("POST /start ")
                connection.respond(
                    isStart ? 303 : 200, isStart ? ["Location: /end", "X-Key: k3y-s3cr3t"] : [], body: "ok")
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/start", "method": "POST", "body": { "json": { "key": "{{secret.key}}" } } }"#,
            environment: #""secrets": { "key": { "env": "KEY" } }"#)
        let run = try await Tool.run(
            ["send", "it", "--json", "--follow"], in: workspace, environment: ["KEY": "k3y-s3cr3t"])
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let request = try #require(json["request"] as? [String: Any])
        #expect(request["body"] as? [String: [String: String]] == ["json": ["key": "<secret.key>"]])
        let hops = try #require(json["redirects"] as? [[String: Any]])
        #expect(hops.count == 1 && hops[0]["status"] as? Int == 303 && hops[0]["method"] as? String == "POST")
        #expect((hops[0]["to"] as? String)?.hasSuffix("/end") == true)
        let headers = try #require(hops[0]["headers"] as? [[String: String]])
        #expect(headers.contains(["name": "X-Key", "value": "<secret.key>"]), "\(headers)")
    }

    @Test("-v with --headers on a terminal shows the head once")
    func verboseHeaders() async throws {
        let (run, screen) = try await send(
            ["-v", "--headers"], answer: "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 0\r\n\r\n",
            environment: ["NO_COLOR": "1"])
        #expect(run.status == 0)
        #expect(screen.matches(of: /X-A/).count == 1, "\(screen)")
    }

    @Test("-v shows each attempt of a retried request followed by its response")
    func verboseRetry() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil, connection.respond(503, ["Retry-After: 0"]) {}
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "-v", "--retry", "1"], in: workspace)
        let lines = run.errors.split(separator: "\n").filter { $0.contains(/^(> GET|< HTTP|trying)/) }.map {
            $0.prefix(6)
        }
        #expect(lines == ["> GET ", "< HTTP", "trying", "> GET ", "< HTTP"], "\(run.errors)")
    }

    @Test(
        "only --color always colours a body that is piped into a pager",
        arguments: [
            (["--color", "always"], [:], true), (["--color=always", "--pretty"], [:], true),
            (["--color=always", "--raw"], [:], false), ([], ["FORCE_COLOR": "1"], false), ([], [:], false),
        ] as [([String], [String: String], Bool)])
    func colouredPipe(flags: [String], environment: [String: String], isColoured: Bool) async throws {
        let body = #"{"b":1.0,"a":"\u00e9"}"#
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send(answer)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let piped = try await Tool.run(["send", "it"] + flags, in: workspace, environment: environment)
        let (_, screen) = try await send(["--color", "always", "--body-only"], answer: answer)
        #expect(piped.outputText == (isColoured ? screen : body))
        #expect(screen.contains("\u{1B}["))
    }

    @Test(
        "selected values are printed one per line, indented, or as one array",
        arguments: [
            ([], "x\n{\"b\":[1.0]}\n"), (["--pretty"], "x\n{\n  \"b\": [\n    1.0\n  ]\n}\n"),
            (["--json"], "[\n  \"x\",\n  {\n    \"b\": [\n      1.0\n    ]\n  }\n]\n"),
            (["--json", "--pretty"], "[\n  \"x\",\n  {\n    \"b\": [\n      1.0\n    ]\n  }\n]\n"),
        ] as [([String], String)])
    func layouts(flags: [String], expected: String) async throws {
        let body = #"["x",{"b":[1.0]}]"#
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(200, body: body)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "-s", "$[*]"] + flags, in: workspace)
        #expect(run.outputText == expected && run.status == 0)
    }

    @Test("a pipe gets the body without colour, head or changes", arguments: [[], ["-v"]])
    func pipe(flags: [String]) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(200, body: "{\"a\":1}\u{1B}[2J")
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it"] + flags, in: workspace)
        #expect(run.outputText == "{\"a\":1}\u{1B}[2J")
        #expect(!run.errors.contains("\u{1B}"))
    }

    @Test("--pretty into a pipe leaves a body that is not JSON unchanged")
    func prettyPipe() async throws {
        let body: [UInt8] = [0x66, 0, 1, 2, 0x1B, 0x5B, 0x32, 0x4A, 0xFF]
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.send(body)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "--pretty"], in: workspace)
        #expect(run.output == body && run.errors == "")
    }

    @Test(
        "no control character from a server reaches the terminal",
        arguments: [
            "plain \u{1B}[2J\u{1B}]0;owned\u{7} text", "\u{9B}2J C1", "{\"a\":\"\u{1B}[2J\"}", "{\"a\":\"\u{9B}2J\"}",
            "{\"a\": 1} \u{1B}[2J", "[1, \u{1B}]52;c;aGk=\u{7}", "over\rwritten", "{ \"a\": 1, \rx }",
            "\u{202E}desrever",
            "{\"a\":\"\u{202E}desrever\"}",
        ])
    func harmless(body: String) async throws {
        let answer =
            "HTTP/1.1 200 \u{1B}[31mOK\r\nX-Evil: \u{1B}]0;owned\u{7}\u{9B}2J\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        for flags in [[], ["-v"], ["--headers"], ["--body-only"]] {
            let (run, screen) = try await send(flags, answer: answer + body, environment: ["NO_COLOR": "1"])
            #expect(run.status == 0)
            let orders = screen.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && Self.isOrder($0) }
            #expect(orders.isEmpty, "\(flags) \(screen.debugDescription)")
        }
    }

    private static func isOrder(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
    }

    @Test("server text in an error message has no control characters")
    func harmlessError() async throws {
        let answer = "HTTP/1.1 302 Found\r\nLocation: \u{1B}]0;owned\u{7}:x\r\nContent-Length: 0\r\n\r\n"
        let (run, screen) = try await send(["--follow"], answer: answer, environment: ["NO_COLOR": "1"])
        #expect(run.status == 6)
        #expect(!screen.contains("\u{1B}") && !screen.contains("\u{7}"), "\(screen.debugDescription)")
    }

    @Test("on a terminal, a note replaces a binary body and suggests --output")
    func binary() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 8\r\n\r\n"
        let (run, screen) = try await send(
            answer: Array(head.utf8) + [0x89, 0x50, 0x4E, 0x47, 0, 0, 0, 1], environment: ["NO_COLOR": "1"])
        #expect(run.status == 0)
        #expect(!screen.contains("PNG"))
        #expect(screen.contains("note: the body is not text (image/png)") && screen.contains("--output FILE"))
    }

    @Test(
        "on a terminal, images are never shown, and neither is what begins with control characters that no text has",
        arguments: [
            ("image/png", "an image that looks like text", false), ("video/mp4", "[1]", false),
            ("image/svg+xml", "<svg/>", true), ("application/octet-stream", "\u{1}\u{2}abc", false),
            ("text/plain", "a line\r\n\u{1B}[31mred\t\u{8}", true),
        ])
    func media(type: String, body: String, isShown: Bool) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let (run, screen) = try await send(["--body-only"], answer: head + body, environment: ["NO_COLOR": "1"])
        #expect(run.status == 0)
        #expect(screen.contains("note: the body is not text (\(type))") == !isShown, "\(screen)")
        if !isShown { #expect(screen.hasPrefix("note") && screen.split(separator: "\n").count == 1, "\(screen)") }
    }

    @Test(
        "a response without a body says so on stderr, with its status where that is not shown",
        arguments: [
            ([], 404, "note: 404 Some Reason, no body\n"), (["-i"], 404, ""), (["-i"], 204, ""),
            (["-o", "out"], 200, "note: 200 Some Reason, no body\n"), ([], 204, "note: 204 Some Reason, no body\n"),
            (["-Q"], 404, ""), (["-Q", "-o", "out"], 200, ""), (["--headers"], 404, ""), (["--json"], 404, ""),
        ])
    func empty(flags: [String], status: Int, errors: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send(
                "HTTP/1.1 \(status) Some Reason\r\n" + (status == 204 ? "" : "Content-Length: 0\r\n") + "\r\n")
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it"] + flags, in: workspace)
        #expect(run.errors == errors)
        let terminal = try PseudoTerminal()
        let shown = try await Tool.run(["send", "it"], in: workspace, output: .descriptor(terminal.program))
        #expect(shown.errors == (status == 204 ? "" : "note: no body\n"))
    }

    @Test("on a terminal, a note replaces a compressed body")
    func compressed() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\nContent-Length: 4\r\n\r\n"
        let (run, screen) = try await send(
            answer: Array(head.utf8) + [0x61, 0x62, 0x63, 0x64], environment: ["NO_COLOR": "1"])
        #expect(run.status == 0)
        #expect(!screen.contains("abcd") && screen.contains("note: the body is not text (compress)"), "\(screen)")
    }

    struct Paged: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var flags = ["--pager"]
        var pager = "sed s/^/P:/"
        var lines = 100
        var isPiped = false
        var isPaged = false
    }

    @Test(
        "only --pager shows output in the pager, and only if it is longer than the screen",
        arguments: [
            Paged(testDescription: "long", isPaged: true), Paged(testDescription: "no flag", flags: []),
            Paged(testDescription: "short", lines: 10), Paged(testDescription: "a pipe", isPiped: true),
            Paged(testDescription: "no pager", pager: ""), Paged(testDescription: "cat", pager: "cat"),
            Paged(testDescription: "selected", flags: ["--pager", "-s", "$[*]"], isPaged: true),
            Paged(testDescription: "a pager that leaves early", pager: "head -n 1 | sed s/^/P:/", isPaged: true),
        ])
    func paged(paged: Paged) async throws {
        let body = "[" + (1..<paged.lines).map { "\($0)" }.joined(separator: ",") + "]"
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(200, body: body)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it"] + (paged.flags.contains("-s") ? [] : ["--body-only"]) + paged.flags,
            in: workspace, environment: ["NO_COLOR": "1", "PAGER": paged.pager],
            output: paged.isPiped ? .kept : .descriptor(terminal.program))
        #expect(run.status == 0 && run.errors == "")
        let screen = await terminal.finalText()
        let shown = paged.isPiped ? run.outputText : screen
        #expect(shown.hasPrefix("P:") == paged.isPaged, "\(shown)")
        if !paged.pager.contains("head") { #expect(shown.contains("\(paged.lines - 1)")) }
    }

    @Test("on a terminal, a slow body is shown as it arrives", arguments: ["text ", "[\"json\", "])
    func slow(beginning: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n\(beginning)")
            connection.waitForClose()
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["send", "it", "--color", "never"], in: workspace, output: .descriptor(terminal.program))
        #expect(await terminal.shows(beginning.contains("json") ? "\"json\"" : "text"))
        tool.send(signal: .interrupt)
        _ = try await tool.end()
    }
}
