import CommandLineKit
import Commands
import Testing

struct ProgramTests {
    @Test("The definitions of the commands don't contradict each other")
    func consistency() {
        #expect(Program.spec.inconsistencies == [])
    }

    @Test("Every command has a summary, examples, its exit statuses and help that a terminal can hold")
    func help() async {
        for command in Program.spec.commands {
            #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."), "\(command.name)")
            #expect(!command.examples.isEmpty, "\(command.name)")
            for flag in ["-h", "--help"] {
                let help = await reqcli(command.name, flag)
                #expect(help == (await reqcli("help", command.name)))
                #expect(help.status == 0 && help.messages.isEmpty)
                #expect(help.output.contains("\nExamples\n"))
                #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command.name)")
            }
        }
        for type in CommandList.groups.flatMap(\.commands) {
            #expect(type.spec.exitStatuses.first == .success, "\(type.spec.name)")
        }
    }

    @Test("Every example in help is a command line that the program understands")
    func examples() throws {
        for example in Program.spec.examples + Program.spec.commands.flatMap(\.examples) {
            let words = Self.words(of: example.line)
            #expect(words.first == Program.name)
            _ = try Program.spec.parse(Array(words.dropFirst()))
        }
    }

    /// The words of the program's own call in a line for a shell, as far as examples go: `'…'`, `"…"`, `|`, `>`, `<( )`.
    private static func words(of line: String) -> [String] {
        var call = line[...]
        if let start = ["<(", "$("].lazy.compactMap({ line.firstRange(of: $0) }).first {
            call = line[start.upperBound...].prefix { $0 != ")" }
        }
        var words: [String] = []
        for match in call.matches(of: #/(?:[^\s'"|>]|'[^']*'|"[^"]*")+|[|>]/#) {
            if match.output == "|" || match.output == ">" { break }
            words.append(match.output.filter { $0 != "'" && $0 != "\"" })
        }
        return words
    }

    @Test("No text speaks of a command that doesn't exist")
    func mentions() async {
        var texts = [Program.spec.manPage]
        for command in Program.spec.commands { texts.append(await reqcli("help", command.name).output) }
        texts.append(await reqcli("init", "new", files: MemoryFiles(folders: ["/work"])).output)
        texts.append(await reqcli("list", files: MemoryFiles(folders: ["/work"])).messages)
        let known = Set(Program.spec.commands.map(\.name))
        for text in texts {
            for mention in text.matches(of: #/reqcli (?:-C \w+ )?([a-z]+)/#) {
                #expect(known.contains(String(mention.1)), "\(mention.0)")
            }
        }
    }

    @Test("Without a command the overview is an error")
    func nothing() async {
        let run = await reqcli()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.messages == (await reqcli("help")).output)
    }

    @Test(
        "Options without a command are told to lack one",
        arguments: [["-v"], ["-q", "list"], ["--env", "local"], ["--color=never"]])
    func noCommand(_ words: [String]) async {
        let messages = Written()
        #expect(await Program.run(words, in: .test(messages: messages.output)) == .usage)
        #expect(messages.text == "error: no command given\nSee \"reqcli help\".\n")
    }

    @Test("--version prints name and version")
    func version() async {
        #expect(await reqcli("--version") == Run(status: 0, output: "reqcli 0.1.0\n", messages: ""))
    }

    @Test(
        "What can't be understood is told with a suggestion, on stderr, with status 2",
        arguments: [
            (
                ["lst"],
                """
                error: unknown command "lst"
                  did you mean "list"?
                See "reqcli help".

                """
            ),
            (
                ["list", "--jsn"],
                """
                error: unknown option "--jsn"
                  did you mean "--json"?
                See "reqcli help list".

                """
            ),
            (
                ["schema", "endpont"],
                """
                error: KIND takes endpoint, environment or settings; found "endpont"
                  did you mean "endpoint"?
                See "reqcli help schema".

                """
            ),
            (
                ["list", "environments", "foo"],
                """
                error: "list environments" takes nothing more; found "foo"
                  for a group of that name write 'environments.*'
                See "reqcli help list".

                """
            ),
            (
                ["send", "https://api.example.com/users"],
                """
                error: ENDPOINT takes the id of an endpoint; found "https://api.example.com/users"
                  a URL is not sent by itself: describe it in a file below endpoints/; "reqcli init" makes some to start from
                See "reqcli help send".

                """
            ),
            (
                ["list", "tag:"],
                """
                error: SELECTOR takes an id, a group, a pattern or tag:NAME; found "tag:"
                See "reqcli help list".

                """
            ),
        ])
    func usage(_ words: [String], _ message: String) async {
        let messages = Written()
        let status = await Program.run(words, in: .test(messages: messages.output))
        #expect(status == .usage)
        #expect(messages.text == message)
    }

    @Test(
        "Colour follows the flag, then the environment, then the terminal",
        arguments: [
            (["help"], [:], true, true), (["help"], [:], false, false),
            (["--color", "never", "help"], [:], true, false), (["help", "--color=always"], [:], false, true),
            (["help"], ["NO_COLOR": "1"], true, false), (["help"], ["FORCE_COLOR": "1"], false, true),
            (["help"], ["TERM": "dumb"], true, false),
        ] as [([String], [String: String], Bool, Bool)])
    func colour(_ words: [String], _ variables: [String: String], _ isTerminal: Bool, _ isColoured: Bool) async {
        let output = Written()
        let context = Context.test(
            variables: ["TERM": "xterm"].merging(variables) { $1 }, terminals: isTerminal ? [.output] : [],
            output: output.output)
        #expect(await Program.run(words, in: context) == .success)
        #expect(output.text.contains("\u{1B}[") == isColoured)
    }

    @Test("A wrong command line is told in the colours that it asks for")
    func colourOfUsage() async {
        let plain = await reqcli("lst", "--color=never", variables: ["TERM": "xterm"], terminals: [.error])
        #expect(!plain.messages.contains("\u{1B}"))
        #expect(await reqcli("lst", "--color=always").messages.hasPrefix("\u{1B}[1;31merror:\u{1B}[0m unknown"))
    }

    @Test("The hidden call prints the manual page")
    func manPage() async {
        #expect(await reqcli("__man") == Run(status: 0, output: Program.spec.manPage, messages: ""))
    }
}
