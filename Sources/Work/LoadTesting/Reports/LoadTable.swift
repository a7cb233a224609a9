import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// The measurements of a load as a table of texts, for people and for Markdown.
struct LoadTable {
    static let header = ["", "requests", "errors", "rate", "p50", "p95", "p99", "max"]

    let rows: [[String]]

    init(_ result: LoadResult) {
        let length = min(result.plan.judgedLength, result.duration)
        func row(_ name: String, _ tally: Tally) -> [String] {
            let errors = tally.arrivals - Int(tally.latencies.count)
            let share = Double(errors) / Double(max(1, tally.arrivals)) * 100
            let times = [50.0, 95, 99].map { percent in
                tally.arrivals == 0
                    ? ""
                    : tally.latencies.percentile(percent, of: UInt64(tally.arrivals)).map(LoadText.time) ?? "failed"
            }
            let longest = tally.latencies.count > 0 ? LoadText.time(.microseconds(Int64(tally.latencies.longest))) : ""
            return [
                name, LoadText.count(tally.arrivals), errors == 0 ? "0" : LoadText.percent(share),
                LoadText.rate(Double(tally.sent) / max(length.seconds, 0.001)),
            ] + times + [longest]
        }
        var rows = zip(result.plan.rows, result.tallies).map { row($0, $1) }
        if rows.count > 1 { rows.append(row("*", result.all)) }
        self.rows = rows
    }
}

/// The result of a load for a terminal or a log.
package struct LoadSummary: Sendable {
    private static let shownKinds = 5

    private let result: LoadResult
    private let width: Int

    package init(_ result: LoadResult, width: Int) {
        (self.result, self.width) = (result, max(40, width))
    }

    package var text: Styled {
        .lines(table + verdicts + errors + [Styled(generator, .dim)] + result.remarks.map { Styled($0, .yellow) })
    }

    private var table: [Styled] {
        let rows = [LoadTable.header] + LoadTable(result).rows.map { [TerminalText.harmless($0[0])] + $0.dropFirst() }
        let widths = LoadTable.header.indices.map { column in rows.map { TerminalText.width(of: $0[column]) }.max() ?? 0
        }
        return rows.enumerated().map { index, row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                TerminalText.padded(cell.0, to: cell.1, column == 0 ? .leading : .trailing)
            }
            return Styled(cells.joined(separator: "  "), index == 0 ? .dim : .plain)
        }
    }

    private var verdicts: [Styled] {
        result.verdicts.map { verdict in
            Styled(verdict.holds ? "✓ " : "✗ ", verdict.holds ? .green : .red)
                + Styled(TerminalText.harmless(verdict.threshold.text))
                + Styled("   " + verdict.found, verdict.holds ? .dim : .red)
                + Styled(verdict.threshold.place.map { "  " + $0.description } ?? "", .dim)
        }
    }

    /// The kinds of errors with an example each, the most frequent ones first.
    private var errors: [Styled] {
        let kinds = result.all.errors.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let lines = kinds.prefix(Self.shownKinds).flatMap { name, kind -> [Styled] in
            let line = Styled("\(LoadText.count(kind.count)) × ", .red) + Styled(TerminalText.harmless(name))
            let example =
                kind.examples.first.map { TerminalText.wrapped(TerminalText.harmless($0), to: width - 4) } ?? []
            return [line] + example.map { Styled("    " + $0, .dim) }
        }
        return kinds.count > Self.shownKinds
            ? lines + [Styled("and \(kinds.count - Self.shownKinds) more kinds of errors", .dim)] : lines
    }

    /// How well the generator kept to its schedule.
    private var generator: String {
        let used = LoadText.percent((result.usedCores * 100).rounded())
        let delay = result.plan.schedule == nil ? nil : result.all.delays.percentile(99)
        return "generator: \(used) of one core" + (delay.map { ", 99 % began at most \(LoadText.time($0)) late" } ?? "")
    }
}
