import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import Testing

/// Params of the type `list`.
@Suite struct ListParameterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The keys of the param `t` beside its type.
        var keys = #""items": {"type": "string"}"#
        /// Members of the endpoint.
        let members: String
        var words = ["t=a b", "t=c,d"]
        let expected: String

        var testDescription: String { name }

        func wire() throws -> Wire {
            var scenario = Scenario(
                #"{\#(members), "params": {"t": {"type": "list", \#(keys)}}}"#,
                environment: #"{"baseURL": "http://h"}"#)
            scenario.arguments = words.compactMap { ParameterArgument($0) }
            return try scenario.wire()
        }
    }

    private static let text = #""items": {"type": "string"}"#

    @Test(
        "A list repeats, is a JSON list, or is joined, as its place needs it",
        arguments: [
            Row(name: "query", members: #""query": {"t": "{{t}}", "b": 1}"#, expected: "?t=a%20b&t=c%2Cd&b=1"),
            Row(name: "among others", members: #""query": {"t": ["0", "{{t}}"]}"#, expected: "?t=0&t=a%20b&t=c%2Cd"),
            Row(
                name: "query, joined", keys: text + #", "join": "|""#, members: #""query": {"t": "{{t}}"}"#,
                expected: "?t=a%20b%7Cc%2Cd"),
            Row(name: "in longer text", members: #""query": {"t": "x{{t}}"}"#, expected: "?t=xa%20b%2Cc%2Cd"),
            Row(
                name: "query as text", members: #""query": "t={{t}}&{{t}}""#, expected: "?t=a%20b%2Cc%2Cd&a%20b%2Cc%2Cd"
            ),
            Row(
                name: "a choice", members: #""query": {"t": {"$switch": "{{t}}", "a b,c,d": "{{t}}"}}"#,
                expected: "?t=a%20b&t=c%2Cd"),
            Row(name: "path", members: #""path": "/x/{{t}}""#, expected: "/x/a%20b%2Cc%2Cd"),
            Row(name: "segments", members: #""path": ["x", "{{t}}"]"#, expected: "/x/a%20b%2Cc%2Cd"),
            Row(
                name: "segments, joined", keys: text + #", "join": ";""#, members: #""path": ["x", "{{t}}"]"#,
                expected: "/x/a%20b%3Bc%2Cd"),
            Row(name: "header", members: #""headers": {"T": "{{t}}"}"#, expected: "T: a b|T: c,d"),
            Row(
                name: "header, joined", keys: text + #", "join": ", ""#, members: #""headers": {"T": "{{t}}"}"#,
                expected: "T: a b, c,d"),
            Row(name: "form", members: #""body": {"form": {"t": "{{t}}"}}"#, expected: "t=a%20b&t=c%2Cd"),
            Row(
                name: "multipart", members: #""body": {"multipart": {"t": "{{t}}"}}"#, words: ["t=1", "t=2"],
                expected: "name=\"t\"\r\n\r\n1, name=\"t\"\r\n\r\n2"),
            Row(name: "text", members: #""body": {"text": "{{t}}"}"#, expected: "a b,c,d"),
            Row(name: "JSON", members: #""body": {"json": {"t": "{{t}}"}}"#, expected: #"{"t":["a b","c,d"]}"#),
            Row(
                name: "JSON, join", keys: text + #", "join": "|""#,
                members: #""body": {"json": {"t": "{{t}}", "text": "x{{t}}"}}"#,
                expected: #"{"t":["a b","c,d"],"text":"xa b|c,d"}"#),
            Row(
                name: "integers", keys: #""items": {"type": "integer", "minimum": 1}"#,
                members: #""body": {"json": {"t": "{{t}}"}}"#, words: ["t=1e1", "t=2"], expected: #"{"t":[10,2]}"#),
            Row(
                name: "one item", members: #""body": {"json": ["{{t}}"]}"#, words: ["t="], expected: #"[[""]]"#),
            Row(
                name: "default", keys: text + #", "default": ["x", "y"]"#, members: #""query": {"t": "{{t}}"}"#,
                words: [], expected: "?t=x&t=y"),
            Row(
                name: "empty default", keys: text + #", "default": []"#,
                members: #""query": {"t": "{{t}}"}, "body": {"json": {"t": "{{t}}"}}"#, words: [], expected: "{}"),
            Row(
                name: "basic", members: #""auth": {"basic": {"user": "{{t}}", "password": "p"}}"#,
                words: ["t=a", "t=b"],
                expected: "Authorization: Basic YSxiOnA="),
        ])
    func places(_ row: Row) throws {
        let wire = try row.wire()
        let fields = (wire.body ?? "").matches(of: #/name="t"\r\n\r\n./#).map { String($0.output) }
        let parts = [
            fields.joined(separator: ", "), wire.query, wire.headers.joined(separator: "|"), wire.body ?? "",
            String(wire.line.suffix(row.expected.count)),
        ]
        #expect(parts.contains(row.expected), "\(parts)")
    }

    @Test("A given list that is empty is no value, even if there is a default", arguments: [true, false])
    func empty(_ hasDefault: Bool) throws {
        let rest = hasDefault ? #", "default": ["x"]"# : ""
        var scenario = Scenario(
            #"{"query": {"t": "{{t}}"}, "params": {"t": {"type": "list", "items": {"type": "string"}\#(rest)}}}"#,
            environment: #"{"baseURL": "http://h", "query": {"t": "earlier"}}"#)
        scenario.arguments = [ParameterArgument(name: "t", value: .array([]))]
        if hasDefault {
            #expect(try scenario.wire().query == "?t=earlier")
        } else {
            let messages = try scenario.failure().messages
            #expect(messages == [#"e needs the param "t" (give it as t=…)"#], "\(messages)")
        }
    }

    @Test(
        "What is wrong with a list, or with a text of the wrong length, is an error",
        arguments: [
            (#""list", "items": {"type": "integer"}"#, ["p=1", "p=x"], #"p takes a whole number; found "x""#),
            (
                #""list", "items": {"type": "string", "enum": ["a", "b"]}"#, ["p=c"],
                #"p takes one of "a", "b"; found "c""#
            ),
            (
                #""list", "items": {"type": "string", "pattern": "a+"}"#, ["p=a", "p=b"],
                #"p takes text that matches "a+"; found "b""#
            ),
            (#""list", "items": {"type": "string"}, "minItems": 2"#, ["p=a"], "p must have at least 2 items; found 1"),
            (
                #""list", "items": {"type": "string"}, "maxItems": 1"#, ["p=a", "p=b"],
                "p must have at most 1 item; found 2"
            ),
            (#""list", "items": {"type": "string"}, "secret": true"#, ["p@=a"], #"cannot read "a", the value of p"#),
            (#""string""#, ["p=a", "p=b"], "p is given twice"),
            (#""string", "minLength": 3"#, ["p=äö"], #"p must have at least 3 characters; found "äö""#),
            (#""string", "maxLength": 1"#, ["p=ab"], #"p must have at most 1 character; found "ab""#),
            (#""list", "items": {"type": "integer"}, "secret": true"#, ["p=hunter2"], "p takes a whole number"),
        ])
    func problems(_ type: String, _ words: [String], _ message: String) throws {
        var scenario = Scenario(#"{"query": {"p": "{{p}}"}, "params": {"p": {"type": \#(type)}}}"#)
        scenario.arguments = words.compactMap { ParameterArgument($0) }
        let messages = try scenario.failure().messages
        #expect(messages.count == 1 && messages[0].hasPrefix(message), "\(messages)")
    }

    @Test(
        "A value that is no list of such items is an error",
        arguments: [
            (OrderedJSON.string("a"), #"p takes a list; found "a""#),
            (
                .array([.number("1"), .string("a")]),
                #"p is wrong at item 2, which takes a whole number; found [1,"a"]"#
            ),
        ])
    func values(_ value: OrderedJSON, _ message: String) throws {
        var scenario = Scenario(
            #"{"query": {"p": "{{p}}"}, "params": {"p": {"type": "list", "items": {"type": "integer"}}}}"#)
        scenario.arguments = [ParameterArgument(name: "p", value: value)]
        #expect(try scenario.failure().messages == [message])
    }

    @Test("A cell of a table holds a list as JSON")
    func cell() throws {
        var scenario = Scenario(
            #"{"query": {"p": "{{p}}"}, "params": {"p": {"type": "list", "items": {"type": "integer"}}}}"#)
        scenario.arguments = [ParameterArgument(name: "p", source: .text("[1, 2]"), isTyped: false)]
        #expect(try scenario.wire().query == "?p=1&p=2")
        scenario.arguments = [ParameterArgument(name: "p", source: .text("1"), isTyped: false)]
        #expect(try scenario.failure().messages == ["p takes a list; found 1"])
    }
}
