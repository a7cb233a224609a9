import CommandLineKit
import ReqcliText
import Testing

struct ParsingTests {
    @Test(
        "Options may stand anywhere, the command's before it too",
        arguments: [
            ["send", "user.get", "--env", "staging", "-i"],
            ["send", "--env", "staging", "-i", "user.get"],
            ["--env", "staging", "send", "-i", "user.get"],
            ["-i", "--env=staging", "send", "user.get"],
            ["-e", "staging", "send", "user.get", "-i"],
            ["-estaging", "send", "user.get", "-i"],
            ["-e=staging", "send", "user.get", "-i"],
            ["send", "-iestaging", "user.get"],
            ["send", "-ie", "staging", "--", "user.get"],
        ])
    func anywhere(_ words: [String]) throws {
        let parsed = try Sample.run(words)
        #expect(parsed.command.name == "send")
        #expect(parsed[Sample.environment] == "staging")
        #expect(parsed[Sample.include])
        #expect(parsed[Sample.endpoint] == "user.get")
        #expect(parsed[Sample.parameters] == [])
    }

    @Test("What isn't given has its default")
    func defaults() throws {
        let parsed = try Sample.sending("ping")
        #expect(parsed[Sample.environment] == nil)
        #expect(parsed[Sample.color] == .auto)
        #expect(!parsed[Sample.include])
        #expect(parsed[Sample.follow] == nil)
        #expect(parsed[Sample.retry] == nil)
        #expect(parsed[Sample.headers] == [])
        #expect(parsed[Sample.stub].isEmpty)
        #expect(!parsed.isGiven(Sample.environment))
    }

    @Test("A repeatable option keeps all its values")
    func repetition() throws {
        let parsed = try Sample.sending("ping", "-e", "b", "-H", "A: 1", "--header=B: 2", "--no-follow")
        #expect(parsed[Sample.environment] == "b")
        #expect(parsed[Sample.headers] == ["A: 1", "B: 2"])
        #expect(parsed[Sample.follow] == false)
        #expect(try Sample.sending("ping", "--follow")[Sample.follow] == true)
    }

    @Test(
        "A value is taken as it is: empty, a dash, beginning with a dash, holding =",
        arguments: [
            (["--body", ""], ""), (["--body="], ""), (["--body", "-"], "-"), (["--body", "-5"], "-5"),
            (["--body", "-x: y"], "-x: y"), (["--body=--env"], "--env"), (["--body", "a=b"], "a=b"),
            (["--body=a=b"], "a=b"), (["--body==a"], "=a"), (["--body", "=\u{301}"], "=\u{301}"),
            (["--body=\u{301}x"], "\u{301}x"),
        ])
    func values(_ words: [String], _ expected: String) throws {
        #expect(try Sample.run(["send", "ping"] + words)[Sample.body] == expected)
    }

    @Test("After -- everything is an argument; a lone dash always is; empty words stay")
    func positionals() throws {
        let parsed = try Sample.sending("-", "", "--", "--env", "--", "-i")
        #expect(parsed[Sample.endpoint] == "-")
        #expect(parsed[Sample.parameters] == ["", "--env", "--", "-i"])
        #expect(parsed.positionals == ["-", "", "--env", "--", "-i"])
    }

    @Test(
        "An optional value comes with =, or from the next word when that can be one",
        arguments: [
            (["user.get", "--stub"], [nil], []),
            (["user.get", "--stub=empty"], ["empty"], []),
            (["user.get", "--stub="], [""], []),
            (["user.get", "--stub", "empty"], ["empty"], []),
            (["user.get", "--stub", "userID=1"], [nil], ["userID=1"]),
            (["--stub", "user.get"], [nil], []),
            (["user.get", "--stub", "--include"], [nil], []),
            (["user.get", "--stub", "--", "empty"], [nil], ["empty"]),
            (["user.get", "--stub", "empty", "--stub=user.feed=x"], ["empty", "user.feed=x"], []),
        ] as [([String], [String?], [String])])
    func optionalValues(_ words: [String], _ stubs: [String?], _ parameters: [String]) throws {
        let parsed = try Sample.run(["send"] + words)
        #expect(parsed[Sample.stub] == stubs)
        #expect(parsed[Sample.endpoint] == "user.get")
        #expect(parsed[Sample.parameters] == parameters)
    }

    @Test("An alias is read like the name")
    func alias() throws {
        #expect(try Sample.sending("ping", "--colour=never")[Sample.color] == .never)
    }

    @Test(
        "Help is given to whoever asks for it, whatever else is on the line",
        arguments: [
            (["--help"], nil), (["-h"], nil), (["help"], nil), (["send", "-h"], "send"), (["help", "send"], "send"),
            (["--bogus", "send", "--help"], "send"), (["send", "--retry", "x", "-ih"], "send"),
            (["-h", "check"], "check"),
        ] as [([String], String?)])
    func help(_ words: [String], _ name: String?) throws {
        guard case .help(let subject, let isShort) = try Sample.program.parse(words) else {
            Issue.record("no help")
            return
        }
        var found: String?
        if case .command(let command) = subject { found = command.name }
        #expect(found == name)
        #expect(isShort == words.contains { $0 == "-h" || $0 == "-ih" })
    }

    @Test("A value or an argument that looks like a request for help is none")
    func notHelp() throws {
        #expect(try Sample.sending("ping", "--body=-h")[Sample.body] == "-h")
        #expect(try Sample.sending("ping", "--", "-h")[Sample.parameters] == ["-h"])
    }

    @Test("The version is shown whatever else is on the line; nothing at all asks for nothing")
    func version() throws {
        for words in [
            ["--version"], ["-V"], ["send", "ping", "-V"], ["send", "-V"], ["-V", "send", "--bogus", "-V"],
        ] {
            guard case .version(isVerbose: false) = try Sample.program.parse(words) else {
                Issue.record("\(words)")
                continue
            }
        }
        for words in [["--version", "-v"], ["-vV"], ["-V", "--verbose"]] {
            guard case .version(isVerbose: true) = try Sample.program.parse(words) else {
                Issue.record("\(words)")
                continue
            }
        }
        guard case .nothing = try Sample.program.parse([]) else {
            Issue.record("not nothing")
            return
        }
    }
}
