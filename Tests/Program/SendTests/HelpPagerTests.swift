import Testing
import ToolSupport

/// Help that is longer than the screen goes through the pager.
@Suite(.serialized) struct HelpPagerTests {
    @Test(
        "on a terminal the whole help of a command is paged, the short one and the overview of 46 lines are not",
        arguments: [(["help", "send"], true), (["send", "--help"], true), (["send", "-h"], false)])
    func paged(_ words: [String], _ isPaged: Bool) async throws {
        let workspace = try ToolWorkspace([:])
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            words, in: workspace, environment: ["PAGER": "sed 's/^/| /'", "NO_COLOR": "1"],
            output: .descriptor(terminal.program), errors: .descriptor(terminal.program))
        let screen = await terminal.finalText()
        #expect(run.status == 0 && screen.hasPrefix((isPaged ? "| " : "") + "Send a request"), "\(screen.prefix(200))")
    }
}
