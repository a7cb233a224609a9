import CommandLineKit
import Testing

struct CompletionTests {
    /// Answers with what it was asked, so that a test sees the question: `KIND NAME|TYPED|POSITIONALS|ENV`.
    static let engine = CompletionEngine(Sample.program) { request in
        let name = request.assignedName.map { " \($0)=" } ?? ""
        let line = request.arguments
        let question: [String] = [
            "\(kinds[request.kind] ?? "?")\(name)", request.typed, line.positionals.joined(separator: ","),
            line[Sample.environment] ?? "",
        ]
        return CompletionAnswer([.init(question.joined(separator: "|"))])
    }

    static let kinds: [CompletionKind: String] = [
        .endpoint: "endpoint", .environment: "environment", .parameter: "parameter", .variant: "variant",
        .report: "report",
    ]

    struct Place: CustomTestStringConvertible {
        let words: [String]
        let index: Int
        let prefix: String
        let question: String

        var testDescription: String { "\(words) at \(index)" }

        /// The word at the cursor is the one that ends with "‸".
        init(_ words: String..., asks question: String, after prefix: String = "") {
            index = words.firstIndex { $0.hasSuffix("‸") } ?? words.count
            self.words = words.map { $0.hasSuffix("‸") ? String($0.dropLast()) : $0 }
            self.prefix = prefix
            self.question = question
        }
    }

    @Test(
        "The provider is asked for what may stand at the cursor, with the rest of the line",
        arguments: [
            Place("send", "us‸", asks: "endpoint|us||"),
            Place("send", "‸", asks: "endpoint|||"),
            Place("send", asks: "endpoint|||"),
            Place("send", "--", "us‸", asks: "endpoint|us||"),
            Place("-e", "x", "send", "us‸", asks: "endpoint|us||x"),
            Place("send", "us‸", "--env", "x", asks: "endpoint|us||x"),
            Place("send", "us‸", "extra", "-i", asks: "endpoint|us||"),
            Place("send", "--env", "st‸", asks: "environment|st||"),
            Place("send", "-e", "st‸", asks: "environment|st||"),
            Place("--env", "st‸", "send", "x", asks: "environment|st||"),
            Place("send", "--env=st‸", asks: "environment|st||", after: "--env="),
            Place("send", "-est‸", asks: "environment|st||", after: "-e"),
            Place("send", "-e=st‸", asks: "environment|st||", after: "-e="),
            Place("send", "-ie=st‸", asks: "environment|st||", after: "-ie="),
            Place("send", "user.get", "us‸", asks: "parameter|us|user.get|"),
            Place("send", "user.get", "a=1", "us‸", asks: "parameter|us|user.get,a=1|"),
            Place("send", "user.get", "city=S‸", asks: "parameter city=|S|user.get|", after: "city="),
            Place("send", "user.get", "city=a=b‸", asks: "parameter city=|a=b|user.get|", after: "city="),
            Place("send", "x", "--stub=em‸", asks: "variant|em|x|", after: "--stub="),
            Place("send", "x", "--stub=a.b=em‸", asks: "variant a.b=|em|x|", after: "--stub=a.b="),
            Place("send", "--retry", "no", "us‸", asks: "endpoint|us||"),
            Place("send", "--bogus", "us‸", asks: "endpoint|us||"),
            Place("check", "--report", "junit=x‸", asks: "report junit=|x||", after: "junit="),
        ])
    func questions(_ place: Place) {
        let completions = Self.engine.completions(of: place.words, at: place.index)
        #expect(completions.prefix == place.prefix)
        #expect(completions.answer.candidates.map(\.text) == [place.question])
    }

    @Test(
        "Paths are left to the shell, with what of the word is settled",
        arguments: [
            (["send", "-o", ""], "", .files), (["send", "--output=x"], "--output=", .files),
            (["send", "-ox"], "-o", .files), (["send", "x", "city@=a"], "city@=", .files),
            (["send", "--body", "@a"], "@", .files), (["send", "--body=@a"], "--body=@", .files),
            (["send", "-C", "a"], "", .directories), (["-C=a"], "-C=", .directories),
        ] as [([String], String, CompletionAnswer.Paths)])
    func paths(_ words: [String], _ prefix: String, _ paths: CompletionAnswer.Paths) {
        let completions = Self.engine.completions(of: words, at: words.count - 1)
        #expect(completions.prefix == prefix)
        #expect(completions.answer == CompletionAnswer([], paths: paths))
    }

