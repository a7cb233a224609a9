import ReqcliJSONPath
import ReqcliText
import TestSupport
import Testing

/// A path that is none is explained at the place that is wrong.
struct PathProblemTests {
    static let beginnings: [(MarkedText, String, String?)] = [
        ("⟦⟧", "the path is empty", "write \"$\" for the whole document"),
        ("⟦ ⟧$", "a path begins with \"$\", not with whitespace", "remove the whitespace"),
        ("$.a⟦ \n⟧", "the path ends with whitespace", "remove the whitespace"),
        ("⟦i⟧tems[0]", "a path begins with \"$\"", "write $.items[0]"),
        ("⟦.⟧items", "a path begins with \"$\"", "write $.items"),
        ("⟦[⟧0]", "a path begins with \"$\"", "write $[0]"),
        ("⟦@⟧.a", "a path begins with \"$\"", "\"@\" is the current node inside a filter; write $.a"),
        ("⟦/⟧a/b", "a path begins with \"$\"", nil),
        ("⟦é⟧", "a path begins with \"$\"", "write $.é"),
    ]

    static let segments: [(MarkedText, String, String?)] = [
        ("$.⟦⟧", "expected a name or \"*\" after \".\", found the end of the path", nil),
        ("$..⟦⟧", "expected a name or \"*\" after \"..\", found the end of the path", nil),
        (
            "$..⟦.⟧a", "expected a name or \"*\" after \"..\", found \".\"",
            "\"..\" looks into every level; \"...\" has no meaning"
        ),
        ("$.⟦ ⟧a", "expected a name or \"*\" after \".\", found \" \"", "remove the whitespace"),
        (
            "$.⟦1⟧2", "expected a name or \"*\" after \".\", found \"1\"",
            "write [12] for an element, or [\"12\"] for a name that begins with a digit"
        ),
        ("$.⟦'⟧a'", "expected a name or \"*\" after \".\", found \"'\"", "write ['…']"),
        ("$..⟦\"⟧a\"", "expected a name or \"*\" after \"..\", found \"\"\"", "write ..[\"…\"]"),
        ("$.⟦[⟧0]", "expected a name or \"*\" after \".\", found \"[\"", nil),
        ("$.foo⟦-⟧bar", "\"-\" is not allowed in a name without quotes", "put the name in [\"…\"]"),
        ("$⟦a⟧", "expected \".\", \"[\" or the end of the path, found \"a\"", nil),
        ("$.a⟦(⟧)", "expected \".\", \"[\" or the end of the path, found \"(\"", nil),
        ("$[0]⟦]⟧", "expected \".\", \"[\" or the end of the path, found \"]\"", nil),
    ]

    static let selectors: [(MarkedText, String, String?)] = [
        (
            "$[⟦]⟧", "expected a name in quotes, an index, a slice, \"*\" or a filter, found \"]\"",
            "write [*] for everything"
        ),
        (
            "$[0,⟦]⟧", "expected a name in quotes, an index, a slice, \"*\" or a filter, found \"]\"",
            "remove the last comma"
        ),
        ("$[⟦,⟧0]", "expected a name in quotes, an index, a slice, \"*\" or a filter, found \",\"", "remove the comma"),
        (
            "$[⟦i⟧tem-id]", "expected a name in quotes, an index, a slice, \"*\" or a filter, found \"i\"",
            "put a name in quotes: [\"item-id\"]"
        ),
        (
            "$[⟦@⟧.a]", "expected a name in quotes, an index, a slice, \"*\" or a filter, found \"@\"",
            "a filter begins with \"?\", as in [?@.price < 10]"
        ),
        (
            "$[⟦(⟧@.a)]", "expected a name in quotes, an index, a slice, \"*\" or a filter, found \"(\"",
            "a filter begins with \"?\", as in [?@.price < 10]"
        ),
        ("$⟦[⟧0", "this \"[\" is never closed", "add the missing \"]\""),
        ("$.a⟦[⟧?@.b", "this \"[\" is never closed", "add the missing \"]\""),
        ("$[0 ⟦2⟧]", "expected \",\" or \"]\", found \"2\"", nil),
        ("$[⟦01⟧]", "\"01\" begins with a needless 0", "leave it out"),
        ("$[⟦-0⟧]", "\"-0\" begins with a needless -0", "leave it out"),
        ("$[⟦1.0⟧]", "\"1.0\" is not a whole number", "write only digits, with - before them to count from the end"),
        ("$[⟦+1⟧]", "\"+1\" is not a whole number", "write only digits, with - before them to count from the end"),
        ("$[⟦1st⟧]", "\"1st\" is not a whole number", "put a name in quotes: [\"1st\"]"),
        ("$[1:⟦-⟧]", "\"-\" is not a whole number", "write only digits, with - before them to count from the end"),
        (
            "$[⟦9007199254740992⟧]", "9007199254740992 is too large for an index",
            "an index is at most 9007199254740991"
        ),
        ("$[1:2:3⟦:⟧4]", "expected \",\" or \"]\", found \":\"", "a slice has at most three numbers: [start:end:step]"),
    ]

