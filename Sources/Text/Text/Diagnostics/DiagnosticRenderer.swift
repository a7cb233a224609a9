/// Shows diagnostics to a person: place, message, the line of the file with a caret, and a summary.
///
/// ```
/// endpoints/user.json:12:7: error: unknown key "metod"
///   12 |       "metod": "GET",
///      |       ^^^^^^^ did you mean "method"?
/// ```
package struct DiagnosticRenderer: Sendable {
    /// The maximum width of the part of a long line that is shown around the caret, in terminal cells.
    package let sourceWidth: Int
    /// Finds the ranges of secrets in a part of a line. The secrets are masked.
    private let secrets: @Sendable ([UInt8]) -> [Range<Int>]

    package init(sourceWidth: Int = 100, secrets: @escaping @Sendable ([UInt8]) -> [Range<Int>] = { _ in [] }) {
        self.sourceWidth = sourceWidth
        self.secrets = secrets
    }

    /// All diagnostics, each ending with a line break.
    package func render(_ diagnostics: [Diagnostic]) -> Styled {
        diagnostics.reduce(into: Styled("")) { $0 += render($1) }
    }

    package func render(_ diagnostic: Diagnostic) -> Styled {
        var text = heading(
            diagnostic.place?.description ?? diagnostic.fileName, word: diagnostic.severity.rawValue,
            style: diagnostic.severity == .error ? [.bold, .red] : [.bold, .yellow], message: diagnostic.message)
        // A problem with a whole file (an empty or a binary file) has no line to show. The hint then follows the message.
        if let place = diagnostic.place, diagnostic.showsSource, !place.file.isSecret, !place.file.bytes.isEmpty,
            !place.isWholeFile
        {
            text += excerpt(place, hint: diagnostic.hint)
        } else if let hint = diagnostic.hint {
            text += Styled("  ") + Styled(TerminalText.harmless(hint), .green) + Styled("\n")
        }
        for note in diagnostic.notes {
            text += heading(note.place.description, word: "note", style: .cyan, message: note.message)
            text += excerpt(note.place, hint: nil)
        }
        return text
    }

    /// A summary such as `2 errors in 1 file`; nil if there are no diagnostics.
    package static func summary(_ diagnostics: [Diagnostic]) -> String? {
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        let files = Set(diagnostics.map { $0.fileName ?? "" }).count
        let counts = [counted(errors, "error"), counted(warnings, "warning")].compactMap(\.self)
        return counts.isEmpty ? nil : counts.joined(separator: ", ") + " in \(files) file\(files == 1 ? "" : "s")"
    }

    private static func counted(_ count: Int, _ noun: String) -> String? {
        count == 0 ? nil : "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// The heading, always on one line, because editors and scripts read it line by line.
    private func heading(_ where: String?, word: String, style: Style, message: String) -> Styled {
        let place = `where`.map { Styled(TerminalText.harmless($0), .bold) + Styled(": ") } ?? Styled("")
        return place + Styled(word + ":", style) + Styled(" \(TerminalText.harmless(message))\n")
    }
}

// MARK: - The line and its caret

extension DiagnosticRenderer {
    private func excerpt(_ place: Place, hint: String?) -> Styled {
        let line = place.file.lineRange(containing: place.range.lowerBound)
        // A place can begin in the line break, which is not shown.
        let start = min(place.range.lowerBound, line.upperBound)
        let end = min(max(place.range.upperBound, start), line.upperBound)
        let number = String(place.start.line)
        // Reads only the part of a very long line that could be shown.
        let most = sourceWidth * 4
        let lead = place.file.character(at: max(line.lowerBound, start - most), before: start)
        let tail = min(line.upperBound, end + most)
        // The search for secrets begins earlier, because the name of a secret may be before the part that is shown.
        let nameStart = max(line.lowerBound, lead - Self.longestName)
        let masks = secrets(Array(place.file.bytes[nameStart..<tail])).map {
            $0.lowerBound + nameStart..<$0.upperBound + nameStart
        }
        let before = shown(place.file.masked(lead..<start, masks))
        let marked = shown(place.file.masked(start..<min(end, start + most), masks))
        let after = shown(place.file.masked(min(end, tail)..<tail, masks))

        // Shows a long line from a little before the caret. The line and the caret's row are cut by the same amount.
        let window = Window(before: before, marked: marked, after: after, width: sourceWidth)
        let gutter = String(repeating: " ", count: number.count)
        let caret = String(repeating: "^", count: max(1, TerminalText.width(of: window.marked)))
        let advice = hint.map { " " + TerminalText.harmless($0) } ?? ""
        let indent = String(repeating: " ", count: TerminalText.width(of: window.before))
        let shown = "  \(number) | \(window.before)\(window.marked)\(window.after)".trimmedAtEnd
        return Styled("\(shown)\n  \(gutter) | \(indent)") + Styled(caret + advice, [.bold, .green]) + Styled("\n")
    }

    private static let longestName = 4096

    /// The line with tabs as spaces. Terminals differ in the width of a tab, and the caret must be under the right column.
    private func shown(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\t")) else { return TerminalText.harmless(text) }
        return TerminalText.harmless(String(text.flatMap { $0 == "\t" ? "    " : String($0) }))
    }
}

private struct Window {
    let before: String
    let marked: String
    let after: String

    init(before: String, marked: String, after: String, width: Int) {
        let isLong =
            TerminalText.width(of: before) + TerminalText.width(of: marked) + TerminalText.width(of: after) > width
        guard isLong else {
            (self.before, self.marked, self.after) = (before, marked, after)
            return
        }
        let lead = before.suffix(cells: width / 3)
        self.before = lead.count < before.count ? "…" + lead : before
        let room = max(width - TerminalText.width(of: self.before), width / 2)
        self.marked = TerminalText.truncated(marked, to: room)
        let rest = room - TerminalText.width(of: self.marked)
        self.after = rest > 1 ? TerminalText.truncated(after, to: rest) : ""
    }
}

extension SourceFile {
    /// The text of a range. Each part of it that a mask covers is replaced by `***`.
    fileprivate func masked(_ range: Range<Int>, _ masks: [Range<Int>]) -> String {
        var shown = ""
        var start = range.lowerBound
        for mask in masks where mask.overlaps(range) && !mask.isEmpty {
            let hidden = mask.clamped(to: range)
            shown += text(start..<hidden.lowerBound) + "***"
            start = hidden.upperBound
        }
        return shown + text(start..<range.upperBound)
    }

    /// The offset of the first scalar that begins at or after the given offset. If there is no such scalar, the end.
    fileprivate func character(at offset: Int, before end: Int) -> Int {
        var offset = offset
        while offset < end, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        return offset
    }
}

extension Place {
    fileprivate var isWholeFile: Bool { range.isEmpty && range.lowerBound == 0 }
}

extension String {
    /// The longest suffix of the text that fits into this many cells.
    fileprivate func suffix(cells: Int) -> Substring {
        var room = cells
        var start = endIndex
        while start > startIndex {
            let previous = index(before: start)
            room -= TerminalText.width(of: self[previous])
            if room < 0 { break }
            start = previous
        }
        return self[start...]
    }

    fileprivate var trimmedAtEnd: Substring {
        self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
    }
}
