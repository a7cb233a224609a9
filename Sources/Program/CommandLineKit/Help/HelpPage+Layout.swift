import ReqcliBasics
import ReqcliText

extension HelpPage {
    /// The page for a terminal, wrapped, with explanations in one column.
    func rendered(width: Int, inColour: Bool) -> String {
        let layout = Layout(self, width: width, inColour: inColour)
        let summary = TerminalText.wrapped(summary, to: layout.width)
        return (summary + sections.flatMap { [""] + layout.lines(of: $0) }).map { $0 + "\n" }.joined()
    }

    private struct Layout {
        /// The maximum width of a line. Longer lines are hard to read.
        static let widest = 100
        /// The minimum width for two columns. On a narrower terminal, too little room is left for the second column.
        static let narrowest = 50
        static let indent = 2
        static let gap = 2

        let page: HelpPage
        let width: Int
        let inColour: Bool

        init(_ page: HelpPage, width: Int, inColour: Bool) {
            self.page = page
            self.width = min(max(width, 20), Self.widest)
            self.inColour = inColour
        }

        /// The column where explanations begin. A longer label gets its own line.
        private func textColumn(_ columns: Columns) -> Int {
            if width < Self.narrowest, columns == .options { return 8 }
            let limit = width * 2 / 5 - Self.indent - Self.gap
            let widths = page.entries(in: columns).map(\.width).filter { $0 <= limit }
            return Self.indent + (widths.max() ?? 0) + Self.gap
        }

        func lines(of section: Section) -> [String] {
            let heading = section.title.isEmpty ? [] : [Style.bold.applied(to: section.title, inColour: inColour)]
            return heading + section.blocks.flatMap { lines(of: $0, isIndented: !section.title.isEmpty) }
        }

        private func lines(of block: Block, isIndented: Bool) -> [String] {
            switch block {
            case .text(let text): indented(text, by: isIndented ? Self.indent : 0)
            case .usage(let usage): hanging(usage)
            case .example(let example):
                indented(example.meaning, by: Self.indent)
                    + example.line.split(separator: "\n").map { line in
                        spaces(Self.indent * 2) + Style.green.applied(to: String(line), inColour: inColour)
                    }
            case .entries(let entries, let columns):
                entries.flatMap { [column = textColumn(columns)] in lines(of: $0, textColumn: column) }
            }
        }

        private func lines(of entry: Entry, textColumn: Int) -> [String] {
            let label = spaces(Self.indent) + entry.label.map(styled).joined()
            let text = indented(entry.text, by: textColumn)
            let used = Self.indent + entry.width
            guard used + Self.gap <= textColumn, let first = text.first else { return [label] + text }
            return [label + String(first.dropFirst(used))] + text.dropFirst()
        }

        private func styled(_ part: LabelPart) -> String {
            switch part {
            case .literal(let text): Style.cyan.applied(to: text, inColour: inColour)
            case .placeholder(let text): Style.underline.applied(to: text, inColour: inColour)
            case .plain(let text): text
            }
        }

        /// The usage line. If it wraps, it continues under its first argument.
        private func hanging(_ usage: String) -> [String] {
            // A non-breaking space keeps "NAME ..." in one piece.
            let pieces = usage.replacing(" ...", with: "\u{A0}...")
            let lines = TerminalText.wrapped(pieces, to: width - Self.indent * 3)
            return lines.enumerated().map { index, line in
                spaces(index == 0 ? Self.indent : Self.indent * 3) + line.replacing("\u{A0}", with: " ")
            }
        }

        private func indented(_ text: String, by column: Int) -> [String] {
            TerminalText.wrapped(text, to: width - column).map { $0.isEmpty ? "" : spaces(column) + $0 }
        }

        private func spaces(_ count: Int) -> String {
            String(repeating: " ", count: count)
        }
    }
}

extension HelpPage.Entry {
    fileprivate var width: Int {
        label.reduce(0) { $0 + TerminalText.width(of: $1.text) }
    }
}
