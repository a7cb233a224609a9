import ReqcliText
import TestSupport
import Testing

@testable import Checking

/// An update changes in a snapshot only what differs.
struct SnapshotPatchTests {
    private static func root(_ text: String) throws -> JSONValue {
        let document = JSONDocument.read(SourceFile(name: "a", text: text))
        #expect(document.problems == [])
        return try Workshop.required(document.root, "JSON: \(text)")
    }

    private static func patched(_ old: String, _ new: String) throws -> String {
        String(decoding: SnapshotPatch.text(from: try root(old), to: try root(new)), as: UTF8.self)
    }

    @Test(
        "What is equal keeps its text, its place and its order",
        arguments: [
            ("a value", "{\n\t\"b\" : 1.0,\n\t\"a\": 2\n}\n", #"{"a":3,"b":1}"#, "{\n\t\"b\" : 1.0,\n\t\"a\" : 3\n}\n"),
            (
                "a new member", "{\n  \"a\": 1,\n  \"c\": 1\n}", #"{"a":1,"b":[],"c":1}"#,
                "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": 1\n}"
            ),
            (
                "a first member", "{\n  \"c\": 1\n}", #"{"b":{"x":1},"c":1}"#,
                "{\n  \"b\": {\n    \"x\": 1\n  },\n  \"c\": 1\n}"
            ),
            ("a member less", "{\n  \"a\": 1,\n  \"c\": {  }\n}", #"{"c":{}}"#, "{\n  \"c\": {  }\n}"),
            ("elements", "[\n  1,\n  2,\n  3\n]", "[1,3,4]", "[\n  1,\n  3,\n  4\n]"),
            ("one line", #"{ "a": [1, 2], "b": 1 }"#, #"{"a":[1,2,3],"b":2}"#, #"{ "a": [1, 2, 3], "b": 2 }"#),
            (
                "one line among others", "{\n  \"a\": [1, 2],\n  \"b\": 1\n}", #"{"a":[2],"b":1}"#,
                "{\n  \"a\": [2],\n  \"b\": 1\n}"
            ),
            ("CR LF", "{\r\n  \"a\": 1\r\n}\r\n", #"{"a":1,"b":2}"#, "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n"),
            ("another kind", "{\n  \"a\": 1\n}\n", #"["b"]"#, "[\n  \"b\"\n]\n"),
            ("nothing left", "{\n  \"a\": [\n    1\n  ]\n}\n", #"{"a":[]}"#, "{\n  \"a\": []\n}\n"),
        ])
    func examples(_ name: String, _ old: String, _ new: String, _ expected: String) throws {
        #expect(try Self.patched(old, new) == expected)
    }

    /// A random change of one value somewhere, and the number of lines that it may take or add.
    private static func changed(
        _ value: OrderedJSON, _ generator: inout SeededGenerator
    ) -> (value: OrderedJSON, lines: Int) {
        func lines(_ value: OrderedJSON) -> Int { value.pretty.split(separator: "\n").count }
        let goesOn = Int.random(in: 0..<4, using: &generator) > 0
        switch value {
        case .object(var members) where goesOn && !members.isEmpty:
            let index = Int.random(in: members.indices, using: &generator)
            let member = members[index]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                members.remove(at: index)
                return (.object(members), lines(member.value) + (members.isEmpty ? 3 : 0))
            case 1:
                members.insert(OrderedJSON.Member("a new key", [1]), at: index)
                return (.object(members), 3)
            case 2:
                members.swapAt(index, 0)
                return (.object(members), 0)
            default:
                let (inner, count) = changed(member.value, &generator)
                members[index] = OrderedJSON.Member(member.name, inner)
                return (.object(members), count)
            }
        case .array(var elements) where goesOn && !elements.isEmpty:
            let index = Int.random(in: elements.indices, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let gone = elements.remove(at: index)
                return (.array(elements), lines(gone) + (elements.isEmpty ? 3 : 0))
            case 1:
                elements.insert("a new element", at: index)
                return (.array(elements), 1)
            default:
                let (inner, count) = changed(elements[index], &generator)
                elements[index] = inner
                return (.array(elements), count)
            }
        default: return ("another value", lines(value) + 1)
        }
    }

    @Test("After an update the comparison holds, and every other line is as it was")
    func random() throws {
        var samples = JSONSamples(seed: 7)
        for _ in 0..<3000 {
            let text = String(decoding: samples.document(), as: UTF8.self)
            let sample = try Self.root(text)
            if sample.descendants.contains(where: { $0.repeatedKey != nil }) { continue }
            let value = OrderedJSON(sample)
            let old = value.pretty + "\n"
            let (new, count) = Self.changed(value, &samples.generator)
            let result = try Self.patched(old, new.compact)
            #expect(try Self.root(result).isEquivalent(to: try Self.root(new.compact)), "\(old)\n\(result)")
            // A comma comes or goes where a neighbour does.
            func lines(_ text: String) -> [String] {
                text.split(separator: "\n").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
            }
            let (before, after) = (lines(old), lines(result))
            let difference = after.difference(from: before)
            #expect(difference.count <= count, "\(count): \(old)\n\(result)")
        }
    }

    @Test("Any two texts can be patched into one another")
    func unrelated() throws {
        var samples = JSONSamples(seed: 8)
        for _ in 0..<2000 {
            let old = String(decoding: samples.document(), as: UTF8.self)
            let new = String(decoding: samples.document(), as: UTF8.self)
            let roots = (try Self.root(old), try Self.root(new))
            if roots.1.descendants.contains(where: { $0.repeatedKey != nil }) { continue }
            if roots.0.descendants.contains(where: { $0.repeatedKey != nil }) { continue }
            #expect(try Self.root(try Self.patched(old, new)).isEquivalent(to: roots.1), "\(old)\n\(new)")
        }
    }
}
