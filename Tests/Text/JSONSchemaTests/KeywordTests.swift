import ReqcliText
import Testing

@testable import ReqcliJSONSchema

struct KeywordTests {
    /// In draft-04, `$ref` is not in the metaschema. The metaschema of 2020-12 still has two keywords of 2019-09.
    private static let exceptions: Set<String> = ["$ref", "$recursiveAnchor", "$recursiveRef"]

    @Test("The table of keywords and the metaschema of a draft have the same keywords", arguments: Draft.allCases)
    func metaSchema(draft: Draft) throws {
        let root = try #require(MetaSchemas.file(with: draft.uri).flatMap { JSONDocument.read($0).root })
        let parts = [root] + (root["$defs"].map { $0.members.map(\.value) } ?? [])
        let checked = Set(parts.flatMap { $0["properties"].map { $0.members.map(\.name) } ?? [] })
        let known = Set(try #require(Dialect.all[draft]).keywords.keys)
        #expect(known.symmetricDifference(checked).subtracting(Self.exceptions).sorted() == [])
    }

    @Test("A keyword with a value of a wrong kind is reported, and not ignored", arguments: Draft.allCases)
    func wrongValue(draft: Draft) throws {
        let keywords = try #require(Dialect.all[draft]).keywords
        for (name, entry) in keywords where entry.asserts && !["const", "$ref"].contains(name) {
            var compiler = SchemaCompiler(defaultDraft: draft)
            #expect(!compiler.compile(try value(#"{"\#(name)": null}"#)).problems.isEmpty, "\(name)")
        }
    }

    /// Each keyword that has values that break it, with its value in a schema, and a value that fits.
    private static let breakable: [(keyword: String, operand: String, value: String)] = [
        ("type", #""string""#, #""a""#), ("enum", "[1, 2]", "1"), ("const", "1", "1"), ("minimum", "1.5", "2"),
        ("maximum", "3", "2"), ("exclusiveMinimum", "1", "2"), ("exclusiveMaximum", "3", "2"),
        ("multipleOf", "2", "4"), ("minLength", "2", #""ab""#), ("maxLength", "2", #""ab""#),
        ("pattern", #""^b+$""#, #""bb""#), ("minItems", "1", "[1]"), ("maxItems", "2", "[1]"),
        ("uniqueItems", "true", "[1]"), ("minProperties", "1", #"{"a": 1}"#), ("maxProperties", "1", #"{"a": 1}"#),
        ("required", #"["a"]"#, #"{"a": 1}"#), ("additionalProperties", "false", "{}"),
        ("propertyNames", #"{"maxLength": 3}"#, "{}"), ("unevaluatedProperties", "false", "{}"),
    ]

    @Test("A keyword knows a value that breaks it", arguments: breakable)
    func breaking(keyword: String, operand: String, value text: String) throws {
        var compiler = SchemaCompiler()
        let schema = try #require(compiler.compile(try value("{\"\(keyword)\": \(operand)}")).schema)
        let fitting = try value(text)
        #expect(schema.accepts(fitting))
        let made = JSONSchema.values(breaking: keyword, try value(operand), insteadOf: OrderedJSON(fitting))
        #expect(try made.contains { !schema.accepts(try value($0.compact)) }, "\(made)")
        // A keyword says nothing about values of other kinds.
        if !["type", "enum", "const"].contains(keyword) {
            #expect(JSONSchema.values(breaking: keyword, try value(operand), insteadOf: true).isEmpty)
        }
    }

    @Test("No other keyword makes values, and none makes endless ones")
    func notBreaking() throws {
        let known = Set(Self.breakable.map(\.keyword))
        for (name, entry) in try #require(Dialect.all[.draft202012]).keywords where !known.contains(name) {
            let values = JSONSchema.values(breaking: name, try value("[1]"), insteadOf: .object([]))
            #expect(values.isEmpty, "\(name), row \(entry.row)")
        }
        for keyword in ["minLength", "maxLength"] {
            let limit = try value("9223372036854775807")
            #expect(JSONSchema.values(breaking: keyword, limit, insteadOf: "a").allSatisfy { $0 == "a" })
        }
    }

    @Test(
        "A schema that is false says what its keyword refuses",
        arguments: [
            (#"{"properties": {"a": false}}"#, #"{"a": 1}"#, #"no member "a""#),
            (#"{"patternProperties": {"^a": false}}"#, #"{"a": 1}"#, "no member whose name matches /^a/"),
            (
                #"{"additionalProperties": false}"#, #"{"a": 1}"#,
                "only members that the schema names (additionalProperties)"
            ),
            (
                #"{"unevaluatedProperties": false}"#, #"{"a": 1}"#,
                "only members that the schema names (unevaluatedProperties)"
            ),
            (#"{"propertyNames": false}"#, #"{"a": 1}"#, "no members (propertyNames)"),
            (#"{"prefixItems": [true, false]}"#, "[1, 2]", "no item at position 1"),
            (#"{"items": false}"#, "[1]", "no further items (items)"),
            (#"{"unevaluatedItems": false}"#, "[1]", "no further items (unevaluatedItems)"),
            (#"{"allOf": [false]}"#, "1", "nothing: the schema is false"),
        ])
    func refusal(schema: String, text: String, expected: String) throws {
        var compiler = SchemaCompiler()
        let failures = try #require(compiler.compile(try value(schema)).schema).failures(of: try value(text))
        #expect(failures?.shown.map(\.expected) == [expected])
    }
}
