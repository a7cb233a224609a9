import TestSupport
import Testing
import ToolSupport

struct WorkspaceTests {
    @Test("init makes a workspace that is valid and has something to list at once")
    func starter() async throws {
        let folder = try TemporaryFolder()
        let made = try await Tool.run("init", "demo", in: folder.path)
        #expect(made.status == 0)
        #expect(made.errors.isEmpty)
        #expect(made.outputText.hasPrefix("made a workspace in demo\n"))
        let demo = folder.path("demo")
        #expect(
            try await Tool.run("validate", in: demo).outcome
                == ToolOutcome(status: 0, output: "ok: 3 endpoints, 2 environments in 3 files\n", errors: ""))
        // What it says to try next works.
        for line in made.outputText.split(separator: "\n") where line.hasPrefix("  reqcli ") {
            let call = "\(Tool.path)\(line.dropFirst("  reqcli".count))"
            #expect(try await Tool.run("-c", call, in: demo, program: ["/bin/sh"]).status == 0, "\(line)")
        }
    }

    @Test("A second init changes nothing")
    func starterTwice() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.run("init", in: folder.path)
        try folder.write("reqcli.json", Array("{}".utf8))
        let again = try await Tool.run("init", in: folder.path)
        #expect(again.status == 2)
        #expect(again.outputText.isEmpty)
        #expect(folder.text("reqcli.json") == "{}")
    }

    @Test("init where nothing can be written is status 9")
    func startNowhere() async throws {
        let folder = try TemporaryFolder()
        let run = try await Tool.run("init", "/proc/demo", in: folder.path)
        #expect(run.status == 9)
        #expect(run.errors.hasPrefix("error: the workspace can't be made in \"/proc/demo\": "))
    }

    @Test("The workspace is found from inside, and paths are shown from where one stands")
    func fromInside() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/deep/bad.json": "["])
        let inside = try await Tool.run("validate", in: folder.path("endpoints/deep"))
        #expect(inside.errors.hasPrefix("bad.json:1:1: error: "))
        let outside = try await Tool.run("validate", "-C", "../endpoints/..", in: folder.path("environments"))
        #expect(outside.errors.hasPrefix("../endpoints/deep/bad.json:1:1: error: "))
        let named = try await Tool.run("list", "user.get", in: "/", variables: ["REQCLI_WORKSPACE": folder.path])
        #expect(named.outputText == "user.get  GET  /user  Who is logged in\n")
    }

    @Test("Completions know the workspace, whatever state it is in")
    func completions() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json": "["])
        #expect(
            try await Tool.run("__complete", "zsh", "1", "show", "", in: folder.path).outcome
                == ToolOutcome(
                    status: 0, output: "words\t\nuser.get\tWho is logged in\nuser.create\n", errors: ""))
    }

    @Test(
        "Arguments that no person types are errors or literal, never a trap",
        arguments: [
            ["list", ""], ["list", "\u{1B}[31m"], ["--"], ["-"], ["", ""],
            ["list", "--color", "\u{0}"], ["show", "../../etc/passwd"], ["show", "user..get"], ["__complete"],
            ["__complete", "bash", "99", "list"], ["list", "-C"], ["help", "help", "help"],
        ])
    func oddArguments(_ words: [String]) async throws {
        let folder = try TemporaryFolder.workspace()
        let run = try await Tool.run(words, in: folder.path)
        #expect(run.status == 2 || run.status == 0, "\(run)")
        #expect(!run.errors.contains("\u{1B}"))
    }

    @Test("A name that is too long for any file is that of no endpoint")
    func longName() async throws {
        let folder = try TemporaryFolder.workspace()
        let name = String(repeating: "x", count: 5_000)
        #expect(try await Tool.run("show", name, in: folder.path).status == 2)
        #expect(try await Tool.run("show", "user.\(name)", in: folder.path).status == 2)
        #expect(try await Tool.run("list", name, in: folder.path).status == 2)
        #expect(try await Tool.run("list", "-C", name, in: folder.path).status == 2)
    }
}
