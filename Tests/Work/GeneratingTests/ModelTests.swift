import TestSupport
import Testing
import ToolSupport

@Suite struct ModelTests {
    /// A schema, with the files below `schemas/`, and what the code has for it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let schema: String
        var files: [String: String] = [:]
        /// The type of the response; nil if the call has none.
        let value: String?
        /// Lines of the call or of the types, in this order, without their indentation.
        var lines: [String] = []
        var note: String?
    }

    static let rows = [
        Row(
            testDescription: "an object's members are properties, with the required ones first to be given",
            schema: #"""
                {"type": "object", "description": "A person", "required": ["id"], "properties": {
                    "id": {"type": "integer", "description": "Who"}, "score": {"type": "number"}, "is_admin": {"type": "boolean"}}}
                """#,
            value: "Response",
            lines: [
                "/// A person", "public struct Response: Codable, Hashable, Sendable {", "/// Who",
                "public var id: Int",
                "/// The member `score`.", "public var score: Double?", "public var isAdmin: Bool?",
                "public init(id: Int, score: Double? = nil, isAdmin: Bool? = nil) {",
                "private enum CodingKeys: String, CodingKey {", "case id", "case score", #"case isAdmin = "is_admin""#,
            ]),
        Row(
            testDescription: "lists and dictionaries have the types of their values",
            schema: #"""
                {"type": "array", "items": {"type": "object", "additionalProperties": {"type": ["integer", "null"]}}}
                """#,
            value: "[[String: Int?]]"),
        Row(
            testDescription: "strings with values are enums",
            schema:
                #"{"type": "object", "properties": {"state": {"type": "string", "enum": ["open", "in-work", "default", ""]}}}"#,
            value: "Response",
            lines: [
                "public var state: State?", "public enum State: String, CaseIterable, Codable, Hashable, Sendable {",
                #"case `open`, inWork = "in-work", `default`, case4 = """#,
            ]),
        Row(
            testDescription: "null makes a type optional, also of a required member",
            schema:
                #"{"type": ["object", "null"], "required": ["a"], "properties": {"a": {"type": ["string", "null"]}}}"#,
            value: "Response?", lines: ["public var a: String?"]),
        Row(
            testDescription: "allOf is one object of all parts",
            schema: #"""
                {"allOf": [{"$ref": "base.json"}, {"type": "object", "required": ["b"], "properties": {"b": {"type": "integer"}}}],
                 "properties": {"c": {"type": "string"}}}
                """#,
            files: [
                "schemas/base.json":
                    #"{"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#
            ],
            value: "Response",
            lines: ["public var a: String", "public var b: Int", "public var c: String?"]),
        Row(
            testDescription: "a part of allOf that is no object leaves the type open",
            schema: #"{"allOf": [{"type": "object", "properties": {"a": {}}}, {"oneOf": [{"type": "string"}]}]}"#,
            value: nil,
            note: "a schema of several types gets the type JSONLiteral"),
        Row(
            testDescription: "a file is a type of its own name, and so are its definitions",
            schema: #""user.json""#,
            files: [
                "schemas/user.json": ##"""
                {"type": "object", "properties": {"address": {"$ref": "#/$defs/postal_address"}, "friends": {"type": "array",
                 "items": {"$ref": "people/friend.json"}}}, "$defs": {"postal_address": {"type": "object", "properties":
                 {"city": {"type": "string"}}}}}
                """##,
                "schemas/people/friend.json":
                    ##"{"type": "object", "properties": {"home": {"$ref": "../user.json#/$defs/postal_address"}}}"##,
            ],
            value: "User",
            lines: [
                "public struct Friend: Codable, Hashable, Sendable {", "public var home: PostalAddress?",
                "public struct PostalAddress: Codable, Hashable, Sendable {", "public var city: String?",
                "public struct User: Codable, Hashable, Sendable {", "public var address: PostalAddress?",
                "public var friends: [Friend]?",
            ]),
        Row(
            testDescription: "a type may be in a list inside itself",
            schema: #""node.json""#,
            files: [
                "schemas/node.json": ##"""
                {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}},
                 "named": {"additionalProperties": {"$ref": "node.json"}, "type": "object"}}}
                """##
            ],
            value: "Node",
            lines: [
                "public struct Node: Codable, Hashable, Sendable {", "public var children: [Node]?",
                "public var named: [String: Node]?",
            ]),
        Row(
            testDescription: "a type directly inside itself is left open",
            schema: #""node.json""#,
            files: ["schemas/node.json": ##"{"type": "object", "properties": {"next": {"$ref": "#"}}}"##],
            value: "Node",
            lines: ["public struct Node: Codable, Hashable, Sendable {", "public var next: JSONLiteral?"],
            note: "a type that contains itself gets the type JSONLiteral (schemas/node.json)"),
        Row(
            testDescription: "a type inside another one doesn't hide the type of a file",
            schema: #"""
                {"type": "object", "properties": {"first": {"$ref": "node.json"}, "node": {"type": "object", "properties":
                 {"x": {"type": "string"}}}, "thing_api": {"$ref": "ThingAPI.json"}}}
                """#,
            files: [
                "schemas/node.json": #"{"type": ["object", "null"], "properties": {"y": {"type": "string"}}}"#,
                "schemas/ThingAPI.json": #"{"type": "string", "enum": ["a"]}"#,
            ],
            value: "Response",
            lines: [
                "public var first: Node?", "public var node: Node2?", "public var thingApi: ThingAPI2?",
                "public struct Node2: Codable, Hashable, Sendable {",
                "public struct Node: Codable, Hashable, Sendable {",
                "public enum ThingAPI2: String, CaseIterable, Codable, Hashable, Sendable {",
            ]),
        Row(
            testDescription: "a list in a file is a list, and null fits where a file allows it",
            schema: #"{"type": "array", "items": {"$ref": "node.json"}}"#,
            files: [
                "schemas/node.json": #"{"type": ["object", "null"], "properties": {"all": {"$ref": "nodes.json"}}}"#,
                "schemas/nodes.json":
                    #"{"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}"#,
            ],
            value: "[Node?]",
            lines: ["public var all: [NodesItem]?", "public struct NodesItem: Codable, Hashable, Sendable {"]),
        Row(
            testDescription: "names that mean something in Swift, or would be the same, are changed",
            schema: #"""
                {"type": "object", "properties": {"class": {"type": "string"}, "self": {"type": "string"}, "a-b": {"type": "string"},
                 "a_b": {"type": "string"}, "Type": {"type": "object", "properties": {"x": {"type": "string"}}}}}
                """#,
            value: "Response",
            lines: [
                "public var `class`: String?", "public var selfValue: String?", "public var aB: String?",
                "public var aB2: String?", "public var type: TypeModel?", "case `class`", #"case selfValue = "self""#,
                #"case aB = "a-b""#, #"case aB2 = "a_b""#, #"case type = "Type""#,
                "public struct TypeModel: Codable, Hashable, Sendable {",
            ]),
        Row(
            testDescription: "what Swift has no type for is left open",
            schema: #"{"type": "object", "properties": {"either": {"oneOf": [{"type": "string"}]}, "any": true}}"#,
            value: "Response", lines: ["public var either: JSONLiteral?", "public var `any`: JSONLiteral?"],
            note: "a schema that allows anything gets the type JSONLiteral (thing)"),
    ]

    private static let environment = #"{"baseURL": "http://localhost:8080/api"}"#

    private func generate(_ files: [String: String]) async throws -> (run: ToolRun, code: [String]) {
        let workspace = try ToolWorkspace(files.merging(["environments/development.json": Self.environment]) { $1 })
        let run = try await Tool.run(["generate", "swift", "--models", "-o", "out"], in: workspace)
        let code = ["ThingAPI", "Models"].flatMap { name in
            String(decoding: workspace.read("out/API/\(name).swift") ?? [], as: UTF8.self).split(separator: "\n")
        }
        return (run, code.map { String($0.trimmingPrefix { $0 == " " }) })
    }

    /// The lines are there in their order.
    private func expect(_ lines: [String], in code: [String]) {
        var rest = code[...]
        for line in lines {
            guard let index = rest.firstIndex(of: line) else {
                Issue.record("missing: \(line)\nin \(code.joined(separator: "\n"))")
                return
            }
            rest = rest[(index + 1)...]
        }
    }

    @Test("a schema is a type", arguments: rows)
    func schema(row: Row) async throws {
        let endpoint = #"{"path": "thing", "expect": {"schema": \#(row.schema)}}"#
        let (run, code) = try await generate(row.files.merging(["endpoints/thing.json": endpoint]) { $1 })
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            code.first { $0.hasPrefix("public typealias Value") } == row.value.map { "public typealias Value = \($0)" })
        expect(row.lines, in: code)
        if let note = row.note {
            #expect(run.errors.contains(note))
        } else {
            #expect(!run.errors.contains("left open"), "\(run.errors)")
        }
    }

    @Test("an enum of a type that isn't written is no other enum's type")
    func enumOfNoType() async throws {
        let (run, code) = try await generate([
            "endpoints/thing.json": #"""
            {"method": "POST", "path": "thing", "params": {"name": {"type": "string"}},
             "body": {"json": {"name": "{{name}}"}, "schema": {"type": ["object", "null"], "properties": {
                "name": {"type": "string"}, "status": {"type": "string", "enum": ["a", "b"]}}}},
             "expect": {"schema": {"type": "object", "properties": {"status": {"type": "string", "enum": ["a", "b"]}}}}}
            """#
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(!code.contains { $0.contains("Body.Status") }, "\(code.joined(separator: "\n"))")
        expect(["public enum Status: String, CaseIterable, Codable, Hashable, Sendable {"], in: code)
    }

    /// A body with its schema, and what the code has for it.
    struct BodyRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let schema: String
        var initializer = "public init(id: String, name: String) {"
        var lines: [String] = []
        var note: String?
    }

    static let bodies = [
        BodyRow(
            testDescription: "a schema in place is a type of the call", json: #"{"name": "{{name}}"}"#,
            schema: #"{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}"#,
            initializer: "public init(id: String, body: Body) {",
            lines: ["public struct Body: Codable, Hashable, Sendable {", "public init(name: String) {"]),
        BodyRow(
            testDescription: "params may be deeper in the body",
            json: #"{"pet": {"names": ["{{name}}"], "kind": "cat"}}"#,
            schema:
                #"{"type": "object", "properties": {"pet": {"type": "object", "properties": {"kind": {"type": "string"}}}}}"#,
            initializer: "public init(id: String, body: Body) {",
            lines: ["public struct Pet: Codable, Hashable, Sendable {"]),
        BodyRow(
            testDescription: "a part of a string is no value of a type", json: #"{"name": "Mr {{name}}"}"#,
            schema: #"{"type": "object", "properties": {"name": {"type": "string"}}}"#,
            note: "the schema of a body gives it no type, because a value in the body is not a whole param (thing)"),
        BodyRow(
            testDescription: "a schema that allows anything is no type", json: #"{"name": "{{name}}"}"#, schema: "{}",
            note: "the schema of a body gives it no type, because Swift has no type for it (thing)"),
    ]

    @Test("a body has the type of its own schema", arguments: bodies)
    func ownSchema(row: BodyRow) async throws {
        let (run, code) = try await generate([
            "endpoints/thing.json": #"""
            {"method": "PUT", "path": "{{id}}", "params": {"id": {"type": "string"}, "name": {"type": "string"}},
             "body": {"json": \#(row.json), "schema": \#(row.schema)}}
            """#
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(code.contains(row.initializer), "\(code.joined(separator: "\n"))")
        expect(row.lines, in: code)
        if let note = row.note {
            #expect(run.errors.contains(note), "\(run.errors)")
        } else {
            #expect(!run.errors.contains("no type"), "\(run.errors)")
        }
    }

    private static let description = ##"""
        openapi: 3.0.3
        info: {title: Things, version: "1"}
        paths:
          /things/{id}:
            get:
              operationId: getThing
              responses:
                "404": {description: none, content: {application/json: {schema: {type: string}}}}
                "200":
                  description: one
                  content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}
            put:
              operationId: changeThing
              requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
              responses:
                "204": {description: changed}
            delete:
              operationId: deleteThing
              responses:
                "204": {description: none}
        components:
          schemas:
            Thing:
              type: object
              required: [id]
              properties:
                id: {type: integer}
                name: {type: string, nullable: true}
                parts: {type: array, items: {$ref: "#/components/schemas/Thing"}}
        """##

    @Test func aDescriptionOfTheAPIHasTheType() async throws {
        for expectation in [
            #""things.yaml""#, #"{"file": "things.yaml", "operation": "getThing"}"#,
        ] {
            let endpoint =
                #"{"path": "/things/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"openapi": \#(expectation)}}"#
            let (run, code) = try await generate(["endpoints/thing.json": endpoint, "things.yaml": Self.description])
            #expect(run.status == 0, "\(run.errors)")
            expect(
                [
                    "public typealias Value = Thing", "public struct Thing: Codable, Hashable, Sendable {",
                    "public var id: Int", "public var name: String?", "public var parts: [Thing]?",
                ], in: code)
            #expect(code.contains { $0.hasPrefix("// Generated by reqcli from things.yaml (sha256 ") })
        }
    }

    @Test("a description has the type of a body, unless a param has a default", arguments: [false, true])
    func describedBody(hasDefault: Bool) async throws {
        let name = hasDefault ? #"{"type": "string", "default": "x"}"# : #"{"type": "string"}"#
        let (run, code) = try await generate([
            "endpoints/thing.json": #"""
            {"method": "PUT", "path": "/things/{{id}}", "params": {"id": {"type": "integer"}, "name": \#(name)},
             "body": {"json": {"name": "{{name}}"}}, "expect": {"openapi": "things.yaml"}}
            """#, "things.yaml": Self.description,
        ])
        #expect(run.status == 0, "\(run.errors)")
        let expected =
            hasDefault ? #"public init(id: Int, name: String = "x") {"# : "public init(id: Int, body: Thing) {"
        #expect(code.contains(expected), "\(code)")
    }

    @Test func aDescriptionWithoutASchemaIsNoted() async throws {
        let endpoint =
            #"{"method": "DELETE", "path": "/things/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"openapi": "things.yaml"}}"#
        let (run, code) = try await generate(["endpoints/thing.json": endpoint, "things.yaml": Self.description])
        #expect(run.errors.contains("a response without a JSON schema in the description has no type (thing)"))
        #expect(!code.contains { $0.hasPrefix("public typealias Value") })
    }
}
