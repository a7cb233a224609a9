import ReqcliText
import Testing

struct WrappingTests {
    @Test(
        "Lines break at spaces and stay within the width",
        arguments: [
            ("one two three", 7, ["one two", "three"]),
            ("one two three", 80, ["one two three"]),
            ("one  two", 80, ["one two"]),
            ("  one  two", 80, ["  one  two"]),
            ("  one  two", 8, ["  one", "  two"]),
            ("", 10, [""]),
            ("   ", 10, [""]),
            ("first\n\nsecond", 80, ["first", "", "second"]),
            ("  $ reqcli send it", 12, ["  $ reqcli", "  send it"]),
            ("see https://example.com/a/long/path now", 10, ["see", "https://example.com/a/long/path", "now"]),
            ("a\u{A0}b c", 4, ["a\u{A0}b", "c"]),
            ("日本語のテキスト", 7, ["日本語", "のテキ", "スト"]),
            ("ab日本", 4, ["ab日", "本"]),
            ("one two", 0, ["one", "two"]),
        ])
    func wrapping(_ text: String, _ width: Int, _ lines: [String]) {
        #expect(TerminalText.wrapped(text, to: width) == lines)
    }

    @Test(
        "Words are broken where that is asked for",
        arguments: [
            ("one twothree", 5, ["one", "twoth", "ree"]), ("", 5, [""]), ("日本語", 5, ["日本", "語"]),
            ("abcdef", 6, ["abcdef"]),
        ])
    func folded(_ text: String, _ width: Int, _ lines: [String]) {
        #expect(TerminalText.folded(text, to: width) == lines)
    }
}
