import Testing
import ToolSupport

/// `expect.openapi` and `check --openapi` in whole runs.
@Suite struct OpenAPITests {
    private static let description = """
        {"openapi": "3.0.3", "paths": {
          "/users/{id}": {"get": {"operationId": "getUser", "responses": {
            "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}},
            "404": {"description": "nobody"}}}},
          "/users/{name}/mail": {"get": {"operationId": "getMail", "responses": {"200": {"description": "x"}}}},
          "/users/{id}/mail": {"get": {"operationId": "getMailByID", "responses": {"200": {"description": "x"}}}}},
         "components": {"schemas": {"User": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}
        """

    private func workspace(
        path: String = "/users/{{id}}", expect: String = #"{"openapi": "openapi.json"}"#, more: String = "",
        body: String = #"{"json": {"id": "x"}}"#, description: String = description
    ) throws -> ToolWorkspace {
        try ToolWorkspace([
            "openapi.json": description,
            "endpoints/user.json": """
            {"path": "\(path)", "params": {"id": {"type": "integer", "example": 1}}, "expect": \(expect)\(more),
             "stubs": {"variants": {"standard": \(body)}}}
            """,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:1", "stubs": {"*": "standard"}}"#,
        ])
    }

    @Test("A failure and the coverage, for people and in the JSON report")
    func report() async throws {
        let workspace = try workspace()
        let run = try await Tool.run(["check"], in: workspace)
        #expect(run.status == 1)
        #expect(
            run.outputText.contains(
                """
                    $.id  openapi.json:7:106
                      expected a whole number
                      found    "x"
                    answered 200 with 10 bytes

                """), "\(run.outputText)")
        #expect(
            run.outputText.contains(
                "\nopenapi.json: the responses cover 1 of 3 operations and 1 of 4 documented statuses\n"))
        let json = try await Tool.run(["check", "--report", "json=-"], in: workspace)
        #expect(
            json.outputText.contains(
                """
                        "absolute": "openapi.json#/components/schemas/User/properties/id/type"
                """.replacing("        ", with: "            ")), "\(json.outputText)")
        #expect(
            json.outputText.contains(
                """
                  "coverage": [
                    {
                      "file": "openapi.json",
                      "operations": {
                        "answered": 1,
                        "documented": 3
                      },
                      "statuses": {
                        "answered": 1,
                        "documented": 4
                      }
                    }
                  ],
                """), "\(json.outputText)")
    }

    @Test("Every report shows the failure", arguments: ["junit", "tap", "html", "github"])
    func reports(_ kind: String) async throws {
        let run = try await Tool.run(["check", "--report", "\(kind)=-"], in: workspace())
        #expect(run.outputText.contains("a whole number"), "\(run.outputText)")
    }

    struct Run: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var path = "/users/{{id}}"
        let expect: String
        var more = ""
        var body = #"{"json": {"id": "x"}}"#
        var description = OpenAPITests.description
        var arguments: [String] = []
        let status: Int32
        let message: String
    }

    @Test(
        "A run ends as its description says",
        arguments: [
            Run(
                testDescription: "a documented 404 is as good as a 200", expect: #"{"openapi": "openapi.json"}"#,
                body: #"{"status": 404}"#, status: 0, message: "1 passed"),
            Run(
                testDescription: "the flag leaves the usual status", expect: #"{"maxTime": "9s"}"#,
                body: #"{"status": 404}"#, arguments: ["--openapi", "openapi.json"], status: 1,
                message: "expected 2xx (the default)"),
            Run(
                testDescription: "the flag judges cases that name none", expect: #"{"status": 200}"#,
                arguments: ["--openapi", "openapi.json"], status: 1, message: "expected a whole number"),
            Run(
                testDescription: "what a case names stays",
                expect: #"{"openapi": {"file": "openapi.json", "operation": "getMail"}}"#,
                arguments: ["--openapi", "./openapi.json"], status: 1, message: "getMail documents no content for 200"),
            Run(
                testDescription: "no such file for the flag", expect: #"{"status": 200}"#,
                arguments: ["--openapi", "no.json"], status: 2,
                message: #"--openapi takes a file; there is no file "no.json""#),
            Run(
                testDescription: "no such file", expect: #"{"openapi": "no.json"}"#, status: 3,
                message: #"cannot read the description "no.json": there is no such file"#),
            Run(
                testDescription: "an unknown operation",
                expect: #"{"openapi": {"file": "openapi.json", "operation": "getUsr"}}"#, status: 3,
                message: #"did you mean "getUser"?"#),
            Run(
                testDescription: "none by path", path: "/usrs/{{id}}", expect: #"{"openapi": "openapi.json"}"#,
                status: 3,
                message: "openapi.json has no operation for GET /usrs/"),
            Run(
                testDescription: "two by path", path: "/users/{{id}}/mail", expect: #"{"openapi": "openapi.json"}"#,
                status: 3,
                message:
                    "GET /users/1/mail matches 2 operations of openapi.json: GET /users/{name}/mail (getMail), "
                    + "GET /users/{id}/mail (getMailByID)"),
            Run(
                testDescription: "by path for the flag", path: "/elsewhere", expect: #"{"status": 200}"#,
                arguments: ["--openapi", "openapi.json"], status: 3,
                message: "openapi.json has no operation for GET /elsewhere"),
            Run(
                testDescription: "a broken schema", expect: #"{"openapi": "openapi.json"}"#,
                description: OpenAPITests.description.replacing(#"["id"]"#, with: "true"), status: 3,
                message: "expected an array; found true"),
            Run(
                testDescription: "no description", expect: #"{"openapi": "openapi.json"}"#, description: "{}",
                status: 3,
                message: "neither \"openapi\" nor \"swagger\""),
        ])
    func ends(_ run: Run) async throws {
        let workspace = try workspace(
            path: run.path, expect: run.expect, more: run.more, body: run.body, description: run.description)
        let ended = try await Tool.run(["check"] + run.arguments, in: workspace)
        #expect(ended.status == run.status, "\(ended.outputText)\(ended.errors)")
        #expect((ended.outputText + ended.errors).contains(run.message), "\(ended.outputText)\(ended.errors)")
        guard run.status == 3, run.arguments.isEmpty, run.testDescription != "two by path" else { return }
        let validated = try await Tool.run(["validate"], in: workspace)
        #expect(validated.status == 3)
        #expect(
            validated.errors.contains(run.message.replacing("/usrs/1", with: "/usrs/")), "\(validated.errors)")
    }

    @Test("A case that is also a need is held against the flag's description")
    func needs() async throws {
        let workspace = try workspace(expect: #"{"status": 200}"#, more: #", "capture": {"id": {"json": "$.id"}}"#)
        try workspace.write(
            "endpoints/later.json",
            #"{"path": "/users/{{a.id}}", "needs": {"a": {"endpoint": "user", "with": {"id": 1}}}, "expect": {"status": 200}, "stubs": {"variants": {"standard": {}}}}"#
        )
        let run = try await Tool.run(["check", "--openapi", "openapi.json"], in: workspace)
        #expect(run.outputText.contains("1 failed"), "\(run.outputText)\(run.errors)")
    }

    @Test(
        "The flag's description judges a scenario's steps, also those without an expectation",
        arguments: ["", #", "expect": {"status": 200}"#])
    func steps(_ expect: String) async throws {
        let workspace = try ToolWorkspace([
            "openapi.json": Self.description,
            "endpoints/user.json": """
            {"path": "/users/{{id}}", "params": {"id": {"type": "integer"}}, "stubs": {"variants": {"standard": {"json": {"id": "x"}}}}}
            """,
            "scenarios/a.json": #"{"steps": [{"name": "one", "endpoint": "user", "with": {"id": 1}\#(expect)}]}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:1"}"#,
        ])
        #expect(try await Tool.run(["check", "--stub", "scenario:a"], in: workspace).status == 0)
        let run = try await Tool.run(["check", "--stub", "scenario:a", "--openapi", "openapi.json"], in: workspace)
        #expect(run.status == 1 && run.outputText.contains("a whole number"), "\(run.outputText)\(run.errors)")
        #expect(
            run.outputText.contains("openapi.json: the responses cover 1 of 3 operations and "), "\(run.outputText)")
    }

    @Test("show names the description")
    func shown() async throws {
        let run = try await Tool.run(["show", "user"], in: workspace())
        #expect(run.outputText.contains("openapi"), "\(run.outputText)")
    }
}
