extension HTMLReport {
    /// A span of time with a link to its entry.
    private struct Bar {
        let id: String
        let title: String
        let verdict: Verdict
        let start: Int
        let end: Int
    }

    /// A chart of the requests over time, with as many lanes as there were parallel requests. The entries hold the same
    /// facts as text.
    func timeline(_ run: RunResult) -> String {
        let bars = bars(of: run)
        guard let end = bars.map(\.end).max(), end > 0 else { return "" }
        let lanes = Self.lanes(bars)
        let height = lanes.count * 14
        let shapes = lanes.enumerated().flatMap { lane, bars in bars.map { shape($0, lane: lane, end: end) } }
        let middle = Duration.milliseconds(end / 2)
        return """
            <section id="timeline" aria-labelledby="timeline-title">
            <h2 id="timeline-title">Timeline</h2>
            <svg viewBox="0 0 1000 \(height)" preserveAspectRatio="none" style="height:\(height)px" role="img" \
            aria-label="\(bars.count) calls in \(lanes.count) lanes within \(TimeText.short(.milliseconds(end)))">
            \(shapes.joined(separator: "\n"))
            </svg>
            <p class="axis" aria-hidden="true"><span>0</span><span>\(TimeText.short(middle))</span>\
            <span>\(TimeText.short(.milliseconds(end)))</span></p>
            </section>

            """
    }

    private func bars(of run: RunResult) -> [Bar] {
        func bar(_ id: String, _ title: String, _ outcome: Outcome) -> Bar? {
            guard outcome.attempts > 0 else { return nil }
            let start = TimeText.milliseconds(outcome.started)
            return Bar(
                id: id, title: "\(title): \(outcome.verdict.phrase), \(TimeText.short(outcome.duration))",
                verdict: outcome.verdict, start: start, end: start + TimeText.milliseconds(outcome.duration))
        }
        let cases = run.cases.enumerated().compactMap { bar("case-\($0 + 1)", $1.id, $1.outcome) }
        // An endpoint that is both a case and a need ran only once.
        let needs = run.dependencies.enumerated().filter { _, need in
            !run.cases.contains { $0.endpointID == need.endpointID && $0.outcome.started == need.outcome.started }
        }.compactMap { bar("need-\($0 + 1)", "needed: \($1.id)", $1.outcome) }
        return (cases + needs).sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    }

    /// Puts each bar into the first lane that is free.
    private static func lanes(_ bars: [Bar]) -> [[Bar]] {
        var lanes: [[Bar]] = []
        for bar in bars {
            if let free = lanes.firstIndex(where: { ($0.last?.end ?? 0) <= bar.start }) {
                lanes[free].append(bar)
            } else {
                lanes.append([bar])
            }
        }
        return lanes
    }

    private func shape(_ bar: Bar, lane: Int, end: Int) -> String {
        let x = Double(bar.start) / Double(end) * 1000
        let width = max(2, Double(bar.end - bar.start) / Double(end) * 1000 - 1)
        func rounded(_ number: Double) -> String { String((number * 10).rounded() / 10) }
        return """
            <a href="#\(bar.id)" tabindex="-1"><rect class="\(bar.verdict.rawValue)" x="\(rounded(min(x, 998)))" \
            y="\(lane * 14 + 1)" width="\(rounded(width))" height="12"><title>\(Markup.escaped(bar.title))</title></rect></a>
            """
    }
}
