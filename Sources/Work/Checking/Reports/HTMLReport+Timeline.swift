import ReqcliText

extension HTMLReport {
    /// One call in the timeline, with a link to the call's entry in the report.
    private struct Bar {
        let id: String
        let title: String
        let outcome: Outcome
        let start: Int
        let end: Int

        /// Nil if nothing was sent.
        init?(_ id: String, _ title: String, _ outcome: Outcome) {
            guard outcome.attempts > 0 else { return nil }
            self.id = id
            self.title = title
            self.outcome = outcome
            start = TimeText.milliseconds(outcome.started)
            end = start + TimeText.milliseconds(outcome.duration)
        }
    }

    /// The maximum number of bars of a timeline that is open at first. A longer timeline is collapsed.
    private static let mostOpenBars = 50

    /// The requests over time. Each call has a line with its name, its bar and its time. The line is a link to the call's entry.
    func timeline(_ run: RunResult) -> String {
        let bars = bars(of: run)
        guard let end = bars.map(\.end).max(), end > 0 else { return "" }
        let lines = bars.map { line($0, end: end) }
        return """
            <details id="timeline"\(bars.count <= Self.mostOpenBars ? " open" : "")>
            <summary><h2>Timeline</h2> <span class="about">\(bars.count) \(bars.count == 1 ? "call" : "calls") within \
            \(TimeText.short(.milliseconds(end)))</span></summary>
            <ol>
            \(lines.joined(separator: "\n"))
            </ol>
            </details>
            """
    }

    private func bars(of run: RunResult) -> [Bar] {
        let cases = run.cases.enumerated().compactMap { Bar("case-\($0 + 1)", $1.id, $1.outcome) }
        // A case that other cases require ran only once, so its call is listed only once.
        let needs = run.dependencies.enumerated().filter { _, need in
            !run.cases.contains { $0.endpointID == need.endpointID && $0.outcome.started == need.outcome.started }
        }.compactMap { Bar("need-\($0 + 1)", "needed: \($1.id)", $1.outcome) }
        return (cases + needs).sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    }

    private func line(_ bar: Bar, end: Int) -> String {
        func percent(_ milliseconds: Int) -> String {
            String((Double(milliseconds) / Double(end) * 1000).rounded() / 10)
        }
        let verdict = bar.outcome.verdict
        let word = verdict == .passed ? "" : "<b class=\"\(verdict.rawValue)\">\(verdict.phrase)</b> "
        return """
            <li><a href="#\(bar.id)"><span class="name">\(word)\(Markup.escaped(bar.title))</span>\
            <span class="track"><span class="bar \(verdict.rawValue)" style="left:\(percent(bar.start))%;\
            width:\(percent(bar.end - bar.start))%"></span></span>\
            <span class="time">\(TimeText.short(bar.outcome.duration))<span class="about">, after \
            \(TimeText.short(bar.outcome.started))</span></span></a></li>
            """
    }
}
