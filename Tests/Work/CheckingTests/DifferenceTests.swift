import Checking
import ReqcliDefinitions
import ReqcliText
import Testing

/// What is shown of values that differ.
struct DifferenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let operation: String
        let expected: String
        let actual: String
        let lines: [String]

        init(_ name: String, _ expected: String, _ actual: String, _ lines: [String]) {
            self.init(name, "equals", expected, actual, lines)
        }

        init(_ name: String, _ operation: String, _ expected: String, _ actual: String, _ lines: [String]) {
            (self.name, self.operation, self.expected, self.actual) = (name, operation, expected, actual)
            self.lines = lines
        }

        var testDescription: String { name }
    }

    static let long = String(repeating: "long ", count: 60)

    static let cases: [Case] = [
        Case("a member", #"{"a": 1, "b": 2}"#, #"{"b": 3, "a": 1.0}"#, ["$.b", "- 2", "+ 3"]),
        Case(
            "members more and less", #"{"a": 1, "b": {"c": 2}}"#, #"{"a": 1, "d": []}"#,
            ["$.b is missing", #"- {"c":2}"#, "$.d is not expected", "+ []"]),
        Case(
            "deep inside", #"{"a": {"b": [{"c": [1, 2]}]}}"#, #"{"a": {"b": [{"c": [1, "2"]}]}}"#,
            ["$.a.b[0].c[1]", "- 2", #"+ "2""#]),
        Case(
            "an element put in doesn't make those behind it differ", "[1, 2, 3, 4]", "[1, 9, 2, 3, 4, 5]",
            ["$[1] is not expected", "+ 9", "$[5] is not expected", "+ 5"]),
        Case(
            "an element taken out", #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, #"[{"id": 1}, {"id": 3}]"#,
            ["$[1] is missing", #"- {"id":2}"#]),
        Case(
            "an element changed", #"[{"id": 1}, {"id": 2, "n": "a"}]"#, #"[{"id": 1}, {"id": 2, "n": "b"}]"#,
            ["$[1].n", #"- "a""#, #"+ "b""#]),
        Case("another kind", #"{"a": {}}"#, #"{"a": [1]}"#, ["$.a", "- {}", "+ [1]"]),
        Case(
            "long text is cut around the difference", #"{"a": "\#(long)one\#(long)"}"#,
            #"{"a": "\#(long)two\#(long)"}"#,
            [
                "$.a",
                "- …" + String((long + "one" + long).dropFirst(long.count - 32).prefix(94)) + "…",
                "+ …" + String((long + "two" + long).dropFirst(long.count - 32).prefix(94)) + "…",
            ]),
        Case(
            "what isn't included", "includes", #"{"a": {"b": 1}, "c": 2}"#, #"{"a": {"b": 2, "x": 0}, "y": 1}"#,
            ["$.a.b", "- 1", "+ 2", "$.c is missing", "- 2"]),
        Case(
            "an element that is not included, and the nearest", "includes", #"[{"id": 2, "n": "b"}]"#,
            #"[{"id": 1, "n": "a"}, {"id": 2, "n": "c"}]"#,
            [
                "$ has no element that includes this; [1] is the closest", #"- {"id":2,"n":"b"}"#, "$[1].n",
                #"- "b""#, #"+ "c""#,
            ]),
    ]

    @Test("JSON values are compared by structure", arguments: cases)
    func structure(_ each: Case) throws {
        let failures = try Workshop.failures(
            "{\"json\": {\"$\": {\"\(each.operation)\": \(each.expected)}}}", .json(each.actual))
        #expect(failures.count == 1)
        #expect(failures.first?.difference.map(\.plain) == each.lines)
    }

    @Test("Of many differences some are shown and the rest is counted")
    func many() throws {
        let list = "[" + (0..<100).map(String.init).joined(separator: ",") + "]"
        let other = "[" + (0..<100).map { String(-1 - $0) }.joined(separator: ",") + "]"
        let failures = try Workshop.failures("{\"json\": {\"$\": \(list)}}", .json(other))
        let lines = try Workshop.required(failures.first, "a failure").difference
        #expect(lines.count == 61)
        #expect(lines.last?.plain == "… and 80 more differences")
    }

    @Test(
        "A body's text is compared line by line",
        arguments: [
            ("one line", "pong", "ping", ["- pong", "+ ping"]),
            (
                "a line among many", "a\\nb\\nc\\nd\\ne\\nf\\ng\\nh", "a\nb\nc\nd\ne\nF\ng\nh",
                ["… 3 equal lines", "  d␊", "  e␊", "- f␊", "+ F␊", "  g␊", "  h"]
            ),
            ("a line more", "a\\nb", "a\nx\nb", ["  a␊", "+ x␊", "  b"]),
            ("a line break at the end", "a", "a\n", ["- a", "+ a␊", "+ "]),
            ("lines that end with CRLF", "a\\r\\nb\\r\\nc", "a\r\nB\r\nc", ["  a␍␊", "- b␍␊", "+ B␍␊", "  c"]),
            ("control characters", "a", "\u{1B}[31ma", ["- a", "+ ␛[31ma"]),
        ] as [(String, String, String, [String])])
    func text(_ name: String, _ expected: String, _ actual: String, _ lines: [String]) throws {
        let failures = try Workshop.failures("{\"body\": \"\(expected)\"}", .text(actual))
        #expect(failures.first?.difference.map(\.plain) == lines)
    }

    @Test("Under not there is no difference to show")
    func negated() throws {
        let failures = try Workshop.failures(
            #"{"json": {"$": {"not": {"equals": {"a": 1}}}}}"#, .json(#"{"a": 1}"#))
        #expect(failures.map(\.difference) == [[]])
    }
}
