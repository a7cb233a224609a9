import Foundation
import ReqcliText
import TestSupport
import Testing

/// Thousands of inputs by chance.
struct FuzzTests {
    static let count = RandomInputs.count(3_000)

    private static let parts = [
        " ", "  ", "\n", "\n ", "\n  ", "\n    ", "\r\n", "\t", "- ", "a: ", "b:", "? ", ": ", ":", ",", "[", "]", "{",
        "}", "'",
        "\"", "|", ">", "|2-", ">+", "#", " # c", "&a ", "*a", "*a ", "!!str ", "!", "!x ", "<<: ", "---", "...", "%",
        "\\", "\\x41",
        "\\\n", "é", "日", "0x1F", "012", ".5", "1e3", "~", "true", "word", "a b", "\u{FEFF}", "@", "`", ".inf",
    ]

    private func text(_ seed: Int) -> String {
        var generator = SeededGenerator(seed: UInt64(seed))
        let length = Int.random(in: 1...30, using: &generator)
        return (0..<length).map { _ in Self.parts.randomElement(using: &generator) ?? "" }.joined()
    }

    @Test("Whatever is read, places are inside the text, and the tree can be walked and written as JSON")
    func noise() {
        var valid = 0
        for seed in 0..<Self.count {
            let text = text(seed)
            let document = readYAML(text)
            let size = text.utf8.count
            for diagnostic in document.diagnostics {
                guard let range = diagnostic.place?.range, range.lowerBound >= 0, range.upperBound <= size else {
                    Issue.record("\(seed): a problem outside of the text: \(text.debugDescription)")
                    return
                }
                #expect(DiagnosticRenderer().render(diagnostic).plain.hasSuffix("\n"))
            }
            guard let root = document.root else { continue }
            for value in root.descendants {
                let children = Array(value.children)
                let isRight =
                    value.range.upperBound <= size && children.count == value.count
                    && (value.kind != .string || value.string != nil) && (value.kind != .number || value.number != nil)
                guard isRight else {
                    Issue.record("\(seed): a wrong value in \(text.debugDescription)")
                    return
                }
            }
            if document.problems.isEmpty {
                valid += 1
                let again = readYAML(OrderedJSON(root).compact)
                #expect(again.root?.isEquivalent(to: root) == true, "\(seed): \(text.debugDescription)")
            }
        }
        #expect(valid > Self.count / 20)
    }
}
