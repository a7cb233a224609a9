import Glibc
import TestSupport
import Testing
import ToolSupport

struct StreamTests {
    @Test("Results go to stdout, errors go to stderr, and the exit status reports failure")
    func separation() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json": "["])
        let list = try await Tool.run("list", in: folder.path)
        #expect(list.status == 3)
        #expect(
            list.outputText == "user.get     GET   /user  Who is logged in\nuser.create  POST  /user\n")
        #expect(list.errors.hasPrefix("endpoints/bad.json:1:1: error: "))
        #expect(list.errors.hasSuffix(" in 1 file\n"))
        #expect(try await Tool.run("show", "user.get", in: folder.path).errors.isEmpty)
        #expect(try await Tool.run("validate", in: folder.path).outputText.isEmpty)
    }

    @Test("Closing the reading end of the pipe ends the program silently", arguments: ["list", "help", "--version"])
    func closedPipe(_ word: String) async throws {
        let folder = try TemporaryFolder.workspace()
        #expect(
            try await Tool.run(word, in: folder.path, output: .closedPipe).outcome
                == ToolOutcome(status: 0, output: "", errors: ""))
    }

    @Test("A closed pipe does not hide errors in the files")
    func closedPipeAndBroken() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json": "["])
        #expect(try await Tool.run("list", in: folder.path, output: .closedPipe).status == 3)
    }

    @Test(
        "Output that can't be written is an error with status 9",
        arguments: [
            ["list"], ["show", "user.get"], ["validate"], ["schema", "endpoint"], ["completions", "bash"], ["help"],
            ["help", "list"], ["--version"], ["list", "--json"],
        ])
    func full(_ words: [String]) async throws {
        let folder = try TemporaryFolder.workspace()
        let full = try await Tool.run(words, in: folder.path, output: .file("/dev/full"))
        #expect(full.status == 9)
        #expect(full.errors.contains("cannot write the output: no space left on device"))
    }

    @Test("A closed stdout is an error")
    func noOutput() async throws {
        let folder = try TemporaryFolder.workspace()
        let run = try await Tool.run("list", in: folder.path, output: .closed)
        #expect(run.status == 9)
        #expect(run.errors == "error: cannot write the output: bad file descriptor\n")
    }

    @Test(
        "COLUMNS sets the width of help",
        arguments: [("40", 40), ("60", 60), ("100", 100), ("x", 80), ("", 80)])
    func columns(_ columns: String, _ width: Int) async throws {
        let folder = try TemporaryFolder()
        let help = try await Tool.run("help", "list", in: folder.path, variables: ["COLUMNS": columns]).outputText
        // Examples are not wrapped, so that they can be pasted.
        let widest = help.split(separator: "\n").filter { !$0.hasPrefix("    reqcli") }.map(\.count).max() ?? 0
        #expect(widest <= width && widest > width * 3 / 4)
    }

    @Test(
        "Output to a pipe has colour only if it is requested",
        arguments: [
            ([:], [], false), (["FORCE_COLOR": "1"], [], true), (["FORCE_COLOR": "0"], [], false),
            (["FORCE_COLOR": "1", "NO_COLOR": "1"], [], false), (["FORCE_COLOR": "1"], ["--color=never"], false),
            (["NO_COLOR": "1"], ["--color=always"], true), (["TERM": "dumb"], ["--color=always"], true),
        ] as [([String: String], [String], Bool)])
    func colour(_ variables: [String: String], _ flags: [String], _ isColoured: Bool) async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json": "["])
        let run = try await Tool.run(["list"] + flags, in: folder.path, variables: variables)
        #expect(run.outputText.contains("\u{1B}[") == isColoured)
        #expect(run.errors.contains("\u{1B}[") == isColoured)
    }

    @Test(
        "Output to a terminal has colour, unless TERM or NO_COLOR rules it out",
        arguments: [
            ([:], true), (["TERM": "dumb"], false), (["TERM": ""], false), (["NO_COLOR": "1"], false),
            (["NO_COLOR": ""], true),
        ] as [([String: String], Bool)])
    func colourOnTerminal(_ variables: [String: String], _ isColoured: Bool) async throws {
        let folder = try TemporaryFolder.workspace()
        let terminal = try PseudoTerminal(columns: 50)
        let run = try await Tool.run(
            "list", in: folder.path, variables: ["TERM": "xterm"].merging(variables) { $1 },
            output: .descriptor(terminal.program))
        #expect(run.status == 0)
        #expect(await terminal.finalText().contains("\u{1B}[36muser.get") == isColoured)
    }

    @Test("Lines are cut to the terminal's width")
    func widthOfTerminal() async throws {
        let folder = try TemporaryFolder.workspace(adding: [
            "endpoints/long.json": #"{ "description": "A very long description of an endpoint", "path": "/long" }"#
        ])
        let terminal = try PseudoTerminal(columns: 30)
        #expect(try await Tool.run("list", "long", in: folder.path, output: .descriptor(terminal.program)).status == 0)
        #expect(await terminal.finalText() == "long  GET  /long  A very long…\n")
    }
}

extension StreamTests {
    @Test("An argument that is not UTF-8 is rejected, not changed into valid text", arguments: ["q=", "--body="])
    func notText(_ beginning: String) async throws {
        let folder = try TemporaryFolder.workspace()
        let call = #"exec "$0" render user.get "$1$(printf '\377')""#
        let run = try await Tool.run("-c", call, Tool.path, beginning, in: folder.path, program: ["/bin/sh"])
        #expect(run.status == 2)
        #expect(run.outputText == "")
        #expect(
            run.errors == """
                error: argument 3 is not UTF-8, so its bytes could not be sent unchanged
                  write it in UTF-8, or send the bytes from a file with --body @FILE
                See "reqcli help".

                """)
    }
}
