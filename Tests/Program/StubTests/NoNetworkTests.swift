import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Stubs open no socket.
struct NoNetworkTests {
    /// Whether the tool that traces or removes the network works on this machine.
    private static func works(_ command: String) -> Bool { (try? ShellCommand.run(command)) != nil }

    private static let canTrace = works("strace -f -e trace=network -o /dev/null true")
    private static let canUnshare = works("unshare -rn true")

    static let commands: [[String]] = [
        ["send", "breeds.list", "--env", "offline"],
        ["send", "user.feed", "userID=123", "--env", "offline", "-v"],
        ["send", "todos.get", "id=1", "--stub", "missing"],
        ["send", "breeds.list", "--stub", "nonsense"],
        ["render", "user.get", "--env", "offline"],
    ]

    /// Runs the program and returns its network system calls.
    private func networkCalls(_ words: [String]) async throws -> (run: ToolRun, calls: [Substring]) {
        let folder = try TemporaryFolder()
        let trace = folder.path("trace")
        let run = try await Tool.run(
            words, program: ["strace", "-f", "-e", "trace=network", "-o", trace, Tool.path])
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: trace)), as: UTF8.self)
        // Every trace has lines about the end of the process and about signals.
        return (run, text.split(separator: "\n").filter { !$0.contains("+++") && !$0.contains("---") })
    }

    @Test(
        "Stubs make no network system call",
        .enabled(if: canTrace, "needs strace, and leave to trace"), arguments: commands)
    func traced(_ words: [String]) async throws {
        let (run, calls) = try await networkCalls(words)
        #expect(calls.isEmpty, "\(run)")
        #expect(run.status != 6 && run.status != 7)
    }

    @Test(
        "A request to a server makes network system calls, so the trace would show them",
        .enabled(if: canTrace, "needs strace, and leave to trace"))
    func tracedServer() async throws {
        let server = try CannedServer(["HTTP/1.1 200 OK"])
        let (run, calls) = try await networkCalls(["send", "ping", "--base-url", server.url])
        #expect(run.status == 0)
        #expect(calls.contains { $0.contains("socket(AF_INET") })
    }

    @Test(
        "Without any network, stubs work and servers cannot be reached",
        .enabled(if: canUnshare, "needs unshare, and leave to make namespaces"))
    func cutOff() async throws {
        let tool = ["unshare", "-rn"]
        let stub = try await Tool.run(
            "send", "breeds.list", "--env", "offline", "--select", "$.data[*].breed", program: tool + [Tool.path])
        #expect(stub.status == 0)
        #expect(stub.outputText.split(separator: "\n").count == 14)
        let server = try CannedServer(["HTTP/1.1 200 OK"])
        #expect(try await Tool.run("send", "ping", "--base-url", server.url).status == 0)
        #expect(try await Tool.run("send", "ping", "--base-url", server.url, program: tool + [Tool.path]).status == 6)
    }

    // MARK: A workspace whose endpoints don't all have variants

    private static let partly = [
        "endpoints/a.json":
            #"{ "path": "/", "expect": { "status": 200 }, "stubs": { "variants": { "x": { "status": 200 } } } }"#,
        "endpoints/bare.json": #"{ "path": "/", "expect": { "status": 200 } }"#,
        "environments/development.json": #"""
        { "baseURL": "http://localhost:1", "auth": { "bearer": "{{secret.token}}" },
          "secrets": { "token": { "env": "NOT_SET_ANYWHERE" } } }
        """#,
    ]

    @Test("check --stub leaves out what has no variants, says so, and needs no secret that can't be read")
    func partlyStubbed() async throws {
        let workspace = try TemporaryFolder.workspace(Self.partly)
        let run = try await Tool.run("check", "--stub", in: workspace.path)
        #expect(run.status == 0)
        #expect(run.outputText.contains("1 case has no stub variants: bare; left out"))
        let named = try await Tool.run("check", "bare", "--stub", in: workspace.path)
        #expect(named.status != 0 && named.errors.contains("bare has no stub variants"))
        let chosen = try await Tool.run("check", "--stub=x", in: workspace.path)
        #expect(chosen.status != 0 && chosen.errors.contains("bare has no stub variants"))
        let live = try await Tool.run("check", "a", in: workspace.path)
        #expect(live.status == 3 && live.errors.contains("NOT_SET_ANYWHERE is not set"))
    }

    @Test("check --stub of a workspace without variants is no green")
    func nothingStubbed() async throws {
        var files = Self.partly
        files["endpoints/a.json"] = nil
        let workspace = try TemporaryFolder.workspace(files)
        let run = try await Tool.run("check", "--stub", in: workspace.path)
        #expect(run.status == 2)
        #expect(run.errors.contains("there is nothing to check with --stub: 1 case has no stub variants: bare"))
    }
}
