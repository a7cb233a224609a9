import ReqcliText
import TestSupport
import Testing

/// The exact text that a person sees.
struct DiagnosticRendererTests {
    /// A diagnostic at each marker of a text.
    private func render(
        _ marked: MarkedText, _ message: String = "wrong", hint: String? = nil, width: Int = 100, inColour: Bool = false
    ) -> String {
        let file = SourceFile(name: "f.json", text: marked.text)
        return DiagnosticRenderer(sourceWidth: width).render(
            marked.ranges.map { Diagnostic(code: "test.code", message, at: Place(file, $0), hint: hint) }
        ).rendered(inColour: inColour)
    }

    @Test("Place, message, source line, caret and hint")
    func whole() {
        let marked: MarkedText = "{\n  \"a\": 1,\n  ⟦\"metod\"⟧: \"GET\"\n}"
        #expect(
            render(marked, "unknown key \"metod\"", hint: "did you mean \"method\"?") == """
                f.json:3:3: error: unknown key "metod"
                  3 |   "metod": "GET"
                    |   ^^^^^^^ did you mean "method"?

                """)
    }

    @Test("A secret in the line is masked, and the caret stays under its place")
    func masked() {
        let file = SourceFile(name: "f.json", text: "a SECRET b x SECRET")
        func render(_ range: Range<Int>) -> String {
            DiagnosticRenderer(secrets: { line in
                String(decoding: line, as: UTF8.self).ranges(of: "SECRET").map { range in
                    let text = String(decoding: line, as: UTF8.self)
                    return text.utf8.distance(
                        from: text.startIndex, to: range.lowerBound)..<text.utf8.distance(
                            from: text.startIndex, to: range.upperBound)
                }
            }).render([Diagnostic(code: "test.code", "wrong", at: Place(file, range))]).rendered(inColour: false)
        }
        #expect(render(11..<12).hasSuffix("\n  1 | a *** b x ***\n    |         ^\n"))
        #expect(render(2..<8).hasSuffix("\n  1 | a *** b x ***\n    |   ^^^\n"))
        #expect(render(4..<10).hasSuffix("\n  1 | a ****** b x ***\n    |      ^^^^^\n"))
    }

    @Test("A place between two characters has one caret")
    func emptyRange() {
        #expect(
            render("[1⟦⟧ 2]") == """
                f.json:1:3: error: wrong
                  1 | [1 2]
                    |   ^

                """)
    }

    @Test("The gutter is as wide as the line's number")
    func gutter() {
        let marked = MarkedText(String(repeating: "\n", count: 99) + "⟦x⟧")
        #expect(
            render(marked) == """
                f.json:100:1: error: wrong
                  100 | x
                      | ^

                """)
    }

    static let lines: [(String, MarkedText, String)] = [
        ("a tab is four cells in both rows", "\t⟦x⟧", "  1 |     x\n    |     ^\n"),
        ("a tab inside the range", "⟦a\tb⟧", "  1 | a    b\n    | ^^^^^^\n"),
        ("wide characters before", "日本⟦x⟧y", "  1 | 日本xy\n    |     ^\n"),
        ("wide characters inside", "⟦日本⟧", "  1 | 日本\n    | ^^^^\n"),
        ("an emoji before", "👩‍👩‍👧‍👦⟦x⟧", "  1 | 👩‍👩‍👧‍👦x\n    |   ^\n"),
        ("a combining accent before", "e\u{301}⟦x⟧", "  1 | e\u{301}x\n    |  ^\n"),
        ("an escape sequence is shown, not obeyed", "\u{1B}[31m⟦x⟧", "  1 | ␛[31mx\n    |      ^\n"),
        ("a text that turns itself around", "\u{202E}⟦x⟧", "  1 | \u{FFFD}x\n    |  ^\n"),
        ("CR LF", "⟦x⟧\r\ny", "  1 | x\n    | ^\n"),
        ("the break of a CR LF line", "x⟦\r\n⟧y", "  1 | x\n    |  ^\n"),
        ("the LF of a CR LF", "x\r⟦\n⟧y", "  1 | x\n    |  ^\n"),
        ("the end of the text", "x\n⟦⟧", "  2 |\n    | ^\n"),
        ("a range over several lines is marked to its first line's end", "a ⟦bc\nde⟧", "  1 | a bc\n    |   ^^\n"),
        ("blanks at the line's end are left out", "⟦x⟧   ", "  1 | x\n    | ^\n"),
    ]

    @Test("The caret stands under what it means", arguments: lines)
    func carets(_ name: String, _ marked: MarkedText, _ excerpt: String) throws {
        let rendered = render(marked)
        let heading = try #require(rendered.split(separator: "\n", maxSplits: 1).first)
        #expect(Array(rendered.dropFirst(heading.count + 1)) == Array(excerpt))
    }

    static let longTexts: [(String, MarkedText, String)] = [
        (
            "far from the start",
            MarkedText(String(repeating: "x", count: 500) + "⟦bad⟧" + String(repeating: "y", count: 500)),
            "  1 | …xxxxxxxxxxbadyyyyyyyyyyyyyyy…\n    |            ^^^\n"
        ),
        (
            "at the start", MarkedText("⟦bad⟧" + String(repeating: "y", count: 500)),
            "  1 | badyyyyyyyyyyyyyyyyyyyyyyyyyy…\n    | ^^^\n"
        ),
        (
            "a long range", MarkedText("a ⟦" + String(repeating: "y", count: 500) + "⟧"),
            "  1 | a yyyyyyyyyyyyyyyyyyyyyyyyyyy…\n    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        ),
        (
            "wide characters before",
            MarkedText(String(repeating: "日", count: 100) + "⟦bad⟧" + String(repeating: "本", count: 100)),
            "  1 | …日日日日日bad本本本本本本本…\n    |            ^^^\n"
        ),
        (
            "at the end", MarkedText(String(repeating: "x", count: 500) + "⟦⟧"),
            "  1 | …xxxxxxxxxx\n    |            ^\n"
        ),
    ]

    @Test("Of a long line the part around the caret is shown", arguments: longTexts)
    func longLines(_ name: String, _ marked: MarkedText, _ excerpt: String) throws {
        let rendered = render(marked, width: 30)
        let heading = try #require(rendered.split(separator: "\n", maxSplits: 1).first)
        #expect(String(rendered.dropFirst(heading.count + 1)) == excerpt)
    }

    @Test("A file as a whole has no line to show; its hint follows")
    func wholeFile() {
        let file = SourceFile(name: "big.json", text: "")
        let renderer = DiagnosticRenderer()
        #expect(
            renderer.render(Diagnostic(code: "c", "the file is empty", at: Place(file, 0..<0), hint: "write {}")).plain
                == "big.json:1:1: error: the file is empty\n  write {}\n")
        #expect(
            renderer.render(Diagnostic(code: "c", "can't be read", at: nil, fileName: "gone.json")).plain
                == "gone.json: error: can't be read\n")
        #expect(
            renderer.render(Diagnostic(.warning, code: "c", "nothing here", at: nil)).plain == "warning: nothing here\n"
        )
    }

    @Test("A note shows its own place")
    func notes() {
        let marked: MarkedText = "{⟦\"a\"⟧:1,\n ⟦\"a\"⟧:2}"
        let file = SourceFile(name: "f.json", text: marked.text)
        let diagnostic = Diagnostic(
            code: "key.duplicate", "\"a\" is there twice", at: Place(file, marked.ranges[1]),
            notes: [Diagnostic.Note("first given here", at: Place(file, marked.ranges[0]))])
        #expect(
            DiagnosticRenderer().render(diagnostic).plain == """
                f.json:2:2: error: "a" is there twice
                  2 |  "a":2}
                    |  ^^^
                f.json:1:2: note: first given here
                  1 | {"a":1,
                    |  ^^^

                """)
    }

    @Test("Control characters in names and messages are shown, not obeyed")
    func harmless() {
        let diagnostic = Diagnostic(code: "c", "found \"\u{1B}]0;x\u{7}\"", at: nil, fileName: "a\u{1B}b.json")
        #expect(DiagnosticRenderer().render(diagnostic).plain == "a␛b.json: error: found \"␛]0;x␇\"\n")
    }

    @Test("A message and its hint are a line each, whatever they quote")
    func oneLine() {
        #expect(
            render("⟦x⟧", "found \"a\tb\r\nf.json:9:9: error: c\"", hint: "not\nthat") == """
                f.json:1:1: error: found "a␉b␍␊f.json:9:9: error: c"
                  1 | x
                    | ^ not␊that

                """)
        let placeless = Diagnostic(code: "c", "a\nb", at: nil, hint: "c\nd")
        #expect(DiagnosticRenderer().render(placeless).plain == "error: a␊b\n  c␊d\n")
    }

    @Test("Colour surrounds place, word and caret, and the text stays the same")
    func colour() {
        let rendered = render("[⟦x⟧]", hint: "why", inColour: true)
        #expect(
            rendered
                == "\u{1B}[1mf.json:1:2\u{1B}[0m: \u{1B}[1;31merror:\u{1B}[0m wrong\n  1 | [x]\n    |  \u{1B}[1;32m^ why\u{1B}[0m\n"
        )
    }

    @Test(
        "A place outside its file is no crash", arguments: [0..<99, 5..<9, 99..<120, 3..<3])
    func outside(_ range: Range<Int>) {
        let file = SourceFile(name: "f.json", text: "ab\n")
        #expect(
            DiagnosticRenderer().render(Diagnostic(code: "c", "wrong", at: Place(file, range))).plain.contains("wrong"))
    }
}
