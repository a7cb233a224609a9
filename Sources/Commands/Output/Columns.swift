import TerminalText

/// Rows whose cells stand below each other. A cell that is far wider than the others has its row's rest pushed aside
/// rather than all rows'.
struct Columns {
    /// Beyond this share of the line, a cell no longer widens its column.
    private static let widestShare = 2.0 / 5
    /// What a line is taken to be where there is no terminal.
    private static let lineOfFile = 160
    private static let gap = 2

    private var rows: [[Styled]] = []

    mutating func add(_ cells: Styled...) { rows.append(cells) }

    var isEmpty: Bool { rows.isEmpty }

    /// The rows as lines. On a terminal of `width` cells the last cell is cut to what is left; nothing is cut without.
    func lines(indent: Int = 0, width: Int? = nil) -> [Styled] {
        let limit = Int(Double(width ?? Self.lineOfFile) * Self.widestShare)
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                let cellWidth = cell.width
                if cellWidth <= limit { widths[column] = max(widths[column], cellWidth) }
            }
        }
        return rows.map { line($0, widths, indent: indent, width: width) }
    }

    private func line(_ row: [Styled], _ widths: [Int], indent: Int, width: Int?) -> Styled {
        var line = Styled(String(repeating: " ", count: indent))
        var used = indent
        let last = row.lastIndex { $0.width > 0 } ?? 0
        for (column, cell) in row[...last].enumerated() {
            if column == last {
                return line + (width.map { cell.truncated(to: max(0, $0 - used)) } ?? cell)
            }
            let padded = cell.padded(to: widths[column]) + Styled(String(repeating: " ", count: Self.gap))
            line += padded
            used += padded.width
        }
        return line
    }
}

extension Styled {
    /// The same text without what doesn't fit into `width` cells.
    fileprivate func truncated(to width: Int) -> Styled {
        self.width <= width ? self : Styled(TerminalText.truncated(plain, to: width))
    }
}