    private func texts(_ words: String...) -> [String] {
        Self.engine.completions(of: words, at: words.count - 1).answer.candidates.map(\.text)
    }

    @Test("Commands come first, then only their own options, and none twice that can be given once")
    func names() {
        #expect(texts("") == ["send", "check", "completions", "help"])
        #expect(texts("help", "") == ["send", "check", "completions", "help"])
        #expect(texts("-").contains("--env"))
        #expect(!texts("--").contains("--include"))
        let all = texts("send", "--")
        #expect(all.contains("--include") && all.contains("--follow") && all.contains("--no-follow"))
        let left = texts("send", "-i", "--env=x", "--no-follow", "-H", "a", "--")
        #expect(left.contains("--header") && left.contains("--color"))
        #expect(!left.contains { ["--include", "--env", "--follow", "--no-follow"].contains($0) })
    }

    @Test("The words of an enumerated value are offered; a whole cluster of letters is offered itself")
    func words() {
        #expect(texts("--color", "") == ["auto", "always", "never"])
        #expect(texts("--color=a") == ["auto", "always", "never"])
        #expect(texts("completions", "") == ["bash", "zsh", "fish"])
        #expect(texts("send", "-iv") == ["-iv"])
    }

    @Test("Where an optional value may stand, both it and what else may stand there are offered")
    func optionalValue() {
        #expect(texts("send", "x", "--stub", "") == ["variant||x|", "parameter||x|"])
        #expect(texts("send", "x", "--stub", "--") == texts("send", "x", "--"))
        #expect(texts("send", "--stub", "") == ["endpoint|||"])
    }

    @Test("Where nothing is known, nothing is offered")
    func nothing() {
        #expect(texts("sned", "") == [])
        #expect(texts("send", "-H", "") == [])
        #expect(texts("send", "--bogus=") == [])
        #expect(texts("send", "-ixe") == [])
        #expect(texts("send", "--body", "text") == [])
        #expect(texts("completions", "bash", "") == [])
    }

    @Test("The reply has a header, then a line for each candidate; bash gets only those that fit")
    func reply() {
        let engine = CompletionEngine(Sample.program) { _ in
            CompletionAnswer([
                .init("staging", "Shared\tservers"), .init("stage:2"), .init("prod"), .init("st\nx"), .init("st\u{1B}"),
            ])
        }
        #expect(
            engine.reply(toCall: ["zsh", "1", "send", "--env=st"], home: nil)
                == "words\t--env=\nstaging\tShared␉servers\nstage:2\nprod\n")
        #expect(
            engine.reply(toCall: ["bash", "1", "send", "--env=st"], home: nil)
                == "words\t--env=\nstaging\tShared␉servers\nstage:2\n")
        #expect(engine.reply(toCall: ["fish", "1", "send", "--output=x"], home: nil) == "files\t--output=\n")
        #expect(engine.reply(toCall: ["bash", "2", "send", "user.get"], home: nil) != "")
    }

    @Test("A call that no script makes gets no answer", arguments: [[], ["bash"], ["tcsh", "0"], ["bash", "x"]])
    func badCall(_ words: [String]) {
        #expect(Self.engine.reply(toCall: words, home: nil) == "")
    }

    @Test("An index out of the line is brought back into it", arguments: ["-1", "99"])
    func badIndex(_ index: String) {
        #expect(Self.engine.reply(toCall: ["bash", index, "send"], home: nil).hasPrefix("words"))
    }

    @Test("Words that the shell has not expanded have their ~/ expanded, but for the one being typed")
    func home() {
        let engine = CompletionEngine(Sample.program) { request in
            CompletionAnswer([.init(request.arguments[Sample.workspace] ?? ""), .init(request.typed)])
        }
        #expect(
            engine.reply(toCall: ["zsh", "3", "-C", "~/w", "send", "~/x"], home: "/home/me")
                == "words\t\n/home/me/w\n~/x\n")
    }

    @Test("Each script names the program and calls it back", arguments: CompletionShell.allCases)
    func scripts(_ shell: CompletionShell) {
        let script = Sample.program.completionScript(for: shell)
        #expect(script.contains("command reqcli \(ProgramSpec.completionCall) \(shell.rawValue) "))
        #expect(!script.contains("%program%") && !script.contains("%identifier%"))
    }
}
