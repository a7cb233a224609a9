import ReqcliText
import TestSupport
import Testing

/// Offsets are bytes; a person counts lines and characters.
struct PositionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let marked: MarkedText
        let line: Int
        let column: Int

        init(_ name: String, _ marked: MarkedText, _ line: Int, _ column: Int) {
            (testDescription, self.marked, self.line, self.column) = (name, marked, line, column)
        }
    }

    static let cases = [
        Case("the first character", "⟦a⟧", 1, 1),
        Case("an empty text", "⟦⟧", 1, 1),
        Case("behind the last character", "abc⟦⟧", 1, 4),
        Case("the second line", "ab\nc⟦d⟧", 2, 2),
        Case("the line break itself", "ab⟦\n⟧c", 1, 3),
        Case("behind the last line break", "ab\n⟦⟧", 2, 1),
        Case("lines that end in CR LF", "ab\r\ncd\r\n⟦e⟧", 3, 1),
        Case("the CR of a CR LF", "ab⟦\r\n⟧cd", 1, 3),
        Case("empty lines", "\n\n\n⟦x⟧", 4, 1),
        Case("a tab is one column", "\t\t⟦x⟧", 1, 3),
        Case("two-byte characters", "éé⟦x⟧", 1, 3),
        Case("wide characters", "日本⟦x⟧", 1, 3),
        Case("an emoji", "😀⟦x⟧", 1, 2),
        Case("a family of emoji is one character", "👩‍👩‍👧‍👦⟦x⟧", 1, 2),
        Case("flags", "🇩🇪🇫🇷⟦x⟧", 1, 3),
        Case("a letter and its accent are one character", "e\u{301}⟦x⟧", 1, 2),
        Case("wide characters on the line before don't count", "日本語\n⟦x⟧", 2, 1),
    ]

    @Test("Lines and columns count from one, a column for each character that is seen", arguments: cases)
    func position(_ example: Case) throws {
        let file = SourceFile(name: "f", text: example.marked.text)
        let range = try #require(example.marked.ranges.first)
        #expect(file.position(of: range.lowerBound) == Position(line: example.line, column: example.column))
    }

    @Test("A place describes itself as editors and terminals link it")
    func description() {
        let marked: MarkedText = "{\n  ⟦\"é\"⟧ : 1\n}"
        let place = Place(SourceFile(name: "endpoints/user.json", text: marked.text), marked.ranges[0])
        #expect(place.description == "endpoints/user.json:2:3")
        #expect(place.end == Position(line: 2, column: 6))
    }

    @Test("An invalid byte is one column, and the position behind it is right")
    func invalidBytes() {
        let file = SourceFile(name: "f", bytes: [0x61, 0xFF, 0xE2, 0x82, 0x62])
        #expect(file.position(of: 4) == Position(line: 1, column: 4))
    }

    @Test("Offsets outside the text are taken for its ends", arguments: [(-5, 1, 1), (99, 2, 2)])
    func outside(_ offset: Int, _ line: Int, _ column: Int) {
        let file = SourceFile(name: "f", text: "a\nb")
        #expect(file.position(of: offset) == Position(line: line, column: column))
        #expect(file.lineRange(containing: offset) == (line == 1 ? 0..<1 : 2..<3))
    }

    @Test(
        "The range of a line leaves its break out",
        arguments: ["⟦ab⟧\ncd", "⟦ab⟧\r\ncd", "⟦ab⟧", "⟦⟧\nab", "⟦⟧\r\nab", "⟦a\rb⟧\n"] as [MarkedText])
    func lineRange(_ marked: MarkedText) {
        let file = SourceFile(name: "f", text: marked.text)
        #expect(file.lineRange(containing: marked.ranges[0].lowerBound) == marked.ranges[0])
    }

    @Test("Places in one very long line are told as in a short one, asked for in any order")
    func longLine() {
        let pieces = ["a", "é", "e\u{301}", "日", "👩‍👩‍👧", "\r", "\t", "\"", "\u{600}", "🇩🇪"]
        var random = SeededGenerator(seed: 3)
        var text = "first\n"
        for _ in 0..<4000 { text += pieces.randomElement(using: &random) ?? "" }
        let file = SourceFile(name: "f", text: text)
        for _ in 0..<200 {
            let offset = Int.random(in: 6...text.utf8.count, using: &random)
            let expected = String(decoding: Array(text.utf8)[6..<offset], as: UTF8.self).count + 1
            #expect(file.position(of: offset) == Position(line: 2, column: expected))
        }
    }

    @Test("Many problems in one line cost as much as in many")
    func manyProblems() {
        let growth = Growth.fourfold(500) { count in
            let text = "{" + String(repeating: #""k":"1","#, count: count) + "}"
            let file = SourceFile(name: "f", text: text)
            let places = (0..<count).map { Place(file, $0 * 8 + 1..<$0 * 8 + 4) }
            _ = DiagnosticRenderer().render(
                places.map {
                    Diagnostic(code: "x", "twice", at: $0, notes: [Diagnostic.Note("here", at: places[0])])
                })
        }
        #expect(growth < 9, "\(growth)")
    }
}
