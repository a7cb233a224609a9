import ReqcliJSONSchema
import ReqcliText
import TestSupport
import Testing

struct FailureTests {
    /// A schema in which the value of the failing keyword is marked, and an answer in which the failing value is.
    struct Example: CustomTestStringConvertible {
        let testDescription: String
        let schema: MarkedText
        let answer: MarkedText
        let expected: String
        let found: String

        init(_ name: String, _ schema: MarkedText, _ answer: MarkedText, _ expected: String, _ found: String) {
            testDescription = name
            (self.schema, self.answer, self.expected, self.found) = (schema, answer, expected, found)
        }
    }

    @Test("A failure says what was expected and found, and where, in the schema and in the value", arguments: examples)
    func message(_ example: Example) throws {
        let schema = try compiled(example.schema.text)
        let failures = try #require(schema.failures(of: try value(example.answer.text)))
        let failure = try #require(failures.shown.first)
        #expect(failures.shown.count == 1 && failures.more == 0)
        #expect(failure.expected == example.expected)
        #expect(failure.found == example.found)
        #expect([failure.place.range] == example.schema.ranges)
        #expect([failure.value.range] == example.answer.ranges)
    }

    static let examples: [Example] = [
        Example("type", #"{"type": ⟦"string"⟧}"#, "⟦5⟧", "text", "5"),
        Example("types", #"{"type": ⟦["string", "null", "integer"]⟧}"#, "⟦5.5⟧", "text, null or a whole number", "5.5"),
        Example(
            "enum", #"{"items": {"enum": ⟦["admin", "editor"]⟧}}"#, #"["admin", ⟦"owner"⟧]"#,
            #"one of "admin", "editor""#, #""owner""#),
        Example("enum of one", #"{"enum": ⟦[7]⟧}"#, "⟦8⟧", "7", "8"),
        Example(
            "long enum", #"{"enum": ⟦[1, 2, 3, 4, 5, 6, 7, 8, 9]⟧}"#, "⟦null⟧", "one of 1, 2, 3, 4, 5, 6, 7, 8, …",
            "null"),
        Example("const", #"{"const": ⟦{"a": [1]}⟧}"#, #"⟦{"a": [2]}⟧"#, #"{"a":[1]}"#, #"{"a":[2]}"#),
        Example("minimum", #"{"minimum": ⟦1.5⟧}"#, "⟦1.4⟧", "a number of at least 1.5", "1.4"),
        Example("maximum", #"{"maximum": ⟦5⟧}"#, "⟦6⟧", "a number of at most 5", "6"),
        Example("exclusiveMinimum", #"{"exclusiveMinimum": ⟦5⟧}"#, "⟦5.0⟧", "a number above 5", "5.0"),
        Example("exclusiveMaximum", #"{"exclusiveMaximum": ⟦5⟧}"#, "⟦5⟧", "a number below 5", "5"),
        Example("multipleOf", #"{"multipleOf": ⟦0.01⟧}"#, "⟦19.999⟧", "a multiple of 0.01", "19.999"),
        Example("minLength", #"{"minLength": ⟦2⟧}"#, #"⟦"😀"⟧"#, "text of at least 2 characters", #""😀""#),
        Example("maxLength", #"{"maxLength": ⟦1⟧}"#, #"⟦"a\n"⟧"#, "text of at most 1 character", #""a\n""#),
        Example("pattern", #"{"pattern": ⟦"^\\d+$"⟧}"#, #"⟦"12a"⟧"#, #"text that matches /^\d+$/"#, #""12a""#),
        Example(
            "format", #"{"format": ⟦"date"⟧}"#, #"⟦"2026-02-30"⟧"#, #"a date, such as "2026-03-01""#, #""2026-02-30""#),
        Example("minItems", #"{"minItems": ⟦2⟧}"#, "⟦[1]⟧", "at least 2 items", "1 item"),
        Example("maxProperties", #"{"maxProperties": ⟦1⟧}"#, #"⟦{"a": 1, "b": 2}⟧"#, "at most 1 member", "2 members"),
        Example("required", #"{"required": ⟦["id"]⟧}"#, "⟦{}⟧", #"a member "id""#, "no member with this name"),
        Example(
            "dependentRequired", #"{"dependentRequired": ⟦{"a": ["b"]}⟧}"#, #"⟦{"a": 1}⟧"#,
            #"a member "b", because "a" is present"#, "no member with this name"),
        Example(
            "uniqueItems", #"{"uniqueItems": ⟦true⟧}"#, "[1, 2, ⟦1.0⟧]",
            "an item that differs from the item at [0] (uniqueItems)", "1.0"),
        Example(
            "contains", #"{"contains": ⟦{"const": 1}⟧, "minContains": 2}"#, "⟦[1, 3]⟧",
            #"at least 2 items that match "contains""#, "1 of 2 items"),
        Example(
            "additionalProperties", #"{"properties": {"a": true}, "additionalProperties": ⟦false⟧}"#,
            #"{"a": 1, "nickname": ⟦"Ada"⟧}"#, "only members that the schema names (additionalProperties)",
            #""Ada""#),
        Example(
            "unevaluatedProperties", #"{"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": ⟦false⟧}"#,
            #"{"a": 1, "nickname": ⟦"Ada"⟧}"#, "only members that the schema names (unevaluatedProperties)",
            #""Ada""#),
        Example("false property", #"{"properties": {"a": ⟦false⟧}}"#, #"{"a": ⟦1⟧}"#, #"no member "a""#, "1"),
        Example(
            "no more items", #"{"prefixItems": [true], "items": ⟦false⟧}"#, "[1, ⟦2⟧]", "no further items (items)", "2"),
        Example(
            "propertyNames", #"{"propertyNames": {"maxLength": ⟦1⟧}}"#, #"{"a": 1, ⟦"bc"⟧: 2}"#,
            "text of at most 1 character", #""bc""#),
        Example(
            "not", #"{"not": ⟦{"type": "null"}⟧}"#, "⟦null⟧", "a value that doesn't match the schema in \"not\"", "null"
        ),
        Example(
            "two of oneOf", #"{"oneOf": ⟦[{"type": "integer"}, {"minimum": 1}]⟧}"#, "⟦5⟧",
            "a value that matches exactly one schema of \"oneOf\"", "a value that matches the schemas at 0, 1"),
        Example("then", #"{"if": {"minimum": 5}, "then": {"multipleOf": ⟦2⟧}}"#, "⟦7⟧", "a multiple of 2", "7"),
        Example("false", "⟦false⟧", "⟦1⟧", "nothing: the schema is false", "1"),
    ]

    @Test("A failure names the keyword by the path that led to it, and by its own place")
    func places() throws {
        let schema = try compiled(
            #"{"$ref": "user.json"}"#,
            files: [
                "user.json": #"{"properties": {"a/b": {"$ref": "https://example.com/role#/items"}}}"#,
                "role.json": #"{"$id": "https://example.com/role", "items": {"enum": [1]}}"#,
            ])
        let failure = try #require(schema.failures(of: try value(#"{"a/b": 2}"#))?.shown.first)
        #expect(failure.keyword == "/$ref/properties/a~1b/$ref/enum")
        #expect(failure.absolute == "https://example.com/role#/items/enum")
        #expect(failure.place.description == "schemas/role.json:1:55")
        #expect(failure.instance == "/a~1b")
        #expect(failure.steps == [.key("a/b")])
    }

    @Test("A failed member doesn't make others count as not named")
    func evaluatedInSpiteOfFailure() throws {
        let schema = try compiled(
            #"{"allOf": [{"properties": {"a": {"type": "string"}, "b": true}}], "unevaluatedProperties": false}"#)
        let failures = try #require(schema.failures(of: try value(#"{"a": 1, "b": 2, "c": 3}"#)))
        #expect(failures.shown.map(\.instance) == ["/a", "/c"])
    }

    @Test("Twenty failures are kept, and the others counted")
    func many() throws {
        let schema = try compiled(#"{"items": {"type": "string"}}"#)
        let failures = try #require(
            schema.failures(of: try value("[\((0..<50).map(String.init).joined(separator: ","))]")))
        #expect(failures.shown.map(\.instance) == (0..<20).map { "/\($0)" })
        #expect(failures.more == 30)
    }

    static let branches: [(name: String, schema: String, answer: String, failures: [String])] = [
        (
            "the branch whose const fits",
            #"""
            {"oneOf": [
              {"properties": {"kind": {"const": "card"}, "number": {"type": "string"}}, "required": ["kind", "number"]},
              {"properties": {"kind": {"const": "cash"}, "sum": {"type": "number"}}, "required": ["kind", "sum"]},
              {"type": "null"}
            ]}
            """#, #"{"kind": "cash", "sum": "5"}"#, ["/oneOf/1/properties/sum/type at /sum, 2 others"]
        ),
        (
            "the branch that got furthest", #"{"anyOf": [{"type": "string"}, {"items": {"type": "integer"}}]}"#,
            "[1, null]",
            ["/anyOf/1/items/type at /1, 1 others"]
        ),
        (
            "through references",
            #"""
            {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {
              "a": {"properties": {"t": {"enum": ["a"]}, "x": {"const": 1}}},
              "b": {"properties": {"t": {"enum": ["b"]}, "x": {"const": 2}, "y": {"type": "null"}}}
            }}
            """#, #"{"t": "b", "x": 3, "y": 1}"#,
            ["/anyOf/1/$ref/properties/x/const at /x, 1 others", "/anyOf/1/$ref/properties/y/type at /y, 1 others"]
        ),
        (
            "inside each other",
            #"{"anyOf": [{"anyOf": [{"type": "null"}, {"items": {"minimum": 5}}]}, {"const": 1}]}"#,
            "[6, 4]", ["/anyOf/0/anyOf/1/items/minimum at /1, 2 others"]
        ),
    ]

    @Test("Of several branches one is explained", arguments: branches)
    func branch(name: String, schema: String, answer: String, failures: [String]) throws {
        let found = try #require(try compiled(schema).failures(of: try value(answer)))
        #expect(
            found.shown.map { "\($0.keyword) at \($0.instance), \($0.otherBranches) others" } == failures, "\(name)")
    }

    @Test(
        "Numbers are compared exactly",
        arguments: [
            (#"{"multipleOf": 0.01}"#, "0.07", true), (#"{"multipleOf": 0.0001}"#, "0.00751", false),
            (#"{"multipleOf": 7}"#, "1e999999999", false), (#"{"multipleOf": 8}"#, "1e999999999", true),
            (#"{"maximum": 9007199254740993}"#, "9007199254740994", false), (#"{"type": "integer"}"#, "1.0", true),
            (#"{"const": 1}"#, "1.00e0", true), (#"{"minimum": 0.1}"#, "0.1000000000000000000001", true),
            (#"{"multipleOf": 1e-400}"#, "1", true), (#"{"type": "integer"}"#, "1e-1", false),
        ])
    func numbers(schema: String, number: String, fits: Bool) throws {
        #expect(try compiled(schema).accepts(try value(number)) == fits)
    }
}
