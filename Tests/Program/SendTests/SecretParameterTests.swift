import Glibc
import Testing
import ToolSupport

/// A secret param is entered at a prompt with hidden input.
@Suite(.serialized) struct SecretParameterTests {
    @Test("a signal at a prompt with hidden input restores the terminal", arguments: RunningTool.Signal.allCases)
    func ended(signal: RunningTool.Signal) async throws {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:1",
            endpoint: #"{ "path": "/{{pin}}", "params": { "pin": { "type": "string", "secret": true } } }"#)
        let terminal = try PseudoTerminal()
        let before = terminal.settings.c_lflag
        // At a terminal, Swift treats SIGQUIT as a crash if its backtrace tool is installed.
        let tool = try Tool.start(
            ["send", "it"], in: workspace, environment: ["SWIFT_BACKTRACE": "enable=no"], input: terminal.program,
            errors: .descriptor(terminal.program))
        #expect(await terminal.shows("pin: "))
        #expect(await eventually { terminal.settings.c_lflag & tcflag_t(ECHO) == 0 })
        tool.send(signal: signal)
        let run = try await tool.end(within: .seconds(20))
        #expect(run.signal == signal)
        #expect(terminal.settings.c_lflag == before)
    }
}

extension PseudoTerminal {
    fileprivate var settings: termios {
        var settings = termios()
        tcgetattr(program, &settings)
        return settings
    }
}
