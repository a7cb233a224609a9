import ReqcliJSONPath
import ReqcliText
import Shapes
import TestSupport
import Testing

struct ShapeUpdateTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stub: String
        let answer: String
        let updated: String

        init(_ name: String, _ stub: String, _ answer: String, _ updated: String) {
            (testDescription, self.stub, self.answer, self.updated) = (name, stub, answer, updated)
        }
    }

    static let cases = [
        Case("nothing to do", "{ \"a\" :1}\n", #"{"a": 2}"#, "{ \"a\" :1}\n"),
        Case("a type", "{\"a\": 1, \"b\": 2}\n", #"{"a": "x", "b": 3}"#, "{\"a\": \"x\", \"b\": 2}\n"),
        Case("the whole document", "1\n", "[2]", "[2]\n"),
        Case("gone, the last on one line", #"{ "a": 1, "b": 2 }"#, #"{"a": 1}"#, #"{ "a": 1 }"#),
        Case("gone, the first on one line", #"{"a": 1, "b": 2}"#, #"{"b": 1}"#, #"{"b": 2}"#),
        Case("gone, in the middle", #"{"a": 1, "b": 2, "c": 3}"#, #"{"a": 1, "c": 1}"#, #"{"a": 1, "c": 3}"#),
        Case("gone, the last two", #"{"a": 1, "b": 2, "c": 3}"#, #"{"a": 1}"#, #"{"a": 1}"#),
        Case("gone, all", #"{ "a": 1, "b": 2 }"#, "{}", "{}"),
        Case(
            "gone lines", "{\n  \"a\": 1,\n  \"b\": {\n    \"x\": 1\n  },\n  \"c\": 3\n}\n", #"{"a": 1, "c": 1}"#,
            "{\n  \"a\": 1,\n  \"c\": 3\n}\n"),
        Case("a gone last line", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", #"{"a": 1}"#, "{\n  \"a\": 1\n}\n"),
        Case(
            "new", "{\n\t\"a\": 1\n}\n", #"{"a": 1, "b": {"c": [1]}}"#,
            "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": [1]\n\t}\n}\n"),
        Case("new on one line", #"{"a":1}"#, #"{"a": 1, "b": "x", "c": 2}"#, #"{"a":1,"b":"x","c":2}"#),
        Case("new in an empty object", #"{"a": {}}"#, #"{"a": {"b": 1}}"#, #"{"a": {"b": 1}}"#),
        Case(
            "new in place of gone", "{\n  \"mail_address\": \"x\",\n  \"a\": 1\n}", #"{"mail": "y", "a": 1}"#,
            "{\n  \"mail\": \"y\",\n  \"a\": 1\n}"),
        Case(
            "in each element, from the element with its number", #"[{"a": 1}, {"a": 2}]"#,
            #"[{"a": 1, "b": "x"}, {"a": 1, "b": "y"}]"#, #"[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]"#),
        Case("null", #"{"a": 1}"#, #"{"a": null}"#, #"{"a": null}"#),
        Case("a type that only some elements have", #"[1, 2]"#, #"[3, "x", null]"#, #"[1, 2, "x", null]"#),
        Case(
            "a type that only some elements of a map have", #"{"1": 1}"#, #"{"1": 3, "2": "x"}"#, #"{"1": 1, "2": "x"}"#
        ),
        Case("a format", #"["ada@example.com"]"#, #"["bob@example.com", "nobody"]"#, #"["nobody"]"#),
        Case(
            "what shows only after another change", #"[{"a": 1}]"#, #"[{"b": [{"c": 1}]}, {"b": [{"d": null}]}]"#,
            #"[{"b": [{"c": 1, "d": null}]}]"#),
        Case("a list after a list", #"{"a": [1]}"#, #"{"a": {"b": 1}}"#, #"{"a": {"b": 1}}"#),
    ]

    @Test("The stub takes what the answer has, and keeps its bytes", arguments: cases)
    func update(_ each: Case) throws {
        let answer = try Reading.root(each.answer)
        let bytes = try ShapeUpdate(to: JSONShape(of: answer), values: [answer]).updated(
            SourceFile(name: "s", text: each.stub))
        #expect(String(decoding: bytes, as: UTF8.self) == each.updated)
        let updated = JSONShape(of: try Reading.root(each.updated))
        #expect(updated.findings(against: JSONShape(of: answer)).isEmpty)
    }

    @Test("Values come from the answer without its secrets, whose shape doesn't count")
    func redacted() throws {
        let (answer, values) = (
            try Reading.root(#"{"a": "x", "b": 7}"#), try Reading.root(#"{"a": "x", "b": "<secret>"}"#)
        )
        let bytes = try ShapeUpdate(to: JSONShape(of: answer), values: [values]).updated(
            SourceFile(name: "s", text: #"{"a": 1}"#))
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a": "x", "b": "<secret>"}"#)
    }

    @Test("A body inside a commented file is changed in place")
    func inside() throws {
        let file = "{\n  // Kept\n  \"json\": {\n    \"a\": 1, // one\n    \"b\": 2 // two\n  }\n}\n"
        let answer = try Reading.root(#"{"a": "x"}"#)
        let bytes = try ShapeUpdate(to: JSONShape(of: answer), values: [answer])
            .updated(SourceFile(name: "s", text: file), syntax: .commented) { $0["json"] }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "{\n  // Kept\n  \"json\": {\n    \"a\": \"x\" // one\n     // two\n  }\n}\n")
    }

    @Test("After an update nothing differs, and what agreed before keeps its bytes", arguments: 0..<300)
    func random(_ seed: Int) throws {
        var samples = Samples(seed: UInt64(seed))
        let (text, answerText) = (samples.value(4, isSpread: seed % 2 == 0), samples.value(4, isSpread: false))
        let (stub, answer) = (try Reading.root(text), try Reading.root(answerText))
        let update = ShapeUpdate(to: JSONShape(of: answer), values: [answer])
        let bytes = try update.updated(SourceFile(name: "s", text: text))
        let result = String(decoding: bytes, as: UTF8.self)
        let left = JSONShape(of: try Reading.root(result)).findings(against: JSONShape(of: answer))
        #expect(left.isEmpty, "\(text) to \(answerText): \(result): \(left.map { "\($0.kind) \($0.path)" })")
        if JSONShape(of: stub).findings(against: JSONShape(of: answer)).isEmpty { #expect(result == text) }
    }

    @Test("A whole line of a member that agrees stays as it is", arguments: 0..<50)
    func lines(_ seed: Int) throws {
        var samples = Samples(seed: UInt64(seed))
        let kept = (0..<8).map { "  \"keep\($0)\" :   \(samples.value(0, isSpread: false))" }
        let changed = (0..<8).map { "  \"other\($0)\": \(samples.value(2, isSpread: false))" }
        let stub =
            "{\n"
            + zip(kept, changed).flatMap { [$0, $1] }.shuffled(using: &samples.generator)
            .joined(separator: ",\n") + "\n}"
        let members =
            kept
            + (0..<8).compactMap { index in
                index % 2 == 0 ? "\"other\(index)\": \(samples.value(2, isSpread: false))" : nil
            }
        let answer = try Reading.root("{" + members.joined(separator: ",") + "}")
        let bytes = try ShapeUpdate(to: JSONShape(of: answer), values: [answer]).updated(
            SourceFile(name: "s", text: stub))
        let lines = Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.trimmingSuffix(",") })
        for line in kept { #expect(lines.contains(line[...]), "\(line)") }
    }

    @Test("The time of an update grows with the documents and not with their square", arguments: [true, false])
    func growth(_ isNew: Bool) throws {
        let growth = try Growth.fourfold(1_000) { count in
            let wide = "{" + (0..<count).map { #""key\#($0)": [\#($0)]"# }.joined(separator: ",") + "}"
            let list = "[" + (0..<count).map { #"{"a": \#($0)}"# }.joined(separator: ",") + "]"
            let (stub, answer) = isNew ? ("{}", wide) : (list, list.replacingKeys())
            let root = try Reading.root(answer)
            let update = ShapeUpdate(to: JSONShape(of: root), values: [root])
            #expect(try update.updated(SourceFile(name: "s", text: stub)).count > count)
        }
        #expect(growth < 9, "\(growth)")
    }

    /// Random JSON of few names, so that two values have much in common.
    private struct Samples {
        var generator: SeededGenerator

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func value(_ depth: Int, isSpread: Bool, indent: String = "") -> String {
            let scalars = [
                "1", "2.5", "null", "true", #""x""#, #""2026-11-23""#, #""ada@example.com""#, #""10.0.0.1""#, "[]",
                "{}",
            ]
            let kind = Int.random(in: 0..<(depth > 0 ? 8 : 3), using: &generator)
            if kind < 3 { return scalars.randomElement(using: &generator) ?? "null" }
            let inner = indent + "  "
            let isObject = kind < 6
            let keys = kind == 3 ? ["1", "2", "17"] : ["a", "b", "c", "1", "de"]
            let names = keys.shuffled(using: &generator)
            let items = (0..<Int.random(in: 1...3, using: &generator)).map { index in
                (isObject ? "\"\(names[index])\": " : "") + value(depth - 1, isSpread: isSpread, indent: inner)
            }
            let (opening, closing) = isObject ? ("{", "}") : ("[", "]")
            guard isSpread else { return opening + items.joined(separator: ", ") + closing }
            return opening + "\n" + inner + items.joined(separator: ",\n" + inner) + "\n" + indent + closing
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ suffix: String) -> Substring { hasSuffix(suffix) ? dropLast(suffix.count) : self }
}

extension String {
    fileprivate func replacingKeys() -> String { split(separator: "\"a\"").joined(separator: "\"b\"") }
}
