import Glibc
import TestSupport
import Testing
import ToolSupport

/// A secret's command can prompt at the terminal, and ends with the program that runs it.
@Suite(.serialized) struct SecretProgramTests {
    private static let flags = ["send", "it", "--stub", "--trust"]

    /// A workspace with one endpoint, whose secret is the output of a shell script.
    private static func workspace(_ script: String, timeout: String) throws -> ToolWorkspace {
        try ToolWorkspace(
            server: "http://127.0.0.1:1",
            endpoint: #"""
                { "path": "/", "headers": { "X": "{{secret.t}}" }, "stubs": { "variants": { "a": { "text": "fine" } } } }
                """#,
            environment: #""secrets": { "t": { "command": ["sh", "-c", "\#(script)"], "timeout": "\#(timeout)" } }"#)
    }

    /// Runs the program in its own session, with this terminal.
    private static func start(in workspace: ToolWorkspace, at terminal: PseudoTerminal) throws -> RunningTool {
        try Tool.start(
            ["--ctty", "--wait", Tool.path] + flags, program: "/usr/bin/setsid", in: workspace,
            input: terminal.program, errors: .descriptor(terminal.program))
    }

    @Test("a secret's command can prompt at the terminal")
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

    @Test("Ctrl-C also ends a secret's command")
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
        // The command's end closes the pipe, so reading from it no longer blocks.
        #expect(
            await eventually {
                var byte: UInt8 = 0
                return Glibc.read(alive, &byte, 1) == 0
            })
    }

    @Test(
        "a secret's command that times out is ended, and its child processes are not waited for",
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
