import HostileServing
import Testing
import ToolSupport

/// An environment's policy is enforced before anything is sent.
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

    /// A call that asks for confirmation at a terminal.
    private static func atTerminal(_ server: HostileServer) throws -> (PseudoTerminal, RunningTool) {
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["send", "it"], in: try workspace(server, method: "DELETE"), input: terminal.program,
            errors: .descriptor(terminal.program))
        return (terminal, tool)
    }

    @Test("a method that the policy does not allow is rejected, even with --yes", arguments: [[], ["--yes"]])
    func refused(flags: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(["send", "it"] + flags, in: try Self.workspace(server, method: "POST"))
        #expect(run.status == 8 && run.output == [])
        #expect(run.errors.contains("development does not allow POST"), "\(run.errors)")
        #expect(server.connections == 0)
    }

    @Test("without a terminal or with --no-input, nothing is confirmed or sent", arguments: [[], ["--no-input"]])
    func unasked(flags: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(["send", "it"] + flags, in: try Self.workspace(server, method: "DELETE"))
        #expect(run.status == 8 && run.output == [])
        #expect(run.errors.contains("--yes"), "\(run.errors)")
        #expect(server.connections == 0)
    }

    @Test("a redirect cannot bypass the policy", arguments: [(303, 1), (307, 2)])
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
        #expect(
            run.errors.contains("redirects to a GET, which the environment development does not allow") == (count == 1))
        #expect(server.requests.count == count)
    }

    @Test("--yes confirms the request")
    func agreed() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(["send", "it", "--yes"], in: try Self.workspace(server, method: "DELETE"))
        #expect(run.status == 0 && run.outputText == "done")
    }

    @Test("end of input at the prompt means no, and the next message begins on a new line")
    func inputEnds() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let (terminal, tool) = try Self.atTerminal(server)
        #expect(await terminal.shows("[y/N] "))
        terminal.type("\u{4}")
        #expect(try await tool.end().status == 8)
        #expect(await terminal.finalText().contains("[y/N] \n"), "\(terminal.text)")
    }

    @Test("at the prompt, only y confirms the request", arguments: [("y", 0), ("n", 8), ("", 8)] as [(String, Int32)])
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
