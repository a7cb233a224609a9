import Checking
import ReqcliText

/// The differences between two responses, for a person and for programs.
struct DifferenceReport {
    /// The endpoint; nil if two files are compared.
    let endpoint: String?
    let comparison: ResponseComparison

    /// The maximum number of differences that `--json` prints.
    static let mostInJSON = 1000
    private static let gap = "   "
    private static let indent = "    "
    /// The width of a line if there is no terminal.
    private static let lineOfFile = 160
    private static let widestValue = 96
    /// The minimum width for values on the same line as their path. With less room, the values are on separate lines below the
    /// path.
    private static let narrowestValue = 16

    private var names: [String] { [comparison.one, comparison.other].map { TerminalText.harmless($0.name) } }

    /// The lines of the report for a person.
    ///
    /// - Parameter width: The width of the terminal; nil if there is none.
    func lines(width: Int?) -> [Styled] {
        if comparison.isSame { return [head, "\(Self.indent)no differences"] }
        let left = comparison.count - comparison.differences.count
        let more = left == 0 ? [] : [Styled("\(Self.indent)… and \(counted(left, "more difference"))")]
        return [head] + rows(width ?? Self.lineOfFile) + more
    }

    private var head: Styled {
        let responses = zip([comparison.one, comparison.other], names).map { response, name -> Styled in
            let status = response.head.map { " \($0.status)" } ?? ""
            let time = response.duration.map { " in \(TimeText.short($0))" } ?? ""
            return Styled("\(name)\(status)\(time)")
        }
        let cells = (endpoint.map { [Styled(TerminalText.harmless($0), .bold)] } ?? []) + responses
        return cells.dropFirst().reduce(cells[0]) { $0 + Styled(Self.gap) + $1 }
    }

    private typealias Row = (place: String, one: String?, other: String?)

    private func rows(_ width: Int) -> [Styled] {
        let nameWidth = names.map { TerminalText.width(of: $0) }.max() ?? 0
        let rows = rows(valueWidth: Self.widestValue)
        let placeWidth = rows.map { TerminalText.width(of: $0.place) }.max() ?? 0
        let room = width - Self.indent.count - placeWidth - 2 * (Self.gap.count + nameWidth + 1)
        let columns = [rows.map(\.one), rows.map(\.other)].map { $0.map { Styled.value($0, .plain).width }.max() ?? 0 }
        if columns[0] + columns[1] <= room { return table(rows, nameWidth) }
        // If one column is narrow, the other column gets the unused width.
        let narrow = min(columns[0], columns[1])
        let valueWidth = narrow <= room / 2 ? room - narrow : room / 2
        if valueWidth >= Self.narrowestValue { return table(self.rows(valueWidth: valueWidth), nameWidth) }
        let ownLine = max(Self.narrowestValue, width - 2 * Self.indent.count - nameWidth - 1)
        return self.rows(valueWidth: ownLine).flatMap { stack($0, nameWidth) }
    }

    private func rows(valueWidth: Int) -> [Row] {
        comparison.differences.map { comparison.texts(of: $0, width: min(valueWidth, Self.widestValue)) }
    }

    private func table(_ rows: [Row], _ nameWidth: Int) -> [Styled] {
        let placeWidth = rows.map { TerminalText.width(of: $0.place) }.max() ?? 0
        let valueWidth = rows.map { Styled.value($0.one, .red).width }.max() ?? 0
        return rows.map { row in
            let first = Styled("\(names[0]) ", .dim) + .value(row.one, .red)
            return Styled(Self.indent) + Styled(row.place).padded(to: placeWidth) + Styled(Self.gap)
                + first.padded(to: nameWidth + 1 + valueWidth) + Styled(Self.gap)
                + Styled("\(names[1]) ", .dim) + .value(row.other, .green)
        }
    }

    private func stack(_ row: Row, _ nameWidth: Int) -> [Styled] {
        let sides = [(names[0], Styled.value(row.one, .red)), (names[1], .value(row.other, .green))]
        return [Styled(Self.indent + row.place)]
            + sides.map { name, value in
                Styled(Self.indent + Self.indent) + Styled("\(name) ", .dim).padded(to: nameWidth + 1) + value
            }
    }

    var json: OrderedJSON {
        .object([
            "endpoint": endpoint.map { .string($0) },
            "same": .bool(comparison.isSame),
            "responses": .array(
                [comparison.one, comparison.other].map { response in
                    .object([
                        "name": .string(response.name), "status": response.head.map { .int($0.status) },
                        "milliseconds": response.duration.map { .int(TimeText.milliseconds($0)) },
                    ])
                }),
            "count": .int(comparison.count),
            "differences": .array(comparison.differences.map { comparison.json(of: $0) }),
        ])
    }
}

extension Styled {
    fileprivate static func value(_ text: String?, _ style: Style) -> Styled {
        text.map { Styled($0, style) } ?? Styled("nothing", .dim)
    }
}
