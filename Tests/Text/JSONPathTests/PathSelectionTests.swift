import ReqcliJSONPath
import ReqcliText
import TestSupport
import Testing

/// What the compliance suite leaves open, and what it can't ask because its reader would have lost it.
struct PathSelectionTests {
    private func root(_ text: String, depth: Int = 512) throws -> JSONValue {
        let file = SourceFile(name: "t.json", text: text)
        return try #require(JSONDocument.read(file, limits: JSONReader.Limits(depth: depth)).root)
    }

    private func select(_ path: String, _ text: String) throws -> [String] {
        try JSONPath(path).nodes(in: root(text)).map(\.text)
    }

    static let shop =
        #"{"store":{"book":[{"title":"A","price":8.95,"isbn":"1"},{"title":"B","price":12.99},{"title":"C","price":8.99,"isbn":"2"}],"bike":{"price":399}}}"#

    static let ordinaryPaths: [(String, [String])] = [
        ("$.store.book[*].title", [#""A""#, #""B""#, #""C""#]),
        ("$..price", ["8.95", "12.99", "8.99", "399"]),
        ("$.store.*.price", ["399"]),
        ("$.store.book[-1].title", [#""C""#]),
        ("$.store.book[?@.isbn].title", [#""A""#, #""C""#]),
        ("$.store.book[?!@.isbn].title", [#""B""#]),
        ("$.store.book[?@.price < 10 && @.title != 'A'].title", [#""C""#]),
        ("$.store.book[?@.price > $.store.book[0].price].title", [#""B""#, #""C""#]),
        ("$..book[0,2].title", [#""A""#, #""C""#]),
        ("$..book[::-1].title", [#""C""#, #""B""#, #""A""#]),
        ("$.store.book[?count(@.*) == 3].title", [#""A""#, #""C""#]),
        ("$[?length(@.book) == 3].bike.price", ["399"]),
        ("$..[?search(@.title, '[BC]')].price", ["12.99", "8.99"]),
        ("$..[?match(@.title, 'B|C')].price", ["12.99", "8.99"]),
        ("$..[?value(@..isbn) == '2'].title", [#""C""#]),
        ("$['store']['bike']['price','price']", ["399", "399"]),
        ("$ .store [ 'bike' ] .price", ["399"]),
        ("$.nothing", []),
    ]

    @Test("Everyday paths select what they say", arguments: ordinaryPaths)
    func ordinary(_ path: String, _ expected: [String]) throws {
        #expect(try select(path, Self.shop) == expected)
    }

    @Test("A name selects the last of a key's values, a wildcard all of them")
    func duplicates() throws {
        #expect(try select("$.a", #"{"a":1,"b":2,"a":3}"#) == ["3"])
        #expect(try select("$.*", #"{"a":1,"b":2,"a":3}"#) == ["1", "2", "3"])
        #expect(try select("$..a.b", #"{"a":{"b":1},"a":{"b":2}}"#) == ["2"])
    }

    static let numberPaths: [(String, String, [String])] = [
        ("$[?@ == 1]", "[1, 1.0, 1e0, 10e-1, \"1\", true]", ["1", "1.0", "1e0", "10e-1"]),
        (
            "$[?@ == 9007199254740993]", "[9007199254740992, 9007199254740993, 9007199254740993.0]",
            ["9007199254740993", "9007199254740993.0"]
        ),
        ("$[?@ > 1e400]", "[1e399, 1e400, 1e401, 10e400]", ["1e401", "10e400"]),
        ("$[?@ == -0]", "[0, -0, 0.0, 0e5, null]", ["0", "-0", "0.0", "0e5"]),
        ("$[?@ == $[0]]", "[0.1, 0.10, 1e-1, 0.1000000000000000055]", ["0.1", "0.10", "1e-1"]),
        (
            "$[?@.a == $[0].a]", #"[{"a":[1,{"x":2}]},{"a":[1.0,{"x":2e0}]},{"a":[1]}]"#,
            [#"{"a":[1,{"x":2}]}"#, #"{"a":[1.0,{"x":2e0}]}"#]
        ),
    ]

    @Test("Numbers are compared by value, with every digit", arguments: numberPaths)
    func numbers(_ path: String, _ text: String, _ expected: [String]) throws {
        #expect(try select(path, text) == expected)
    }

    static let scalarPaths: [(String, String, [String])] = [
        ("$.é", "{\"e\u{301}\":1,\"é\":2}", ["2"]),
        ("$['e\u{301}']", "{\"é\":2,\"e\u{301}\":1}", ["1"]),
        ("$[?@ == 'é']", "[\"é\", \"e\u{301}\", \"\\u00e9\"]", ["\"é\"", "\"\\u00e9\""]),
        ("$[?@ < 'é']", "[\"e\u{301}\", \"é\", \"z\", \"日\"]", ["\"e\u{301}\"", "\"z\""]),
        ("$[?@ > '\u{FFFF}']", "[\"😀\", \"\u{FFFE}\"]", ["\"😀\""]),
        (
            "$[?length(@) == 2]", "[\"é\", \"e\u{301}\", \"😀\", \"🇩🇪\", [1,2], {\"a\":1,\"b\":2}, 2]",
            ["\"e\u{301}\"", "\"🇩🇪\"", "[1,2]", "{\"a\":1,\"b\":2}"]
        ),
        (#"$["\u0061\uD83D\uDE00\/"]"#, #"{"a😀/":1}"#, ["1"]),
    ]

    @Test("Strings are compared scalar by scalar", arguments: scalarPaths)
    func scalars(_ path: String, _ text: String, _ expected: [String]) throws {
        #expect(try select(path, text) == expected)
    }

    @Test("A value that could not be read is selected but equals nothing")
    func invalid() throws {
        #expect(try select("$[?@ == null]", "[null, x]") == ["null"])
        #expect(try select("$[*]", "[null, x]") == ["null", "x"])
        #expect(try select("$[?@ == $[1]]", "[null, x]") == [])
    }

    @Test("A pattern from the document is used, and one that is none matches nothing")
    func patternsFromDocument() throws {
        let text = #"[{"p":"[0-9]+","t":"12"},{"p":"a|b","t":"b"},{"p":"\\d","t":"1"},{"p":7,"t":"7"}]"#
        #expect(try select("$[?match(@.t, @.p)].t", text) == [#""12""#, #""b""#])
    }

    @Test(
        "Normalised paths escape what the standard says, and lead back to their node",
        arguments: [
            (#"{"a":1}"#, "$['a']"), (#"{"":1}"#, "$['']"), (#"{"it's":1}"#, #"$['it\'s']"#),
            (#"{"a\"b":1}"#, #"$['a"b']"#),
            (#"{"a\\b":1}"#, #"$['a\\b']"#), (#"{"\b\f\n\r\t":1}"#, #"$['\b\f\n\r\t']"#),
            (#"{"\u0000\u000b\u001f":1}"#, #"$['\u0000\u000b\u001f']"#), ("{\"é😀\u{7F}/\":1}", "$['é😀\u{7F}/']"),
            ("[[0]]", "$[0][0]"), (#"[{"a":[0,{"b":[]}]}]"#, "$[0]['a'][1]['b']"), ("7", "$"),
        ])
    func normalized(_ text: String, _ expected: String) throws {
        let root = try root(text)
        let innermost = try #require(Array(root.descendants).last)
        #expect(innermost.normalizedPath(in: root) == expected)
        #expect(try JSONPath(expected).nodes(in: root).map(\.range) == [innermost.range])
    }

    @Test("A path may be applied to a part of a document, which is then its root")
    func partOfDocument() throws {
        let part = try #require(try root(#"{"x":{"a":[1,2]}}"#)["x"])
        let nodes = try JSONPath("$.a[?@ > $.a[0]]").nodes(in: part)
        #expect(nodes.map { $0.normalizedPath(in: part) } == ["$['a'][1]"])
    }

    @Test(
        "Singular paths are known as such",
        arguments: [
            ("$", true), ("$.a[0]['b']", true), ("$..a", false), ("$[0,1]", false), ("$[*]", false), ("$[1:2]", false),
            ("$[?@]", false),
        ])
    func singular(_ path: String, _ isSingular: Bool) throws {
        #expect(try JSONPath(path).isSingular == isSingular)
    }
}
