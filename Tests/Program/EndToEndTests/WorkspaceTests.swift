import TestSupport
import Testing
import ToolSupport

struct WorkspaceTests {
    @Test("init creates a valid workspace with an endpoint to list")
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
        // The commands that it suggests work.
        for line in made.outputText.split(separator: "\n") where line.hasPrefix("  reqcli ") {
            let call = "\(Tool.path)\(line.dropFirst("  reqcli".count))"
            #expect(try await Tool.run("-c", call, in: demo, program: ["/bin/sh"]).status == 0, "\(line)")
        }
    }

    @Test("init --from makes a workspace that sends to the URL")
    func fromURL() async throws {
        let server = try RecordingServer()
        let folder = try TemporaryFolder()
        let made = try await Tool.run(
            "init", "api", "--from", "http://127.0.0.1:\(server.port)/v1/users?page=2", in: folder.path)
        #expect(made.status == 0)
        #expect(made.errors.isEmpty)
        #expect(try await Tool.run("validate", in: folder.path("api")).status == 0)
        #expect(try await Tool.run("send", "users", in: folder.path("api")).status == 0)
        #expect(server.requests.map { "\($0.method) \($0.target)" } == ["GET /v1/users?page=2"])
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

    @Test("init in a folder that cannot be written to is status 9")
    func startNowhere() async throws {
        let folder = try TemporaryFolder()
        let run = try await Tool.run("init", "/proc/demo", in: folder.path)
        #expect(run.status == 9)
        #expect(run.errors.hasPrefix("error: cannot make the workspace in \"/proc/demo\": "))
    }

    @Test("The workspace is found from a folder inside it, and paths are relative to the current folder")
    func fromInside() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/deep/bad.json": "["])
        let inside = try await Tool.run("validate", in: folder.path("endpoints/deep"))
        #expect(inside.errors.hasPrefix("bad.json:1:1: error: "))
        let outside = try await Tool.run("validate", "-C", "../endpoints/..", in: folder.path("environments"))
        #expect(outside.errors.hasPrefix("../endpoints/deep/bad.json:1:1: error: "))
        let named = try await Tool.run("list", "user.get", in: "/", variables: ["REQCLI_WORKSPACE": folder.path])
        #expect(named.outputText == "user.get  GET  /user  Who is logged in\n")
    }

    @Test("Completions list endpoints even if some files are broken")
    func completions() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json": "["])
        #expect(
            try await Tool.run("__complete", "zsh", "1", "show", "", in: folder.path).outcome
                == ToolOutcome(
                    status: 0, output: "words\t\nuser.get\tWho is logged in\nuser.create\n", errors: ""))
    }

    @Test(
        "Unusual arguments are errors or taken literally, and never crash the program",
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

    @Test("A name too long for a file name is an unknown endpoint")
    func longName() async throws {
        let folder = try TemporaryFolder.workspace()
        let name = String(repeating: "x", count: 5_000)
        #expect(try await Tool.run("show", name, in: folder.path).status == 2)
        #expect(try await Tool.run("show", "user.\(name)", in: folder.path).status == 2)
        #expect(try await Tool.run("list", name, in: folder.path).status == 2)
        #expect(try await Tool.run("list", "-C", name, in: folder.path).status == 2)
    }
}
