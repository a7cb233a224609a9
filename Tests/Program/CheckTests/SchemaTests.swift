import Testing
import ToolSupport

/// JSON Schemas in expectations, conditions and params, and `schema test`.
@Suite struct SchemaTests {
    private static let user = """
        {
          "type": "object",
          "required": ["id"],
          "unevaluatedProperties": false,
          "properties": {
            "id": {"type": "integer"},
            "mail": {"format": "email"},
            "roles": {"items": {"enum": ["admin", "editor"]}},
            "home": {"$ref": "parts/address.json#/$defs/home"}
          }
        }
        """
    private static let address = #"{"$defs": {"home": {"type": "object", "required": ["zip"]}}}"#

    private func workspace(
        expect: String, body: String, params: String = "{}", settings: String = "{}", user: String = user
    ) throws -> ToolWorkspace {
        try ToolWorkspace([
            "schemas/user.json": user, "schemas/parts/address.json": Self.address, "reqcli.json": settings,
            "endpoints/user.json": """
            {"path": "/u", "params": \(params), "expect": \(expect),
             "stubs": {"variants": {"standard": \(body)}}}
            """,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:1", "stubs": {"*": "standard"}}"#,
        ])
    }

    private static let bad = #"{"json": {"id": 1, "roles": ["admin", "owner"], "home": {}, "nick": "A"}}"#

