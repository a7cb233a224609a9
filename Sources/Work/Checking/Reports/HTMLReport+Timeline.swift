import Exchange
import ReqcliText
import RequestBuilding

extension HTMLReport {
    /// One call in the timeline.
    private struct Bar {
        /// The id of the call's entry in the report.
        let id: String
        /// The position of the case; nil for a needed call.
        let index: Int?
        let need: DependencyResult?
        let start: Int
        let end: Int

        /// Nil if nothing was sent.
        init?(_ id: String, _ outcome: Outcome, index: Int? = nil, need: DependencyResult? = nil) {
            guard outcome.attempts > 0 else { return nil }
            (self.id, self.index, self.need) = (id, index, need)
            start = TimeText.milliseconds(outcome.started)
            end = start + TimeText.milliseconds(outcome.duration)
        }
    }

    /// The phases of a transfer, in milliseconds from the start of the run.
    private typealias Phases = [(phase: Timings.Phase, start: Double, length: Double)]

    /// The phases of the last transfer of a call. They are at the start of its bar, before the time of the checks; after attempts
    /// that failed, they are at its end.
    private func phases(of outcome: Outcome) -> Phases {
        guard let timings = outcome.exchange?.timings else { return [] }
        let start = TimeText.milliseconds(outcome.started)
        let end = start + TimeText.milliseconds(outcome.duration)
        let last = max(Double(start), Double(end) - (timings.queued + timings.total).seconds * 1000)
        var time = outcome.attempts > 1 ? last : Double(start)
        return timings.phases.map { phase, duration in
            defer { time += duration.seconds * 1000 }
            return (phase, time, duration.seconds * 1000)
        }
    }

    /// The title, the outcome and the phases of a bar.
    private func content(of bar: Bar, _ run: RunResult) -> (title: String, outcome: Outcome, phases: Phases)? {
        if let need = bar.need { return ("needed: \(need.id)", need.outcome, phases(of: need.outcome)) }
        guard let each = bar.index.map(run.whole) else { return nil }
        return (each.id, each.outcome, ([each.outcome] + each.steps.map(\.outcome)).flatMap(phases))
    }

    /// The maximum number of bars of a timeline that is open at first. A longer timeline is collapsed.
    private static let mostOpenBars = 50

    /// The requests over time. Each call has a line with its name, its bar and its time. The line is a link to the call's entry.
    func write(timelineOf run: RunResult, _ write: (String) -> Void) {
        let bars = bars(of: run)
        guard let end = bars.map(\.end).max(), end > 0 else { return }
        let hasPhases = bars.contains { content(of: $0, run)?.phases.isEmpty == false }
        write(
            """
            <details id="timeline"\(bars.count <= Self.mostOpenBars ? " open" : "")>
            <summary><h2>Timeline <span class="about">\(bars.count) \(bars.count == 1 ? "call" : "calls") within \
            \(TimeText.short(.milliseconds(end)))</span></h2></summary>
            \(hasPhases ? Self.legend : "")<ol>

            """)
        for bar in bars {
            if let content = content(of: bar, run) { write(line(bar, content, end: end) + "\n") }
        }
        write("</ol>\n</details>")
    }

    private func bars(of run: RunResult) -> [Bar] {
        let cases = run.cases.enumerated().compactMap { Bar("case-\($0 + 1)", $1.outcome, index: $0) }
        // A case that other cases require ran only once, so its call is listed only once.
        let needs = run.dependencies.enumerated().filter { _, need in
            !run.cases.contains { $0.endpointID == need.endpointID && $0.outcome.started == need.outcome.started }
        }.compactMap { Bar("need-\($0 + 1)", $1.outcome, need: $1) }
        return (cases + needs).sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
    }

    private static let legend =
        "<p class=\"legend\">"
        + Timings.Phase.all.map { "<span><i class=\"\($0.name)\"></i> \($0.title)</span>" }.joined(
            separator: " ")
        + "</p>\n"

    private func line(_ bar: Bar, _ content: (title: String, outcome: Outcome, phases: Phases), end: Int) -> String {
        func style(from start: Double, to stop: Double) -> String {
            let (left, width) = (start / Double(end), (stop - start) / Double(end))
            return "style=\"left:\(HTMLPage.percent(left));width:\(HTMLPage.percent(width))\""
        }
        let phases = content.phases.map {
            "<i class=\"\($0.phase.name)\" \(style(from: $0.start, to: $0.start + $0.length))></i>"
        }
        let verdict = content.outcome.verdict
        let word = verdict == .passed ? "" : "<b class=\"\(verdict.rawValue)\">\(verdict.phrase)</b> "
        return """
            <li><a href="#\(bar.id)"><span class="name">\(word)\(Markup.escaped(content.title))</span>\
            <span class="track"><span class="bar \(verdict.rawValue)" \
            \(style(from: Double(bar.start), to: Double(bar.end)))></span>\(phases.joined())</span>\
            <span class="time">\(TimeText.short(content.outcome.duration))<span class="about">, after \
            \(TimeText.short(content.outcome.started))</span></span></a></li>
            """
    }
}
