import ReqcliText

/// Rows with aligned columns. A cell that is far wider than the others moves only the rest of its own row.
struct Columns {
    /// Beyond this share of the line, a cell no longer widens its column.
    private static let widestShare = 2.0 / 5
    /// The width of a line if there is no terminal.
    private static let lineOfFile = 160
    private static let gap = 2

    private var rows: [[Styled]] = []

    mutating func add(_ cells: Styled...) { rows.append(cells) }

    mutating func add(_ cells: [Styled]) { rows.append(cells) }

    /// The way to show a last cell that is longer than the rest of the line.
    enum Overflow {
        case cut
        case wrapped
    }

    /// The rows as lines. On a terminal of `width` cells, the last cell is fitted into the rest of the line.
    func lines(indent: Int = 0, width: Int? = nil, overflow: Overflow = .cut) -> [Styled] {
        let limit = Int(Double(width ?? Self.lineOfFile) * Self.widestShare)
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                let cellWidth = cell.width
                if cellWidth <= limit { widths[column] = max(widths[column], cellWidth) }
            }
        }
        return rows.flatMap { row -> [Styled] in
            let (start, last) = split(row, widths, indent: indent)
            guard let width, start.width + last.width > width else { return [start + last] }
            return switch overflow {
            case .cut: [start + last.cut(to: width - start.width)]
            case .wrapped: last.wrapped(after: start, to: width)
            }
        }
    }

    /// The padded cells of a row before its last cell, and the last cell.
    private func split(_ row: [Styled], _ widths: [Int], indent: Int) -> (start: Styled, last: Styled) {
        var start = Styled(String(repeating: " ", count: indent))
        let last = row.lastIndex { $0.width > 0 } ?? 0
        for (column, cell) in row[..<last].enumerated() {
            start += cell.padded(to: widths[column]) + Styled(String(repeating: " ", count: Self.gap))
        }
        return (start, row[last])
    }
}

extension Styled {
    fileprivate func cut(to width: Int) -> Styled {
        Styled(TerminalText.truncated(plain, to: max(0, width)), style)
    }

    /// The text after `start`, with further lines aligned below the first one. If there is too little room after `start`, the
    /// text begins on the next line.
    fileprivate func wrapped(after start: Styled, to width: Int) -> [Styled] {
        let narrowest = 20
        let isBeside = width - start.width >= narrowest
        let column = isBeside ? start.width : min(8, width / 4)
        let lines = TerminalText.wrapped(plain, to: width - column).map {
            Styled(String(repeating: " ", count: column)) + Styled($0, style)
        }
        guard isBeside else { return [start] + lines }
        return [start + Styled(String(lines[0].plain.dropFirst(column)), style)] + lines.dropFirst()
    }
}
