import Glibc
import TestSupport
import Testing
import ToolSupport

/// A program that a secret comes from: it may ask at the terminal, and doesn't outlive what asked for it.
@Suite(.serialized) struct SecretProgramTests {
    private static let flags = ["send", "it", "--stub", "--trust"]

    /// A workspace whose one endpoint needs what a line of shell prints.
    private static func workspace(_ script: String, timeout: String) throws -> ToolWorkspace {
        try ToolWorkspace(
            server: "http://127.0.0.1:1",
            endpoint: #"""
                { "path": "/", "headers": { "X": "{{secret.t}}" }, "stubs": { "variants": { "a": { "text": "fine" } } } }
                """#,
            environment: #""secrets": { "t": { "command": ["sh", "-c", "\#(script)"], "timeout": "\#(timeout)" } }"#)
    }

    /// Runs the program in a session of its own, whose terminal that is.
    private static func start(in workspace: ToolWorkspace, at terminal: PseudoTerminal) throws -> RunningTool {
        try Tool.start(
            ["--ctty", "--wait", Tool.path] + flags, program: "/usr/bin/setsid", in: workspace,
            input: terminal.program, errors: .descriptor(terminal.program))
    }

    @Test("it can ask at the terminal")
    func asks() async throws {
        let workspace = try Self.workspace(
            "printf 'Passphrase: ' >/dev/tty; read x </dev/tty; echo \"$x\" >asked; echo $x".replacing("\"", with: ""),
            timeout: "20s")
        let terminal = try PseudoTerminal()
        let tool = try Self.start(in: workspace, at: terminal)
        #expect(await terminal.shows("Passphrase: "))
        terminal.type("open\n")
        let run = try await tool.end(within: .seconds(30))
        #expect(run.status == 0 && run.outputText == "fine", "\(terminal.text)")
        #expect(workspace.read("asked") == Array("open\n".utf8))
    }

    @Test("Ctrl-C ends it, too")
    func interrupted() async throws {
        let workspace = try Self.workspace("exec 9>alive; echo up >&9; exec sleep 60", timeout: "60s")
        try workspace.folder.makePipe("alive")
        let alive = open(workspace.path("alive"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(alive) }
        let terminal = try PseudoTerminal()
        let tool = try Self.start(in: workspace, at: terminal)
        #expect(await eventually { Descriptor.read(alive, upTo: 3) == Array("up\n".utf8) })
        terminal.type("\u{3}")
        #expect(try await tool.end(within: .seconds(30)).status == 130)
        // Its end closes the pipe: there is nothing more to read, where before one would have to wait.
        #expect(
            await eventually {
                var byte: UInt8 = 0
                return Glibc.read(alive, &byte, 1) == 0
            })
    }

    @Test(
        "one that takes too long is ended, and nothing that it started is waited for",
        arguments: [
            "exec sleep 60", "trap '' TERM; while :; do sleep 0.1; done", "sleep 5 & echo x",
            "trap 'exit 0' TERM; read x <pipe",
        ])
    func timedOut(script: String) async throws {
        let workspace = try Self.workspace(script, timeout: "300ms")
        try workspace.folder.makePipe("pipe")
        let run = try await Tool.run(Self.flags, in: workspace)
        #expect(run.status == 3 && run.time < .seconds(4), "\(run.time)")
        #expect(run.errors.contains("\"sh\" did not end within 300ms"), "\(run.errors)")
    }
}
