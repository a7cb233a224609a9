import Foundation
import HostileServing
import Testing
import ToolSupport

/// `--watch` runs a command again after each save, however the editor saves.
@Suite(.serialized) struct WatchTests {
    private static func endpoint(_ path: String, method: String = "GET") -> String {
        #"{"method": "\#(method)", "path": "/\#(path)", "expect": {"status": 200}}"#
    }

    private static func workspace(_ server: HostileServer) throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/a.json": endpoint("first"), "notes.txt": "",
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
        ])
    }

    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.respond(request.line.contains("/ill") ? 500 : 200, body: "{}")
            }
        }
    }

    /// The ways in which editors save.
    private enum Editor: CaseIterable {
        case vim, emacs, code, rename

        func save(_ text: String, to path: String) throws {
            let files = FileManager.default
            switch self {
            case .vim:
                try files.moveItem(atPath: path, toPath: path + "~")
                try Data(text.utf8).write(to: URL(filePath: path))
                try files.removeItem(atPath: path + "~")
            case .emacs:
                let lock = (path as NSString).deletingLastPathComponent + "/.#a.json"
                try files.createSymbolicLink(atPath: lock, withDestinationPath: "me@host.1")
                try Data(text.utf8).write(to: URL(filePath: path))
                try files.removeItem(atPath: lock)
            case .code: try Data(text.utf8).write(to: URL(filePath: path))
            case .rename: try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
            }
        }
    }

    @Test("each save is followed by a run with the saved file", arguments: [["check"], ["send", "a"]])
    func saves(_ words: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let tool = try Tool.start(words + ["--watch"], in: workspace)
        func isSent(_ path: String) async -> Bool {
            await eventually { server.requests.contains { $0.line == "GET /\(path) HTTP/1.1" } }
        }
        #expect(await isSent("first"))
        for round in 0..<3 {
            for editor in Editor.allCases {
                try editor.save(Self.endpoint("\(editor)\(round)"), to: workspace.path("endpoints/a.json"))
                #expect(await isSent("\(editor)\(round)"), "\(editor) \(round)")
            }
        }
        tool.send(signal: .interrupt)
        let run = try await tool.end()
        #expect(run.signal == .interrupt)
        #expect(run.errors.contains("endpoints/a.json was saved"), "\(run.errors)")
        #expect(workspace.files.sorted() == ["notes.txt"])
    }

    @Test("files that no run reads start none, and files that the command line names do")
    func others() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write("rows.csv", "n\n1\n")
        try workspace.write(
            "endpoints/a.json", #"{"path": "/{{n}}", "params": {"n": {"type": "integer"}}, "expect": {"status": 200}}"#)
        let tool = try Tool.start(
            ["check", "--watch", "--data", "rows.csv", "--report", "json=last.json"], in: workspace)
        #expect(await eventually { workspace.read("last.json") != nil })
        for name in ["notes.txt", "endpoints/.a.json.swp", "endpoints/a.json~", "endpoints/#a.json#"] {
            try workspace.write(name, "x")
        }
        try workspace.write("rows.csv", "n\n2\n")
        #expect(await eventually { server.requests.contains { $0.line == "GET /2 HTTP/1.1" } })
        try FileManager.default.createDirectory(
            atPath: workspace.path("endpoints/new"), withIntermediateDirectories: false)
        try workspace.write("endpoints/new/b.json", Self.endpoint("new"))
        #expect(await eventually { server.requests.contains { $0.line == "GET /new HTTP/1.1" } })
        #expect(!server.requests.dropFirst().contains { $0.line == "GET /1 HTTP/1.1" })
        tool.send(signal: .terminate)
        #expect(try await tool.end().signal == .terminate)
    }

    @Test("a save runs the cases that use the file, with those that need them, and an environment's all")
    func users() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write(
            "endpoints/b.json", #"{"path": "/second", "needs": {"a": "a"}, "expect": {"status": 200}}"#)
        try workspace.write("endpoints/c.json", Self.endpoint("ill"))
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["check", "c", "b", "--watch"], in: workspace, input: terminal.program,
            output: .descriptor(terminal.program), errors: .descriptor(terminal.program))
        func counts() -> [Int] {
            ["first", "second", "ill"].map { path in server.requests.count { $0.line == "GET /\(path) HTTP/1.1" } }
        }
        func runs() -> Int { terminal.text.components(separatedBy: "watching .; a: all").count - 1 }
        #expect(await eventually { runs() == 1 }, "\(terminal.text)")
        func saveAgain(_ file: String) throws {
            try workspace.write(file, String(decoding: workspace.read(file) ?? [], as: UTF8.self))
        }
        for (run, step) in [("a", [2, 2, 1]), ("b", [3, 3, 1]), ("c", [3, 3, 2])].enumerated() {
            try saveAgain("endpoints/\(step.0).json")
            #expect(await eventually { runs() == run + 2 }, "\(terminal.text)")
            #expect(counts() == step.1)
        }
        try saveAgain("environments/development.json")
        #expect(await eventually { runs() == 5 }, "\(terminal.text)")
        #expect(counts() == [4, 4, 3])
        try workspace.write("endpoints/d.json", Self.endpoint("other"))
        #expect(await eventually { runs() == 6 }, "\(terminal.text)")
        #expect(counts() == [4, 4, 3])
        #expect(terminal.text.contains("no selected case uses endpoints/d.json"))
        terminal.type("q")
        #expect(try await tool.end().status == 1, "the status of the last run that had something to do")
    }

    @Test("keys run what failed or everything, and q ends with the status of the last run")
    func keys() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write("endpoints/b.json", Self.endpoint("ill"))
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["check", "--watch"], in: workspace, input: terminal.program, output: .descriptor(terminal.program),
            errors: .descriptor(terminal.program))
        func count(_ path: String) -> Int { server.requests.count { $0.line == "GET /\(path) HTTP/1.1" } }
        func runs() -> Int { terminal.text.components(separatedBy: "watching .; a: all").count - 1 }
        #expect(await eventually { runs() == 1 }, "\(terminal.text)")
        terminal.type("f")
        #expect(await eventually { runs() == 2 }, "\(terminal.text)")
        #expect(count("first") == 1 && count("ill") == 2)
        terminal.type("a")
        #expect(await eventually { runs() == 3 }, "\(terminal.text)")
        #expect(count("first") == 2 && count("ill") == 3)
        terminal.type("q")
        #expect(try await tool.end().status == 1)
    }

    @Test("u accepts the responses of all cases once, which starts no other run")
    func updatingSnapshots() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write("endpoints/a.json", #"{"path": "/first", "expect": {"snapshot": true}}"#)
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["check", "--watch"], in: workspace, input: terminal.program, output: .descriptor(terminal.program),
            errors: .descriptor(terminal.program))
        func runs() -> Int { terminal.text.components(separatedBy: "watching .; a: all").count - 1 }
        #expect(await eventually { runs() == 1 }, "\(terminal.text)")
        #expect(workspace.read("snapshots/a.json") == nil)
        terminal.type("u")
        #expect(await eventually { runs() == 2 }, "\(terminal.text)")
        #expect(workspace.read("snapshots/a.json") != nil)
        terminal.type("\r")
        #expect(await eventually { runs() == 3 }, "\(terminal.text)")
        terminal.type("q")
        #expect(try await tool.end().status == 0)
        #expect(server.requests.count == 3)
    }

    @Test("a save replaces a run that is not over, and Ctrl-C ends it")
    func endings() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.waitForClose() }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let tool = try Tool.start(["check", "--watch"], in: workspace)
        #expect(await eventually { server.requests.count == 1 })
        try workspace.write("endpoints/a.json", Self.endpoint("second"))
        #expect(await eventually { server.requests.contains { $0.line == "GET /second HTTP/1.1" } })
        tool.send(signal: .interrupt)
        let run = try await tool.end(within: .seconds(30))
        #expect(run.signal == .interrupt, "\(run)")
    }

    @Test(
        "what cannot be watched is refused before anything is sent",
        arguments: [
            (["send", "a", "--watch"], "POST", [:], "--watch would send POST after each save"),
            (["check", "--watch"], "GET", ["CI": "1"], "--watch needs a terminal, but CI is set"),
            (["send", "a", "--body", "-", "--watch", "--yes"], "POST", [:], "--watch cannot read standard input"),
            (["check", "--watch", "--list"], "GET", [:], "--list and --watch contradict each other"),
        ])
    func refusals(_ words: [String], _ method: String, _ variables: [String: String], _ message: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write("endpoints/a.json", Self.endpoint("first", method: method))
        let run = try await Tool.run(words, in: workspace, environment: variables)
        #expect(run.status == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }
}
