import HostileServing
import Testing
import ToolSupport

/// Requests are made before the first one is sent. What is made anew for each of them is no less new for that.
@Suite(.serialized) struct FreshValueTests {
    private static func ids(expecting: String, of words: [String], status: Int32) async throws -> [String] {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, [], body: "fine") }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
            "endpoints/a.json": """
            {"path": "/a", "headers": {"X-Id": "{{$uuid}}"},
             "checks": [{"name": "one", "expect": {"status": \(expecting)}},
                        {"name": "two", "expect": {"status": \(expecting), "maxTime": "9s"}}]}
            """,
        ])
        let run = try await Tool.run(["check"] + words, in: workspace)
        #expect(run.status == status, "\(run.errors)")
        return server.requests.flatMap { $0.values("X-Id") }
    }

    @Test("two cases that ask for the same each have an id of their own")
    func sameCall() async throws {
        let ids = try await Self.ids(expecting: "200", of: [], status: 0)
        #expect(ids.count == 2)
        #expect(Set(ids).count == 2)
    }

    @Test("each try of a case has an id of its own")
    func tries() async throws {
        let ids = try await Self.ids(
            expecting: "204", of: ["a", "--retry", "3", "--retry-interval", "1ms"], status: 1)
        #expect(ids.count == 8)
        #expect(Set(ids).count == 8)
    }
}
