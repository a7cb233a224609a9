import ReqcliText
import TestSupport
import Testing

/// Walking, comparing and pointing into a tree.
struct JSONTreeTests {
    @Test("Descendants come in the order of the text, containers before what they hold, and no keys")
    func descendants() throws {
        let root = try #require(read(#"{"a":[1,{"b":"x"}],"c":null}"#).root)
        #expect(root.descendants.map(\.text) == [root.text, #"[1,{"b":"x"}]"#, "1", #"{"b":"x"}"#, #""x""#, "null"])
        #expect(root["a"]?.descendants.count { _ in true } == 4)
        #expect(root["c"]?.descendants.map(\.text) == ["null"])
    }

    static let trees: [OrderedJSON] = [
        OrderedJSONTests.sample, .null, "", "q\"k\\é\u{1F600}\n", .number("-1.50E+3"), .array([]), .object([]),
        [[], [[1]]],
        .object([OrderedJSON.Member("a\"\u{1}", .object([OrderedJSON.Member("", [.bool(false)])]))]),
    ]

    @Test("A value laid out as a tree is what reading its compact text gives", arguments: trees)
    func laidOut(value: OrderedJSON) throws {
        let direct = try #require(JSONDocument.writing(value, name: "v").root)
        let read = try #require(JSONDocument.read(SourceFile(name: "v", text: value.compact)).root)
        #expect(direct.text == value.compact)
        #expect(OrderedJSON(direct) == value)
        #expect(direct.descendants.map(\.range) == read.descendants.map(\.range))
        #expect(direct.descendants.map(\.kind) == read.descendants.map(\.kind))
        #expect(direct.descendants.map(\.count) == read.descendants.map(\.count))
        #expect(direct.descendants.map(\.string) == read.descendants.map(\.string))
        #expect(direct.members.map(\.name) == read.members.map(\.name))
        #expect(direct.isEquivalent(to: read))
    }

    static let plain = [
        "1", "null", #""a { b } c""#, #"{"a":{"b":[]},"x-y":[{"a":1},{"a":2}]}"#, "[[[]]]", "{}", #"{"a$":"$b"}"#,
        "{\"é\":1,\"e\u{301}\":2}",
    ]

    @Test("A value is plain where it means what it looks like", arguments: plain)
    func isPlain(text: String) throws {
        #expect(try #require(read(text).root).isPlain)
    }

    static let notPlain = [
        #""{{a}}""#, #"["{{a"]"#, #"{"{{a":1}"#, #""\\{{a}}""#, #""\u007b{a}}""#, #""\n""#, #"{"$switch":1}"#,
        #"[{"b":{"$a":1}}]"#, #"{"a":1,"b":2,"a":1}"#, #"[{"a":[{"b":0,"b":0}]}]"#, "[1, x]", #"{"a"}"#,
        "{" + (0...16).map { "\"k\($0)\":0" }.joined(separator: ",") + "}",
    ]

    @Test("A value with escapes, placeholders, keys of a meaning or mistakes in it is not plain", arguments: notPlain)
    func isNotPlain(text: String) throws {
        #expect(try !#require(read(text).root).isPlain)
    }

    @Test("Among comments a scalar is plain, and nothing that can hold a comment")
    func plainAmongComments() throws {
        let root = try #require(read(#"{"a": /* b */ "c", "d": [1 /* e */]}"#, .commented).root)
        #expect(root["a"]?.isPlain == true)
        #expect(root["d"]?.isPlain == false)
        #expect(!root.isPlain)
    }

    @Test("Children are an object's values or an array's elements")
    func children() throws {
        let root = try #require(read(#"[{"a":1,"b":2},[3],"s"]"#).root)
        #expect(root.children.map { $0.children.map(\.text) } == [["1", "2"], ["3"], []])
    }

    @Test("Steps lead from any ancestor to a value")
    func steps() throws {
        let root = try #require(read(#"{"a":[0,{"b":["x","y"]}],"c":{}}"#).root)
        let y = try #require(root.descendants.first { $0.string == "y" })
        #expect(y.steps(from: root) == [.key("a"), .index(1), .key("b"), .index(1)])
        #expect(y.steps(from: y) == [])
        #expect(try y.steps(from: #require(root["a"])) == [.index(1), .key("b"), .index(1)])
        #expect(try y.steps(from: #require(root["c"])) == nil)
        #expect(try root.steps(from: #require(root["c"])) == nil)
        #expect(try y.steps(from: #require(read("[[1]]").root)) == nil)
    }

