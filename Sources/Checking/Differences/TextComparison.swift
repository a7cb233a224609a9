import Redaction
import TerminalText

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
        // Splits bytes and not characters: CR LF is a single character, which is not LF.
        let lines = excerpts.redactor.redact(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.enumerated().map { index, line in
            // Shows line breaks, because a missing one is a difference too.
            TerminalText.harmless(String(decoding: line, as: UTF8.self)) + (index < lines.count - 1 ? "␊" : "")
        }
    }

    /// The lines that both texts share, without those far from any difference.
    private static func shortened(
        _ same: [String], after: Int, before: Int, _ excerpts: Excerpts
    ) -> [DifferenceLine] {
        func context(_ lines: some Sequence<String>) -> [DifferenceLine] {
            lines.map { DifferenceLine(.context, TerminalText.truncated($0, to: excerpts.width)) }
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
        return (pairs.map(\.0) + rest(wanted)).map { DifferenceLine(.expected, $0) }
            + (pairs.map(\.1) + rest(found)).map { DifferenceLine(.actual, $0) }
    }
}
