import CommandLineKit
import Testing

struct ManPageTests {
    let page = Sample.program.manPage

    @Test("The manual has its sections in the usual order")
    func sections() {
        let headings = page.split(separator: "\n").filter { $0.hasPrefix(".SH") || $0.hasPrefix(".TH") }
        #expect(
            headings == [
                ".TH \"REQCLI\" \"1\" \"\" \"reqcli 1.2\" \"User Commands\"", ".SH \"NAME\"", ".SH \"SYNOPSIS\"",
                ".SH \"DESCRIPTION\"", ".SH \"EXAMPLES\"", ".SH \"COMMANDS\"", ".SH \"OPTIONS\"",
                ".SH \"EXIT STATUS\"", ".SH \"ENVIRONMENT\"", ".SH \"SEE ALSO\"",
            ])
    }

    @Test("Every command and every option is in it")
    func complete() {
        for command in Sample.program.commands {
            #expect(page.contains(".SS \"reqcli \(command.name)"))
        }
        for name in ["header", "env", "report", "version"] {
            #expect(page.contains("\\fB\\-\\-\(name)\\fR"), "\(name)")
        }
    }

    @Test("What is to be copied keeps its dashes and quotes, and no text is taken for a request")
    func escaping() {
        let command = CommandSpec(
            "c", ".dotted and \\back", examples: [Example("'quoted", ".hidden --flag 'it' ~/x `y`")])
        let program = ProgramSpec("p", version: "1", "P", examples: [], commands: [CommandGroup("C", [command])])
        let page = program.manPage
        #expect(page.contains("\n\\&.dotted and \\eback.\n"))
        #expect(page.contains("\n\\(aqquoted:\n"))
        #expect(page.contains("\n\\&.hidden \\-\\-flag \\(aqit\\(aq \\(ti/x \\(gay\\(ga\n"))
    }
}
