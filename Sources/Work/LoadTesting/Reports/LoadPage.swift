import Checking
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

/// A load as a page for people: the table, the conditions, and charts with their values.
struct LoadPage {
    private let result: LoadResult

    init(_ result: LoadResult) { self.result = result }

    private static let percentiles = [50.0, 75, 90, 95, 99, 99.9, 99.99]
    private static let octaves = 4

    var text: String {
        let title = "\(result.headline) – reqcli load, \(result.plan.environment)"
        return HTMLPage(title: Markup.escaped(title)).text(
            """
            \(header)
            <main>
            <section aria-labelledby="requests">
            <h2 id="requests">Requests</h2>
            \(LoadPlot.table(LoadTable.header, LoadTable(result).rows.map { [$0[0] == "*" ? "all" : $0[0]] + $0.dropFirst() }))
            </section>
            \(([conditions, errors] + plots.map(\.markup)).joined(separator: "\n"))
            </main>
            """)
    }

    private var header: String {
        var facts = [
            ("Environment", result.plan.environment), ("Load", result.plan.summary),
            ("Started", Timestamp.text(result.startedAt).replacing("T", with: " ") + " UTC"),
            ("Took", TimeText.short(result.duration)),
            ("Generator", "\(LoadText.percent((result.usedCores * 100).rounded())) of one core"),
        ]
        facts += [("Server", result.origin.server), ("Commit", result.origin.commit), ("Seed", result.origin.seed)]
            .compactMap { name, value in value.map { (name, $0) } }
        let list = facts.map { "<li><span>\($0)</span> \(Markup.escaped($1))</li>" }.joined()
        let sentences = result.findings.map { "proves nothing: \($0.message)" } + result.remarks + result.warnings
        return """
            <header>
            <h1>reqcli load</h1>
            <p class="headline \(result.exitStatus == .success ? "passed" : "failed")">\(result.headline)</p>
            \(sentences.map { "<p class=\"remark\">\(Markup.escaped($0))</p>\n" }.joined())<ul>\(list)</ul>
            </header>
            """
    }

    private func section(_ id: String, _ title: String, _ header: [String], _ rows: [[String]]) -> String {
        if rows.isEmpty { return "" }
        return """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(title)</h2>
            \(LoadPlot.table(header, rows))
            </section>
            """
    }

    private var conditions: String {
        section(
            "conditions", "Conditions", ["condition", "met", "found", "place"],
            result.verdicts.map { verdict in
                [
                    verdict.threshold.text, verdict.holds ? "✓" : "✗ not met", verdict.found,
                    verdict.threshold.place?.description ?? "",
                ]
            })
    }

    private var errors: String {
        let kinds = result.all.errors.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return section(
            "errors", "Errors", ["cause", "count", "example"],
            kinds.map { [$0, LoadText.count($1.count), $1.examples.first ?? ""] })
    }

    // MARK: Charts

    private var plots: [LoadPlot] {
        let timeline = result.timeline
        let windows = timeline.windows
        let times = windows.indices.map { "\($0 * timeline.width)s" }
        func latency(_ percent: Double) -> [Double?] {
            windows.indices.map { index in
                index < timeline.latencies.count
                    ? timeline.latencies[index].percentile(percent)?.seconds : nil
            }
        }
        let width = Double(timeline.width)
        return [
            LoadPlot(
                id: "latency", title: "Latency over time",
                lines: [
                    .init(name: "p50", style: "p50", points: latency(50)),
                    .init(name: "p99", style: "p99", points: latency(99)),
                ], axis: ("time", times), text: { LoadText.time(.seconds($0)) }),
            LoadPlot(
                id: "rate", title: "Rate",
                lines: [
                    .init(name: "due", style: "due", points: windows.map { Double($0.due) / width }),
                    .init(name: "ended", style: "ended", points: windows.map { Double($0.ended) / width }),
                    .init(name: "errors", style: "failed", points: windows.map { Double($0.errors) / width }),
                ], axis: ("time", times), text: LoadText.rate),
            histogram,
            percentiles("percentiles", "Percentiles", zip(result.plan.rows, result.tallies).map { ($0, $1.latencies) }),
            percentiles("lateness", "Lateness of the generator", [("began late by", result.all.delays)]),
        ]
    }

    /// The number of requests by latency, with four bars for each doubling.
    private var histogram: LoadPlot {
        let latencies = result.all.latencies
        var counts: [Int: Int] = [:]
        for (index, count) in latencies.counts.enumerated() where count > 0 {
            counts[Self.bar(latencies.upperEdge(of: index)), default: 0] += Int(count)
        }
        let bars = counts.isEmpty ? 0..<0 : (counts.keys.min() ?? 0)..<(counts.keys.max() ?? 0) + 1
        return LoadPlot(
            id: "histogram", title: "Latencies",
            lines: [.init(name: "requests", style: "p50", points: bars.map { Double(counts[$0] ?? 0) })],
            axis: ("up to", bars.map { LoadText.time(.microseconds(Self.edge($0))) }), isOfBars: true,
            text: { LoadText.count(Int($0.rounded())) })
    }

    /// The number of the bar of a time in microseconds.
    private static func bar(_ time: UInt64) -> Int {
        var bar = 0
        while edge(bar) < time { bar += 1 }
        return bar
    }

    /// The longest time of a bar, in microseconds.
    private static func edge(_ bar: Int) -> Int64 {
        let octave = Int64(1) << (bar / octaves)
        return octave * Int64(octaves + bar % octaves) * 16
    }

    private func percentiles(_ id: String, _ title: String, _ rows: [(name: String, times: Histogram)]) -> LoadPlot {
        let columns = Self.percentiles.map { "p\($0 == $0.rounded() ? "\(Int($0))" : "\($0)")" } + ["max"]
        return LoadPlot(
            id: id, title: title,
            lines: rows.enumerated().map { index, row in
                .init(
                    name: row.name, style: "row\(index % 6)\(index < 6 ? "" : " dashed")",
                    points: (Self.percentiles + [100]).map { row.times.percentile($0)?.seconds })
            }, axis: ("percentile", columns), text: { LoadText.time(.seconds($0)) })
    }
}
