import ReqcliText
import Testing

/// A member put into an object named by its keys: what becomes of the text.
struct JSONEditTests {
    struct Case: Sendable {
        let before: String
        let after: String
        var path: [String] = []
        var value: OrderedJSON = 1
        var levels = 0
    }

    private func edits(_ edit: Case, replacing: Bool = false) throws -> String {
        let document = read(edit.before, .commented)
        try #require(document.problems.isEmpty)
        var target = try #require(document.root)
        for key in edit.path { target = try #require(target[key]) }
        let style = JSONStyle(of: document)
        let edits =
            replacing
            ? target.replacing("new", by: edit.value, style: style, spreading: edit.levels)
            : target.adding("new", edit.value, style: style, spreading: edit.levels)
        return String(decoding: edits.applied(to: document.file.bytes), as: UTF8.self)
    }

    static let members: [Named<Case>] = [
        Named("a line for each", Case(before: "{\n  \"a\": 0\n}\n", after: "{\n  \"a\": 0,\n  \"new\": 1\n}\n")),
        Named("tabs", Case(before: "{\n\t\"a\": 0\n}", after: "{\n\t\"a\": 0,\n\t\"new\": 1\n}")),
        Named("CR LF", Case(before: "{\r\n  \"a\": 0\r\n}\r\n", after: "{\r\n  \"a\": 0,\r\n  \"new\": 1\r\n}\r\n")),
        Named("on one line", Case(before: #"{ "a": 0 }"#, after: #"{ "a": 0, "new": 1 }"#)),
        Named("without a blank", Case(before: #"{"a":0}"#, after: #"{"a":0,"new":1}"#)),
        Named("with odd blanks", Case(before: #"{"a" :0 , "b" :0}"#, after: #"{"a" :0 , "b" :0, "new" :1}"#)),
        Named(
            "two on a line, the next below",
            Case(before: "{ \"a\": 0,\n  \"b\": 0 }", after: "{ \"a\": 0,\n  \"b\": 0,\n  \"new\": 1 }")),
        Named(
            "the last one spreads over lines",
            Case(before: "{ \"a\": {\n  \"b\": 0\n} }", after: "{ \"a\": {\n  \"b\": 0\n}, \"new\": 1 }")),
        Named(
            "deeper inside",
            Case(
                before: "{\n    \"a\": {\n        \"b\": 0\n    }\n}",
                after: "{\n    \"a\": {\n        \"b\": 0,\n        \"new\": 1\n    }\n}", path: ["a"])),
        Named(
            "an object on one line in a document of many",
            Case(
                before: "{\n  \"a\": { \"b\": 0 },\n  \"c\": 0\n}",
                after: "{\n  \"a\": { \"b\": 0, \"new\": 1 },\n  \"c\": 0\n}", path: ["a"])),
        Named(
            "a trailing comma",
            Case(before: "{\n  \"a\": 0,\n}", after: "{\n  \"a\": 0,\n  \"new\": 1,\n}")),
        Named("a trailing comma on one line", Case(before: #"{ "a": 0, }"#, after: #"{ "a": 0, "new": 1, }"#)),
        Named(
            "a comment behind the last",
            Case(before: "{\n  \"a\": 0 // zero\n}", after: "{\n  \"a\": 0, // zero\n  \"new\": 1\n}")),
        Named(
            "a comment behind the last and its comma",
            Case(before: "{\n  \"a\": 0, // zero\n}", after: "{\n  \"a\": 0, // zero\n  \"new\": 1,\n}")),
        Named(
            "a comment in CR LF",
            Case(before: "{\r\n  \"a\": 0 // zero\r\n}", after: "{\r\n  \"a\": 0, // zero\r\n  \"new\": 1\r\n}")),
        Named(
            "a comment below the last",
            Case(
                before: "{\n  \"a\": 0\n  // the end\n}", after: "{\n  \"a\": 0,\n  \"new\": 1\n  // the end\n}")),
        Named(
            "a comment between",
            Case(before: #"{ "a": 0 /* zero */ }"#, after: #"{ "a": 0, /* zero */ "new": 1 }"#)),
        Named(
            "a comment that hides the end of a line",
            Case(before: "{ \"a\": 0 // zero\n}", after: "{ \"a\": 0, \"new\": 1 // zero\n}")),
        Named(
            "a comment over lines",
            Case(
                before: "{\n  \"a\": 0 /* one\n  two */\n}",
                after: "{\n  \"a\": 0, /* one\n  two */\n  \"new\": 1\n}")),
        Named(
            "a brace in a comment",
            Case(before: "{\n  \"a\": 0 // }, {\n}", after: "{\n  \"a\": 0, // }, {\n  \"new\": 1\n}")),
    ]

    @Test("A member comes behind the last one, laid out like it", arguments: members)
    func behindOthers(_ edit: Named<Case>) throws {
        #expect(try edits(edit.value) == edit.value.after)
    }

    static let empties: [Named<Case>] = [
        Named("{} in a line", Case(before: #"{"a":{}}"#, after: #"{"a":{"new":1}}"#, path: ["a"])),
        Named("{} in a line with blanks", Case(before: #"{ "a": {} }"#, after: #"{ "a": { "new": 1 } }"#, path: ["a"])),
        Named("a blank", Case(before: #"{ "a": { } }"#, after: #"{ "a": { "new": 1 } }"#, path: ["a"])),
        Named(
            "{} in a document of many lines",
            Case(before: "{\n  \"a\": {}\n}", after: "{\n  \"a\": {\n    \"new\": 1\n  }\n}", path: ["a"])),
        Named(
            "{} in CR LF and tabs",
            Case(
                before: "{\r\n\t\"a\": {}\r\n}", after: "{\r\n\t\"a\": {\r\n\t\t\"new\": 1\r\n\t}\r\n}", path: ["a"])),
        Named(
            "an empty line",
            Case(before: "{\n  \"a\": {\n  }\n}", after: "{\n  \"a\": {\n    \"new\": 1\n  }\n}", path: ["a"])),
        Named(
            "a comment alone",
            Case(
                before: "{\n  \"a\": {\n      // none\n  }\n}",
                after: "{\n  \"a\": {\n      // none\n      \"new\": 1\n  }\n}", path: ["a"])),
        Named(
            "a comment behind the brace",
            Case(
                before: "{\n  \"a\": { // none\n  }\n}", after: "{\n  \"a\": { // none\n    \"new\": 1\n  }\n}",
                path: ["a"])),
        Named(
            "a comment on the line",
            Case(before: #"{ "a": { /* none */ } }"#, after: #"{ "a": { /* none */ "new": 1 } }"#, path: ["a"])),
        Named("the root", Case(before: "{}\n", after: "{ \"new\": 1 }\n")),
    ]

    @Test("An empty object opens up", arguments: empties)
    func intoEmptyObjects(_ edit: Named<Case>) throws {
        #expect(try edits(edit.value) == edit.value.after)
    }

    private static let answer: OrderedJSON = .object([
        "status": 404, "headers": .object(["Via": ["a", "b"]]), "file": "a.json",
    ])

    static let values: [Named<Case>] = [
        Named(
            "short where others are",
            Case(
                before: "{\n  \"a\": { \"b\": 0 }\n}",
                after: """
                    {
                      "a": { "b": 0 },
                      "new": { "status": 404, "headers": { "Via": ["a", "b"] }, "file": "a.json" }
                    }
                    """, value: answer)),
        Named(
            "spread where others are",
            Case(
                before: "{\n  \"a\": {\n    \"b\": 0\n  }\n}",
                after: """
                    {
                      "a": {
                        "b": 0
                      },
                      "new": {
                        "status": 404,
                        "headers": {
                          "Via": ["a", "b"]
                        },
                        "file": "a.json"
                      }
                    }
                    """, value: answer)),
        Named(
            "lists spread where others are",
            Case(
                before: "{\n  \"a\": [\n    0\n  ]\n}",
                after: "{\n  \"a\": [\n    0\n  ],\n  \"new\": [\n    1,\n    2\n  ]\n}", value: [1, 2])),
        Named(
            "its first level spread in any case",
            Case(
                before: "{\n  \"a\": { \"b\": 0 }\n}",
                after: "{\n  \"a\": { \"b\": 0 },\n  \"new\": {\n    \"c\": { \"d\": 0 }\n  }\n}",
                value: .object(["c": .object(["d": 0])]), levels: 1)),
        Named(
            "all on one line",
            Case(
                before: #"{"a":[0]}"#, after: #"{"a":[0],"new":{"c":{}}}"#,
                value: .object(["c": .object([])]), levels: 2)),
        Named(
            "too long for a line",
            Case(
                before: "{\n  \"a\": { \"b\": 0 }\n}",
                after:
                    "{\n  \"a\": { \"b\": 0 },\n  \"new\": {\n    \"c\": \"\(String(repeating: "x", count: 90))\"\n  }\n}",
                value: .object(["c": .string(String(repeating: "x", count: 90))]))),
    ]

    @Test("A new value is laid out like the others of the document", arguments: values)
    func layout(_ edit: Named<Case>) throws {
        #expect(try edits(edit.value) == edit.value.after)
    }

    static let replacements: [Named<Case>] = [
        Named(
            "and nothing else",
            Case(
                before: "{ \"new\" : {\"x\": [ ]} , // old\n \"a\":0}", after: "{ \"new\" : 1 , // old\n \"a\":0}")),
        Named(
            "indented like the old one",
            Case(
                before: "{\n  \"new\": 0,\n  \"a\": {\n    \"b\": 0\n  }\n}",
                after: "{\n  \"new\": {\n    \"c\": 1\n  },\n  \"a\": {\n    \"b\": 0\n  }\n}",
                value: .object(["c": 1]))),
        Named("with an escape in its key", Case(before: #"{"n\u0065w":0}"#, after: #"{"n\u0065w":1}"#)),
    ]

    @Test("A value is replaced", arguments: replacements)
    func replacement(_ edit: Named<Case>) throws {
        #expect(try edits(edit.value, replacing: true) == edit.value.after)
    }
}
