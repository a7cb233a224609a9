import Foundation
import Testing
import ToolSupport

/// Scenarios against `reqcli serve`.
@Suite struct ScenarioServeTests {
    @Test("a scenario runs against serve as against any server")
    func serve() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/note.json": """
            {"endpoints": {
              "create": {"method": "POST", "path": "/notes", "capture": {"id": {"json": "$.id"}},
                "stubs": {"variants": {"made": {"status": 201, "json": {"id": 7}}}}},
              "read": {"path": "/notes/{{id}}", "params": {"id": {"type": "integer"}},
                "stubs": {"default": "turns", "variants": {"waiting": {"json": {"state": "waiting"}},
                  "ready": {"json": {"state": "ready"}}, "gone": {"status": 404},
                  "turns": {"sequence": ["waiting", "waiting", "ready", "gone"]}}}},
              "delete": {"method": "DELETE", "path": "/notes/{{id}}", "params": {"id": {"type": "integer"}},
                "stubs": {"variants": {"done": {"status": 204}}}}}}
            """,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:9"}"#,
            "scenarios/note.json": """
            {"steps": [
              {"name": "made", "endpoint": "note.create", "expect": {"status": 201}},
              {"name": "ready", "endpoint": "note.read", "with": {"id": "{{made.id}}"},
                "poll": {"until": {"json": {"$.state": "ready"}}, "every": "5ms"}},
              {"name": "deleted", "endpoint": "note.delete", "with": {"id": "{{made.id}}"}},
              {"name": "gone", "endpoint": "note.read", "with": {"id": "{{made.id}}"}, "expect": {"status": 404}}]}
            """,
        ])
        let input = try Descriptor.pipe()
        let output = try Descriptor.pipe()
        let server = try Tool.start(
            ["serve", "--port", "0", "--json", "--until-eof"], in: workspace, input: input.reading,
            output: .descriptor(output.writing))
        Descriptor.close(output.writing)
        Descriptor.close(input.reading)
        let line = String(decoding: Descriptor.read(output.reading, upTo: 4096) ?? [], as: UTF8.self)
        let ready = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let url = try #require(ready?["url"] as? String)
        let run = try await Tool.run(["check", "--base-url", url], in: workspace)
        Descriptor.close(input.writing)
        _ = try await server.end()
        Descriptor.close(output.reading)
        #expect(run.status == 0, "\(run)")
        #expect(run.outputText.contains("✓ scenario:note"))
        #expect(run.outputText.contains("6 requests"))
    }
}
