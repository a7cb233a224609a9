import TerminalText

/// Two texts on one line each, cut to the part around the first difference.
enum TextWindow {
    static func around(_ one: String, _ other: String, width: Int) -> (String, String) {
        if TerminalText.width(of: one) <= width, TerminalText.width(of: other) <= width { return (one, other) }
        let one = Array(one)
        let other = Array(other)
        let shared = zip(one, other).prefix { $0 == $1 }.count
        // A little of the text before the difference, and as much as fits after it.
        let start = max(0, shared - width / 3)
        return (cut(one, from: start, width), cut(other, from: start, width))
    }

    private static func cut(_ text: [Character], from start: Int, _ width: Int) -> String {
        let lead = start > 0 ? "…" : ""
        return TerminalText.truncated(lead + String(text[min(start, text.count)...]), to: width)
    }
}
