import Exchange
import ReqcliText
import RequestBuilding

extension HTMLReport {
    /// One call in the timeline, with a link to the call's entry in the report.
    private struct Bar {
        let id: String
        let title: String
        let outcome: Outcome
        let start: Int
        let end: Int
        /// The phases of the transfers, in milliseconds from the start of the run.
        let phases: [(phase: Timings.Phase, start: Double, length: Double)]

        /// Nil if nothing was sent.
        init?(_ id: String, _ title: String, _ outcome: Outcome, steps: [StepResult] = []) {
            guard outcome.attempts > 0 else { return nil }
            self.id = id
            self.title = title
            self.outcome = outcome
            start = TimeText.milliseconds(outcome.started)
            end = start + TimeText.milliseconds(outcome.duration)
            phases = ([outcome] + steps.map(\.outcome)).flatMap(Self.phases)
        }

        /// The phases of the last transfer of a call. They are at the start of its bar, before the time of the checks; after
        /// attempts that failed, they are at its end.
        private static func phases(
            of outcome: Outcome
        ) -> [(phase: Timings.Phase, start: Double, length: Double)] {
            guard let timings = outcome.exchange?.timings else { return [] }
            let start = TimeText.milliseconds(outcome.started)
            let end = start + TimeText.milliseconds(outcome.duration)
            let last = max(Double(start), Double(end) - timings.total.seconds * 1000)
            var time = outcome.attempts > 1 ? last : Double(start)
            return timings.phases.map { phase, duration in
                defer { time += duration.seconds * 1000 }
                return (phase, time, duration.seconds * 1000)
            }
        }
    }

    /// The maximum number of bars of a timeline that is open at first. A longer timeline is collapsed.
    private static let mostOpenBars = 50

    /// The requests over time. Each call has a line with its name, its bar and its time. The line is a link to the call's entry.
    func timeline(_ run: RunResult) -> String {
        let bars = bars(of: run)
        guard let end = bars.map(\.end).max(), end > 0 else { return "" }
        let lines = bars.map { line($0, end: end) }
        let hasPhases = bars.contains { !$0.phases.isEmpty }
        return """
            <details id="timeline"\(bars.count <= Self.mostOpenBars ? " open" : "")>
            <summary><h2>Timeline <span class="about">\(bars.count) \(bars.count == 1 ? "call" : "calls") within \
            \(TimeText.short(.milliseconds(end)))</span></h2></summary>
            \(hasPhases ? Self.legend : "")<ol>
            \(lines.joined(separator: "\n"))
            </ol>
            </details>
            """
    }

    private func bars(of run: RunResult) -> [Bar] {
        let cases = run.cases.enumerated().compactMap {
            Bar("case-\($0 + 1)", $1.id, $1.outcome, steps: $1.steps)
        }
        // A case that other cases require ran only once, so its call is listed only once.
        let needs = run.dependencies.enumerated().filter { _, need in
            !run.cases.contains { $0.endpointID == need.endpointID && $0.outcome.started == need.outcome.started }
        }.compactMap { Bar("need-\($0 + 1)", "needed: \($1.id)", $1.outcome) }
        return (cases + needs).sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    }

    private static let legend =
        "<p class=\"legend\">"
        + Timings.Phase.all.map { "<span><i class=\"\($0.name)\"></i> \($0.title)</span>" }.joined(
            separator: " ")
        + "</p>\n"

    private func line(_ bar: Bar, end: Int) -> String {
        func style(from start: Double, to stop: Double) -> String {
            let (left, width) = (start / Double(end), (stop - start) / Double(end))
            return "style=\"left:\(HTMLPage.percent(left));width:\(HTMLPage.percent(width))\""
        }
        let phases = bar.phases.map {
            "<i class=\"\($0.phase.name)\" \(style(from: $0.start, to: $0.start + $0.length))></i>"
        }
        let verdict = bar.outcome.verdict
        let word = verdict == .passed ? "" : "<b class=\"\(verdict.rawValue)\">\(verdict.phrase)</b> "
        return """
            <li><a href="#\(bar.id)"><span class="name">\(word)\(Markup.escaped(bar.title))</span>\
            <span class="track"><span class="bar \(verdict.rawValue)" \
            \(style(from: Double(bar.start), to: Double(bar.end)))></span>\(phases.joined())</span>\
            <span class="time">\(TimeText.short(bar.outcome.duration))<span class="about">, after \
            \(TimeText.short(bar.outcome.started))</span></span></a></li>
            """
    }
}
