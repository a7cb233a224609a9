import HostileServing
import Testing
import ToolSupport

/// An environment's policy is the last word, and is heard before anything is sent.
@Suite(.serialized) struct PolicyTests {
    private static let policy = #""policy": { "methods": ["GET", "DELETE"], "confirm": ["DELETE"] }"#

    private static func workspace(_ server: HostileServer, method: String) throws -> ToolWorkspace {
        try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/", "method": "\#(method)" }"#,
            environment: policy)
    }

    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, body: "done") }
        }
    }

    /// A call that is asked about, with somebody there to ask.
    private static func atTerminal(_ server: HostileServer) throws -> (PseudoTerminal, RunningTool) {
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["send", "it"], in: try workspace(server, method: "DELETE"), input: terminal.program,
            errors: .descriptor(terminal.program))
        return (terminal, tool)
    }

    @Test("a method that isn't allowed is refused, --yes or not", arguments: [[], ["--yes"]])
    func refused(flags: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(["send", "it"] + flags, in: try Self.workspace(server, method: "POST"))
        #expect(run.status == 8 && run.output == [])
        #expect(run.errors.contains("development doesn't take POST"), "\(run.errors)")
        #expect(server.connections == 0)
    }

    @Test("one that needs a yes gets none where nobody is", arguments: [[], ["--no-input"]])
    func unasked(flags: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(["send", "it"] + flags, in: try Self.workspace(server, method: "DELETE"))
        #expect(run.status == 8 && run.output == [])
        #expect(run.errors.contains("--yes"), "\(run.errors)")
        #expect(server.connections == 0)
    }

    @Test("a redirect doesn't lead round it", arguments: [(303, 1), (307, 2)])
    func redirected(status: Int, count: Int) async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isFirst = request.line.contains(" / ")
                connection.respond(isFirst ? status : 200, isFirst ? ["Location: /next"] : [], body: "")
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/", "method": "POST" }"#,
            environment: #""policy": { "methods": ["POST"] }, "redirects": { "follow": true }"#)
        let run = try await Tool.run(["send", "it"], in: workspace)
        #expect(run.status == (count == 1 ? 8 : 0), "\(run.errors)")
        #expect(run.errors.contains("redirects to a GET, which development doesn't take") == (count == 1))
        #expect(server.requests.count == count)
    }

    @Test("--yes agrees")
    func agreed() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(["send", "it", "--yes"], in: try Self.workspace(server, method: "DELETE"))
        #expect(run.status == 0 && run.outputText == "done")
    }

    @Test("an end of the input is no yes, and what is told then begins a line of its own")
    func inputEnds() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let (terminal, tool) = try Self.atTerminal(server)
        #expect(await terminal.shows("[y/N] "))
        terminal.type("\u{4}")
        #expect(try await tool.end().status == 8)
        #expect(await terminal.finalText().contains("[y/N] \n"), "\(terminal.text)")
    }

    @Test("a person is asked, and only a yes is one", arguments: [("y", 0), ("n", 8), ("", 8)] as [(String, Int32)])
    func asked(answer: String, status: Int32) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let (terminal, tool) = try Self.atTerminal(server)
        #expect(await terminal.shows("Send DELETE http://127.0.0.1:\(server.port)/ to development? [y/N]"))
        terminal.type(answer + "\n")
        let run = try await tool.end()
        #expect(run.status == status)
        #expect(server.connections == (status == 0 ? 1 : 0))
    }
}
