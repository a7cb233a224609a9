import CommandLineKit
import Commands
import Foundation
import ReqcliText
import TestSupport
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
                if flag == "--help" { #expect(help == (await reqcli("help", command.name))) }
                #expect(help.status == 0 && help.messages.isEmpty)
                #expect(help.output.contains("\nExamples\n"))
                #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command.name)")
            }
        }
        for type in CommandList.groups.flatMap(\.commands) {
            #expect(type.spec.exitStatuses.first?.code == ExitStatus.success.code, "\(type.spec.name)")
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
        texts.append(await reqcli("init", "new", files: MemoryFiles(["/work": .folder])).output)
        texts.append(await reqcli("list", files: MemoryFiles(["/work": .folder])).messages)
        let known = Set(Program.spec.commands.map(\.name))
        for text in texts {
            for mention in text.matches(of: #/reqcli (?:-C \w+ )?([a-z]+)(?!:)\b/#) {
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

    @Test("help names the pages that are installed with the program, and the issue tracker of the package")
    func installedPages() async {
        let output = Written()
        let folder = "/opt/my tools/share/doc/reqcli/html"
        let files = MemoryFiles([
            "\(folder)/index.html": .text("x"), "\(folder)/issues": .text("https://tracker.test/issues\n"),
        ])
        for program in ["/opt/my tools/bin/reqcli", "/opt/my tools/reqcli"] {
            for words in [["help"], ["help", "send"], ["help", "cookies"], ["--version", "-v"]] {
                var context = Context.test(files: files.fileSystem, width: 200, output: output.output)
                context.programPath = { program }
                #expect(await Program.run(words, in: context) == .success)
            }
        }
        let url = "file:///opt/my%20tools/share/doc/reqcli/html"
        let text = output.text.replacing("\n", with: " ")
        #expect(text.ranges(of: "Documentation: \(url)/index.html.").count == 6, "\(text)")
        #expect(text.ranges(of: "More on this command: \(url)/docs/reference/http.html.").count == 2)
        #expect(text.ranges(of: "Report mistakes at https://tracker.test/issues.").count == 8)
    }

    @Test("--version -v also prints the libraries, the compiler and the system, for reports of mistakes")
    func verboseVersion() async {
        let output = Written()
        let files = MemoryFiles(["/etc/os-release": .bytes(Array("ID=x\nPRETTY_NAME=\"Debian 13\"\n".utf8))])
        var context = Context.test(files: files.fileSystem, output: output.output)
        context.machine = { "Linux 6.1 x86_64" }
        #expect(await Program.run(["--version", "-v"], in: context) == .success)
        let lines = output.text.split(separator: "\n")
        #expect(lines.first == "reqcli 0.1.0" && lines[1].contains("libcurl"), "\(lines)")
        #expect(lines.dropFirst(2).first?.hasPrefix("Swift 6.") == true, "\(lines)")
        #expect(lines.dropLast().last == "Linux 6.1 x86_64, Debian 13")
        #expect(lines.last?.hasPrefix("Report mistakes in the issue tracker of the repository") == true)
    }

    @Test(
        "What can't be understood is told with a suggestion, on stderr, with status 2",
        arguments: [
            (
                ["lst"],
                """
                error: unknown command "lst"
                  did you mean "lsp" or "list"?
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
                error: KIND takes endpoint, environment, scenario, load, settings, infer or test; found "endpont"
                  did you mean "endpoint"?
                See "reqcli help schema".

                """
            ),
            (
                ["list", "environments", "foo"],
                """
                error: "list environments" takes no more arguments; found "foo"
                  for a group of that name write 'environments.*'
                See "reqcli help list".

                """
            ),
            (
                ["send", "api.example.com/users"],
                """
                error: "api.example.com/users" is neither an endpoint's id nor a URL
                  a URL has a scheme: https://api.example.com/users
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

    @Test(
        "--color always colours in a pipe what is coloured on a terminal",
        arguments: [
            ["help"], ["list"], ["list", "environments"], ["show", "user.feed"], ["explain", "ping"],
            ["render", "ping", "--diff", "staging"], ["validate", "-C", "/none"],
        ])
    func colourOfPipes(_ words: [String]) async {
        func escapes(_ words: [String], _ terminals: Set<Terminal.Stream>) async -> [Int] {
            let files = Samples.files()
            let (output, messages) = (Written(), Written())
            _ = await Program.run(
                words,
                in: .test(
                    files: files.fileSystem, variables: ["TERM": "xterm"], terminals: terminals, output: output.output,
                    messages: messages.output))
            return [output, messages].map { $0.text.matches(of: /\u{1B}\[/).count }
        }
        let screen = await escapes(words, [.output, .error])
        #expect(screen != [0, 0])
        let piped = await escapes(words + ["--color", "always"], [])
        // Of a table a terminal may show less.
        #expect(zip(screen, piped).allSatisfy { ($0 == 0) == ($1 == 0) }, "\(screen) \(piped)")
    }

    @Test("A wrong command line is told in the colours that it asks for")
    func colourOfUsage() async {
        let plain = await reqcli("lst", "--color=never", variables: ["TERM": "xterm"], terminals: [.error])
        #expect(!plain.messages.contains("\u{1B}"))
        #expect(await reqcli("lst", "--color=always").messages.hasPrefix("\u{1B}[1;31merror:\u{1B}[0m unknown"))
    }

    @Test("An option that stands twice is refused, unless its help says that it may be repeated")
    func repeatedOptions() throws {
        for command in Program.spec.commands {
            let options = command.groups.flatMap(\.options) + Program.spec.globalOptions
            for option in options where !["help", "version"].contains(option.name) {
                let word = option.longSpelling + (option.value == nil ? "" : "=1")
                var messages: [String] = []
                do throws(UsageError) {
                    let words = command.takesWordsLiterally ? [word, word, command.name] : [command.name, word, word]
                    _ = try Program.spec.parse(words)
                } catch {
                    messages = error.problems.map(\.message)
                }
                let isRefused = messages.contains {
                    $0.hasPrefix("\(option.longSpelling) can be given only once; found")
                }
                #expect(isRefused == (option.repetition == .once), "\(command.name) \(word)")
            }
            let help = Program.spec.help(for: command, width: 100).split(whereSeparator: \.isWhitespace)
            let notes = help.joined(separator: " ").matches(of: /may be repeated/).count
            #expect(notes == options.count { $0.repetition == .collected }, "\(command.name)")
        }
    }

    @Test("A value that may hold a secret is not shown when its option stands twice")
    func repeatedSecret() async {
        for option in ["--body", "--base-url"] {
            let run = await reqcli("send", "ping", option, "hunter2", "\(option)=swordfish")
            #expect(run.status == 2 && run.messages.contains("\"\(option) …\" and \"\(option)=…\""), "\(run)")
        }
    }

    @Test("send -V prints the version, as help says, and so does every command")
    func versionOfCommands() async {
        for command in Program.spec.commands {
            #expect(await reqcli(command.name, "-V") == Run(status: 0, output: "reqcli 0.1.0\n", messages: ""))
        }
    }

    @Test(
        "Whoever types curl's options reads how to say it here",
        arguments: [
            (["-X", "POST"], #"for curl's -X write the method before the URL or the path: "send PUT URL""#),
            (["-d", "{}"], "for curl's -d write --body TEXT or --body @FILE"),
            (["--data", "{}"], "for curl's --data write --body TEXT or --body @FILE"),
            (["-d@file"], "for curl's -d write --body TEXT or --body @FILE"),
            (["--anyauth"], "for curl's --anyauth write --auth USER:PASSWORD"),
            (["--oauth2-bearer", "hunter2"], "for curl's --oauth2-bearer write --bearer TOKEN"),
            (["-XPUT"], #"for curl's -X write the method before the URL or the path: "send PUT URL""#),
            (["-G"], "for curl's -G write the items as NAME==VALUE"),
            (["-I"], #"for curl's -I write the method before the URL or the path: "send HEAD URL""#),
            (["-T", "a"], #"for curl's -T write --body @FILE, and PUT before the URL or the path"#),
            (["--data-urlencode", "a=b"], "for curl's --data-urlencode write --form NAME=TEXT after a URL or a path"),
            (
                ["-f"],
                "for curl's -f leave it out: after an error status the exit code is 4 or 5; for HTTPie's write --form"
            ),
            (["--url", "x"], "for curl's --url write the URL alone"),
            (["-F", "a=@b"], "for curl's -F write NAME=TEXT NAME@FILE after a URL or a path, and --form"),
        ])
    func curl(_ words: [String], _ hint: String) async {
        for line in [["send", "ping"] + words, ["send"] + words + ["ping"]] {
            let messages = Written()
            #expect(await Program.run(line, in: .test(messages: messages.output)) == .usage)
            let lines = messages.text.split(separator: "\n")
            #expect(lines.count == 3 && lines[1] == "  \(hint)", "\(messages.text)")
            #expect(!messages.text.contains("hunter2"))
        }
    }

    @Test("Every page of help and the manual end with where to read on and where to report a mistake")
    func furtherReading() async {
        let pages = [await reqcli("help").output, await reqcli("help", "send").output, Program.spec.manPage]
        for page in pages {
            let text = page.suffix(400).replacing("\n", with: " ")
            for name in ["README.md", "docs/README.md", "CONTRIBUTING.md", "issue tracker"] {
                #expect(text.contains(name), "\(text)")
            }
        }
    }

    @Test("The overview has at most 50 lines, the short help of each command 25, and all essential options exist")
    func shortHelp() async {
        #expect(await reqcli("help").output.split(separator: "\n", omittingEmptySubsequences: false).count <= 50)
        for command in Program.spec.commands {
            let text = Program.spec.help(for: .command(command), isShort: true, width: 80)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 26, "\(text)")
            #expect(command.essentialNames.isEmpty || command.essentials.count == command.essentialNames.count)
            let page = command.page.map { "\(Repository.root)/docs/\($0)" }
            #expect(page.map { FileManager.default.fileExists(atPath: $0) } ?? true, "\(command.name)")
        }
    }

    @Test(
        "help finds words of every kind",
        arguments: ["cookies", "secret", "exit", "retry", "selectors", "REQCLI_ENV", "k"])
    func helpWords(_ word: String) async {
        let run = await reqcli("help", word)
        #expect(run.status == 0 && run.output.hasPrefix("Help on"), "\(run)")
    }

    @Test("The hidden call prints the manual page")
    func manPage() async {
        #expect(await reqcli("__man") == Run(status: 0, output: Program.spec.manPage, messages: ""))
    }
}
