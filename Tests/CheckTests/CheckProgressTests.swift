import Testing
import ToolSupport

/// A run says how far it is, where that can be taken away again.
struct CheckProgressTests {
    @Test(
        "A terminal shows the progress, unless it is one that can't erase a line",
        arguments: [("xterm", true), ("dumb", false)])
    func progress(_ kind: String, _ isShown: Bool) async throws {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:9",
            endpoint: #"{"path": "/", "expect": {"status": 200}, "stubs": {"variants": {"ok": {}}}}"#)
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["check", "--stub"], in: workspace, environment: ["TERM": kind], output: .descriptor(terminal.program),
            errors: .descriptor(terminal.program))
        #expect(run.status == 0)
        let screen = await terminal.finalText()
        #expect(screen.contains("1 passed"), "\(screen.debugDescription)")
        #expect(screen.contains("0/1  it") == isShown, "\(screen.debugDescription)")
        #expect(screen.contains("\u{1B}[K") == isShown, "\(screen.debugDescription)")
    }
}
