extension TerminalText {
    /// The side to which a cell's text is aligned.
    package enum Alignment: Sendable {
        case leading
        case trailing
    }

    /// `text` padded with spaces to `width` cells. Longer text is returned unchanged.
    package static func padded(_ text: String, to width: Int, _ alignment: Alignment = .leading) -> String {
        let spaces = spaces(width - self.width(of: text))
        return alignment == .leading ? text + spaces : spaces + text
    }

    /// `text` cut to at most `width` cells, with an ellipsis if it was cut. A character is never split.
    package static func truncated(_ text: String, to width: Int, ellipsis: String = "…") -> String {
        if self.width(of: text) <= width { return text }
        let room = width - self.width(of: ellipsis)
        guard room >= 0 else { return "" }
        var used = 0
        let kept = text.prefix { character in
            used += self.width(of: character)
            return used <= room
        }
        return kept + ellipsis
    }

    /// `text` with each tab replaced by the spaces up to the next tab stop, so that columns can be measured.
    package static func expandingTabs(_ text: some StringProtocol, every stop: Int = 8, from column: Int = 0) -> String
    {
        guard stop > 0, text.utf8.contains(UInt8(ascii: "\t")) else { return String(text) }
        var expanded = ""
        var position = column
        for character in text {
            if character == "\t" {
                let step = stop - position % stop
                expanded += spaces(step)
                position += step
            } else {
                expanded.append(character)
                position += width(of: character)
            }
        }
        return expanded
    }

    static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }
}
