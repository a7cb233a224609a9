import Checking
import ReqcliJSONPath
import ReqcliRedaction
import ReqcliText
@_spi(Generated) import RequestBuilding
import Testing

/// How two responses differ, as `diff` compares them.
struct ResponseComparisonTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let one: String
        let other: String
        let rows: [String]

        init(_ name: String, _ one: String, _ other: String, _ rows: [String]) {
            (self.name, self.one, self.other, self.rows) = (name, one, other, rows)
        }

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case("the same", #"{"a": 1}"#, #"{ "a": 1 }"#, []),
        Case("the order of members", #"{"a": 1, "b": [{"c": 1, "d": 2}]}"#, #"{"b": [{"d": 2, "c": 1}], "a": 1}"#, []),
        Case("the spelling of a number", #"[1, 1.0, 100]"#, #"[1.0, 1e0, 1E2]"#, []),
        Case(
            "numbers beyond a double", "[9007199254740993]", "[9007199254740992]",
            [
                "$[0] | 9007199254740993 | 9007199254740992"
            ]),
        Case("numbers beyond all doubles", "[1e400, -0]", "[1e401, 0]", ["$[0] | 1e400 | 1e401"]),
        Case("another number", #"{"a": 1}"#, #"{"a": 2}"#, ["$.a | 1 | 2"]),
        Case("a number and a text", #"{"a": 1}"#, #"{"a": "1"}"#, [#"$.a | 1 | "1""#]),
        Case("null is not nothing", #"{"a": null}"#, "{}", ["$.a | null | nothing"]),
        Case("null is not false", "[null]", "[false]", ["$[0] | null | false"]),
        Case("a member more", #"{"a": 1}"#, #"{"a": 1, "b": {"c": []}}"#, [#"$.b | nothing | {"c":[]}"#]),
        Case("a key that needs quotes", #"{"a b": 1}"#, #"{"a b": 2}"#, ["$['a b'] | 1 | 2"]),
        Case("escapes of one text", #"["é/"]"#, #"["\u00e9\/"]"#, []),
        Case("é as one scalar and as two", #"["\u00e9"]"#, #"["e\u0301"]"#, ["$[0] | \"\\u00e9\" | \"e\\u0301\""]),
        Case(
            "keys with é as one scalar and as two", #"{"\u00e9": 1}"#, #"{"e\u0301": 1}"#,
            [
                "$['\u{E9}'] | 1 | nothing", "$['e\u{301}'] | nothing | 1",
            ]),
        Case("an element put in", "[1, 2, 3]", "[0, 1, 2, 3]", ["$[0] | nothing | 0"]),
        Case(
            "an element changed", #"[{"id": 1, "n": "a"}, {"id": 2}]"#, #"[{"id": 1, "n": "b"}, {"id": 2}]"#,
            [
                #"$[0].n | "a" | "b""#
            ]),
        Case("elements in another order", "[1, 2]", "[2, 1]", ["$[0] | 1 | nothing", "$[1] | nothing | 1"]),
        Case("an object and a list", "{}", "[]", ["$ | {} | []"]),
        Case("the last value of a key counts", #"{"a": 1, "a": 2}"#, #"{"a": 2}"#, []),
        Case("text", "one\ntwo\nthree", "one\n2\nthree", [#"line 2 | "two" | "2""#]),
        Case("a line more", "a\nb", "a\nx\nb", [#"line 2 | nothing | "x""#]),
        Case("a line break at the end", "a b", "a b\n", [#"line 2 | nothing | """#]),
        Case("line breaks of two kinds", "a b\r\nc", "a b\nc", [#"line 1 | "a b\r" | "a b""#]),
        Case("JSON and text", #"{"a": 1}"#, "<html>", [#"body | {"a":1} | "<html>""#]),
        Case("JSON that is cut off", #"{"a": 1"#, #"{"a": 1}"#, [#"body | "{\"a\": 1" | {"a":1}"#]),
        Case("nothing and JSON", "", "{}", ["body | nothing | {}"]),
        Case("nothing and text", "x y", "", [#"body | "x y" | nothing"#]),
        Case("nothing twice", "", "", []),
        Case("a NUL", "a\0b", "a\0c", ["byte 3 | 3 bytes | 3 bytes"]),
    ]

    private static func rows(
        _ one: ComparedResponse, _ other: ComparedResponse, secrets: [Redactor.Secret] = [],
        _ change: (inout ResponseComparison.Options) -> Void = { _ in }
    ) throws -> [String] {
        var options = ResponseComparison.Options()
        change(&options)
        let comparison = try ResponseComparison(one, other, options, Redactor(secrets))
        #expect(comparison.isSame == comparison.differences.isEmpty)
        return comparison.differences.map { difference in
            let texts = comparison.texts(of: difference, width: 60)
            return [texts.place, texts.one ?? "nothing", texts.other ?? "nothing"].joined(separator: " | ")
        }
    }

    private static func file(_ text: String) -> ComparedResponse { ComparedResponse(name: "f", body: Array(text.utf8)) }

    private static func response(
        _ text: String, status: Int = 200, _ headers: HeaderFields = ["Content-Type": "application/json"]
    ) -> ComparedResponse {
        ComparedResponse(
            name: "e", head: ComparedResponse.Head(status: status, headers: headers), body: Array(text.utf8))
    }

    @Test("Bodies are compared by what they say", arguments: cases)
    func bodies(_ each: Case) throws {
        #expect(try Self.rows(Self.file(each.one), Self.file(each.other)) == each.rows)
        // Whatever is said of a difference, there is one in the other direction, too.
        let back = try Self.rows(Self.file(each.other), Self.file(each.one))
        #expect(back.isEmpty == each.rows.isEmpty)
    }

    @Test("Bytes that are no text differ from the first one that does")
    func bytes() throws {
        let (one, other) = (
            ComparedResponse(name: "f", body: [0xFF, 1, 2]), ComparedResponse(name: "f", body: [0xFF, 1])
        )
        #expect(try Self.rows(one, one) == [])
        #expect(try Self.rows(one, other) == ["byte 3 | 3 bytes | 2 bytes"])
        #expect(try Self.rows(one, Self.file("text")) == ["byte 1 | 3 bytes | 4 bytes"])
    }

    @Test("A number alone is a text where the response says so")
    func scalars() throws {
        let text: HeaderFields = ["Content-Type": "text/plain"]
        #expect(try Self.rows(Self.response("1.0", text), Self.response("1.00", text)) == [#"line 1 | "1.0" | "1.00""#])
        #expect(try Self.rows(Self.response("1.0"), Self.response("1.00")) == [])
        #expect(try Self.rows(Self.response("[1.0]", text), Self.response("[1.00]", text)) == [])
    }

    @Test("Another status is a difference")
    func status() throws {
        #expect(
            try Self.rows(Self.response("{}"), Self.response(#"{"a": 1}"#, status: 404)) == [
                "status | 200 | 404", "$.a | nothing | 1",
            ])
    }

    @Test("Headers are compared if asked for, without those of the moment and the values of cookies")
    func headers() throws {
        let one = Self.response(
            "",
            [
                "Date": "1", "X-A": "1", "Set-Cookie": "sid=one; Path=/", "x-gone": "", "Connection": "X-Hop",
                "X-Hop": "1",
            ])
        let other = Self.response(
            "", ["Date": "2", "x-a": "2", "Set-Cookie": "sid=two; Path=/", "X-New": "\u{1B}[31m", "X-Hop": "1"])
        #expect(try Self.rows(one, other) == [])
        #expect(
            try Self.rows(one, other) { $0.comparesHeaders = true } == [
                #"header X-A | "1" | "2""#, #"header x-gone | "" | nothing"#, #"header X-New | nothing | "\u001b[31m""#,
                #"header X-Hop | nothing | "1""#,
            ])
        let token = Self.response("", ["X-Auth-Token": "secret-1"])
        let newToken = Self.response("", ["X-Auth-Token": "secret-2"])
        #expect(
            try Self.rows(token, newToken) { $0.comparesHeaders = true } == [#"header X-Auth-Token | "***" | "***""#])
    }

    @Test(
        "What a path selects is left out",
        arguments: [
            ("$.a", #"{"a": 1, "b": 1}"#, #"{"a": 2, "b": 1}"#, []),
            ("$.a", #"{"a": 1, "b": 1}"#, #"{"b": 2}"#, ["$.b | 1 | 2"]),
            ("$..id", #"[{"id": 1, "n": 1}, {"id": 2, "n": 2}]"#, #"[{"id": 3, "n": 1}, {"id": 4, "n": 2}]"#, []),
            (
                "$..id", #"[{"id": 1, "n": 1}, {"id": 2, "n": 2}]"#, #"[{"id": 4, "n": 2}]"#,
                [
                    #"$[0] | {"id":1,"n":1} | nothing"#
                ]
            ),
            ("$[1]", "[1, 2]", "[1]", []),
            ("$[0]", "[1, 2]", "[3, 2, 4]", ["$[2] | nothing | 4"]),
            ("$", "[1]", "{}", []),
        ] as [(String, String, String, [String])])
    func ignored(_ path: String, _ one: String, _ other: String, _ rows: [String]) throws {
        let path = try JSONPath(path)
        #expect(try Self.rows(Self.file(one), Self.file(other)) { $0.ignored = [path] } == rows)
    }

    @Test("A path that leaves nothing out is told")
    func ignoredNothing() throws {
        var options = ResponseComparison.Options()
        options.ignored = [try JSONPath("$.x"), try JSONPath("$.a")]
        let comparison = try ResponseComparison(Self.file(#"{"a": 1}"#), Self.file("{}"), options, Redactor([]))
        #expect(comparison.isSame && comparison.notes == ["--ignore $.x selects nothing in either response"])
        let texts = try ResponseComparison(Self.file("a"), Self.file("a"), options, Redactor([]))
        #expect(texts.notes == ["--ignore had no effect: it only works if both bodies are JSON"])
    }

    @Test("A repeated key is told")
    func repeated() throws {
        let comparison = try ResponseComparison(
            Self.file(#"{"a": [{"b": 1, "b": 2}]}"#), Self.file(#"{"a": [{"b": 2}]}"#), ResponseComparison.Options(),
            Redactor([]))
        #expect(
            comparison.notes == [
                #"the body of f has the key "b" more than once in $.a[0]; only the last value is compared"#
            ])
    }

    @Test(
        "A shape has the types alone, and lists have one element",
        arguments: [
            Case("other values", #"{"a": 1, "b": [1, 2]}"#, #"{"b": [3], "a": 2.5}"#, []),
            Case("other types", #"{"a": 1}"#, #"{"a": "1"}"#, ["$.a | number | string"]),
            Case("true and false", "[true]", "[false]", []),
            Case("null", #"[{"a": null}, {"a": 1}]"#, #"[{"a": 1}]"#, ["$[*].a | number or null | number"]),
            Case("a member that some elements have", #"[{"a": 1}, {}]"#, #"[{"a": 1}]"#, []),
            Case(
                "a member gone and one new", #"[{"a": 1, "b": {"c": 1}}]"#, #"[{"a": 1, "d": []}]"#,
                [
                    "$[*].b | object | nothing", "$[*].d | nothing | list",
                ]),
            Case("an empty list", #"{"a": []}"#, #"{"a": [{"b": 1}]}"#, []),
            Case("a list and an object", #"{"a": [1]}"#, #"{"a": {"b": 1}}"#, ["$.a | list | object"]),
            Case("elements of several types", "[1, [2]]", "[[3], \"4\"]", ["$[*] | list or number | list or string"]),
            Case("text and JSON", "a b", "{}", ["body | text | JSON"]),
            Case("two texts", "a b", "c d", []),
            Case("nothing", "", "{}", ["body | nothing | JSON"]),
        ])
    func shapes(_ each: Case) throws {
        #expect(try Self.rows(Self.file(each.one), Self.file(each.other)) { $0.comparesShape = true } == each.rows)
    }

    @Test("A shape leaves out what a path selects")
    func ignoredShape() throws {
        let path = try JSONPath("$..id")
        let rows = try Self.rows(Self.file(#"[{"id": 1, "a": 1}]"#), Self.file(#"[{"a": ""}]"#)) {
            ($0.comparesShape, $0.ignored) = (true, [path])
        }
        #expect(rows == ["$[*].a | number | string"])
    }

    @Test("A secret shows in no difference, and one that differs is a difference")
    func secrets() throws {
        let secrets = [
            Redactor.Secret(label: "secret.a", value: "hunter2"),
            Redactor.Secret(label: "secret.b", value: "swordfish"),
            Redactor.Secret(label: "secret.key", value: "-----BEGIN-----\nabc\n-----END-----"),
        ]
        #expect(
            try Self.rows(
                Self.file(#"{"t": "hunter2"}"#), Self.file(#"{"t": "swordfish", "hunter2": 1}"#), secrets: secrets)
                == [#"$.t | "<secret.a>" | "<secret.b>""#, "$.<secret.a> | nothing | 1"])
        #expect(
            try Self.rows(
                Self.file("key:\n-----BEGIN-----\nabc\n-----END-----\n"), Self.file("key:\nnone\n"), secrets: secrets)
                == [
                    #"line 2 | "<secret.key>" | "none""#, #"line 3 | "<secret.key>" | nothing"#,
                    #"line 4 | "<secret.key>" | nothing"#,
                ])
        #expect(
            try Self.rows(Self.file("my aHVudGVyMg=="), Self.file("my hunter2"), secrets: secrets)
                == [#"line 1 | "my <secret.a>" | "my <secret.a>""#])
        let comparison = try ResponseComparison(
            Self.file(#"{"t": {"u": "hunter2"}}"#), Self.file("{}"), ResponseComparison.Options(), Redactor(secrets))
        #expect(comparison.json(of: comparison.differences[0]).compact == #"{"at":"$.t","first":{"u":"<secret.a>"}}"#)
    }

    @Test("A body in which a secret wasn't found is not shown")
    func hidden() throws {
        let one = ComparedResponse(name: "e", body: Array(#"{"a": "x"}"#.utf8), isBodyHidden: true)
        let rows = try Self.rows(one, Self.file(#"{"a": "y"}"#))
        #expect(rows == [#"$.a | not shown, because it may hold a secret | "y""#])
    }

    @Test("Headers in which a secret wasn't found are not shown")
    func hiddenHeaders() throws {
        func response(_ value: String, isHidden: Bool) -> ComparedResponse {
            let head = ComparedResponse.Head(status: 200, headers: ["X-Part": value], areHeadersHidden: isHidden)
            return ComparedResponse(name: "e", head: head, body: [])
        }
        let rows = try Self.rows(response("s3cr3t", isHidden: true), response("b", isHidden: false)) {
            $0.comparesHeaders = true
        }
        #expect(rows == [#"header X-Part | not shown, because it may hold a secret | "b""#])
    }

    @Test("Many differences are counted, and some of them kept")
    func many() throws {
        let one = "[" + (0..<3000).map { "{\"n\": \($0)}" }.joined(separator: ",") + "]"
        let other = "[" + (0..<3000).map { "{\"n\": \(-1 - $0)}" }.joined(separator: ",") + "]"
        let comparison = try ResponseComparison(
            Self.file(one), Self.file(other), ResponseComparison.Options(), Redactor([]))
        #expect(comparison.count == 3000 && comparison.differences.count == 100)
    }

    @Test("JSON that is nested too deep is compared as text")
    func deep() throws {
        func nested(_ inner: String) -> String {
            String(repeating: "[", count: 100_000) + inner + String(repeating: "]", count: 100_000)
        }
        #expect(try Self.rows(Self.file(nested("1")), Self.file(nested("1"))) == [])
        let rows = try Self.rows(Self.file(nested("1")), Self.file(nested("2")))
        #expect(rows.count == 1 && rows[0].hasPrefix("line 1 | …[["), "\(rows)")
    }

    @Test("A long key leaves a short place")
    func longKey() throws {
        let key = String(repeating: "k", count: 100_000)
        let rows = try Self.rows(Self.file("{\"\(key)\": 1}"), Self.file("{\"\(key)\": 2}"))
        #expect(rows.count == 1 && rows[0].utf8.count < 1100)
    }
}
