import ReqcliText
import TestSupport
import Testing

/// Documents by chance, in every layout: what an edit must never do.
struct JSONEditFuzzTests {
    private static let count = JSONFuzzTests.count

    private static let value: OrderedJSON = .object([
        "status": 404, "headers": .object(["Via": ["a", "b"], "X-\"é": ""]), "file": "a.json",
    ])

    private struct Sample {
        let seed: Int
        let bytes: [UInt8]
        let syntax: JSONSyntax
    }

    /// Half of them are strict JSON, half have comments and trailing commas.
    private static var samples: some Sequence<Sample> {
        (0..<count).lazy.map { seed in
            if seed.isMultiple(of: 2) {
                var samples = JSONSamples(seed: UInt64(seed))
                return Sample(seed: seed, bytes: samples.document(), syntax: .strict)
            }
            var samples = CommentedSamples(seed: UInt64(seed))
            return Sample(seed: seed, bytes: samples.document(), syntax: .commented)
        }
    }

    @Test("A member is added to any object: the text around it stays, and nothing else is said than before")
    func adding() throws {
        var objects = 0
        for sample in Self.samples {
            let document = read(sample.bytes, sample.syntax)
            let root = try #require(document.root)
            let text = String(decoding: sample.bytes, as: UTF8.self)
            try #require(document.problems.isEmpty, "\(sample.seed): \(text)")
            for object in root.descendants where object.kind == .object {
                objects += 1
                let edits = object.adding("the new one", Self.value, style: JSONStyle(of: document), spreading: 1)
                let result = read(edits.applied(to: sample.bytes), sample.syntax)
                let isInside = edits.allSatisfy {
                    $0.range.isEmpty && object.range.contains($0.range.lowerBound)
                        && $0.range.lowerBound > object.range.lowerBound
                }
                let expected = root.saying { value, members in
                    value.range == object.range ? members + [OrderedJSON.Member("the new one", Self.value)] : members
                }
                let isRight = result.problems.isEmpty && result.root.map { OrderedJSON($0) } == expected
                if !isInside || !isRight {
                    Issue.record("\(sample.seed): \(text)\nbecame \(result.file.text(0..<result.file.bytes.count))")
                    return
                }
            }
        }
        #expect(objects > Self.count)
    }

    @Test("Any member is replaced: only its value's bytes are others")
    func replacing() throws {
        for sample in Self.samples {
            let document = read(sample.bytes, sample.syntax)
            let root = try #require(document.root)
            for object in root.descendants where object.kind == .object {
                guard let member = object.members.reduce(nil, { $1 }) else { continue }
                let edits = object.replacing(member.name, by: Self.value, style: JSONStyle(of: document))
                let result = read(edits.applied(to: sample.bytes), sample.syntax)
                let expected = root.saying { value, members in
                    value.range == object.range
                        ? members.dropLast() + [OrderedJSON.Member(member.name, Self.value)] : members
                }
                let isRight = result.problems.isEmpty && result.root.map { OrderedJSON($0) } == expected
                if edits.map(\.range) != [member.value.range] || !isRight {
                    Issue.record("\(sample.seed): \(result.file.text(0..<result.file.bytes.count))")
                    return
                }
            }
        }
    }
}

extension JSONValue {
    /// What this says, with other members where `change` says so.
    fileprivate func saying(_ change: (JSONValue, [OrderedJSON.Member]) -> [OrderedJSON.Member]) -> OrderedJSON {
        switch kind {
        case .object: .object(change(self, members.map { OrderedJSON.Member($0.name, $0.value.saying(change)) }))
        case .array: .array(elements.map { $0.saying(change) })
        default: OrderedJSON(self)
        }
    }
}

/// Objects with comments, trailing commas and every kind of line break.
private struct CommentedSamples {
    private var generator: SeededGenerator
    private var text = ""

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func document() -> [UInt8] {
        gap()
        object(depth: 4)
        gap()
        return Array(text.utf8)
    }

    private mutating func object(depth: Int) {
        text += "{"
        let count = Int.random(in: 0...3, using: &generator)
        gap()
        for index in 0..<count {
            text += pick(["\"a\"", "\"key\"", "\"é\"", "\"//\"", "\"\\\"}\""])
            gap()
            text += ":"
            gap()
            value(depth: depth)
            gap()
            if index < count - 1 || Bool.random(using: &generator) {
                text += ","
                gap()
            }
        }
        text += "}"
    }

    private mutating func value(depth: Int) {
        switch Int.random(in: 0..<(depth > 0 ? 5 : 2), using: &generator) {
        case 0: text += pick(["0", "true", "null", "-1.5e3"])
        case 1: text += pick(["\"\"", "\"/* no */\"", "\"a // b\"", "\"\\\\\""])
        case 2:
            text += "["
            gap()
            value(depth: depth - 1)
            gap()
            text += pick(["", ","]) + "]"
        default: object(depth: depth - 1)
        }
    }

    private mutating func gap() {
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            text += pick([
                " ", "\n", "\r\n", "\t", "\n  ", "\r\n\t\t", "\r", " // }, {\n", "// \"é\r\n", "/* */",
                "/*\n * , }\n */",
                " /**/ ",
            ])
        }
    }

    private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
}
