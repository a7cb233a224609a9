import Foundation
import HostileServing
import Testing
import ToolSupport

/// With the seed that a run of `check` prints, the same random values are sent again.
@Suite(.serialized) struct SeedTests {
    private static let endpoint = """
        {"method": "POST", "path": "/a", "headers": {"X-Id": "{{$uuid}}", "X-Trace": "{{trace}}"},
         "body": {"json": {"n": "{{$random.int 1 1000000}}", "t": "{{$random.text 12}}", "p": "{{p}}"}},
         "params": {"p": {"type": "string", "default": "x"}}, "expect": {"status": 200},
         "checks": [{"name": "one", "expect": {"status": 204}}, {"name": "two", "with": {"p": "{{$random.hex 8}}"}, "expect": {"status": 200}}]}
        """
    private static let scenario = """
        {"steps": [{"name": "x", "endpoint": "a"}, {"name": "y", "endpoint": "a", "forEach": [1, 2], "as": "n"},
                   {"name": "z", "endpoint": "a", "poll": {"until": {"json": {"$.n": 0}}, "every": "1ms", "within": "1s"}}]}
        """

    private func server() throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(200, ["Content-Type: application/json"], body: #"{"n": 0}"#)
            }
        }
    }

    private func workspace(_ server: HostileServer, _ endpoint: String = endpoint) throws -> ToolWorkspace {
        try ToolWorkspace([
            "environments/development.json":
                #"{"baseURL": "http://127.0.0.1:\#(server.port)", "variables": {"trace": "{{$random.hex 8}}"}}"#,
            "endpoints/a.json": endpoint, "scenarios/s.json": Self.scenario,
        ])
    }

    /// The random values of each request, without an order: the cases run in parallel.
    private func sent(_ server: HostileServer) -> [String] {
        server.requests.map { request in
            (request.values("X-Id") + request.values("X-Trace") + [String(decoding: request.body, as: UTF8.self)])
                .joined(separator: " ")
        }.sorted()
    }

    @Test("check prints a seed, with which each request of the run is sent again, and each request has its own values")
    func again() async throws {
        let words = ["check", "--yes", "--retry", "1", "--retry-interval", "1ms"]
        let first = try server()
        defer { first.stop() }
        let reports = ["--report", "json=r.json", "--report", "junit=r.xml", "--report", "html=r.html"]
        let workspace = try workspace(first)
        let run = try await Tool.run(words + reports, in: workspace)
        let values = sent(first)
        #expect(values.count == 8 && Set(values).count == 8, "\(run.outputText) \(run.errors) \(values)")
        let line = try #require(
            run.outputText.split(separator: "\n").first { $0.hasPrefix("the same random values again: --seed ") },
            "\(run.outputText)")
        let seed = String(try #require(line.split(separator: " ").last))
        func file(_ name: String) throws -> String {
            try String(decoding: #require(workspace.read(name)), as: UTF8.self)
        }
        #expect(try file("r.json").contains(#""seed": "\#(seed)""#))
        #expect(try file("r.xml").contains(#"<property name="seed" value="\#(seed)"/>"#))
        #expect(try file("r.html").contains("<span>Seed</span> \(seed)</li>"))
        let second = try server()
        defer { second.stop() }
        let other = try self.workspace(second)
        let again = try await Tool.run(words + ["--seed", seed, "--quiet"], in: other)
        #expect(sent(second) == values)
        #expect(again.outputText.contains("--seed \(seed)\n"), "\(again.outputText)")
        let third = try server()
        defer { third.stop() }
        _ = try await Tool.run(words, in: try self.workspace(third), environment: ["REQCLI_SEED": "7"])
        #expect(Set(sent(third)).isDisjoint(with: values))
    }

    @Test("A check, a header or a step that is added changes no value of the others")
    func added() async throws {
        func values(_ endpoint: String, _ scenario: String) async throws -> Set<String> {
            let server = try server()
            defer { server.stop() }
            let files = [
                "environments/development.json":
                    #"{"baseURL": "http://127.0.0.1:\#(server.port)", "variables": {"trace": "{{$random.hex 8}}"}}"#,
                "endpoints/a.json": endpoint, "scenarios/s.json": scenario,
            ]
            _ = try await Tool.run(["check", "--yes", "--seed", "1"], in: ToolWorkspace(files))
            return Set(sent(server))
        }
        let scenario = #"""
            {"steps": [{"name": "x", "endpoint": "a", "with": {"p": "{{$uuid}}"}}, {"name": "y", "endpoint": "a"}],
             "cleanup": [{"endpoint": "a"}, {"endpoint": "a"}]}
            """#
        let first = try await values(Self.endpoint, scenario)
        #expect(first.count == 7)
        let endpoint = Self.endpoint.replacing(#""X-Id""#, with: #""X-New": "{{$uuid}}", "X-Id""#)
            .replacing(#"[{"name": "one""#, with: #"[{"name": "new", "expect": {"status": 200}}, {"name": "one""#)
        let longer = scenario.replacing("[{\"name\"", with: #"[{"name": "new", "endpoint": "a"}, {"name""#)
            .replacing("\"cleanup\": [", with: #""cleanup": [{"name": "c", "endpoint": "a"}, "#)
        let second = try await values(endpoint, longer)
        #expect(second.count == 10 && first.isSubset(of: second), "\(first) \(second)")
    }

    @Test("A required call has its own values for its own params, and those of the endpoint's case for the same ones")
    func needs() async throws {
        let server = try server()
        defer { server.stop() }
        func need(_ with: String) -> String {
            #"{"path": "/b", "needs": {"n": {"endpoint": "a"\#(with)}}, "expect": {"status": 200}}"#
        }
        let workspace = try ToolWorkspace([
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
            "endpoints/a.json": """
            {"path": "/a/{{p}}/{{q}}", "headers": {"X-Id": "{{$uuid}}"}, "expect": {"status": 200},
             "params": {"p": {"type": "integer", "example": 1}, "q": {"type": "string", "default": "x"}}}
            """,
            "endpoints/b.json": need(#", "with": {"p": 1}"#), "endpoints/c.json": need(#", "with": {"p": 2}"#),
            "endpoints/d.json": need(#", "with": {"p": 1, "q": "y"}"#),
        ])
        func ids(_ words: String...) async throws -> [String: String] {
            let before = server.requests.count
            let run = try await Tool.run(words + ["--seed", "1"], in: workspace)
            #expect(run.status == 0, "\(run.outputText) \(run.errors)")
            return Dictionary(
                server.requests[before...].compactMap { request in
                    request.values("X-Id").first.map { (request.line.split(separator: " ")[1].description, $0) }
                }, uniquingKeysWith: { $0 + $1 })
        }
        let all = try await ids("check", "--yes")
        #expect(all.keys.sorted() == ["/a/1/x", "/a/1/y", "/a/2/x"] && Set(all.values).count == 3, "\(all)")
        #expect(try await ids("send", "a", "p=1")["/a/1/x"] == all["/a/1/x"])
        #expect(try await ids("send", "c")["/a/2/x"] == all["/a/2/x"])
    }

    @Test("A run without random values has no seed")
    func none() async throws {
        let server = try server()
        defer { server.stop() }
        let workspace = try workspace(
            server, #"{"path": "/a", "headers": {"T": "{{$timestamp}}"}, "expect": {"status": 200}}"#)
        for words in [[], ["--seed", "1"]] {
            let run = try await Tool.run(["check", "a", "--report", "json=r.json"] + words, in: workspace)
            let report = String(decoding: try #require(workspace.read("r.json")), as: UTF8.self)
            #expect(
                run.status == 0 && !run.outputText.contains("seed") && !report.contains("seed"), "\(run.outputText)")
        }
    }

    private static let stub = """
        {"path": "/a", "headers": {"X-Id": "{{$uuid}}"}, "expect": {"status": 200, "snapshot": true},
         "checks": [{"name": "one", "expect": {"snapshot": true}}, {"name": "two", "expect": {"snapshot": true}}],
         "stubs": {"variants": {"x": {"fill": true, "json": {"id": "{{$uuid}}", "n": "{{$randomInt}}", "t": "{{$now | iso}}",
          "a": "{{$random.text 9}}", "b": "{{$random.text 9}}", "sent": "{{request.header.X-Id}}"}}}}}
        """

    @Test("With a seed and a time, stubs respond to send and check with the same bytes in each process")
    func stubs() async throws {
        func outputs(_ seed: String) async throws -> (sent: String, snapshots: [String]) {
            let workspace = try ToolWorkspace([
                "environments/development.json": #"{"baseURL": "http://127.0.0.1:9"}"#, "endpoints/a.json": Self.stub,
            ])
            let words = ["--stub", "--seed", seed, "--at", "2026-01-01T00:00:00Z"]
            let sent = try await Tool.run(["send", "a"] + words, in: workspace)
            let run = try await Tool.run(["check", "--update-snapshots"] + words, in: workspace)
            #expect(run.status == 0, "\(run.outputText)")
            let folder = workspace.path("snapshots")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
            let snapshots = names.compactMap { workspace.read("snapshots/\($0)") }.map {
                String(decoding: $0, as: UTF8.self)
            }
            return (sent.outputText, snapshots)
        }
        let first = try await outputs("1")
        let second = try await outputs("1")
        #expect(first == second && first.snapshots.count == 3 && Set(first.snapshots).count == 3, "\(first) \(second)")
        #expect(first.sent.contains("2026-01-01T00:00:00Z"))
        #expect(try await outputs("2").sent != first.sent)
    }
}
