import ReqcliJSONPath
import ReqcliText
import Shapes
import TestSupport
import Testing

struct ShapeFindingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stub: MarkedText
        let answer: String
        let findings: [String]
        var rules = ShapeRules()

        /// The marks in the stub are the places of the findings that have one, in their order.
        init(_ name: String, _ stub: MarkedText, _ answer: String, _ findings: String...) {
            (testDescription, self.stub, self.answer, self.findings) = (name, stub, answer, findings)
        }

        func maps(_ paths: String...) throws -> Case {
            var copy = self
            copy.rules.maps = try paths.map { try JSONPath($0) }
            return copy
        }

        func ignoring(_ paths: String...) throws -> Case {
            var copy = self
            copy.rules.ignored = try paths.map { try JSONPath($0) }
            return copy
        }
    }

    static let cases = [
        Case("the same", #"{"a": 1, "b": [true, null]}"#, #"{"b": [null, false], "a": 2}"#),
        Case("gone", #"{"a": 1, ⟦"b"⟧: "x"}"#, #"{"a": 1}"#, "gone $.b: a string in the stub, nothing in the response"),
        Case(
            "gone with all below it", #"{⟦"a"⟧: {"b": {"c": 1}}}"#, "{}",
            "gone $.a: an object in the stub, nothing in the response"),
        Case("new", "{}", #"{"a": "x", "b": {"c": 1}}"#, "new $.a: a string", "new $.b: an object"),
        Case("type", #"{"a": ⟦1⟧}"#, #"{"a": "1"}"#, "type $.a: a number in the stub, a string in the response"),
        Case("type of all", "⟦[1]⟧", "{}", "type $: a list in the stub, an object in the response"),
        Case(
            "type of an element", #"[{"a": 1}, {"a": ⟦"x"⟧}]"#, #"[{"a": 1}, {"a": true}]"#,
            "type $[*].a: a string or a number in the stub, a number or a boolean in the response"),
        Case("a type that the answer needn't show", #"[1, "x"]"#, "[1]"),
        Case(
            "a type that only the answer shows", "[⟦1⟧]", #"[1, "x"]"#,
            "type $[*]: a number in the stub, a string or a number in the response"),
        Case("null", #"{"a": ⟦1⟧}"#, #"{"a": null}"#, "null $.a: a number in the stub, null in the response"),
        Case("a null that the stub has, too", "[1, null]", "[null, 1]"),
        Case("a null that only the stub has", "[1, null]", "[1]"),
        Case(
            "a value where the stub has null", #"{"a": ⟦null⟧}"#, #"{"a": 1}"#,
            "new $.a: null in the stub, a number in the response"),
        Case(
            "type and null", "[⟦⟦1⟧⟧]", #"[true, null]"#,
            "type $[*]: a number in the stub, a boolean or null in the response",
            "null $[*]: a number in the stub, a boolean or null in the response"),
        Case(
            "format", #"{"a": ⟦"2026-11-23"⟧}"#, #"{"a": "2026-11-23T16:00:00Z"}"#,
            "format $.a: a date in the stub, a date-time in the response"),
        Case(
            "format in one of several", #"[⟦"ada@example.com"⟧]"#, #"["bob@example.com", "nobody"]"#,
            "format $[*]: an email address in the stub, a string in the response"),
        Case("a format that the stub doesn't keep to", #"["ada@example.com", "x"]"#, #"["nobody"]"#),
        Case("a format where the stub has none", #"["x"]"#, #"["https://example.com"]"#),
        Case("addresses of both versions", #"["10.0.0.1"]"#, #"["::1"]"#),
        Case("an empty list", #"{"a": []}"#, #"{"a": [{"b": 1}]}"#),
        Case("a list that is empty in the response", #"{"a": [{"b": 1}]}"#, #"{"a": []}"#),
        Case("a member that some elements have", #"[{"a": 1}, {}]"#, #"[{}, {"a": 1}]"#),
        Case("keys that are numbers", #"{"1": {"a": 1}, "2": {"a": 2}}"#, #"{"77": {"a": 3}}"#),
        Case("no ids in the response", #"{"1": 1}"#, "{}"),
        Case(
            "a difference in a map", #"{"1": {"a": ⟦1⟧}}"#, #"{"7": {"a": "x", "b": 1}}"#, "new $.*.b: a number",
            "type $.*.a: a number in the stub, a string in the response"),
        Case("locales", #"{"de": "Hallo", "pt-BR": "Oi"}"#, #"{"en": "Hello", "it": "Ciao"}"#),
        Case(
            "words that could be locales", #"{⟦"id"⟧: 1, "to": 2}"#, #"{"to": 2, "is": 3}"#,
            "gone $.id: a number in the stub, nothing in the response", "new $.is: a number"),
        Case(
            "ids in one of the two", #"{⟦"1"⟧: 1}"#, #"{"total": 5}"#,
            "gone $['1']: a number in the stub, nothing in the response", "new $.total: a number"),
        Case(
            "é in one scalar and in two", "{⟦\"\u{E9}\"⟧: 1}", "{\"e\u{301}\": 1}",
            "gone $['\u{E9}']: a number in the stub, nothing in the response", "new $['e\u{301}']: a number"),
        Case(
            "a key that is there twice", #"{"a": 1, "a": "x"}"#, #"{"a": "y"}"#),
    ]

    @Test("Differences of shape are found with their words and places", arguments: cases)
    func findings(_ each: Case) throws { try Self.expect(each) }

    @Test("Paths name maps and what is ignored")
    func rules() throws {
        let prices = #"{"p": {"tea": 1, "milk": 2}}"#
        try Self.expect(try Case("a map", MarkedText(prices), #"{"p": {"rice": 3}}"#).maps("$.p"))
        try Self.expect(try Case("an unknown map", MarkedText(prices), #"{"p": {"rice": 3}}"#).maps("$[?@.tea]"))
        try Self.expect(
            try Case(
                "ignored", #"{"meta": 1, "l": [{"id": 1, "a": ⟦1⟧}]}"#, #"{"l": [{"id": "x", "a": ""}], "n": 1}"#,
                "type $.l[*].a: a number in the stub, a string in the response"
            ).ignoring("$.meta", "$..id", "$.n"))
        try Self.expect(try Case("all ignored", "1", "{}").ignoring("$"))
    }

    private static func expect(_ each: Case) throws {
        let stub = try each.rules.shape(ofStub: Reading.root(each.stub.text))
        let found = stub.findings(against: try each.rules.shape(ofResponse: Reading.root(each.answer)))
        #expect(found.map { "\($0.kind) \($0.path): \($0.words)" } == each.findings)
        #expect(found.compactMap(\.place) == each.stub.ranges)
    }

    @Test("Only what is new can pass", arguments: [ShapeFinding.Kind.gone, .type, .null, .format])
    func breaking(_ kind: ShapeFinding.Kind) {
        #expect(kind.isBreaking)
        #expect(!ShapeFinding.Kind.new.isBreaking)
    }

    @Test("Documents as deep as can be read are compared")
    func depth() throws {
        func nested(_ inner: String) -> String {
            String(repeating: #"{"a":["#, count: 256) + inner + String(repeating: "]}", count: 256)
        }
        let (stub, answer) = (try Reading.root(nested("")), try Reading.root(nested("")))
        #expect(JSONShape(of: stub).findings(against: JSONShape(of: answer)).isEmpty)
        let schema = JSONShape(of: stub).schema.compact
        #expect(schema.hasSuffix(String(repeating: "}", count: 256 * 2 + 1)) == false)
        #expect(schema.contains(#""required":["a"]"#))
    }

    @Test("The time grows with the documents and not with their square")
    func growth() throws {
        let item = #"{"id":1,"name":"Ada","mail":"ada@example.com","at":"2026-11-23T16:00:00Z","tags":["a"]}"#
        let growth = try Growth.fourfold(2_000) { count in
            let root = try Reading.root("[" + Array(repeating: item, count: count).joined(separator: ",") + "]")
            #expect(JSONShape(of: root).findings(against: JSONShape(of: root)).isEmpty)
        }
        #expect(growth < 9, "\(growth)")
    }
}

enum Reading {
    static func root(_ text: String) throws -> JSONValue {
        let document = JSONDocument.read(SourceFile(name: "f", text: text))
        #expect(document.problems.isEmpty, "\(text)")
        return try #require(document.root)
    }
}
