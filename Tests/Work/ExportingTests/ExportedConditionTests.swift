import ReqcliText
import TestSupport
import Testing
import ToolSupport

@Suite("Conditions in an OpenAPI export")
struct ExportedConditionTests {
    private static func run(_ endpoint: String) async throws -> (root: JSONValue, notes: String) {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": endpoint, "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        let run = try await Tool.run(["export", "openapi"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        return (
            try #require(
                JSONDocument.read(SourceFile(name: "api", text: run.outputText)).root?["paths"]?["/a"]?["get"]),
            run.errors
        )
    }

    @Test("types become a schema, and a condition that a schema can't have is noted")
    func types() async throws {
        let (root, notes) = try await Self.run(
            #"""
            {"path": "a", "expect": {"status": 200, "json": {
                "$.name": {"type": "string"}, "$.tags[*]": {"type": "string"}, "$.none": {"type": "null"},
                "$.list[0].id": {"type": "integer"}, "$.count": {"<": 3}, "$.name2": {"not": {"type": "null"}}}}}
            """#)
        let content = try #require(root["responses"]?["200"]?["content"]?["application/json"])
        #expect(
            content["schema"].map { OrderedJSON($0).compact } == #"""
                {"type":"object","properties":{"name":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"none":{"type":"null"}},"required":["name","tags","none"]}
                """#)
        #expect(
            notes.contains("a.json:3:5: note: conditions on an item with an index are not converted (a)"), "\(notes)")
        #expect(notes.contains("a.json:3:42: note: conditions on JSON values are not converted (a)"), "\(notes)")
        #expect(notes.split(separator: "\n").count { $0.contains("note: ") } == 3, "\(notes)")
    }
}
