import HostileServing
import Testing
import ToolSupport

/// Generated values such as `{{$uuid}}` are new for each request, although requests are made before sending.
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

    @Test("two cases that send the same request each generate their own id")
    func sameCall() async throws {
        let ids = try await Self.ids(expecting: "200", of: [], status: 0)
        #expect(ids.count == 2)
        #expect(Set(ids).count == 2)
    }

    @Test(
        "a generated variable has one value in a request, its expectations and the check's params",
        arguments: [[], ["--retry", "2", "--retry-interval", "1ms"]])
    func variable(words: [String]) async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let echoed = request.values("X-Trace").first ?? ""
                connection.respond(200, ["X-Trace: \(echoed)"], body: "{\"trace\": \"\(echoed)\"}")
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([
            "environments/development.json": """
            {"baseURL": "http://127.0.0.1:\(server.port)", "variables": {"trace": "{{inner}}-{{$uuid}}", "inner": "{{$randomInt}}"}}
            """,
            "endpoints/a.json": """
            {"path": "/a/{{p}}", "headers": {"X-Trace": "{{trace}}"}, "params": {"p": {"type": "string"}},
             "checks": [
              {"name": "one", "with": {"p": "{{trace}}"}, "expect": {"headers": {"X-Trace": "{{trace}}"}, "json": {"$.trace": "{{p}}"}}},
              {"name": "two", "with": {"p": "x"}, "expect": {"status": \(words.isEmpty ? 200 : 204), "json": {"$": {"equals": {"trace": "{{trace}}"}}}}}]}
            """,
        ])
        let run = try await Tool.run(["check"] + words, in: workspace)
        #expect(run.status == (words.isEmpty ? 0 : 1), "\(run.outputText) \(run.errors)")
        #expect(!run.outputText.contains("$.trace") && !run.outputText.contains("header"), "\(run.outputText)")
        let ids = server.requests.flatMap { $0.values("X-Trace") }
        #expect(ids.count == (words.isEmpty ? 2 : 4))
        #expect(Set(ids).count == ids.count)
    }

    @Test("each attempt of a case generates its own id")
    func tries() async throws {
        let ids = try await Self.ids(
            expecting: "204", of: ["a", "--retry", "3", "--retry-interval", "1ms"], status: 1)
        #expect(ids.count == 8)
        #expect(Set(ids).count == 8)
    }
}
