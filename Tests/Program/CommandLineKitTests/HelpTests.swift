import ReqcliText
import Testing

@testable import CommandLineKit

struct HelpTests {
    @Test("A command's help begins with examples and has every option in one column")
    func command() {
        #expect(
            Sample.program.help(for: Sample.send, width: 80) == """
                Send it and print the response

                Examples
                  Send it to the staging servers
                    reqcli send user.get userID=42 --env staging
                  Keep the body
                    reqcli send user.get -o user.json

                Usage
                  reqcli send [OPTIONS] ENDPOINT [NAME=VALUE ...]

                Arguments
                  ENDPOINT                    The endpoint's id
                  [NAME=VALUE ...]            Values for its parameters

                Request
                  -H, --header 'NAME: VALUE'  Set a header; 'NAME:' removes it, 'NAME;' sends it
                                              empty (may be repeated)
                      --body TEXT|@FILE|-     The body to send
                      --[no-]follow           Follow redirects (default: the environment's)
                      --retry N               Try again this often
                      --stub[=VARIANT]        Answer from a stub (may be repeated)

                Output
                  -i, --include               Show the response headers
                  -o, --output FILE           Write the body to a file

                Everywhere
                  -e, --env NAME              The environment
                  -C, --workspace DIR         The workspace's folder
                      --color auto|always|never
                                              When to use colour (default: auto)
                  -v, --verbose               Show the request too

                Help
                  -h, --help                  Show this help
                  -V, --version               Show the version; with -v, also the versions of
                                              the libraries

                Secrets
                  A secret is never shown.

                    "pin": {"env": "PIN"}

                  Not even here.

                Exit status
                  0  success
                  4  the server responded with 4xx

                The rest is in README.md.

                """)
    }

    @Test("The overview has examples, the commands by group, and where to read on")
    func overview() {
        #expect(
            Sample.program.help(width: 80) == """
                Describe an HTTP API once, use it everywhere

                Examples
                  A small workspace that works offline
                    reqcli init

                Requests
                  send         Send it and print the response

                More
                  check        Check expectations
                  completions  Print a completion script

                Help: "reqcli COMMAND -h". More: "reqcli help COMMAND", "reqcli help WORD".
                The rest is in README.md.

                """)
    }

    @Test("The short help of a command has its usage, two examples and the options that matter, each on one line")
    func short() {
        #expect(
            Sample.program.help(for: .command(Sample.send), isShort: true, width: 80) == """
                Send it and print the response

                  reqcli send [OPTIONS] ENDPOINT [NAME=VALUE ...]

                Examples
                  Send it to the staging servers
                    reqcli send user.get userID=42 --env staging
                  Keep the body
                    reqcli send user.get -o user.json

                Options
                  -H, --header 'NAME: VALUE'  Set a header
                      --body TEXT|@FILE|-     The body to send
                      --[no-]follow           Follow redirects
                      --retry N               Try again this often
                      --stub[=VARIANT]        Answer from a stub
                  -i, --include               Show the response headers
                  -o, --output FILE           Write the body to a file

                "reqcli help send" has more.

                """)
    }

    @Test(
        "help WORD shows the options, sections and tables that are about the word",
        arguments: [
            ("retry", ["--retry N", "Try again this often", "of send"]), ("--retry", ["--retry N"]),
            ("o", ["-o, --output FILE"]), ("headers", ["-H, --header"]), ("secret", ["A secret is never shown."]),
        ])
    func topic(_ word: String, _ parts: [String]) throws {
        let topic = try #require(HelpTopic(word, in: Sample.program))
        let help = Sample.program.help(for: .topic(topic), width: 80)
        for part in parts { #expect(help.contains(part), "\(help)") }
    }

    @Test("help on a word that nothing is about is an error with a suggestion")
    func noTopic() {
        #expect(HelpTopic("zzz", in: Sample.program) == nil)
        #expect(throws: UsageError("no help on \"chekc\"", hint: "did you mean \"check\"?")) {
            try Sample.program.parse(["help", "chekc"])
        }
    }

    @Test("On a narrow terminal explanations stand below their options")
    func narrow() {
        let help = Sample.program.help(for: Sample.send, width: 36)
        #expect(
            help.contains(
                """
                  -H, --header 'NAME: VALUE'
                        Set a header; 'NAME:'
                        removes it, 'NAME;' sends it
                        empty (may be repeated)

                """))
        #expect(
            help.contains(
                """
                  reqcli send [OPTIONS] ENDPOINT
                      [NAME=VALUE ...]

                """))
    }

    @Test("No line is wider than the terminal, nor than is good to read", arguments: [36, 40, 60, 80, 100, 300])
    func width(_ width: Int) {
        let pages = [nil, Sample.send, Sample.check].map { Sample.program.help(for: $0, width: width) }
        for line in pages.joined().split(separator: "\n") where !line.hasPrefix("    reqcli") {
            #expect(TerminalText.width(of: line) <= min(width, 100), "\(line)")
        }
    }

    @Test("An alias is never shown")
    func alias() {
        #expect(!Sample.program.help(width: 80).contains("--colour"))
    }

    @Test("Colour adds escapes and nothing else")
    func colour() {
        let plain = Sample.program.help(for: Sample.send, width: 80)
        let coloured = Sample.program.help(for: Sample.send, width: 80, inColour: true)
        #expect(coloured.contains("\u{1B}[1mExamples\u{1B}[0m"))
        #expect(coloured.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") == plain)
    }

    @Test("The words of a choice are explained where they have an explanation")
    func words() {
        enum Format: String, CaseIterable, Sendable { case curl, har }
        let format = Option(
            "format", .oneOf(Format.self, "FORMAT") { $0 == .curl ? "a command to paste" : "" }, default: .curl, "Form")
        let command = CommandSpec("render", "Render", examples: [], options: [OptionGroup("Output", format)])
        let program = ProgramSpec("p", version: "1", "P", examples: [], commands: [CommandGroup("C", [command])])
        #expect(
            program.help(for: command, width: 80).contains(
                """
                      --format FORMAT  Form (default: curl)
                                         curl: a command to paste

                """))
    }
}
