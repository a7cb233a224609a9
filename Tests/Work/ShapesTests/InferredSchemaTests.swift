import ReqcliText
import Shapes
import TestSupport
import Testing

struct InferredSchemaTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let samples: [String]
        let schema: String

        init(_ name: String, _ samples: [String], _ schema: String) {
            (testDescription, self.samples, self.schema) = (name, samples, schema)
        }
    }

    static let cases = [
        Case("a number", ["1", "-2"], #""type":"integer""#),
        Case("a fraction", ["1", "2.0"], #""type":"number""#),
        Case("a power", ["1e2"], #""type":"number""#),
        Case(
            "several types", [#""x""#, "null", "true", "[]", "{}"],
            #""type":["object","array","string","boolean","null"]"#),
        Case("nothing but null", ["null"], #""type":"null""#),
        Case(
            "members in their order", [#"{"b": 1, "a": "x"}"#],
            #""type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"}},"required":["b","a"]"#),
        Case(
            "what some samples lack", [#"{"a": 1, "b": 1}"#, #"{"c": null, "a": 2}"#],
            #""type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"null"}},"#
                + #""required":["a"]"#),
        Case(
            "what is there twice in one sample", [#"{"a": 1, "a": 2}"#, "{}"],
            #""type":"object","properties":{"a":{"type":"integer"}}"#),
        Case(
            "elements", [#"[{"a": 1}, {"a": 2, "b": 3}]"#],
            #""type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"#
                + #""required":["a"]}"#),
        Case("an empty list", ["[]"], #""type":"array""#),
        Case(
            "a map", [#"{"17": {"a": 1}, "18": {"b": 1}}"#],
            #""type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"integer"},"#
                + #""b":{"type":"integer"}}}"#),
        Case("a format", [#""2026-11-23""#, #""2026-11-24""#], #""type":"string","format":"date""#),
        Case("a format or null", [#""10.0.0.1""#, "null"], #""type":["string","null"],"format":"ipv4""#),
        Case("formats that differ", [#""2026-11-23""#, #""ada@example.com""#], #""type":"string""#),
        Case("addresses of both versions", [#""10.0.0.1""#, #""::1""#], #""type":"string""#),
    ]

    @Test("The schema says what all samples show", arguments: cases)
    func schema(_ each: Case) throws {
        var shape = JSONShape()
        for sample in each.samples { shape.add(try Reading.root(sample)) }
        let head = #"{"$schema":"https://json-schema.org/draft/2020-12/schema","#
        #expect(shape.schema.compact == head + each.schema + "}")
    }

    @Test("Of an unknown value the schema says only that it is there")
    func unknown() throws {
        let sample = try Reading.root(#"{"a": "?", "b": ["?", "?"], "c": "!"}"#)
        var shape = JSONShape()
        shape.add(
            sample, ignoring: sample.descendants.filter { $0.string == "!" },
            unknown: sample.descendants.filter { $0.string == "?" })
        #expect(
            shape.schema.compact == #"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","#
                + #""properties":{"a":{},"b":{"type":"array","items":{}}},"required":["a","b"]}"#)
    }

    static let formatCases: [(String, valid: [String], invalid: [String])] = [
        (
            "uuid", ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"],
            ["f81d4fae7dec11d0a76500a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bfg"]
        ),
        (
            "date-time",
            ["2026-11-23T16:11:39Z", "2026-11-23t16:11:39.123z", "2026-11-23T16:11:39+01:00", "2016-12-31T23:59:60Z"],
            [
                "2026-11-23T16:11Z", "2026-11-23T16:11:39", "2026-11-23T24:00:00Z", "2026-11-23T16:11:39.Z",
                "2026-11-23T16:11:39+1:00", "2026-11-23T16:11:39Zx", "2026-02-30T16:11:39Z",
            ]
        ),
        ("date", ["2026-11-23", "2024-02-29"], ["2026-13-01", "2026-02-29", "2026-1-1", "20261123", "1900-02-29"]),
        (
            "email", ["ada@example.com", "a.b+c@x-y.example.co"],
            ["ada@example", "@example.com", "ada@", "a b@example.com", "a@b@example.com", "ada@-x.com", "a..b@x.de"]
        ),
        (
            "uri", ["https://example.com/a?b=c#d", "urn:isbn:123", "mailto:ada@example.com", "HTTP://x"],
            ["example.com", "/a", "https://", "https://a b", "user:17", "note: hello", "1a://x", "https://é"]
        ),
        (
            "ipv4", ["10.0.0.1", "255.255.255.255"],
            ["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.", "a.b.c.d"]
        ),
        (
            "ipv6", ["::1", "::", "2001:db8::8a2e:370:7334", "1:2:3:4:5:6:7:8", "::ffff:10.0.0.1", "1::"],
            ["1:2:3:4:5:6:7", "1::2::3", "12345::", "1:2:3:4:5:6:7:8:9", ":1", "g::1", "16:11:39"]
        ),
    ]

    @Test("Formats are recognized", arguments: formatCases)
    func formats(_ name: String, _ valid: [String], _ invalid: [String]) throws {
        for text in valid {
            #expect(try Self.schema(of: text).contains(#""format":"\#(name)""#), "\(text)")
        }
        for text in invalid { #expect(try !Self.schema(of: text).contains("format"), "\(text)") }
    }

    private static func schema(of text: String) throws -> String {
        JSONShape(of: try Reading.root(JSONStringText.quoted(text))).schema.compact
    }
}
