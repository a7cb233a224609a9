import Testing
import ToolSupport

/// `schema infer` reads stubs and files.
@Suite struct SchemaInferTests {
    private static func workspace() throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/user.json": """
            {"endpoints": {
              "get": {"path": "/user", "stubs": {"variants": {
                "standard": {"file": "user.json"},
                "short": {"json": {"id": 2}, "drift": {"maps": ["$.prices"]}},
                "missing": {"status": 404, "json": {"error": "x"}}, "down": {"error": "refused"},
                "bad": {"json": {"id": "x"}, "expect": "fail"}, "turns": {"sequence": ["short"]}}}},
              "kept": {"path": "/user", "expect": {"snapshot": {"match": {"$.id": {"type": "integer"}}}},
                "checks": [{"name": "other", "expect": {"snapshot": true}},
                           {"name": "missing", "expect": {"status": 404, "snapshot": true}}]},
              "marks": {"path": "/user", "expect": {"snapshot": true}},
              "broken": {"path": "/user", "expect": {"snapshot": true}},
              "bare": {"path": "/bare", "stubs": {"variants": {"text": {"text": "x"}}}}}}
            """,
            "snapshots/user.kept.json":
                #"{"status": 200, "body": {"id": "<match: integer>", "name": "Ada", "at": "<ignored>"}}"#,
            "snapshots/user.kept#id=7.json": #"{"status": 200, "body": {"id": "<match: integer>", "name": "Bob"}}"#,
            "snapshots/user.kept.other.json": #"{"status": 201, "body": {"id": 3, "name": "<match: string>"}}"#,
            "snapshots/user.kept.missing.json": #"{"status": 404, "body": {"error": "x"}}"#,
            "snapshots/user.marks.json": #"{"status": 200, "body": "<match: object>"}"#,
            "snapshots/user.broken.json": #"{"status": 200, "body": {"#,
            "snapshots/user.keptness.json": #"{"status": 200, "body": ["of no case"]}"#,
            "stubs/user.json": #"{"id": 1, "name": "Ada"}"#, "broken.json": "{", "more.json": #"{"id": 1.5}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:1"}"#,
        ])
    }

    private static func schema(_ type: String, _ more: String = "", requiresName: Bool = false) -> String {
        """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "type": "object",
          "properties": {
            "id": {
              "type": "\(type)"
            }\(more)
          },
          "required": [
            "id"\(requiresName ? ",\n    \"name\"" : "")
          ]
        }

        """
    }

    private static let name = """
        ,
            "name": {
              "type": "string"
            }
        """

    @Test(
        "The samples are the JSON bodies of successful variants and snapshots, and files",
        arguments: [
            (["user.get"], schema("integer", name)), (["user.get", "more.json"], schema("number", name)),
            (["more.json"], schema("number")), (["user.kept"], schema("integer", name, requiresName: true)),
        ])
    func samples(_ words: [String], _ schema: String) async throws {
        let run = try await Tool.run(["schema", "infer"] + words, in: Self.workspace())
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.outputText == schema)
    }

    @Test("The schema is written to a file, whole or not at all")
    func write() async throws {
        let workspace = try Self.workspace()
        try workspace.write("user.schema.json", "old")
        let run = try await Tool.run(["schema", "infer", "more.json", "-o", "user.schema.json"], in: workspace)
        #expect(run.status == 0 && run.outputText == "" && run.errors == "note: wrote user.schema.json\n")
        let written = workspace.read("user.schema.json").map { String(decoding: $0, as: UTF8.self) }
        #expect(written == Self.schema("number"))
        let failed = try await Tool.run(["schema", "infer", "more.json", "--write", "nowhere/a.json"], in: workspace)
        #expect(failed.status == 9)
        #expect(failed.errors.hasPrefix("error: cannot write nowhere/a.json: "), "\(failed.errors)")
    }

    @Test(
        "What can't be inferred is told",
        arguments: [
            (["infer"], 2, #""schema infer" needs endpoints or JSON files"#),
            (["infer", "user.gte"], 2, #"there is no endpoint or group "user.gte""#),
            (["infer", "broken.json"], 2, "broken.json:1:1: error"),
            (["infer", "user.bare"], 2, "user.bare has no stub and no snapshot with a JSON body and a status 2xx"),
            (["infer", "user.marks"], 2, "user.marks has no stub and no snapshot"),
            (["infer", "user.broken"], 3, "snapshots/user.broken.json:1:25: error"),
            (["endpoint", "user.get"], 2, #""schema endpoint" takes no more arguments; found "user.get""#),
            (["endpoint", "--write", "a.json"], 2, #"--write can only be used with "schema infer""#),
        ] as [([String], Int32, String)])
    func mistakes(_ words: [String], _ status: Int32, _ message: String) async throws {
        let run = try await Tool.run(["schema"] + words, in: Self.workspace())
        #expect(run.status == status)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.outputText == "")
    }
}
