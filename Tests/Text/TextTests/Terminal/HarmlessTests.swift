import ReqcliText
import Testing

struct HarmlessTests {
    @Test(
        "What a terminal would obey is shown instead, one cell for one scalar",
        arguments: [
            ("plain → 日本", "plain → 日本"),
            ("\u{1B}[31mred\u{1B}]0;title\u{07}", "␛[31mred␛]0;title␇"),
            ("a\u{7F}\u{9B}b", "a␡\u{FFFD}b"),
            ("x\u{202E}y\u{2066}", "x\u{FFFD}y\u{FFFD}"),
            ("a\tb\nc\r\nd\0", "a␉b␊c␍␊d␀"),
            ("👩‍👧", "👩‍👧"),
        ])
    func harmless(_ text: String, _ expected: String) {
        #expect(TerminalText.harmless(text) == expected)
    }

    @Test("Lines and tabs stay when asked to, a lone carriage return does not")
    func keepingLines() {
        #expect(TerminalText.harmless("a\tb\nc\r\nd\re\u{1B}", keepingLines: true) == "a\tb\nc\nd␍e␛")
    }
}
