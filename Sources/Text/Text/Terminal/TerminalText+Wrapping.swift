import ReqcliBasics

extension TerminalText {
    /// The lines of `text`. No line is wider than `width` cells unless it is a single word.
    ///
    /// Lines break at spaces and between wide characters. Newlines in `text` are kept. If a line begins with spaces, all lines
    /// that it is wrapped into begin with these spaces, too. Words are not broken, so that URLs and paths can be copied.
    package static func wrapped(_ text: String, to width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrappedLine($0, to: width) }
    }

    /// The lines of `text`. Words that are wider than a line are broken. Meant for values, which are read rather than copied.
    package static func folded(_ text: String, to width: Int) -> [String] {
        wrapped(text, to: width).flatMap { line in
            var lines: [String] = []
            var current = ""
            var used = 0
            for character in line {
                let cells = self.width(of: character)
                if used + cells > width, !current.isEmpty {
                    lines.append(current)
                    (current, used) = ("", 0)
                }
                current.append(character)
                used += cells
            }
            return lines + [current]
        }
    }

    private static func wrappedLine(_ line: Substring, to width: Int) -> [String] {
        let indent = String(line.prefix { $0 == " " })
        // Several spaces inside an indented line align columns, so the line is unchanged if it fits.
        if !indent.isEmpty, indent.count < line.count, self.width(of: line) <= width { return [String(line)] }
        if let lines = wrappedColumns(line, indent, to: width) { return lines }
        var lines: [String] = []
        var current = ""
        var used = 0
        for word in line.utf8.split(separator: .space).map(Substring.init) {
            for (index, piece) in pieces(of: word).enumerated() {
                let gap = index == 0 && !current.isEmpty ? 1 : 0
                let pieceWidth = self.width(of: piece)
                if !current.isEmpty, indent.utf8.count + used + gap + pieceWidth > width {
                    lines.append(indent + current)
                    current = String(piece)
                    used = pieceWidth
                } else {
                    if gap == 1 { current += " " }
                    // `+` looks for a conformance among all in the program.
                    current.append(contentsOf: piece)
                    used += gap + pieceWidth
                }
            }
        }
        lines.append(current.isEmpty ? "" : indent + current)
        return lines
    }

    /// Wraps a line that has a label and a description with two or more spaces between them. The description continues in its own
    /// column. Nil for any other line, or if the label leaves too little room.
    private static func wrappedColumns(_ line: Substring, _ indent: String, to width: Int) -> [String]? {
        guard !indent.isEmpty, let gap = line.dropFirst(indent.count).firstRange(of: "  ") else { return nil }
        let text = line[gap.lowerBound...].drop { $0 == " " }
        let label = line[..<text.startIndex]
        let column = self.width(of: label)
        guard !text.isEmpty, column * 2 <= width else { return nil }
        return wrappedLine(text, to: width - column).enumerated().map { index, part in
            (index == 0 ? String(label) : spaces(column)) + part
        }
    }

    /// A word split between wide characters, because scripts with wide characters write no spaces.
    private static func pieces(of word: Substring) -> [Substring] {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return [word] }
        var pieces: [Substring] = []
        var start = word.startIndex
        var previousIsWide = false
        for index in word.indices {
            let isWide = width(of: word[index]) == 2
            if isWide, previousIsWide {
                pieces.append(word[start..<index])
                start = index
            }
            previousIsWide = isWide
        }
        return pieces + [word[start...]]
    }
}
