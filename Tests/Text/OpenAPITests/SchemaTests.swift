import ReqcliOpenAPI
import ReqcliText
import Testing

@Suite("Schemas of a description as JSON Schema 2020-12")
struct SchemaTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let version: String
        let schema: String
        let json: String
        let losses: [String]

        init(_ description: String, _ schema: String, _ json: String, version: String = "3.0.0", _ losses: String...) {
            testDescription = description
            self.version = version
            self.schema = schema
            self.json = json
            self.losses = losses
        }
    }

    static let cases = [
        Case("nullable beside a type", "{ type: string, nullable: true }", #"{"type":["string","null"]}"#),
        Case(
            "nullable beside an enum", "{ type: string, nullable: true, enum: [a] }",
            #"{"type":["string","null"],"enum":["a",null]}"#),
        Case(
            "nullable without a type", "{ nullable: true, allOf: [ { type: object } ] }",
            #"{"anyOf":[{"allOf":[{"type":"object"}]},{"type":"null"}]}"#),
        Case(
            "limits that flags exclude",
            "{ type: number, minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false }",
            #"{"type":"number","exclusiveMinimum":1,"maximum":2}"#),
        Case(
            "examples and what JSON Schema doesn't know go",
            "{ type: integer, format: int64, example: 1, xml: {}, externalDocs: {}, x-a: 1, default: 2 }",
            #"{"type":"integer"}"#),
        Case(
            "members imply an object", "{ properties: { a: { type: string, format: date } } }",
            #"{"type":"object","properties":{"a":{"type":"string","format":"date"}}}"#),
        Case(
            "only requests have it",
            "{ type: object, required: [a, b], properties: { a: { type: string, writeOnly: true }, b: { type: string } } }",
            #"{"type":"object","required":["b"],"properties":{"a":{"type":"string","writeOnly":true},"b":{"type":"string"}}}"#
        ),
        Case(
            "a discriminator is lost",
            "{ oneOf: [ { type: string }, { type: integer } ], discriminator: { propertyName: kind } }",
            #"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#, version: "3.0.0",
            "a discriminator is not converted (kind)"),
        Case(
            "wrong values are lost", "{ type: object, minProperties: -1, required: true, properties: 3 }",
            #"{"type":"object"}"#, version: "3.0.0", "a keyword of a schema has a wrong value",
            "a keyword of a schema has a wrong value"),
        Case(
            "a pattern that can't be compiled is lost", #"{ type: string, pattern: '(?<=a)b' }"#, #"{"type":"string"}"#,
            version: "3.0.0", "a pattern with lookahead, lookbehind or mistakes is not converted ((?<=a)b)"),
        Case(
            "JSON Schema stays", "{ type: [string, 'null'], const: a, if: true, then: { minLength: 1 } }",
            #"{"type":["string","null"],"const":"a","if":true,"then":{"minLength":1}}"#, version: "3.1.0"),
        Case("a schema that accepts everything is none", "{ description: Any, allOf: [ {} ] }", "nil"),
    ]

    @Test("Keywords", arguments: cases)
    func keywords(_ example: Case) throws {
        var document = try OpenAPIDocument.read(
            SourceFile(name: "api", text: "openapi: \(example.version)\nschema: \(example.schema)"))
        var catalog = SchemaCatalog(fileName: "shop.json")
        let schema = try #require(document.root["schema"])
        let made = catalog.schema(schema, .response, title: "whole", in: &document)
        #expect(made?.compact ?? "nil" == example.json)
        #expect(catalog.takeLosses().map { $0.message + ($0.detail.map { " (\($0))" } ?? "") } == example.losses)
    }

    @Test("What references lead to is a definition of one file, however it is nested")
    func references() throws {
        var document = try OpenAPIDocument.read(
            SourceFile(
                name: "api",
                text: """
                    openapi: 3.0.0
                    schema: { type: array, items: { $ref: '#/components/schemas/Node' } }
                    other: { $ref: 'more.yaml#/Node', description: ignored }
                    components: { schemas: { Node: { type: object, properties: {
                      next: { $ref: '#/components/schemas/Node' }, inner: { $ref: '#/components/schemas/Node/properties/next' } } } } }
                    """)
        ) { .success(SourceFile(name: $0, text: "Node: { type: string }")) }
        var catalog = SchemaCatalog(fileName: "shop.json")
        let schema = try #require(document.root["schema"])
        let other = try #require(document.root["other"])
        #expect(
            catalog.schema(schema, .response, title: "t", in: &document)?.compact
                == ##"{"type":"array","items":{"$ref":"shop.json#/$defs/Node"}}"##)
        #expect(catalog.schema(other, .response, title: "t", in: &document)?.compact == ##""shop.json#/$defs/Node-2""##)
        #expect(
            catalog.file(in: &document)?.compact
                == ##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"},"inner":{"$ref":"#/$defs/Node"}}},"Node-2":{"type":"string"}}}"##
        )
    }

    @Test("A long schema without a name gets one")
    func titles() throws {
        let members = (0..<40).map { "member\($0): { type: string }" }.joined(separator: ", ")
        var document = try OpenAPIDocument.read(
            SourceFile(name: "api", text: "openapi: 3.0.0\nschema: { type: object, properties: { \(members) } }"))
        var catalog = SchemaCatalog(fileName: "shop.json")
        let schema = try #require(document.root["schema"])
        for _ in 0..<2 {
            #expect(
                catalog.schema(schema, .response, title: "list-200", in: &document)?.compact
                    == ##""shop.json#/$defs/list-200""##)
        }
    }

    @Test("A definition that requests use doesn't ask for what only responses have")
    func requests() throws {
        let text = """
            openapi: 3.0.0
            schema: { $ref: '#/components/schemas/Order' }
            components: { schemas: {
              Order: { type: object, properties: { item: { $ref: '#/components/schemas/Item' } } },
              Item: { type: object, required: [id], properties: { id: { type: integer, readOnly: true } } } } }
            """
        for (purpose, isAsked) in [(SchemaCatalog.Purpose.request, false), (.response, true)] {
            var document = try OpenAPIDocument.read(SourceFile(name: "api", text: text))
            var catalog = SchemaCatalog(fileName: "shop.json")
            let schema = try #require(document.root["schema"])
            _ = catalog.schema(schema, purpose, title: "t", in: &document)
            #expect(catalog.file(in: &document)?.compact.contains(#""required":["id"]"#) == isAsked)
        }
    }
}