    static let strings: [(MarkedText, String, String?)] = [
        ("$[⟦'a⟧", "this string is never closed", "add the closing '"),
        ("$[⟦\"a\\\"]⟧", "this string is never closed", "add the closing \""),
        (#"$['⟦\"⟧']"#, #""\"" is not an escape"#, "this quote needs no backslash here"),
        (#"$['⟦\d⟧']"#, #""\d" is not an escape"#, #"write \\ for a backslash"#),
        (#"$['⟦\é⟧']"#, #""\é" is not an escape"#, #"write \\ for a backslash"#),
        (#"$['⟦\⟧"#, "the path ends with a single \"\\\"", #"write \\ for a backslash"#),
        (#"$['⟦\u12⟧g4']"#, "\\u takes four hexadecimal digits", nil),
        (
            #"$['⟦\uD800⟧']"#, "half of a surrogate pair without the other half",
            "write the character itself, or both halves"
        ),
        (
            #"$['⟦\uD800\u0041⟧']"#, "half of a surrogate pair without the other half",
            "write the character itself, or both halves"
        ),
        ("$['a⟦\t⟧b']", "a control character must be escaped in a string", "write it as an escape, such as \\n"),
    ]

    static let filters: [(MarkedText, String, String?)] = [
        ("$[?⟦]⟧", "expected a path, a literal or a function, found \"]\"", nil),
        ("$[?⟦⟧", "expected a path, a literal or a function, found the end of the path", nil),
        ("$[?@.a ⟦=⟧ 1]", "\"=\" is not a comparison operator", "write =="),
        ("$[?@.a ⟦===⟧ 1]", "\"===\" is not a comparison operator", "write =="),
        ("$[?@.a ⟦=~⟧ 'x']", "\"=~\" is not a comparison operator", "write match(…, '…') or search(…, '…')"),
        ("$[?@.a ⟦<>⟧ 1]", "\"<>\" is not a comparison operator", "write !="),
        ("$[?@.a == ⟦⟧", "expected a path, a literal or a function, found the end of the path", nil),
        ("$[?@.a == ⟦foo⟧]", "\"foo\" is not a value", "write @.foo for a member, 'foo' for text"),
        ("$[?@.a == ⟦True⟧]", "\"True\" is not a value", "write true"),
        ("$[?⟦not⟧ @.a]", "\"not\" is not a value", "write \"!\" for \"not\""),
        ("$[?@.a ⟦a⟧nd @.b]", "expected \",\" or \"]\", found \"a\"", "write \"&&\" for \"and\""),
        ("$[?@.a ⟦o⟧r @.b]", "expected \",\" or \"]\", found \"o\"", "write \"||\" for \"or\""),
        ("$[?@.a ⟦&⟧ @.b]", "expected \",\" or \"]\", found \"&\"", "write \"&&\" for \"and\""),
        ("$[?@.a ⟦|⟧ @.b]", "expected \",\" or \"]\", found \"|\"", "write \"||\" for \"or\""),
        ("$[?⟦(⟧@.a", "this \"(\" is never closed", "add the missing \")\""),
        ("$[?(@.a⟦]⟧", "expected \")\", found \"]\"", nil),
        ("$[?@.a⟦)⟧]", "expected \",\" or \"]\", found \")\"", "\")\" has no matching \"(\""),
        ("$[?⟦(@.a)⟧ == 1]", "a condition can't be compared", "put parentheses around the whole comparison"),
        (
            "$[?1 == ⟦(⟧@.a)]", "expected a path, a literal or a function, found \"(\"",
            "a condition can't be compared; put parentheses around the whole comparison"
        ),
        (
            "$[?⟦!@.a⟧ == 1]", "\"!\" applies to a condition in parentheses, not to a comparison",
            "write !( … ), or use the opposite operator"
        ),
        ("$[?@.a == ⟦01⟧]", "\"01\" is not a number", "write it as JSON does, such as -1.5e3"),
        ("$[?@.a == ⟦.5⟧]", "\".5\" is not a number", "write it as JSON does, such as -1.5e3"),
        (
            "$[?@.a == ⟦[⟧1]]", "expected a path, a literal or a function, found \"[\"",
            "a comparison takes strings, numbers, true, false and null"
        ),
        (
            "$[?⟦size⟧(@.a) > 1]", "there is no function \"size\"",
            "available: count(), length(), match(), search(), value()"
        ),
        ("$[?count⟦ ⟧(@.a) > 1]", "whitespace between count and \"(\"", "remove the whitespace"),
        ("$[?length⟦(⟧@.a", "this \"(\" is never closed", "add the missing \")\""),
        ("$[?length(@.a⟦]⟧", "expected \",\" or \")\", found \"]\"", nil),
    ]

    @Test("A mistake of grammar is told at its place", arguments: beginnings + segments + selectors + strings + filters)
    func grammar(_ marked: MarkedText, _ message: String, _ hint: String?) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(marked.text) }
        #expect(error?.problems.map(\.message) == [message])
        #expect(error?.problems.map(\.range) == marked.ranges)
        #expect(error?.problems.first?.hint == hint)
        #expect(error?.problems.first?.code == .jsonPathSyntax)
    }

    static let typeMistakes: [(MarkedText, [String])] = [
        ("$[?⟦true⟧]", ["a literal alone is not a condition"]),
        ("$[?!⟦'a'⟧]", ["a literal alone is not a condition"]),
        ("$[?⟦1⟧ && @.a || ⟦null⟧]", ["a literal alone is not a condition", "a literal alone is not a condition"]),
        ("$[?⟦length(@.a)⟧]", ["length() gives a value, not true or false"]),
        (
            "$[?⟦count(@.*)⟧ && ⟦value(@.a)⟧]",
            ["count() gives a value, not true or false", "value() gives a value, not true or false"]
        ),
        ("$[?⟦@.*⟧ == 1]", ["this path can select several nodes; a comparison takes one"]),
        ("$[?1 < ⟦@..a⟧]", ["this path can select several nodes; a comparison takes one"]),
        (
            "$[?⟦$[0,1]⟧ == ⟦@[1:]⟧]",
            Array(repeating: "this path can select several nodes; a comparison takes one", count: 2)
        ),
        ("$[?⟦match(@.a, 'b')⟧ == true]", ["match() and search() are true or false already; they can't be compared"]),
        ("$[?⟦length()⟧ == 1]", ["length() takes one argument, found 0"]),
        ("$[?⟦count(@.a, @.b)⟧ == 1]", ["count() takes one argument, found 2"]),
        ("$[?⟦match(@.a)⟧]", ["match() takes two arguments, found 1"]),
        ("$[?length(⟦@.*⟧) == 1]", ["length() takes one value; this path can select several nodes"]),
        ("$[?length(⟦@.a == 1⟧) == 1]", ["length() takes a value, not a condition"]),
        ("$[?length(⟦!@.a⟧) == 1]", ["length() takes a value, not a condition"]),
        ("$[?length(⟦match(@.a, 'b')⟧) == 1]", ["length() takes a value, not a condition"]),
        ("$[?count(⟦1⟧) == 1]", ["count() takes a path"]),
        ("$[?value(⟦length(@.a)⟧) == 1]", ["value() takes a path"]),
        (
            "$[?match(⟦@..a⟧, ⟦@.*⟧)]",
            [
                "match() takes one value; this path can select several nodes",
                "match() takes one value; this path can select several nodes",
            ]
        ),
    ]

    @Test("All mistakes of types are told, each at its place", arguments: typeMistakes)
    func types(_ marked: MarkedText, _ messages: [String]) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(marked.text) }
        #expect(error?.problems.map(\.message) == messages)
        #expect(error?.problems.map(\.range) == marked.ranges)
        #expect(error?.problems.allSatisfy { $0.code == .jsonPathType } == true)
    }

    @Test("Mistakes of types are told along with the mistake of grammar behind them")
    func typesAndGrammar() {
        let marked: MarkedText = "$[?⟦true⟧ && @.a ⟦=⟧ 1]"
        let error = #expect(throws: JSONPathError.self) { try JSONPath(marked.text) }
        #expect(error?.problems.map(\.range) == marked.ranges)
    }

    @Test("A pattern that can't be read is an error at its place, behind escapes too")
    func patterns() throws {
        let marked: MarkedText = #"$[?match(@.é, 'a⟦\\d⟧') || search(@.b, '(⟦[]⟧)') || match(@.c, 'a.*')]"#
        let problems = try #require(#expect(throws: JSONPathError.self) { try JSONPath(marked.text) }).problems
        #expect(problems.map(\.range) == marked.ranges)
        #expect(
            problems.map(\.message) == [#""\d" is not an escape of I-Regexp"#, "this \"[ ]\" contains no character"])
        #expect(problems.first?.hint == "write [0-9]")
        #expect(problems.allSatisfy { $0.code == .jsonPathPattern })
    }

    @Test("A pattern out of the document that can't be read matches nothing, as the standard says")
    func patternOfTheDocument() throws {
        let document = JSONDocument.read(
            SourceFile(name: "body", text: #"[{"a": "x", "p": "("}, {"a": "x", "p": "x"}]"#))
        let root = try #require(document.root)
        #expect(try JSONPath("$[?match(@.a, @.p)].p").nodes(in: root).map(\.text) == [#""x""#])
    }

    @Test("In a JSON file the place is found behind the string's escapes")
    func placeInFile() throws {
        let marked: MarkedText = #"{"json": {"$[?@[\"\u00e9\"] ⟦=⟧ 1]": 1}}"#
        let document = JSONDocument.read(SourceFile(name: "user.json", text: marked.text))
        let key = try #require(document.root?["json"]?.members.first { _ in true }?.key)
        let error = #expect(throws: JSONPathError.self) { try JSONPath(key.string ?? "") }
        let diagnostic = try #require(error?.problems.first?.diagnostic(in: key))
        #expect(diagnostic.place?.range == marked.ranges[0])
        #expect(
            DiagnosticRenderer().render(diagnostic).plain == """
                user.json:1:29: error: "=" is not a comparison operator
                  1 | {"json": {"$[?@[\\"\\u00e9\\"] = 1]": 1}}
                    |                             ^ write ==

                """)
    }

    @Test(
        "Sixty-four levels are parsed, the next is refused",
        arguments: [
            ("(", "@", ")"), ("!(", "@", ")"), ("@[?", "@", "]"), ("length(", "@", ")"),
        ])
    func depth(_ open: String, _ inner: String, _ close: String) {
        func nested(_ depth: Int) -> String {
            "$[?" + String(repeating: open, count: depth) + inner + String(repeating: close, count: depth) + "]"
        }
        let deep = #expect(throws: JSONPathError.self) { try JSONPath(nested(100_000)) }
        #expect(deep?.problems.map(\.message) == ["the path nests deeper than 64 levels"])
        let fair = (try? JSONPath(nested(20))) != nil || open == "length("
        #expect(fair)
    }
}
