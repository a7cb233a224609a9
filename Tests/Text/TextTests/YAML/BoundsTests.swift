import ReqcliText
import TestSupport
import Testing

/// Hostile texts: each is a tree or an error, and never takes more time or memory than its length allows.
struct BoundsTests {
    @Test(
        "512 levels are read, the 513th is refused",
        arguments: [("[", "]", 513), ("- ", "", 1025), ("{a: ", "}", 2049), ("? ", "", 3)])
    func depth(_ opening: String, _ closing: String, _ column: Int) throws {
        let isKey = opening == "? "
        func nested(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "x" + String(repeating: closing, count: depth)
        }
        if !isKey { #expect(readYAML(nested(512)).problems == []) }
        let refused = try #require(readYAML(nested(513)).diagnostics.first)
        #expect(refused.code == (isKey ? .yamlUnsupported : .yamlDepth))
        #expect(refused.place?.start == Position(line: 1, column: column))
    }

    @Test(
        "100,000 levels are a few errors",
        arguments: [
            "[", "{", "- ", "? ", "{a: ", "[[a]: ", "[? ", "- - ", "&a ", "!!str ", "\"", "|", "a: ", ": ", "*a ",
            "[]", "}",
        ])
    func levels(_ text: String) {
        let document = readYAML(String(repeating: text, count: 100_000))
        #expect(!document.problems.isEmpty && document.problems.count <= 20)
    }

    @Test("Aliases that double at each step are refused, and the tree stays small")
    func bomb() {
        let lines = (1..<60).map { "- &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }
        let document = readYAML("- &a0 [x]\n" + lines.joined(separator: "\n"))
        #expect(document.problems.map(\.code) == [.yamlAlias])
        #expect(
            document.outcome.hasPrefix(
                "16:9: with this alias, the aliases expand the text to more than ten times its size"))
        #expect(document.root.map { $0.descendants.reduce(0) { count, _ in count + 1 } } ?? .max < 200_000)
    }

    @Test("Merged keys that double at each step are refused")
    func mergeBomb() {
        let lines = (1..<40).map { "- &a\($0) {<<: *a\($0 - 1) , x\($0): *a\($0 - 1) , y\($0): *a\($0 - 1) }" }
        let document = readYAML("- &a0 {x: 1}\n" + lines.joined(separator: "\n"))
        #expect(document.problems.map(\.code) == [.yamlAlias])
        #expect(document.root.map { $0.descendants.reduce(0) { count, _ in count + 1 } } ?? .max < 200_000)
    }

    @Test("Ten walks through a large list are allowed")
    func allowed() {
        let list = "- &x [" + String(repeating: "1, ", count: 50_000) + "]\n"
        #expect(readYAML(list + String(repeating: "- *x\n", count: 11)).problems == [])
        #expect(readYAML(list + String(repeating: "- *x\n", count: 12)).problems.map(\.code) == [.yamlAlias])
    }

    @Test("A chain of 100,000 aliases is no deeper than other values may be")
    func chain() {
        let chain = (1..<100_000).map { "- &a\($0) [*a\($0 - 1)]" }.joined(separator: "\n")
        let document = readYAML("- &a0 [x]\n" + chain)
        #expect(document.problems.count <= 20)
        #expect(document.problems.first?.code == .yamlDepth)
        #expect(document.diagnostics.first?.place?.start.line == 512)
        let values = (1..<100_000).map { "- [&a\($0) x, *a\($0) ]" }.joined(separator: "\n")
        #expect(readYAML(values).problems == [])
    }

    @Test("A circle is an error wherever it closes")
    func circle() {
        let open = (0..<400).map { "[&a\($0) " }.joined() + "*a0" + String(repeating: "]", count: 400)
        #expect(readYAML("&a [*a]").problems.map(\.code) == [.yamlAlias])
        #expect(readYAML("&a {b: [{c: *a }]}").problems.map(\.code) == [.yamlAlias])
        #expect(readYAML("- &a\n  <<: *a\n").problems.map(\.code) == [.yamlAlias])
        #expect(!readYAML(open).problems.isEmpty)
    }

    /// Texts that are the same part again and again.
    static let repeated: [(String, String, String, String)] = [
        ("long plain text", "a: ", "word ", ""),
        ("plain text over many lines", "a:", " b\n ", ""),
        ("text in quotes over many lines", "a: \"", "b\n ", "\""),
        ("single quotes", "a: '", "''", "'"),
        ("escapes", "a: \"", "\\n", "\""),
        ("a literal", "a: |\n", "  b\n", ""),
        ("a folded text of short lines", "a: >\n", "  b\n\n", ""),
        ("blank lines in a literal", "a: |\n  b\n", "\n", "c: d"),
        ("blank lines", "a: b\n", "  \n", "c: d"),
        ("comments", "a: b\n", "# c\n", "c: d"),
        ("empty items", "", "-\n", ""),
        ("keys", "", "a:\n", ""),
        ("explicit keys", "", "? a\n", ""),
        ("indented lines", "", "                                - x\n", ""),
        ("a flow list", "[", "a, ", "]"),
        ("pairs in a flow list", "[", "a: b, ", "]"),
        ("an unclosed flow list", "[", "a, ", ""),
        ("an unclosed text", "a: \"", "b ", ""),
        ("anchors", "", "- &a b\n", ""),
        ("aliases", "- &a b\n", "- *a\n", ""),
        ("merged keys", "- &a {b: c}\n", "- <<: *a\n", ""),
        ("a list of merged mappings", "- &a {b: c}\n- <<: [", "*a , ", "]"),
        ("spaces", "a:", " ", "b"),
        ("tabs", "a:", "\t", "b"),
        ("a long key", "", "a", ": b"),
        ("a long anchor", "&", "a", " b"),
        ("a long tag", "!", "a", " b"),
        ("a long number", "", "1", ""),
        ("hexadecimal numbers", "", "- 0x" + String(repeating: "f", count: 200) + "\n", ""),
        ("carriage returns", "a: b", "\r", ""),
        ("unknown tags", "", "- !a b\n", ""),
        ("unknown aliases", "", "- *a\n", ""),
    ]

    @Test("Time grows with the length, and not with its square", arguments: repeated)
    func growth(_ name: String, _ head: String, _ part: String, _ tail: String) {
        let growth = Growth.fourfold(20_000 / part.utf8.count) { size in
            let document = readYAML(head + String(repeating: part, count: size) + tail)
            // Also the walk, and the reading of all texts.
            _ = document.root?.descendants.reduce(0) { $0 + ($1.string?.utf8.count ?? 0) }
        }
        #expect(growth < 8)
    }
}
