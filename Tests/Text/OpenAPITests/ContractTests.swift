import ReqcliJSONSchema
import ReqcliOpenAPI
import ReqcliText
import TestSupport
import Testing

/// Descriptions that responses are held against: finding operations, and hostile ones.
@Suite struct ContractTests {
    private static func contract(
        _ text: String, _ files: [String: String] = [:], name: String = "api.yaml"
    ) throws(OpenAPIProblem) -> OpenAPIContract {
        try OpenAPIContract(SourceFile(name: name, text: text)) { path in
            files[path].map { .success(SourceFile(name: path, text: $0)) }
                ?? .failure(OpenAPIFileProblem("there is no such file"))
        }
    }

    struct Request: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let servers: String
        let paths: [String]
        let path: String
        let found: [String]

        init(_ name: String, servers: String = "[]", _ paths: [String], _ path: String, _ found: String...) {
            (testDescription, self.servers, self.paths, self.path, self.found) = (name, servers, paths, path, found)
        }
    }

    @Test(
        "An operation is found by its path",
        arguments: [
            Request("literal", ["/users", "/orders"], "/users", "/users"),
            Request("a parameter", ["/users/{id}"], "/users/1", "/users/{id}"),
            Request("a literal segment beats a parameter", ["/users/{id}", "/users/me"], "/users/me", "/users/me"),
            Request("from left to right", ["/{a}/me", "/users/{b}"], "/users/me", "/users/{b}"),
            Request("text around a parameter beats none", ["/f/{id}", "/f/{id}.json"], "/f/1.json", "/f/{id}.json"),
            Request("two parameters in a segment", ["/{a}...{b}"], "/main...dev", "/{a}...{b}"),
            Request("encoded", ["/a b/{id}"], "/a%20b/1%2F2", "/a b/{id}"),
            Request("two", ["/users/{id}", "/users/{name}"], "/users/1", "/users/{id}", "/users/{name}"),
            Request("none", ["/users"], "/orders"), Request("an empty parameter is none", ["/users/{id}"], "/users/"),
            Request("a slash at the end is a segment", ["/users"], "/users/"),
            Request("below a server", servers: "[{url: 'https://h/api/v1/'}]", ["/users"], "/api/v1/users", "/users"),
            Request(
                "below one of several", servers: "[{url: https://h}, {url: /api}]", ["/users"], "/api/users", "/users"),
            Request("without the server's path", servers: "[{url: https://h/api}]", ["/users"], "/users", "/users"),
            Request(
                "the server's path comes off first", servers: "[{url: https://h/v1}]", ["/users", "/v1/users"],
                "/v1/users",
                "/users"),
            Request(
                "a variable in the path", servers: "[{url: 'https://h/{base}', variables: {base: {default: v1}}}]",
                ["/users"], "/v2/users", "/users"),
            Request(
                "a variable that may have few values",
                servers: "[{url: 'https://h/{base}', variables: {base: {enum: [v1, v2], default: v1}}}]", ["/users"],
                "/v3/users"),
            Request(
                "a variable of several segments",
                servers: "[{url: 'https://h/{base}', variables: {base: {default: a/b}}}]",
                ["/users"], "/a/b/users", "/users"),
            Request(
                "a variable for the whole server", servers: "[{url: '{server}/v1', variables: {server: {default: x}}}]",
                ["/users"], "/v1/users", "/users"),
        ])
    func finding(_ request: Request) throws {
        let paths = request.paths.map { "  '\($0)': {get: {responses: {}}, post: {}}\n" }.joined()
        let contract = try Self.contract("openapi: 3.0.0\nservers: \(request.servers)\npaths:\n\(paths)")
        let found = contract.operations("GET", request.path).map { contract.operations[$0] }
        #expect(found.map(\.path) == request.found)
        #expect(found.allSatisfy { $0.method == "GET" })
    }

    @Test(
        "Keywords of schemas that were probably meant to be others are warnings, once for each operation that reaches them"
    )
    func misspelt() throws {
        let contract = try Self.contract(
            """
            openapi: 3.0.3
            components: {schemas: {A: {type: object, requred: [id], properties: {id: {type: string, maxLenght: 3, x-maxLenght: 3, example: a}}}}}
            paths:
              /a:
                get: {responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}
                put: {responses: {'200': {content: {application/json: {schema: {type: string, customized: true}}}}}}
            """)
        let get = try #require(contract.operations("GET", "/a").first)
        let put = try #require(contract.operations("PUT", "/a").first)
        _ = try contract.responses(of: get)
        _ = try contract.responses(of: put)
        #expect(
            contract.warnings(of: get).map { "\($0.message); \($0.hint ?? "")" } == [
                "unknown keyword \"requred\": it has no effect; did you mean \"required\"?",
                "unknown keyword \"maxLenght\": it has no effect; did you mean \"maxLength\"?",
            ])
        #expect(contract.warnings(of: get).allSatisfy { $0.severity == .warning })
        #expect(contract.warnings(of: put).isEmpty)
    }

    @Test("An operation's own servers count in place of the description's")
    func ownServers() throws {
        let contract = try Self.contract(
            """
            openapi: 3.1.0
            servers: [{url: /shared}]
            paths:
              /a: {servers: [{url: /path}], get: {servers: [{url: /own}]}, post: {}}
            """)
        #expect(contract.operations("GET", "/own/a") == [0])
        #expect(contract.operations("GET", "/shared/a").isEmpty)
        #expect(contract.operations("POST", "/path/a") == [1])
    }

    @Test("A path below a server comes before a narrower one that is below another server")
    func rootServer() throws {
        let contract = try Self.contract(
            """
            openapi: 3.1.0
            paths:
              /users/me: {servers: [{url: /own}], get: {}}
              /users/{id}: {get: {}}
            """)
        #expect(contract.operations("GET", "/users/me").map { contract.operations[$0].path } == ["/users/{id}"])
        #expect(contract.operations("GET", "/own/users/me").map { contract.operations[$0].path } == ["/users/me"])
    }

    @Test("What is near is told: another method of the path first, then paths that differ in a segment")
    func near() throws {
        let contract = try Self.contract(
            "openapi: 3.0.0\npaths: {'/users/{id}': {get: {operationId: getUser}}, '/users': {post: {}}, '/a/b/c/d': {get: {}}}"
        )
        #expect(contract.near("PUT", ["users", "1"]).map(\.title).first == "GET /users/{id} (getUser)")
        #expect(contract.near("GET", ["usrs", "1"]).map(\.title).first == "GET /users/{id} (getUser)")
        #expect(contract.near("GET", ["x", "y", "z", "d"]).isEmpty)
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let message: String

        init(_ name: String, _ text: String, _ message: String) {
            (testDescription, self.text, self.message) = (name, text, message)
        }
    }

    @Test(
        "What can't be used as a description is told",
        arguments: [
            Broken("Swagger", "swagger: '2.0'", "responses can't be compared with a Swagger 2.0 description"),
            Broken(
                "no description", "{}", #"this is not a description of an API: it has neither "openapi" nor "swagger""#),
            Broken("no operations", "openapi: 3.0.0\npaths: {}", "the description has no operations"),
            Broken(
                "a path that leads nowhere", "openapi: 3.0.0\npaths: {/a: {$ref: 'x.yaml'}}",
                #"cannot follow "x.yaml": the file of a reference can't be read: there is no such file"#),
            Broken(
                "an unknown dialect", "openapi: 3.1.0\njsonSchemaDialect: http://x\npaths: {/a: {get: {}}}",
                #"unknown dialect "http://x""#),
        ])
    func unusable(_ example: Broken) throws {
        let error = #expect(throws: OpenAPIProblem.self) { try Self.contract(example.text) }
        #expect(error?.diagnostics.map(\.message) == [example.message])
    }

    private static func withSchema(_ schema: String, _ more: String = "") -> String {
        """
        openapi: 3.0.0
        paths: {/a: {get: {responses: {'200': {content: {application/json: {schema: \(schema)}}}}}, post: {}}}
        \(more)
        """
    }

    @Test(
        "Mistakes in the responses of an operation are told when it is asked for",
        arguments: [
            Broken("a keyword of a wrong kind", withSchema("{required: true}"), "expected an array; found true"),
            Broken(
                "a reference that leads nowhere",
                withSchema("{$ref: '#/components/schemas/B'}", "components: {schemas: {C: {}}}"),
                "api.yaml has nothing at /components/schemas/B"),
            Broken(
                "a file that is missing", withSchema("{$ref: 'b.yaml#/x'}"), "cannot read b.yaml: there is no such file"
            ),
            Broken(
                "a schema that refers to itself",
                withSchema(
                    "{$ref: '#/components/schemas/A'}", "components: {schemas: {A: {$ref: '#/components/schemas/A'}}}"),
                "this schema refers to itself without going deeper into the value"),
            Broken(
                "a response that refers to itself",
                "openapi: 3.0.0\npaths: {/a: {get: {responses: {'200': {$ref: '#/components/responses/A'}}}}}\n"
                    + "components: {responses: {A: {$ref: '#/components/responses/A'}}}",
                "cannot follow \"#/components/responses/A\": more than 100 references follow each other, or they form a cycle"
            ),
            Broken(
                "a media type", "openapi: 3.0.0\npaths: {/a: {get: {responses: {'200': {content: {json: {}}}}}}}",
                #""json" is not a media type"#),
        ])
    func mistakes(_ example: Broken) throws {
        let contract = try Self.contract(example.text)
        let error = #expect(throws: OpenAPIProblem.self) { try contract.responses(of: 0) }
        #expect(error?.diagnostics.map(\.message) == [example.message])
        if contract.operations.count > 1 { #expect(throws: Never.self) { try contract.responses(of: 1) } }
    }

    @Test("A chain of 30,000 references and 30,000 members that only requests have take linear time")
    func hostile() throws {
        let count = 30_000
        let chain = (0..<count).map { "\"S\($0)\": {\"$ref\": \"#/components/schemas/S\($0 + 1)\"}" }
        let members = (0..<count).map { "\"m\($0)\": {\"writeOnly\": true}" }.joined(separator: ", ")
        let names = (0..<count).map { "\"m\($0)\"" }.joined(separator: ", ")
        let text = """
            {"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": {
              "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}},
              "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/W"}}}}}}}},
             "components": {"schemas": {\(chain.joined(separator: ", ")), "S\(count)": {"type": "object"},
              "W": {"required": [\(names)], "properties": {\(members)}}}}}
            """
        let contract = try Self.contract(text)
        let value = try #require(JSONDocument.read(SourceFile(name: "body", text: "{}")).root)
        let schemas = try contract.responses(of: 0).compactMap { $0.contents.first?.schema.flatMap(contract.schema) }
        // So many schemas at once are given up, and not taken for fitting.
        #expect(schemas.map { $0.accepts(value) }.first == false)
        #expect(schemas.count == 2)
        _ = schemas.last?.failures(of: value)
    }

    @Test("A description is read in any language, with its `$schema` for editors, and its schemas in other files")
    func files() throws {
        let contract = try Self.contract(
            #"{"$schema": "https://spec.openapis.org/oas/3.1/schema/x", "openapi": "3.1.0", "paths": {"/a": {"$ref": "paths/a.yaml"}}}"#,
            [
                "paths/a.yaml":
                    "get: {responses: {200: {content: {application/json: {schema: {$ref: ../s.yaml#/A}}}}}}",
                "s.yaml": "A: {type: object, properties: {b: {$ref: '#/B'}}}\nB: {type: integer}",
            ])
        let value = try #require(JSONDocument.read(SourceFile(name: "body", text: #"{"b": "x"}"#)).root)
        let schema = try #require(
            try contract.responses(of: 0).first?.contents.first?.schema.flatMap(contract.schema))
        #expect(schema.failures(of: value)?.shown.map(\.place.description) == ["s.yaml:2:11"])
    }

    @Test("The name of a description may have characters that mean something in a URI")
    func names() throws {
        let text = Self.withSchema("{$ref: '#/components/schemas/A'}", "components: {schemas: {A: {type: object}}}")
        let contract = try Self.contract(text, name: "api/issue #1?%41.yaml")
        #expect(try contract.responses(of: 0).first?.contents.first?.schema != nil)
    }
}
