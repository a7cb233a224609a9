import HostileServing
import Testing
import ToolSupport

/// The program ends at once after a signal, or if nothing reads its output any more.
@Suite(.serialized) struct EndingTests {
    /// A server whose response starts and never ends.
    private static func endless() throws -> HostileServer {
        try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send("a line of an answer without end\n") { connection.pause(0.001) }
        }
    }

    @Test("a signal during a download ends the program at once and leaves no file behind", arguments: ToolEnding.all)
    func download(_ ending: ToolEnding) async throws {
        let server = try Self.endless()
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let tool = try Tool.start(["send", "it", "-o", "out"], in: workspace)
        #expect(await eventually { workspace.files.contains { $0.hasSuffix(".part") } }, "the download has begun")
        #expect(workspace.read("out") == nil, "not under its final name")
        try await expectEnd(of: tool, ending)
        #expect(workspace.files == [])
    }

    @Test("a signal ends parallel downloads at once and leaves no file of any behind", arguments: ToolEnding.all)
    func parallel(_ ending: ToolEnding) async throws {
        let server = try Self.endless()
        defer { server.stop() }
        let workspace = try ToolWorkspace([:])
        let tool = try Tool.start(
            ["127.0.0.1:\(server.port)/[1-3]", "-o", "out-#1", "--jobs", "3"], in: workspace)
        #expect(await eventually { workspace.files.filter { $0.hasSuffix(".part") }.count == 3 })
        try await expectEnd(of: tool, ending)
        #expect(workspace.files == [])
    }

    @Test("the next run that writes into the folder removes a killed run's partial file, and nothing else")
    func killed() async throws {
        let server = try Self.endless()
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        func unfinished() -> [String] { workspace.files.filter { $0.hasSuffix(".part") } }
        let killed = try Tool.start(["send", "it", "-o", "killed"], in: workspace)
        #expect(await eventually { unfinished().count == 1 })
        let left = unfinished()
        killed.kill()
        _ = try await killed.end()
        #expect(unfinished() == left)
        for name in [".mine.part", ".mine.a1b2.part", "a.reqcli.part"] {
            try workspace.write(name, "not of this program")
        }

        // A run that is still active keeps its own file.
        let running = try Tool.start(["send", "it", "-o", "running"], in: workspace)
        #expect(await eventually { !unfinished().contains(left[0]) && unfinished().count == 4 })
        let last = try Tool.start(["send", "it", "-o", "last"], in: workspace)
        #expect(await eventually { unfinished().count == 5 })
        for tool in [running, last] {
            tool.send(signal: .terminate)
            _ = try await tool.end()
        }
        #expect(workspace.files == [".mine.a1b2.part", ".mine.part", "a.reqcli.part"])
    }

    @Test("a signal while waiting for a response ends the program at once", arguments: ToolEnding.all)
    func waiting(_ ending: ToolEnding) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let tool = try Tool.start(["send", "it"], in: workspace)
        #expect(await eventually { server.requests.count == 1 })
        try await expectEnd(of: tool, ending)
    }

    @Test("Ctrl-C while waiting to retry ends the program at once")
    func retrying() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(503, ["Retry-After: 30"]) }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(["send", "it", "--retry", "2"], in: workspace, errors: .descriptor(terminal.program))
        #expect(await terminal.shows("trying again in 30"))
        try await expectEnd(of: tool, ToolEnding.all[0])
    }

    @Test("Ctrl-C at a prompt with hidden input ends the program")
    func question() async throws {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:9",
            endpoint: #"{ "path": "/{{pin}}", "params": { "pin": { "type": "string", "secret": true } } }"#)
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["send", "it"], in: workspace, input: terminal.program, errors: .descriptor(terminal.program))
        #expect(await terminal.shows("pin: "))
        terminal.type("\u{3}")
        let run = try await tool.end(within: .seconds(30))
        #expect(run.signal == .interrupt && run.status == 130)
    }

    private func expectEnd(of tool: RunningTool, _ ending: ToolEnding) async throws {
        let start = ContinuousClock.now
        tool.send(signal: ending.signal)
        let run = try await tool.end(within: .seconds(30))
        #expect(run.signal == ending.signal && run.status == ending.status)
        #expect(run.errors == "")
        #expect(run.end - start < .seconds(5))
    }

    @Test("a closed output pipe ends the program silently", arguments: [[], ["-i"], ["-v"], ["--pretty"]])
    func closedPipe(flags: [String]) async throws {
        let server = try Self.endless()
        defer { server.stop() }
        let pipe = try Descriptor.pipe()
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let tool = try Tool.start(["send", "it"] + flags, in: workspace, output: .descriptor(pipe.writing))
        Descriptor.close(pipe.writing)
        _ = Descriptor.read(pipe.reading, upTo: 10)
        Descriptor.close(pipe.reading)
        let run = try await tool.end(within: .seconds(30))
        #expect(run.status == 0)
        #expect(!run.errors.contains("error") && !run.errors.contains("pipe"), "\(run.errors)")
        if flags != ["-v"] { #expect(run.errors == "") }
    }

    @Test("a closed stderr pipe does not stop send -v")
    func closedMessages() async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(200, body: "ok")
        }
        defer { server.stop() }
        let pipe = try Descriptor.pipe()
        Descriptor.close(pipe.reading)
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "-v"], in: workspace, errors: .descriptor(pipe.writing))
        Descriptor.close(pipe.writing)
        #expect(run.status == 0 && run.outputText == "ok")
    }
}
