import Foundation
import HostileServing
import Testing
import ToolSupport

/// `check --mutate` shows which changes in responses no check notices.
@Suite(.serialized) struct MutationTests {
    private static func workspace(_ expect: String, more: String = "", server: String = "http://127.0.0.1:1") throws
        -> ToolWorkspace
    {
        try ToolWorkspace(
            server: server,
            endpoint: """
                {
                  "path": "/",
                  "expect": \(expect),
                  "stubs": { "variants": { "a": { "json": { "id": 7, "at": "n0w-1", "list": [1, 2] }\(more) } } }
                }
                """)
    }

    private static func survivors(_ workspace: ToolWorkspace, _ words: [String] = []) async throws -> Set<String> {
        let run = try await Tool.run(["check", "--mutate", "--json"] + words, in: workspace)
        let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
        let endpoint = (report?["endpoints"] as? [[String: Any]])?.first
        let cases = endpoint?["cases"] as? [[String: Any]]
        let survivors = cases?.first?["survivors"] as? [[String: String]] ?? []
        return Set(survivors.map { "\($0["subject"] ?? "") \($0["change"] ?? "")" })
    }

    @Test("a change that a condition looks at is noticed, and the text says what none looks at")
    func shown() async throws {
        let workspace = try Self.workspace(#"{ "status": 200, "json": { "$.id": 7 } }"#)
        let survivors = try await Self.survivors(workspace)
        #expect(!survivors.contains { $0.hasPrefix("$.id") || $0.hasPrefix("status") || $0.hasPrefix("body") })
        #expect(
            survivors.isSuperset(of: [
                "$.at removed", "$.list reordered", "$.list[*] + 1", "header Content-Type removed",
            ]))
        let run = try await Tool.run(["check", "--mutate"], in: workspace)
        #expect(run.status == 0)
        for part in [
            "1 of 4 members looked at", "no check looks at $.at, $.list, $.list[*]", #""$.at": {"type":"string"}"#,
        ] {
            #expect(run.outputText.contains(part), "\(run.outputText)")
        }
        #expect(!run.outputText.contains("n0w"))
    }

    @Test("values that a snapshot or a variant ignores are not changed")
    func ignored() async throws {
        let drift = try Self.workspace(#"{ "status": 200 }"#, more: #", "drift": { "ignore": ["$.at", "$.list"] }"#)
        let survivors = try await Self.survivors(drift)
        #expect(survivors.contains("$.id + 1"))
        #expect(!survivors.contains { $0.hasPrefix("$.at") || $0.hasPrefix("$.list") })
        let never = try Self.workspace(#"{ "status": 200 }"#, more: #", "drift": false"#)
        #expect(try await !Self.survivors(never).contains { $0.hasPrefix("$") })
    }

    @Test("--min is a gate, and reports show the survivors at the line of the endpoint")
    func gate() async throws {
        let workspace = try Self.workspace(#"{ "status": 200, "json": { "$.id": 7 } }"#)
        let run = try await Tool.run(["check", "--mutate", "--min", "90", "--report", "github=-"], in: workspace)
        #expect(run.status == 1 && run.errors.contains("at least 90 % wanted"), "\(run.errors)")
        #expect(run.outputText.contains("::error file=endpoints/it.json,line=1"), "\(run.outputText)")
        #expect(run.outputText.contains("$.at"))
        #expect(try await Tool.run(["check", "--mutate", "--min", "10"], in: workspace).status == 0)
    }

    @Test("a case that fails before any change is an error and has no score")
    func failing() async throws {
        let workspace = try Self.workspace(#"{ "status": 404 }"#)
        let run = try await Tool.run(["check", "--mutate"], in: workspace)
        #expect(run.status == 1 && run.outputText.contains("not passed, so nothing was changed"), "\(run.outputText)")
    }

    @Test("with --live, each response is requested once")
    func live() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(200, ["Content-Type: application/json"], body: #"{"id": 7, "real": true}"#)
            }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(
            #"{ "status": 200, "json": { "$.id": 7 } }"#, server: "http://127.0.0.1:\(server.port)")
        _ = try await Tool.run(["check", "--mutate"], in: workspace)
        #expect(server.connections == 0)
        #expect(try await Self.survivors(workspace, ["--live"]).contains("$.real removed"))
        #expect(server.requests.count == 1)
    }
}
