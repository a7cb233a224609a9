import Testing
import ToolSupport

/// A run shows its progress on a terminal that can erase it again.
struct CheckProgressTests {
    @Test(
        "Progress is shown on a terminal, unless the terminal cannot erase a line",
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
