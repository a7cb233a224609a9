import ReqcliText
import Testing

struct WidthTests {
    @Test(
        "Text is measured in the cells a terminal gives it",
        arguments: [
            ("", 0), ("plain", 5), ("naïve", 5), ("nai\u{308}ve", 5), ("日本語", 6), ("한국어", 6),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("ｆｕｌｌ", 8), ("ｶﾅ", 2), ("😀", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("1️⃣", 2),
            ("❤", 1), ("❤️", 2), ("⌚", 2), ("©", 1), ("→", 1), ("…", 1), ("│", 1), ("a\u{200B}b", 2), ("\u{1B}[0m", 3),
            ("\r\n", 0), ("नमस्ते", 4), ("e\u{301}\u{323}", 1), ("\u{200D}", 0), ("𠀀", 2),
        ])
    func width(_ text: String, _ cells: Int) {
        #expect(TerminalText.width(of: text) == cells)
    }

    @Test("Padding fills up to a width in cells and never cuts")
    func padding() {
        #expect(TerminalText.padded("日本", to: 6) == "日本  ")
        #expect(TerminalText.padded("日本", to: 6, .trailing) == "  日本")
        #expect(TerminalText.padded("too long", to: 3) == "too long")
    }

    @Test(
        "Truncation keeps whole characters and shows that something is gone",
        arguments: [
            ("hello", 5, "hello"), ("hello", 4, "hel…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("hello", 1, "…"),
            ("hello", 0, ""), ("👩‍👩‍👧‍👦👍🏽x", 4, "👩‍👩‍👧‍👦…"),
        ])
    func truncation(_ text: String, _ width: Int, _ expected: String) {
        #expect(TerminalText.truncated(text, to: width) == expected)
    }

    @Test(
        "A tab reaches the next stop, counted in cells",
        arguments: [
            ("\tx", "        x"), ("ab\tx", "ab      x"), ("日本\tx", "日本    x"), ("12345678\tx", "12345678        x"),
        ])
    func tabs(_ text: String, _ expected: String) {
        #expect(TerminalText.expandingTabs(text) == expected)
    }

    @Test("Tabs count from the column the text starts at")
    func tabsFromColumn() {
        #expect(TerminalText.expandingTabs("\tx", every: 4, from: 3) == " x")
    }
}
