import CommandLineKit
import ReqcliText
import Testing

struct UsageErrorTests {
    struct Mistake: CustomTestStringConvertible {
        let words: [String]
        let message: String

        var testDescription: String { words.joined(separator: " ") }

        init(_ words: String..., says message: String) {
            (self.words, self.message) = (words, message)
        }
    }

    static let usage = "usage: reqcli send [OPTIONS] ENDPOINT [NAME=VALUE ...]"

    @Test(
        "Each mistake is named, with what to do about it",
        arguments: [
            Mistake("sned", says: #"unknown command "sned"; did you mean "send"?"#),
            Mistake("zebra", says: #"unknown command "zebra""#),
            Mistake("help", "sedn", says: #"no help on "sedn"; did you mean "send"?"#),
            Mistake("send", "x", "--evn", "a", says: #"unknown option "--evn"; did you mean "--env"?"#),
            Mistake("--evn=a", "send", "x", says: #"unknown option "--evn"; did you mean "--env"?"#),
            Mistake("send", "x", "--no-folow", says: #"unknown option "--no-folow"; did you mean "--no-follow"?"#),
            Mistake("send", "x", "--zebra", says: #"unknown option "--zebra""#),
            Mistake("send", "x", "--inc", says: #"unknown option "--inc"; did you mean "--include"?"#),
            Mistake("send", "x", "-env", says: #"unknown option "-env"; did you mean "--env"?"#),
            Mistake("send", "x", "-ixv", says: #"unknown option "-x" in "-ixv""#),
            Mistake("send", "-5", says: #"unknown option "-5"; to pass it as an argument, put "--" before it"#),
            Mistake("send", "x", "--report", "a", says: #"unknown option "--report"; it is an option of "check""#),
            Mistake(
                "--report", "a", "send", "x", says: #""send" has no option "--report"; it is an option of "check""#),
            Mistake("-o", "a", says: #"-o is ambiguous before the command; put it after "send" or "check""#),
            Mistake("--evn", "a", "send", "x", says: #"unknown option "--evn"; did you mean "--env"?"#),
            Mistake("send", "x", "--include=yes", says: "--include takes no value"),
            Mistake("send", "x", "-i=yes", says: "-i takes no value"),
            Mistake("send", "x", "--no-follow=1", says: "--no-follow takes no value"),
            Mistake("send", "x", "--env", says: "--env needs a NAME"),
            Mistake(
                "send", "x", "-e", "--include",
                says: #"-e needs a NAME; found the option "--include"; if that word is the value, write "#
                    + "--env=--include"),
            Mistake(
                "send", "x", "-e", "-i",
                says: #"-e needs a NAME; found the option "-i"; if that word is the value, write --env=-i"#),
            Mistake("send", "x", "--retry", "soon", says: #"--retry takes a whole number from 0 to 20; found "soon""#),
            Mistake("send", "x", "--retry=21", says: #"--retry takes a whole number from 0 to 20; found "21""#),
            Mistake("send", "x", "-o", "", says: #"-o takes the path of a file; found """#),
            Mistake(
                "send", "x", "-o", "a", "--output=b",
                says: #"--output can be given only once; found "-o a" and "--output=b"; keep one of them"#),
            Mistake(
                "-ea", "send", "x", "-e=b",
                says: #"--env can be given only once; found "-ea" and "-e=b"; keep one of them"#),
            Mistake(
                "send", "x", "-iv", "--include",
                says: #"--include can be given only once; found "-i" and "--include"; keep one of them"#),
            Mistake(
                "send", "x", "-ii", says: #"--include can be given only once; found "-i" and "-i"; keep one of them"#
            ),
            Mistake(
                "send", "x", "--follow", "--no-follow",
                says: #"--follow can be given only once; found "--follow" and "--no-follow"; keep one of them"#),
            Mistake(
                "send", "x", "--colour=never", "--color", "auto", "--color=auto", "--color=auto",
                says:
                    #"--color can be given only once; found "--colour=never", "--color auto" and 2 more; keep one of them"#
            ),
            Mistake(
                "send", "x", "--body=hunter2", "--body", "hunter3",
                says: #"--body can be given only once; found "--body=…" and "--body …"; keep one of them"#),
            Mistake(
                "send", "x", "-XPOST",
                says: ##"unknown option "-X"; for curl's -X set the method in the file"##),
            Mistake("send", "x", "-d", "{}", says: #"unknown option "-d"; for curl's -d write --body TEXT"#),
            Mistake("send", "x", "--data={}", says: #"unknown option "--data"; for curl's --data write --body TEXT"#),
            Mistake("-d", "{}", says: #"unknown option "-d"; for curl's -d write --body TEXT"#),
            Mistake("check", "x", "-d", "{}", says: #"unknown option "-d""#),
            Mistake(
                "check", "x", "--request",
                says: #"unknown option "--request"; for curl's --request set the method in the file"#),
            // What stands behind it may be its value, and is none of ours.
            Mistake(
                "completions", "-X", "zebra", says: #"unknown option "-X"; for curl's -X set the method in the file"#),
            Mistake(
                "send", "x", "--color", "alwys",
                says: #"--color takes auto, always or never; found "alwys"; did you mean "always"?"#),
            Mistake(
                "send",
                says: #""send" needs ENDPOINT; \#(usage); for example: reqcli send user.get userID=42 --env staging"#),
            Mistake(
                "completions", "bash", "now",
                says: #"unexpected argument "now"; usage: reqcli completions SHELL"#),
            Mistake(
                "completions", "bsh",
                says: #"SHELL takes bash, zsh or fish; found "bsh"; did you mean "bash" or "zsh"?"#),
            Mistake("send", "x", "--\u{1B}[31m", says: #"unknown option "--␛[31m""#),
        ])
    func mistakes(_ mistake: Mistake) throws {
        let error = try #require(throws: UsageError.self) { try Sample.program.parse(mistake.words) }
        let problem = try #require(error.problems.first)
        #expect(error.problems.count == 1)
        #expect(problem.message + (problem.hint.map { "; \($0)" } ?? "") == mistake.message)
    }

    @Test("All mistakes are reported together, and none that only follows from another")
    func together() throws {
        let error = try #require(throws: UsageError.self) {
            try Sample.program.parse(["send", "--evn", "staging", "--retry", "x", "--color=no"])
        }
        #expect(
            error.problems.map(\.message) == [
                #"unknown option "--evn""#,
                #"--retry takes a whole number from 0 to 20; found "x""#,
                #"--color takes auto, always or never; found "no""#,
            ])
        #expect(error.command == "send")
    }

    @Test("An error is shown with its hint below it and the place to read on")
    func rendered() {
        let error = UsageError("unknown option \"--evn\"", hint: "did you mean \"--env\"?", command: "send")
        #expect(
            error.rendered(program: "reqcli").plain == """
                error: unknown option "--evn"
                  did you mean "--env"?
                See "reqcli help send".

                """)
        #expect(UsageError("no").rendered(program: "reqcli").plain == "error: no\nSee \"reqcli help\".\n")
        #expect(
            UsageError("no").rendered(program: "reqcli").rendered(inColour: true)
                .hasPrefix("\u{1B}[1;31merror:\u{1B}[0m no"))
    }

    @Test("A long word is shown cut")
    func longWord() throws {
        let error = try #require(throws: UsageError.self) {
            try Sample.program.parse([String(repeating: "x", count: 100_000)])
        }
        #expect(error.problems[0].message.utf8.count < 300)
    }
}
