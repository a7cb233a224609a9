import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Streams of events, sent and checked.
@Suite struct EventStreamTests {
    /// Sends with stdout on a pipe or a terminal.
    private func send(
        _ flags: [String], type: String = "text/event-stream", _ body: String, onTerminal: Bool = false,
        endless: Bool = false
    ) async throws -> (run: ToolRun, output: String) {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            let end = endless ? "" : "Connection: close\r\n"
            connection.send("HTTP/1.1 200 OK\r\n\(end)Content-Type: \(type)\r\n\r\n\(body)")
            if endless { connection.waitForClose() }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        guard onTerminal else {
            let run = try await Tool.run(["send", "it"] + flags, in: workspace)
            return (run, run.outputText)
        }
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it", "--body-only"] + flags, in: workspace, environment: ["NO_COLOR": "1"],
            output: .descriptor(terminal.program), errors: .descriptor(terminal.program))
        return (run, await terminal.finalText())
    }

    private static let stream =
        ": hello\r\nevent: start\nid: 7\ndata: {\"n\":1.0}\n\ndata: a\ndata: b\n\ndata: [DONE]\n\n"

    @Test(
        "a pipe gets the bytes, --json objects, --select values, and --max-events ends the stream",
        arguments: [
            ([], stream),
            (["--max-events", "1"], ": hello\r\nevent: start\nid: 7\ndata: {\"n\":1.0}\n\n"),
            (
                ["--json", "--max-events", "2"],
                """
                {"event":"start","id":"7","data":"{\\"n\\":1.0}"}
                {"event":"message","id":"7","data":"a\\nb"}

                """
            ),
            (["-s", "$.n"], "1.0\n"), (["-s", "$.n", "--json"], "[1.0]\n"),
        ])
    func pipe(_ flags: [String], _ output: String) async throws {
        let (run, text) = try await send(flags, Self.stream, endless: flags.contains("--max-events"))
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(text == output)
    }

    @Test("a terminal gets a block for each event, with JSON indented and control characters shown")
    func terminal() async throws {
        let (run, text) = try await send(
            [], Self.stream + "data: \u{1B}[2J\n\nevent: cut", onTerminal: true)
        #expect(run.status == 0)
        #expect(
            text == """
                event: start
                id: 7
                {
                  "n": 1.0
                }

                a
                b

                [DONE]

                ␛[2J

                note: the stream ended inside an event, which is left out

                """)
    }

    @Test("lines of JSON are events, too, the last one without its line end")
    func lines() async throws {
        let (run, text) = try await send(["--json"], type: "application/x-ndjson; charset=utf-8", "{\"a\": 1}\n\n[2]")
        #expect(run.status == 0)
        #expect(
            text == """
                {"event":"message","id":"","data":"{\\"a\\": 1}"}
                {"event":"message","id":"","data":"[2]"}

                """)
    }

    @Test("--for ends a stream that says nothing more, with status 0")
    func duration() async throws {
        let (run, text) = try await send(["--for", "300ms"], "data: 1\n\ndata: cut", endless: true)
        #expect(run.status == 0 && run.errors.isEmpty && text == "data: 1\n\ndata: cut")
    }

    @Test("a stream that breaks off is an error, and what came of it is shown")
    func drop() async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.send("9\r\ndata: 1\n\n\r\n")
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it"], in: workspace)
        #expect(run.status == 6 && run.outputText == "data: 1\n\n")
    }

    @Test("a selection that finds nothing, and flags for a response that is no stream, end with status 1")
    func nothing() async throws {
        #expect(try await send(["-s", "$.other"], Self.stream).run.status == 1)
        let (run, text) = try await send(["--max-events", "1"], type: "application/json", "{}")
        #expect(run.status == 1 && text == "{}")
        #expect(run.errors.contains("--max-events needs a stream of events; the response is application/json"))
    }

    @Test("a file has the events that were asked for, and a stream with an endless event fails")
    func file() async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(Self.stream)")
            let line = "data: \(String(repeating: "x", count: 1 << 16))\n"
            while connection.send(line) {}
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "--max-events", "3", "-o", "out"], in: workspace)
        #expect(run.status == 0 && workspace.read("out") == Array(Self.stream.utf8))
        let endless = try await Tool.run(["send", "it", "--json"], in: workspace)
        #expect(endless.status == 9 && endless.errors.contains("the stream has an event of more than 16 MiB"))
    }

    @Test("an event is shown while the stream goes on: each is sent once the one before has been read")
    func promptness() async throws {
        let steps = Locked(0)
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            for number in 1...50 {
                connection.send("data: \(number)\n\n")
                while steps.withLock({ $0 }) < number { connection.pause(0.001) }
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let pipe = try Descriptor.pipe()
        let tool = try Tool.start(["send", "it", "--json"], in: workspace, output: .descriptor(pipe.writing))
        Descriptor.close(pipe.writing)
        defer { Descriptor.close(pipe.reading) }
        for number in 1...50 {
            let line = try #require(Descriptor.read(pipe.reading, upTo: 1 << 10))
            #expect(
                String(decoding: line, as: UTF8.self) == "{\"event\":\"message\",\"id\":\"\",\"data\":\"\(number)\"}\n")
            steps.withLock { $0 = number }
        }
        #expect(try await tool.end().status == 0)
    }

    @Test(
        "check reads the events that it expects, and then closes the connection",
        arguments: [
            (#"{"first": 2}"#, 0, ""),
            (#"{"first": 1, "each": {"event": "start", "json": {"$.n": {"type": "integer"}}}}"#, 0, ""),
            (#"{"inOrder": [{"json": {"$.n": 1}}, {"data": "[DONE]"}]}"#, 0, ""),
            (#"{"first": 4, "within": "300ms"}"#, 1, "expected 4 events\n      found    only 3 within 300ms"),
            (
                #"{"inOrder": [{"data": "[DONE]"}, {"event": "start"}], "within": "300ms"}"#, 1,
                "events, number 2 of \"inOrder\""
            ),
            (#"{"first": 3, "each": {"event": "message"}}"#, 1, "event 1, type"),
            (#"{"each": {"json": {"$.n": 1}}, "within": "300ms"}"#, 1, "event 2, data"),
        ])
    func check(_ events: String, _ status: Int32, _ message: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(Self.stream)")
            connection.waitForClose()
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{"path": "/", "expect": {"events": \#(events)}}"#)
        let run = try await Tool.run(["check"], in: workspace)
        #expect(run.status == status, "\(run.outputText)\(run.errors)")
        #expect(message.isEmpty || run.outputText.contains(message), "\(run.outputText)")
    }

    @Test(
        "check holds events against what they are byte for byte",
        arguments: [
            (
                #"{"each": {"data": {"contains": "a"}}}"#, "text/event-stream",
                Array("data: a".utf8) + [0xFF, 0x0A, 0x0A]
            ),
            (
                #"{"each": {"json": {"$.a": {"exists": true}}}}"#, "application/x-ndjson",
                Array(#"{"a":""#.utf8) + [0xFF] + Array("\"}\n".utf8)
            ),
            (#"{"each": {"event": "a"}}"#, "text/event-stream", Array("event: a \ndata: x\n\n".utf8)),
        ])
    func exactEvents(_ events: String, _ type: String, _ body: [UInt8]) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n")
            connection.send(body)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{"path": "/", "expect": {"events": \#(events)}}"#)
        let run = try await Tool.run(["check"], in: workspace)
        #expect(run.status == 1 && run.outputText.contains("event 1, "), "\(run.outputText)\(run.errors)")
    }

    @Test("check fails for a stream that ends too early, that has no events, or that is none")
    func failingChecks() async throws {
        for (type, body, message) in [
            ("text/event-stream", "data: 1\n\n", "found    only 1 before the stream ended"),
            ("text/event-stream", "data: 1", "found    none before the stream ended"),
            ("application/json", "{}", "expected a stream of events, such as text/event-stream"),
        ] {
            let server = try HostileServer { connection in
                _ = connection.readRequest()
                connection.respond(200, ["Content-Type: \(type)"], body: body)
            }
            defer { server.stop() }
            let workspace = try ToolWorkspace(
                server: "http://127.0.0.1:\(server.port)",
                endpoint: #"{"path": "/", "expect": {"events": {"first": 2}}}"#)
            let run = try await Tool.run(["check"], in: workspace)
            #expect(run.status == 1 && run.outputText.contains(message), "\(run.outputText)")
        }
    }
}
