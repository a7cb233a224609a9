import HostileServing
import Testing
import ToolSupport

/// An interrupted run reports the cases that did run, and none of its reports looks successful.
@Suite(.serialized) struct InterruptionTests {
    /// A server that responds to `/first` and nothing else.
    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                if request.line.hasPrefix("GET /first ") { connection.respond(200) } else { connection.waitForClose() }
            }
        }
    }

    private static func workspace(_ server: HostileServer) throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/a.json": """
            {"defaults": {"expect": {"status": 200}}, "endpoints":
              {"first": {"path": "/first"}, "hangs": {"path": "/hangs"}, "later": {"path": "/later"}}}
            """,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
        ])
    }

    private static let kinds = ["junit", "tap", "json", "github", "html"]

    @Test("an interrupted run writes its reports at once", arguments: ToolEnding.all)
    func reports(_ ending: ToolEnding) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let words = Self.kinds.flatMap { ["--report", "\($0)=report.\($0)"] }
        let tool = try Tool.start(["check", "--jobs", "1"] + words, in: workspace)
        #expect(await eventually { server.requests.count == 2 })
        #expect(workspace.read("report.junit") == nil, "not before it is whole")
        let start = ContinuousClock.now
        tool.send(signal: ending.signal)
        let run = try await tool.end(within: .seconds(30))
        #expect(run.signal == ending.signal && run.status == ending.status, "\(run.errors)")
        #expect(run.end - start < .seconds(5))
        #expect(server.requests.count == 2, "nothing more is begun")
        #expect(run.outputText.contains("interrupted"), "\(run.outputText)")
        #expect(workspace.files.sorted() == Self.kinds.map { "report.\($0)" }.sorted())

        func report(_ kind: String) -> String {
            String(decoding: workspace.read("report.\(kind)") ?? [], as: UTF8.self)
        }
        // A tool that only counts failures and errors must not mistake the run for a success.
        #expect(report("junit").contains(#"tests="3" failures="0" errors="2" skipped="0""#), "\(report("junit"))")
        #expect(report("tap").hasSuffix("ok 1 - a.first\nBail out! interrupted\n"), "\(report("tap"))")
        #expect(
            report("json").contains("\"interrupted\": true,\n  \"exitCode\": \(ending.status)"), "\(report("json"))")
        #expect(report("github").hasPrefix("::error "), "\(report("github"))")
        #expect(report("html").contains("interrupted"))
    }

    @Test("a second Ctrl-C does not wait for the reports and leaves no partial file")
    func twice() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        // Nothing reads the pipe, so writing the first report blocks.
        let pipe = try Descriptor.pipe()
        defer { Descriptor.close(pipe.reading) }
        let tool = try Tool.start(
            ["check", "--jobs", "1", "--report", "json=-", "--report", "junit=report.xml"], in: workspace,
            output: .descriptor(pipe.writing))
        Descriptor.close(pipe.writing)
        #expect(await eventually { server.requests.count == 2 })
        tool.send(signal: .interrupt)
        tool.send(signal: .interrupt)
        #expect(try await tool.end(within: .seconds(30)).signal == .interrupt)
        #expect(!workspace.files.contains { $0.hasSuffix(".part") })
    }
}
