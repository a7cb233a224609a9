import Testing

/// The workspace at the root of this repository: the living documentation of the format.
struct RepositoryTests {
    static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

    @Test("Every file of the repository's own workspace is valid")
    func valid() throws {
        let run = try Program.run("validate", in: Self.root)
        #expect(run.status == 0)
        #expect(run.messages.isEmpty)
        #expect(run.output.hasPrefix("ok: "))
    }

    @Test("Every endpoint of it says what it is for, and can be shown")
    func shown() throws {
        let list = try Program.run("list", in: Self.root)
        #expect(list.status == 0)
        let ids = list.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(ids.count >= 15)
        for id in ids {
            let run = try Program.run("show", id, in: Self.root)
            #expect(run.status == 0 && run.messages.isEmpty)
            let lines = run.output.split(separator: "\n")
            #expect(lines.count > 3 && lines[0] == id && !lines[1].contains("/"), "\(run.output)")
        }
    }

    @Test("Every command that the README shows works", arguments: ["README.md"])
    func readme(_ name: String) throws {
        let copy = try TemporaryFolder()
        let parts = ["endpoints", "environments", "stubs", name].map { "\(Self.root)/\($0)" }
        let copied = try Program.run(["-R"] + parts + [copy.path], in: "/", program: ["/bin/cp"])
        try #require(copied.status == 0, "\(copied)")
        copy.makeFolder("bin")
        _ = try Program.run(["-s", Program.path, copy.path("bin/reqcli")], in: "/", program: ["/bin/ln"])
        let commands = try #require(copy.text(name)).shellCommands
        #expect(!commands.isEmpty)
        for command in commands {
            let run = try Program.run(
                ["-c", command], in: copy.path, variables: ["PATH": "\(copy.path("bin")):/usr/bin:/bin"],
                program: ["/bin/sh"])
            #expect(run.status == 0, "\(command)\n\(run)")
            #expect(!run.output.isEmpty, "\(command)")
        }
    }
}

extension String {
    /// The lines of the `sh` blocks of a Markdown text that call the program.
    fileprivate var shellCommands: [String] {
        var commands: [String] = []
        var isShell = false
        for line in split(separator: "\n") {
            if line.hasPrefix("```") {
                isShell = line == "```sh"
            } else if isShell, line.hasPrefix("reqcli ") || line.hasPrefix("eval ") {
                commands.append(String(line))
            }
        }
        return commands
    }
}
