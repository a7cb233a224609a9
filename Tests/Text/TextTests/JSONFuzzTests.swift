import Foundation
import ReqcliText
import TestSupport
import Testing

/// Thousands of inputs by chance.
struct JSONFuzzTests {
    static let count = RandomInputs.count(3_000)

    enum Kind: String, CaseIterable, Sendable {
        case valid
        case broken
        case noise
    }

    private func input(_ kind: Kind, _ seed: Int) -> [UInt8] {
        var samples = JSONSamples(seed: UInt64(seed))
        return switch kind {
        case .valid: samples.document()
        case .broken: samples.brokenDocument()
        case .noise: samples.noise()
        }
    }

    @Test("Every place is inside the text, with and without comments", arguments: Kind.allCases)
    func places(_ kind: Kind) {
        for seed in 0..<Self.count {
            let bytes = input(kind, seed)
            for syntax in [JSONSyntax.strict, .commented] {
                let document = read(bytes, syntax)
                let wrong = document.root.flatMap { fault(in: $0, within: 0..<bytes.count) }
                let outside = document.problems.first {
                    $0.range.lowerBound < 0 || $0.range.upperBound > bytes.count
                }
                if wrong != nil || outside != nil || document.problems.count > 20 {
                    Issue.record(
                        "\(kind) \(seed), \(syntax): \(wrong ?? outside?.message ?? "too many problems")")
                    return
                }
            }
        }
    }

    @Test("Whatever is read, the tree can be walked, shown and written", arguments: Kind.allCases)
    func tree(_ kind: Kind) {
        for seed in 0..<Self.count {
            let bytes = input(kind, seed)
            let document = read(bytes)
            if let fault = document.root.flatMap({ fault(in: $0, within: 0..<bytes.count) }) {
                Issue.record("\(kind) \(seed): \(fault) in \(String(decoding: bytes, as: UTF8.self))")
                return
            }
            for diagnostic in document.diagnostics {
                #expect(DiagnosticRenderer().render(diagnostic).plain.hasSuffix("\n"))
                #expect(diagnostic.place.map { $0.start.line >= 1 && $0.start.column >= 1 } == true)
            }
            if document.problems.isEmpty {
                let again = read(document.understood)
                #expect(again.problems == [])
                #expect(again.understood == document.understood)
            }
        }
    }

    @Test("Foundation takes and refuses the same texts", arguments: Kind.allCases)
    func foundation(_ kind: Kind) {
        for seed in 0..<Self.count {
            let bytes = input(kind, seed)
            let document = read(bytes)
            if differs(document, bytes) { continue }
            let isValid = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            if isValid != document.problems.isEmpty {
                Issue.record(
                    "\(kind) \(seed): Foundation \(isValid ? "takes" : "refuses") \(String(decoding: bytes, as: UTF8.self).debugDescription): \(document.problems.map(\.message))"
                )
                return
            }
        }
    }

    /// Where the two are known to differ.
    private func differs(_ document: JSONDocument, _ bytes: [UInt8]) -> Bool {
        // Foundation guesses at UTF-16 and UTF-32, takes byte order marks and trailing commas, and refuses a number that
        // no Double holds.
        bytes.prefix(4).contains(0)
            || [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]].contains { bytes.starts(with: $0) }
            || document.problems.contains { $0.message == "JSON has no trailing commas" }
            || document.root.map(holdsHugeNumber) == true
    }

    private func holdsHugeNumber(_ value: JSONValue) -> Bool {
        value.number?.double.isInfinite == true || value.elements.contains(where: holdsHugeNumber)
            || value.members.contains { holdsHugeNumber($0.value) }
    }

    /// What is wrong with a tree, or nil.
    private func fault(in value: JSONValue, within outer: Range<Int>) -> String? {
        let range = value.range
        if range.lowerBound < outer.lowerBound || range.upperBound > outer.upperBound {
            return "\(range) outside \(outer)"
        }
        switch value.kind {
        case .object:
            var count = 0
            for member in value.members {
                count += 1
                if member.key.string == nil, member.key.kind != .string { return "a key that is none" }
                if member.key.range.upperBound > member.value.range.lowerBound { return "a value before its key" }
                if let fault = fault(in: member.value, within: range) { return fault }
            }
            return count == value.count ? nil : "\(count) members, not \(value.count)"
        case .array:
            var count = 0
            for element in value.elements {
                count += 1
                if let fault = fault(in: element, within: range) { return fault }
            }
            return count == value.count ? nil : "\(count) elements, not \(value.count)"
        case .string: return value.string == nil ? "a string that says nothing" : nil
        case .number: return value.number == nil ? "a number that is none: \(value.text)" : nil
        case .true, .false, .null, .invalid: return nil
        }
    }
}
