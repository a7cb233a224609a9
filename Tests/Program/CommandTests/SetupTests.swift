import CommandLineKit
import Commands
import ReqcliDefinitions
import ReqcliText
import Testing

struct SetupTests {
    @Test("schema prints the schema of each kind of file", arguments: FormatSchema.allCases)
    func schema(_ kind: FormatSchema) async {
        #expect(
            await reqcli("schema", kind.rawValue)
                == Run(status: 0, output: kind.json.pretty + "\n", messages: ""))
    }

    @Test("completions prints the script of each shell", arguments: CompletionShell.allCases)
    func completions(_ shell: CompletionShell) async {
        let run = await reqcli("completions", shell.rawValue)
        #expect(run.status == 0)
        #expect(run.output.contains("reqcli __complete \(shell.rawValue)"))
    }

    @Test("A shell without completions is an error that names those there are")
    func unknownShell() async {
        let run = await reqcli("completions", "powershell")
        #expect(run.status == 2)
        #expect(run.messages.hasPrefix("error: SHELL takes bash, zsh or fish; found \"powershell\"\n"))
    }
}
