import HostileServing
import Testing
import ToolSupport

/// A slow transfer shows its progress on a terminal.
@Suite(.serialized) struct ProgressTests {
    private static let size = 4 << 20

    /// A server that sends half of its response, waits, and then sends the other half.
    private static func slow(announcing: Bool = true) throws -> HostileServer {
        try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\(announcing ? "Content-Length: \(size)\r\n" : "")\r\n")
            let half = [UInt8](repeating: 0x61, count: size / 2)
            connection.send(half)
            connection.pause(2.5)
            connection.send(half)
        }
    }

    @Test(
        "a slow download shows its progress on stderr and replaces it by one line at the end", arguments: [true, false])
    func download(announcing: Bool) async throws {
        let server = try Self.slow(announcing: announcing)
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it", "-o", "out"], in: workspace, environment: ["NO_COLOR": "1"],
            errors: .descriptor(terminal.program))
        #expect(run.status == 0 && run.output == [] && workspace.read("out")?.count == Self.size)
        let screen = await terminal.finalText()
        let bar = "━━━━━─────  2.0 MiB of 4.0 MiB  50%"
        #expect(screen.contains(announcing ? bar : "2.0 MiB"), "\(screen.debugDescription)")
        #expect(Self.visible(screen).hasPrefix("note: out is written: 4.0 MiB in 2."), "\(screen.debugDescription)")
    }

    @Test("a slow upload shows its progress")
    func upload() async throws {
        let server = try HostileServer { connection in
            // The body is larger than the socket buffers, so the client must wait until the server reads it.
            connection.pause(2)
            _ = connection.readRequest()
            connection.respond(200, body: "ok")
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/", "method": "PUT", "body": { "file": "big" } }"#)
        try workspace.write("big", String(repeating: "a", count: Self.size))
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(["send", "it"], in: workspace, errors: .descriptor(terminal.program))
        #expect(run.status == 0 && run.outputText == "ok")
        let screen = await terminal.finalText()
        #expect(screen.contains("sending 4.0 MiB"), "\(screen.debugDescription)")
        #expect(Self.visible(screen) == "", "\(screen.debugDescription)")
    }

    @Test("a slow response shows how long it has been waiting, and nothing of that remains", arguments: [[], ["-v"]])
    func waiting(flags: [String]) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.pause(2.5)
            connection.respond(200, body: "late")
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it", "--body-only"] + flags, in: workspace, environment: ["NO_COLOR": "1"],
            output: .descriptor(terminal.program), errors: .descriptor(terminal.program))
        #expect(run.status == 0)
        let screen = await terminal.finalText()
        #expect(screen.contains(" waiting  1 s"), "\(screen.debugDescription)")
        let visible = Self.visible(screen)
        #expect(!visible.contains("waiting") && visible.contains("late"), "\(screen.debugDescription)")
        if flags == [] { #expect(visible == "late") }
        #expect(run.processorTime < .milliseconds(500))
    }

    @Test("a quick transfer, or one without a terminal, shows no progress", arguments: [true, false])
    func silent(isQuick: Bool) async throws {
        let server =
            try isQuick
            ? HostileServer { connection in
                _ = connection.readRequest()
                connection.respond(200, body: "quick")
            } : Self.slow()
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it", "-o", "out"], in: workspace, errors: isQuick ? .descriptor(terminal.program) : .kept)
        #expect(run.status == 0 && run.errors == "")
        let screen = await terminal.finalText()
        #expect(isQuick ? screen.contains("out is written: 5 bytes in ") && !screen.contains("─") : screen == "")
    }

    @Test("an error after progress begins on a new line")
    func failing() async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome")
            connection.pause(2)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it", "-o", "out", "--color", "never"], in: workspace, errors: .descriptor(terminal.program))
        #expect(run.status == 6)
        let screen = await terminal.finalText()
        #expect(screen.contains("4 bytes of 1000 bytes"))
        #expect(Self.visible(screen).hasPrefix("error: the response of 127.0.0.1"), "\(screen.debugDescription)")
    }

    /// The text that remains visible: a carriage return goes back to the beginning of the line.
    private static func visible(_ screen: String) -> String {
        screen.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            var cells: [Character] = []
            var column = 0
            for character in line {
                if character == "\r" {
                    column = 0
                } else {
                    if column < cells.count { cells[column] = character } else { cells.append(character) }
                    column += 1
                }
            }
            while cells.last == " " { cells.removeLast() }
            return String(cells)
        }.joined(separator: "\n").trimmingSuffix { $0 == "\n" }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
