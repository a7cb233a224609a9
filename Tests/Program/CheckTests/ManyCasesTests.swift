import HostileServing
import Testing
import ToolSupport

/// The cost of each case does not grow with the number of cases.
@Suite(.serialized) struct ManyCasesTests {
    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(200, ["Content-Type: application/json"], body: #"{"items": [{"id": 1}]}"#)
            }
        }
    }

    private static func workspace(_ server: HostileServer) throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/item.json": """
            {"path": "/item/{{id}}", "params": {"id": {"type": "integer"}},
             "expect": {"status": 200, "headers": {"content-type": {"startsWith": "application/json"}},
                        "json": {"$.items": {"length": {">": 0}}, "$.items[0].id": {"type": "integer"}}}}
            """,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
            "10.csv": rows(10), "100.csv": rows(100), "1000.csv": rows(1000),
        ])
    }

    private static func rows(_ count: Int) -> String { "id\n" + (1...count).map { "\($0)\n" }.joined() }

    @Test("connections are reused, so there are never more than jobs", arguments: [1, 4, 16])
    func connections(jobs: Int) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(
            ["check", "--data", "1000.csv", "--jobs", String(jobs)], in: try Self.workspace(server))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.outputText.contains("1000 passed"))
        #expect(server.requests.count == 1000)
        #expect(Set(server.requests.map(\.line)).count == 1000)
        #expect((1...jobs).contains(server.connections))
    }

    @Test("a case takes as much processor time among a thousand as among a hundred")
    func flat() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        // The least processor time of several runs: other work on the machine makes a run slower, and none faster.
        var times: [Int: Duration] = [:]
        for count in [10, 100, 1000, 10, 100, 1000, 10, 100] {
            let run = try await Tool.run(["check", "--data", "\(count).csv"], in: workspace)
            #expect(run.status == 0, "\(run.errors)")
            times[count] = min(times[count] ?? run.processorTime, run.processorTime)
        }
        let (few, some, many) = try (#require(times[10]), #require(times[100]), #require(times[1000]))
        // If the cost grew with the square of the number of cases, it would be ten times as high.
        #expect((many - some) / 900 < (some - few) / 90 * 3, "\(times)")
    }
}
