import CommandLineKit
import Commands
import Foundation
import TestSupport
import Testing

/// `docs/reference/cli.md` has every command and option, as `--help` does.
@Suite struct CommandReferenceTests {
    private static let path = "docs/reference/cli.md"

    @Test("docs/reference/cli.md says what the specs say; REQCLI_RECORD=1 writes it anew")
    func isCurrent() throws {
        let text = CommandReference(program: Program.spec).markdown
        if ProcessInfo.processInfo.environment["REQCLI_RECORD"] == "1" {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(Page.root)/\(Self.path)"))
        }
        let isCurrent = try String(contentsOfFile: "\(Page.root)/\(Self.path)", encoding: .utf8) == text
        #expect(isCurrent, "run `make docs` and look at the difference")
    }

    @Test("every command and every option is on the page")
    func isWhole() {
        let text = CommandReference(program: Program.spec).markdown
        let commands: [CommandSpec] = CommandList.groups.flatMap { $0.commands }.map { $0.spec }
        for command in commands {
            let title = "\n## reqcli \(command.name)\n"
            #expect(text.contains(title))
        }
        let options = Set(commands.flatMap { $0.groups }.flatMap { $0.options }.map { $0.name })
        for option in options {
            #expect(text.contains("--\(option)"), "\(option)")
        }
    }
}