    @Test("A failure names its place in the response and in the schema")
    func places() async throws {
        let run = try await Tool.run(
            ["check"], in: workspace(expect: #"{"schema": "user.json"}"#, body: Self.bad))
        #expect(run.status == 1)
        #expect(
            run.outputText.contains(
                """
                    $.roles[1]  schemas/user.json:8:33
                      expected one of "admin", "editor"
                      found    "owner"
                    $.home  schemas/parts/address.json:1:51
                      expected a member "zip"
                      found    no member with this name
                    $.nick  schemas/user.json:4:28
                      expected only members that the schema names (unevaluatedProperties)
                      found    "A"

                """), "\(run.outputText)")
    }

    @Test("The JSON report has the rule and both pointers")
    func report() async throws {
        let run = try await Tool.run(
            ["check", "--report", "json=-"], in: workspace(expect: #"{"schema": "user.json"}"#, body: Self.bad))
        #expect(
            run.outputText.contains(
                """
                          "instance": "/roles/1",
                          "schema": {
                            "file": "schemas/user.json",
                            "line": 8,
                            "column": 33,
                            "keyword": "/properties/roles/items/enum",
                            "absolute": "schemas/user.json#/properties/roles/items/enum"
                          },
                """), "\(run.outputText)")
    }

    struct Verdict: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expect: String
        var body = #"{"json": {"id": 1, "mail": "x"}}"#
        var settings = "{}"
        let status: Int32
        var message = ""

        init(
            _ name: String, _ expect: String, body: String? = nil, settings: String = "{}", _ status: Int32,
            _ message: String = ""
        ) {
            (testDescription, self.expect, self.status, self.message) = (name, expect, status, message)
            if let body { self.body = body }
            self.settings = settings
        }
    }

    @Test(
        "A schema decides where it stands",
        arguments: [
            Verdict("a part of a file", #"{"schema": "parts/address.json#/$defs/home"}"#, 1, "a member \"zip\""),
            Verdict("in place", #"{"schema": {"required": ["id"]}}"#, 0),
            Verdict("in place, with a reference", #"{"schema": {"$ref": "user.json"}}"#, 1, "email"),
            Verdict(
                "formats as annotations", #"{"schema": "user.json"}"#,
                settings: #"{"schemas": {"formats": "annotate"}}"#, 0),
            Verdict("on a path", #"{"json": {"$.id": {"schema": {"minimum": 2}}}}"#, 1, "a number of at least 2"),
            Verdict("under not", #"{"json": {"$.id": {"not": {"schema": {"minimum": 2}}}}}"#, 0),
            Verdict(
                "under not, where it fits", #"{"json": {"$.id": {"not": {"schema": {"minimum": 1}}}}}"#, 1,
                "expected a value that doesn't match the schema"),
            Verdict("a body that isn't JSON", #"{"schema": "user.json"}"#, body: #"{"text": "x"}"#, 1, "expected JSON"),
            Verdict("an unknown file", #"{"schema": "usr.json"}"#, 3, #"did you mean "user.json"?"#),
            Verdict("a file outside", #"{"schema": "../reqcli.json"}"#, 3, "endpoints/user.json:1:"),
            Verdict(
                "a URI that no file has", #"{"schema": {"$ref": "https://example.com/user"}}"#, 3,
                "no file of schemas/ has the $id https://example.com/user: save the schema there"),
            Verdict("a broken pattern", #"{"schema": {"pattern": "(?=a)"}}"#, 3, "endpoints/user.json:1:"),
            Verdict(
                "a placeholder", #"{"schema": "{{name}}.json"}"#, 3, "the name of a schema cannot contain placeholders"),
            Verdict(
                "another dialect", #"{"schema": {"$schema": "http://json-schema.org/draft-03/schema"}}"#, 3, "draft-03"),
        ])
    func verdict(_ row: Verdict) async throws {
        let run = try await Tool.run(
            ["check"], in: workspace(expect: row.expect, body: row.body, settings: row.settings))
        #expect(run.status == row.status, "\(run.errors)")
        #expect((run.outputText + run.errors).contains(row.message), "\(run.outputText + run.errors)")
    }

    @Test("A broken schema is an error of every expectation that uses it, before the first request")
    func brokenTwice() async throws {
        let workspace = try workspace(
            expect: #"{"schema": "user.json", "json": {"$.home": {"schema": "user.json"}}}"#, body: Self.bad,
            user: #"{"type": "strnig"}"#)
        let run = try await Tool.run(["check"], in: workspace)
        #expect(run.status == 3 && run.errors.contains("schemas/user.json:1:10"), "\(run.errors)")
    }

    @Test(
        "validate reports what makes a schema accept more than it seems to",
        arguments: [
            (
                #"{"type": "object", "requred": ["id"]}"#, 3,
                #"schemas/user.json:1:20: error: unknown keyword "requred""#
            ),
            (#"{"type": "object", "madeUp": 1}"#, 0, "schemas/user.json:1:20: warning: "),
            (#"{"properties": {"id": {"minimum": 1}}}"#, 0, "warning: "),
            (#"{"type": "object", "required": ["id"]}"#, 0, ""),
        ] as [(String, Int32, String)])
    func findings(_ schema: String, _ status: Int32, _ message: String) async throws {
        let workspace = try workspace(expect: #"{"schema": "user.json"}"#, body: Self.bad, user: schema)
        let run = try await Tool.run(["validate"], in: workspace)
        #expect(run.status == status, "\(run.errors)")
        #expect(message.isEmpty ? run.errors.isEmpty : run.errors.contains(message), "\(run.errors)")
    }

    @Test(
        "A JSON param is checked before it is sent, and so are its default and example",
        arguments: [
            (
                #"{"p": {"type": "json", "schema": "user.json"}}"#, ["p={\"id\": \"x\"}"], 2,
                "p must match its schema, which at $.id expects a whole number"
            ),
            (#"{"p": {"type": "json", "schema": "user.json"}}"#, ["p={\"id\": 1}"], 0, ""),
            (
                #"{"p": {"type": "list", "items": {"type": "json", "schema": {"minimum": 2}}}}"#, ["p=3", "p=1"], 2,
                "p must match its schema, which at $ expects a number of at least 2"
            ),
            (
                #"{"p": {"type": "json", "schema": {"minimum": 2}, "default": 1}}"#, [], 3,
                "\"default\" must match its schema, which at $ expects a number of at least 2"
            ),
            (
                #"{"p": {"type": "string", "schema": {}}}"#, ["p=x"], 3,
                #""schema" can only be used for JSON; this param takes text"#
            ),
            (#"{"p": {"type": "json", "schema": "no.json"}}"#, ["p=1"], 3, "no.json"),
        ] as [(String, [String], Int32, String)])
    func parameter(_ params: String, _ words: [String], _ status: Int32, _ message: String) async throws {
        let workspace = try workspace(expect: #"{"status": 200}"#, body: Self.bad, params: params)
        let run = try await Tool.run(["send", "user"] + words, in: workspace)
        #expect(run.status == status && run.errors.contains(message), "\(run.errors)")
        if status == 3 { #expect(try await Tool.run(["validate"], in: workspace).status == 3) }
    }

    @Test("A need that expects a schema can be called by send and check", arguments: ["send", "check"])
    func needed(_ command: String) async throws {
        let workspace = try workspace(
            expect: #"{"schema": "user.json"}, "capture": {"id": {"json": "$.id"}}"#, body: #"{"json": {"id": 1}}"#)
        try workspace.write(
            "endpoints/a.json",
            """
            {"path": "/a/{{u.id}}", "needs": {"u": "user"}, "expect": {"status": 200},
             "stubs": {"variants": {"standard": {"json": {}}}}}
            """)
        let run = try await Tool.run([command, "a"], in: workspace)
        #expect(run.status == 0, "\(run.outputText)\(run.errors)")
    }

    @Test("A probe alone is judged after a case that expects a schema, and a schema in a snapshot is validated")
    func others() async throws {
        let workspace = try workspace(
            expect: #"{"schema": "user.json"}, "query": {"p": "{{p}}"}"#, body: Self.bad,
            params: #"{"p": {"type": "integer", "minimum": 1, "default": 2}}"#)
        try workspace.write("environments/development.json", #"{"baseURL": "http://127.0.0.1:1"}"#)
        let run = try await Tool.run(["check", "user/probe:p=0", "--probe"], in: workspace)
        #expect(run.outputText.contains("not run: user did not pass"), "\(run.outputText)\(run.errors)")
        try workspace.write(
            "endpoints/a.json", #"{"expect": {"snapshot": {"match": {"$.a": {"schema": {"requred": []}}}}}}"#)
        let validated = try await Tool.run(["validate"], in: workspace)
        #expect(
            validated.status == 3 && validated.errors.contains(#"unknown keyword "requred""#), "\(validated.errors)")
    }

    @Test("A secret in a response is masked in the failure of a schema")
    func secret() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/it.json": """
            {"path": "/u", "headers": {"X": "{{secret.token}}"}, "expect": {"schema": {"items": {"type": "integer"}}},
             "stubs": {"variants": {"standard": {"json": ["t0p-s3cret"]}}}}
            """,
            "environments/development.json":
                #"{"baseURL": "http://h", "stubs": {"*": "standard"}, "secrets": {"token": {"env": "TOKEN"}}}"#,
        ])
        let run = try await Tool.run(["check"], in: workspace, environment: ["TOKEN": "t0p-s3cret"])
        #expect(run.status == 1 && !run.errors.contains("t0p-s3cret"), "\(run.errors)")
    }

    @Test(
        "schema test judges files, in text and in the formats of JSON Schema",
        arguments: [
            (["schemas/user.json", "good.json"], 0, "ok: good.json matches schemas/user.json\n"),
            (
                ["schemas/user.json", "good.json", "bad.json"], 1,
                """
                ok: good.json matches schemas/user.json
                bad.json doesn't match schemas/user.json
                  $.id  schemas/user.json:6:20
                    expected a whole number
                    found    "x"

                """
            ),
            (
                ["schemas/parts/address.json#/$defs/home", "bad.json"], 1,
                """
                bad.json doesn't match schemas/parts/address.json#/$defs/home
                  $  schemas/parts/address.json:1:51
                    expected a member "zip"
                    found    no member with this name

                """
            ),
            (["other/a.json", "good.json"], 0, "ok: good.json matches other/a.json\n"),
            (["schemas/user.json", "bad.json", "--output", "flag"], 1, "{\n  \"valid\": false\n}\n"),
            (
                ["schemas/user.json", "bad.json", "--output", "basic"], 1,
                """
                {
                  "valid": false,
                  "errors": [
                    {
                      "keywordLocation": "/properties/id/type",
                      "absoluteKeywordLocation": "schemas/user.json#/properties/id/type",
                      "instanceLocation": "/id",
                      "error": "expected a whole number; found \\"x\\""
                    }
                  ]
                }

                """
            ),
            (["schemas/none.json", "bad.json"], 2, ""), (["schemas/user.json"], 2, ""),
            (["schemas/user.json", "none.json"], 2, ""), (["broken.json", "good.json"], 3, ""),
        ] as [([String], Int32, String)])
    func test(_ words: [String], _ status: Int32, _ output: String) async throws {
        let workspace = try workspace(expect: #"{"status": 200}"#, body: Self.bad)
        for (name, text) in [
            ("good.json", #"{"id": 1}"#), ("bad.json", #"{"id": "x"}"#), ("broken.json", #"{"type": 1}"#),
            ("other/a.json", #"{"$ref": "b.json"}"#), ("other/b.json", #"{"type": "object"}"#),
        ] { try workspace.write(name, text) }
        let run = try await Tool.run(["schema", "test"] + words, in: workspace)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.outputText == output)
        #expect(
            status < 2 || run.errors.hasPrefix("error: ") || run.errors.contains("broken.json:1:10: error"),
            "\(run.errors)")
    }
}
