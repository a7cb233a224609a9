import Foundation
import Testing

/// The figures of the documentation are those of `benchmarks/latest.json`, as far as two digits go.
@Suite struct FigureTests {
    /// The row of the benchmark for each row of the page, by the beginning of the page's row, and the number of cases in it.
    private static let rows: [(page: String, rows: [String], count: Double)] = [
        ("`render`, `list`, `help`", ["render", "list", "help"], 1),
        ("`send`, a small GET", ["send", "send-httpie"], 1),
        ("`check`, 100 cases", ["check-100"], 100), ("`check`, 1,000 cases", ["check-1000"], 1000),
        ("`validate`, 10,000", ["validate-10000"], 1), ("download of 1 GiB", ["download-file"], 1),
        ("upload of 1 GiB", ["upload-file"], 1), ("indenting 100 MB", ["pretty"], 1),
        ("`--select` in 100 MB", ["select"], 1),
    ]

    private struct Benchmark: Decodable {
        struct Side: Decodable {
            let milliseconds: Double
            let peakKiB: Double
        }

        struct Row: Decodable {
            let name: String
            let ours: Side
            let other: Side
        }

        let rows: [Row]
    }

    @Test("Each figure on the page about performance is in benchmarks/latest.json")
    func performance() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(Page.root)/benchmarks/latest.json"))
        let benchmark = try JSONDecoder().decode(Benchmark.self, from: data)
        // The page's first table.
        let table = try Page(named: "docs/explanation/performance.md").prose.map(\.text).drop {
            !$0.hasPrefix("| what")
        }
        .dropFirst().prefix { $0.hasPrefix("|") }.filter { $0.hasPrefix("| ") }
        #expect(table.count == Self.rows.count)
        for line in table {
            let row = try #require(Self.rows.first { line.hasPrefix("| \($0.page)") }, "\(line)")
            let sides = benchmark.rows.filter { row.rows.contains($0.name) }.flatMap { [$0.ours, $0.other] }
            let known = sides.flatMap { [$0.milliseconds * row.count, $0.peakKiB / 1024] }
            let cells = line.split(separator: "|").dropFirst().joined(separator: "|")
            for figure in cells.matches(of: /([0-9.]+)(?: to ([0-9.]+))? (ms|s|MB)/) {
                for text in [figure.1, figure.2].compactMap(\.self) {
                    let value = (Double(text) ?? 0) * (figure.3 == "s" ? 1000 : 1)
                    let isKnown = known.contains { abs($0 - value) <= 0.06 * value }
                    #expect(isKnown, "\(text) \(figure.3) in: \(line)")
                }
            }
        }
    }
}