    static let sameValues: [(String, String)] = [
        ("1", "1.0"), ("1e2", "100"), (#""a\u0062""#, #""ab""#), ("[1,[2]]", "[ 1.0, [2e0] ]"), ("{}", "{ }"),
        (#"{"a":1,"b":[]}"#, #"{"b":[],"a":1.0}"#), (#"{"a":1,"a":2}"#, #"{"a":2}"#), ("null", "null"),
        ("true", "true"),
        (#"{"a":{"b":{"c":null}}}"#, #"{"a":{"b":{"c":null}}}"#), (#"{"\u0061":1}"#, #"{"a":1}"#),
    ]

    @Test("Values that say the same are the same, however they are written", arguments: sameValues)
    func same(_ one: String, _ other: String) throws {
        let (left, right) = (try #require(read(one).root), try #require(read(other).root))
        #expect(left.isEquivalent(to: right))
        #expect(right.isEquivalent(to: left))
        #expect(OrderedJSON(left).isEquivalent(to: OrderedJSON(right)))
        #expect(OrderedJSON(right).isEquivalent(to: OrderedJSON(left)))
    }

    static let differentValues: [(String, String)] = [
        ("1", "2"), ("1", "\"1\""), ("0", "false"), ("null", "false"), ("[]", "{}"), ("[1,2]", "[2,1]"),
        ("[1]", "[1,1]"),
        (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#), (#"{"a":1,"b":2}"#, #"{"a":1,"c":2}"#),
        ("\"é\"", #""e\u0301""#), ("{\"é\":1}", #"{"e\u0301":1}"#), ("9007199254740992", "9007199254740993"),
        ("[[[1]]]", "[[[2]]]"),
    ]

    @Test("Values that don't say the same are different", arguments: differentValues)
    func different(_ one: String, _ other: String) throws {
        let (left, right) = (try #require(read(one).root), try #require(read(other).root))
        #expect(!left.isEquivalent(to: right))
        #expect(!right.isEquivalent(to: left))
        #expect(!OrderedJSON(left).isEquivalent(to: OrderedJSON(right)))
        #expect(!OrderedJSON(right).isEquivalent(to: OrderedJSON(left)))
    }

    @Test("A tree deeper than any stack is walked and compared")
    func deep() throws {
        let depth = 200_000
        let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        let (one, other) = (read(text, depth: depth), read(text, depth: depth))
        let (left, right) = (try #require(one.root), try #require(other.root))
        #expect(left.isEquivalent(to: right))
        let innermost = try #require(left.descendants.first { $0.kind == .number })
        #expect(innermost.steps(from: left)?.count == depth)
    }

    @Test("A comparison that would take too long says so")
    func boundedComparison() throws {
        let root = try #require(read("[[1,2,3],[4,5,6]]").root)
        var steps = 5
        #expect(root.isEquivalent(to: root, steps: &steps) == nil)
        steps = 100
        #expect(root.isEquivalent(to: root, steps: &steps) == true)
    }

    static let stringParts: [(MarkedText, Range<Int>)] = [
        (#""a⟦b⟧c""#, 1..<2), (#""⟦abc⟧""#, 0..<3), (#""abc⟦⟧""#, 3..<3), (#""⟦⟧abc""#, 0..<0), (#""a\n⟦b⟧""#, 2..<3),
        (#""a⟦\n⟧b""#, 1..<2), (#""é⟦b⟧""#, 2..<3), (#""\u00e9⟦b⟧""#, 2..<3), (#""⟦\u00e9⟧b""#, 0..<2),
        (#""\uD83D\uDE00⟦b⟧""#, 4..<5), (#""⟦\uD83D\uDE00b⟧""#, 0..<5), (#""\\⟦\\⟧""#, 1..<2), (#""\"⟦x\"⟧""#, 1..<3),
        (#""abc⟦⟧""#, 9..<12), ("\"é⟦日⟧\"", 2..<5), (#""⟦\u0041⟧""#, 0..<1), (#""⟦ab\⟧"#, 0..<3), ("⟦12⟧", 0..<1),
    ]

    @Test("A part of a string's text is found in the file, escapes and all", arguments: stringParts)
    func parts(_ marked: MarkedText, _ range: Range<Int>) throws {
        let root = try #require(read(marked.text).root)
        #expect(root.place(ofText: range).range == marked.ranges[0])
    }
}
