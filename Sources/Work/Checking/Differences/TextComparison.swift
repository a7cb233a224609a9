import ReqcliMatching
import ReqcliRedaction
import ReqcliText

/// The differences between a text and the expected one, line by line.
enum TextComparison {
    /// The number of unchanged lines shown before and after a difference.
    private static let context = 2
    private static let mostLines = 40

    static func lines(expected: [UInt8], actual: [UInt8], _ excerpts: Excerpts) -> [DifferenceLine] {
        let stretch = Stretch(expected, actual)
        let wanted = split(stretch.one, excerpts)
        let found = split(stretch.other, excerpts)
        var lines: [DifferenceLine] = []
        if stretch.offset > 0 {
            lines.append(DifferenceLine(.note, "… \(stretch.offset) equal bytes"))
        }
        let steps = Alignment.steps(wanted.count, found.count) { wanted[$0] == found[$1] }
        var same: [String] = []
        var isFirst = true
        for step in steps {
            switch step {
            case .same(let index, _): same.append(wanted[index])
            case .different(let one, let other):
                lines += shortened(same, after: isFirst ? 0 : context, before: context, excerpts)
                same = []
                isFirst = false
                lines += changed(wanted[one], found[other], excerpts)
            }
        }
        lines += shortened(same, after: isFirst ? 0 : context, before: 0, excerpts)
        guard lines.count > mostLines else { return lines }
        return lines.prefix(mostLines) + [DifferenceLine(.note, "… and \(lines.count - mostLines) more lines")]
    }

    private static func split(_ bytes: [UInt8], _ excerpts: Excerpts) -> [String] {
        // Splits bytes, not characters, because CR LF is a single character, which is not equal to LF.
        let lines = excerpts.redactor.redact(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.enumerated().map { index, line in
            // Makes line breaks visible, because a missing line break is a difference, too.
            TerminalText.harmless(String(decoding: line, as: UTF8.self)) + (index < lines.count - 1 ? "␊" : "")
        }
    }

    /// The lines that both texts share. Lines far from any difference are replaced by a note.
    private static func shortened(
        _ same: [String], after: Int, before: Int, _ excerpts: Excerpts
    ) -> [DifferenceLine] {
        func context(_ lines: some Sequence<String>) -> [DifferenceLine] {
            lines.map { DifferenceLine(.context, Wording(quoting: TerminalText.truncated($0, to: excerpts.width))) }
        }
        let left = same.count - after - before
        if left <= 1 { return context(same) }
        return context(same.prefix(after)) + [DifferenceLine(.note, "… \(left) equal lines")]
            + context(same.suffix(before))
    }

    private static func changed(
        _ wanted: ArraySlice<String>, _ found: ArraySlice<String>, _ excerpts: Excerpts
    ) -> [DifferenceLine] {
        let pairs = zip(wanted, found).map { TextWindow.around($0, $1, width: excerpts.width) }
        func rest(_ lines: ArraySlice<String>) -> [String] {
            lines.dropFirst(pairs.count).map { TerminalText.truncated($0, to: excerpts.width) }
        }
        return (pairs.map(\.0) + rest(wanted)).map { DifferenceLine(.expected, Wording(quoting: $0)) }
            + (pairs.map(\.1) + rest(found)).map { DifferenceLine(.actual, Wording(quoting: $0)) }
    }
}

/// Two texts on one line each, cut to the part around the first difference.
enum TextWindow {
    static func around(_ one: String, _ other: String, width: Int) -> (String, String) {
        if TerminalText.width(of: one) <= width, TerminalText.width(of: other) <= width { return (one, other) }
        let one = Array(one)
        let other = Array(other)
        let shared = zip(one, other).prefix { $0 == $1 }.count
        // Show a little of the text before the difference, and as much as fits of the text after it.
        let start = max(0, shared - width / 3)
        return (cut(one, from: start, width), cut(other, from: start, width))
    }

    private static func cut(_ text: [Character], from start: Int, _ width: Int) -> String {
        let lead = start > 0 ? "…" : ""
        return TerminalText.truncated(lead + String(text[min(start, text.count)...]), to: width)
    }
}

/// The part of two long texts around the first byte in which they differ.
struct Stretch {
    let one: [UInt8]
    let other: [UInt8]
    /// The number of bytes left out before this part.
    let offset: Int

    private static let longestWhole = 256 << 10
    private static let lead = 16 << 10
    private static let tail = 64 << 10

    init(_ one: [UInt8], _ other: [UInt8]) {
        if max(one.count, other.count) <= Self.longestWhole {
            (self.one, self.other, offset) = (one, other, 0)
            return
        }
        let shared = zip(one, other).prefix { $0 == $1 }.count
        let start = max(0, shared - Self.lead)
        func cut(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[min(start, bytes.count)...].prefix(Self.lead + Self.tail)) }
        (self.one, self.other, offset) = (cut(one), cut(other), start)
    }
}

extension Excerpts {
    /// Two values on one line each, cut to the part around their first difference.
    func pair(_ expected: JSONValue, _ actual: JSONValue) -> (Wording, Wording) {
        let stretch = Stretch(expected.compactBytes(atMost: .max).bytes, actual.compactBytes(atMost: .max).bytes)
        let pair = TextWindow.around(shown(stretch.one), shown(stretch.other), width: width)
        return (Wording(quoting: pair.0), Wording(quoting: pair.1))
    }

    /// The bytes as text, with secrets masked. They are masked before the text is cut further, so that no part of a secret is
    /// shown.
    func shown(_ bytes: [UInt8]) -> String {
        TerminalText.harmless(String(decoding: redactor.redact(bytes), as: UTF8.self))
    }
}
