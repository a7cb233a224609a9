import HostileServing
import Testing
import ToolSupport

/// `--failed` runs again what did not pass, and a case without a value stops nothing but itself.
@Suite(.serialized) struct FailedTests {
    private static func workspace(port: Int) throws -> ToolWorkspace {
        let each = #"{"path": "/NAME", "expect": {"status": 200}}"#
        return try ToolWorkspace([
            "endpoints/fine.json": each.replacing("NAME", with: "fine"),
            "endpoints/ill.json": each.replacing("NAME", with: "ill"),
            "endpoints/void.json": """
            {"path": "/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"status": 200}}
            """,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(port)"}"#,
            "environments/other.json": #"{"baseURL": "http://127.0.0.1:\#(port)"}"#,
        ])
    }

    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.respond(request.line.contains("/ill") ? 500 : 200, body: "{}")
            }
        }
    }

    @Test("a case without a value for a param is an error, and the other cases run")
    func missing() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(["check", "fine", "void", "--jobs", "1"], in: Self.workspace(port: server.port))
        #expect(run.status == 3, "\(run.errors)")
        #expect(run.outputText.contains(#"void needs the param "id", but there is no value for it"#))
        #expect(run.outputText.contains("endpoints/void.json:1:1"))
        #expect(run.outputText.contains("1 passed, 1 error"))
        #expect(server.requests.map(\.line) == ["GET /fine HTTP/1.1"])
        let list = try await Tool.run(["check", "void", "--list"], in: Self.workspace(port: server.port))
        #expect(list.outputText.contains("cannot run: void needs the param"))
    }

    @Test("only the cases that did not pass run again")
    func again() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(port: server.port)
        let first = try await Tool.run(["check", "--report", "json=last"], in: workspace)
        #expect(first.status == 1, "\(first.errors)")
        let list = try await Tool.run(["check", "--failed", "last", "--list"], in: workspace)
        #expect(list.outputText.contains("2 cases"), "\(list.errors)")
        #expect(!list.outputText.contains("fine"))
        let again = try await Tool.run(
            ["check", "ill", "--failed", "last", "--report", "json=last"], in: workspace)
        #expect(again.status == 1)
        #expect(server.requests.map(\.line).filter { $0.contains("ill") }.count == 2)
        #expect(server.requests.count == 3)
        let third = try await Tool.run(["check", "--failed", "last", "--list"], in: workspace)
        #expect(third.outputText.contains("1 case"))
    }

    @Test("a report that names nothing to run is an error before anything is sent")
    func mistakes() async throws {
        let workspace = try Self.workspace(port: 9)
        func report(_ id: String, _ verdict: String) -> String {
            #"{"format": "reqcli.check", "environment": "development", "cases": [{"id": "\#(id)", "verdict": "\#(verdict)"}]}"#
        }
        try workspace.write("green.json", report("fine", "passed"))
        try workspace.write("row.json", report("fine#2", "failed"))
        try workspace.write("gone.json", report("gone", "failed"))
        try workspace.write("ill.json", report("ill", "failed"))
        let mistakes = [
            (["green.json"], #"every case in "green.json" passed"#), (["none.json"], "none.json"),
            (["row.json"], "names cases that no longer exist: fine#2"), (["gone.json"], "no longer exist: gone"),
            (["ill.json", "fine"], "none of the selected cases failed"),
            (
                ["ill.json", "--env", "other"],
                #""ill.json" is a report of the environment development, but this run uses other"#
            ),
            (["endpoints/fine.json"], "is not a JSON report of check"),
        ]
        for (words, message) in mistakes {
            let run = try await Tool.run(["check", "--failed"] + words, in: workspace)
            #expect(run.status == 2, "\(words)")
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(run.outputText == "")
        }
    }
}
