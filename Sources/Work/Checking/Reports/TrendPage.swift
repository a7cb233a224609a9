import ReqcliText

/// A trend as a page for people: the runs, the flaky cases, and a line with durations and verdicts for each case.
package struct TrendPage {
    private let trend: Trend
    /// The position of the first run that is drawn.
    private let first: Int

    /// More runs would not be told apart.
    private static let mostDrawnRuns = 40

    package init(_ trend: Trend) {
        self.trend = trend
        first = max(0, trend.runs.count - Self.mostDrawnRuns)
    }

    package var text: String {
        let title = "\(trend.counts.joined(separator: ", ")) – reqcli report trend"
        return HTMLPage(title: title).text("\(header)\n<main>\n\(runs)\n\(flaky)\(cases)\n</main>")
    }

    private var header: String {
        let environments = Set(trend.runs.map(\.environment)).sorted().joined(separator: ", ")
        let facts = [
            ("Runs", "\(trend.runs.count)"), ("From", trend.runs.first.map { Trend.text($0.startedAt) + " UTC" } ?? ""),
            ("To", trend.runs.last.map { Trend.text($0.startedAt) + " UTC" } ?? ""), ("Environment", environments),
        ]
        let list = facts.map { "<li><span>\($0)</span> \(Markup.escaped($1))</li>" }.joined()
        return """
            <header>
            <h1>reqcli report trend</h1>
            <p class="headline">\(trend.counts.joined(separator: ", "))</p>
            <ul>\(list)</ul>
            </header>
            """
    }

    private var flaky: String {
        let items = trend.cases.enumerated().filter { !$1.flakiness.isEmpty }.map { index, each in
            """
            <li><a href="#case-\(index + 1)" class="name">\(Markup.escaped(trend.title(of: each)))</a> \
            <span class="about">\(Markup.escaped(each.flakiness.map(\.phrase).joined(separator: "; ")))</span></li>
            """
        }
        return items.isEmpty
            ? "" : "<h2>Flaky</h2>\n<ul class=\"flaky-cases\">\n\(items.joined(separator: "\n"))\n</ul>\n"
    }

    // MARK: Runs

    private var runs: String {
        let drawn = trend.runs[first...]
        let most = drawn.map(\.results.count).max() ?? 0
        let step = 1 / Double(drawn.count)
        let bars = drawn.enumerated().map { index, run in
            func bar(_ verdict: Verdict, _ count: Int, above: Int) -> String {
                func height(_ count: Int) -> Int { count * 90 / max(1, most) }
                if count == 0 { return "" }
                let tall = max(3, height(count))
                return """
                    <rect class="\(verdict)" x="\(HTMLPage.percent(step * (Double(index) + 0.1)))" \
                    y="\(110 - height(above) - tall)" width="\(HTMLPage.percent(step * 0.8))" height="\(tall)"/>
                    """
            }
            let passed = run.passed
            return bar(.passed, passed, above: 0) + bar(.failed, run.results.count - passed, above: passed)
        }
        let last = drawn.last.map { "\($0.passed) of \($0.results.count) cases passed in the latest run" } ?? ""
        return """
            <section aria-labelledby="runs-title">
            <h2 id="runs-title">Runs</h2>
            <p class="legend"><span class="passed">■ passed</span> <span class="failed">■ not passed</span> \
            \(first > 0 ? "<span>the latest \(drawn.count) runs</span>" : "")</p>
            <svg class="chart" role="img" height="112" aria-label="\(last)">
            \(bars.joined())
            <line x1="0" x2="100%" y1="110.5" y2="110.5"/>
            </svg>
            </section>
            """
    }

    // MARK: Cases

    private var cases: String {
        let rows = trend.cases.enumerated().map { row($1, number: $0 + 1) }
        return """
            <section aria-labelledby="cases-title">
            <h2 id="cases-title">Cases</h2>
            <table>
            <thead><tr><th scope="col">Case</th><th scope="col">Runs</th><th scope="col">Failed</th><th scope="col">Median</th>\
            <th scope="col">Latest</th><th scope="col">Change</th><th scope="col">Durations, oldest first</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            </section>
            """
    }

    private func row(_ each: Trend.Case, number: Int) -> String {
        let badges =
            (each.flakiness.isEmpty ? "" : " <span class=\"badge flaky\">flaky</span>")
            + (each.latest.hasPassed
                ? "" : " <span class=\"badge \(each.latest.verdict)\">\(each.latest.verdict.phrase)</span>")
        let cells = [
            ("runs", "\(each.results.count)"), ("failed", "\(each.failures)"),
            ("median", TrendText.duration(each.median)), ("latest", TrendText.duration(each.latest.duration)),
            ("change", TrendText.change(each.change)),
        ]
        return """
            <tr id="case-\(number)"><th scope="row"><span class="name">\(Markup.escaped(trend.title(of: each)))</span>\(badges)</th>\
            \(cells.map { "<td data-label=\"\($0)\">\($1)</td>" }.joined())<td>\(line(each))</td></tr>
            """
    }

    /// A line through the durations. A dot is a run that passed, a cross one that did not.
    private func line(_ each: Trend.Case) -> String {
        let results = each.results.filter { $0.run >= first }
        let most = max(1, results.compactMap(\.duration).max() ?? 0)
        let step = 150.0 / Double(max(1, trend.runs.count - first - 1))
        var (line, dots, crosses) = ("", "", "")
        for result in results {
            let x = (5 + step * Double(result.run - first)).rounded()
            let y = 27 - ((result.duration ?? 0) * 22 + most / 2) / most
            if result.duration != nil { line += "\(line.isEmpty ? "" : " ")\(Int(x)),\(y)" }
            if result.hasPassed {
                dots += "M\(Int(x)) \(y)h0"
            } else {
                crosses += "M\(Int(x) - 3) \(y - 3)l6 6m0-6l-6 6"
            }
        }
        func path(_ verdict: String, _ data: String) -> String {
            data.isEmpty ? "" : "<path class=\"\(verdict)\" d=\"\(data)\"/>"
        }
        let words = results.map(\.verdict.phrase).joined(separator: ", ")
        return """
            <svg class="line" role="img" viewBox="0 0 160 32" width="160" height="32" aria-label="\(words)">\
            \(line.isEmpty ? "" : "<polyline points=\"\(line)\"/>")\(path("passed", dots))\(path("failed", crosses))</svg>
            """
    }
}

/// Values of a trend as the page and the terminal show them.
package enum TrendText {
    package static func duration(_ milliseconds: Int?) -> String {
        milliseconds.map { TimeText.short(.milliseconds($0)) } ?? "–"
    }

    package static func change(_ percent: Int?) -> String { percent.map { "\($0 > 0 ? "+" : "")\($0)%" } ?? "–" }
}
