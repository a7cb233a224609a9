import Calling
package import ReqcliText

/// The run for a terminal or a log: a line for each case, details of failures below it, and a summary.
package struct HumanReport: Sendable {
    /// The amount of detail with which cases are shown.
    package enum Detail: Sendable {
        /// Only the cases that didn't pass, and the totals; nothing if all passed.
        case failures
        case cases
        /// All cases with their requests and statuses.
        case exchanges
    }

    /// The width in cells at which lines are wrapped.
    package let width: Int
    /// The maximum width of the progress line. If the terminal wrapped the line, the line could not be erased.
    private let progressWidth: Int
    /// Whether the report goes to a terminal. If so, words that are wider than a line are broken, because the terminal would break
    /// them less readably. Otherwise, a list stays on its line, so that `grep` and scripts find it whole.
    package let isForTerminal: Bool
    /// The width of the ids, so that times are aligned.
    private let idWidth: Int
    private let detail: Detail
    private var shownBlockers: Set<String> = []

    package init(_ plan: CheckPlan, width: Int, isForTerminal: Bool = false, detail: Detail = .cases) {
        self.init(
            ids: plan.flows.map(\.id), width: width, isForTerminal: isForTerminal, detail: detail
        )
    }

    /// Makes a report for cases whose ids are known before they run.
    ///
    /// - Parameter ids: The ids of all cases that are shown.
    package init(ids: [String], width: Int, isForTerminal: Bool = false, detail: Detail = .cases) {
        self.isForTerminal = isForTerminal
        self.detail = detail
        self.width = max(40, width)
        progressWidth = width - 1
        let longest = ids.map { TerminalText.width(of: TerminalText.harmless($0)) }.max() ?? 0
        idWidth = min(longest, max(20, width - 24))
    }

    // MARK: Cases

    /// The lines of a case. Empty for a case that is not shown, or that was not run. The summary counts such cases.
    package mutating func text(of each: CaseResult) -> Styled {
        let isCutOff = each.verdict == .notRun && each.steps.contains { $0.outcome.attempts > 0 }
        if each.verdict == .notRun && !isCutOff || each.verdict == .passed && detail == .failures { return "" }
        let id = TerminalText.padded(TerminalText.harmless(each.id), to: idWidth)
        let time = each.outcome.attempts > 0 ? TimeText.short(each.outcome.duration) : ""
        var line = Styled(each.verdict.mark + " ", each.verdict.style) + Styled(id)
        line += Styled("  " + TerminalText.padded(time, to: 7, .trailing), .dim)
        if let phrase = each.outcome.notJudgedPhrase {
            line += Styled("  " + TerminalText.harmless(phrase), each.verdict.style)
        } else if each.verdict != .passed {
            line += Styled("  " + each.verdict.phrase, each.verdict.style)
        }
        for phrase in each.outcome.circumstances { line += Styled("  " + phrase, .dim) }
        let flakes = each.verdict == .passed ? each.outcome.flake?.reasons ?? [] : []
        let reasons = flakes.flatMap { wrapped("at first \($0.text)", indent: 4, .dim) }
        return .lines([line] + reasons + details(of: each.outcome, of: each.probe) + steps(of: each))
    }

    private mutating func details(of outcome: Outcome, of probe: Probe? = nil) -> [Styled] {
        var lines: [Styled] = []
        if detail == .exchanges, let request = outcome.exchange?.request {
            lines += wrapped("\(request.method) \(request.url)", indent: 4, .dim)
        }
        lines += outcome.failures.flatMap { details(of: $0) }
        for diagnostic in outcome.problem?.diagnostics ?? [] {
            guard outcome.verdict == .error else { break }
            lines += wrapped(diagnostic.message, indent: 4)
            if let place = diagnostic.place {
                lines.append(Styled("      " + TerminalText.harmless(place.description), .dim))
            }
            if let hint = diagnostic.hint { lines += wrapped(hint, indent: 6, .dim) }
        }
        if let blocker = outcome.blocker {
            // The reason is shown once. Other cases that the same call blocks only name that call.
            let isNew = shownBlockers.insert(blocker.message.text).inserted
            lines += wrapped(isNew ? blocker.message.text : "\(blocker.id) failed, as above", indent: 4)
            if isNew {
                for line in blocker.exchange?.excerpt ?? [] {
                    lines += line.isEmpty ? [Styled("")] : wrapped(line, indent: 6, .dim)
                }
            }
        }
        let showsAnswer = outcome.verdict == .failed || detail == .exchanges
        if showsAnswer, let exchange = outcome.exchange, let status = exchange.status {
            lines.append(Styled("    answered \(status) with \(exchange.sizeText)", .dim))
        }
        // Show the curl command, because no other command of reqcli sends a value that a param forbids.
        if outcome.verdict == .failed, probe != nil, let curl = outcome.exchange?.request?.curl {
            lines += TerminalText.harmless(curl, keepingLines: true).split(separator: "\n").map {
                Styled("    " + $0, .dim)
            }
        }
        return lines
    }

    /// The steps of a scenario. If the scenario passed, only the steps that were skipped or left out are shown.
    private mutating func steps(of each: CaseResult) -> [Styled] {
        let showsAll = each.verdict != .passed || detail == .exchanges
        let shown = each.steps.filter { showsAll || $0.verdict != .passed }
        let names = shown.map { TerminalText.harmless($0.shownName) }
        let width = names.map { TerminalText.width(of: $0) }.max() ?? 0
        var lines: [Styled] = []
        for (step, name) in zip(shown, names) {
            let outcome = step.outcome
            let time = outcome.attempts > 0 ? TimeText.short(outcome.duration) : ""
            var line = Styled("    ") + Styled(outcome.verdict.mark + " ", outcome.verdict.style)
            line += Styled(TerminalText.padded(name, to: width))
            line += Styled("  " + TerminalText.padded(time, to: 7, .trailing), .dim)
            if let phrase = step.phrase {
                line += Styled("  " + TerminalText.harmless(phrase), outcome.verdict.style)
            }
            for phrase in outcome.circumstances { line += Styled("  " + phrase, .dim) }
            lines.append(line)
            lines += details(of: outcome).map { $0.plain.isEmpty ? $0 : Styled("    ") + $0 }
        }
        return lines
    }

    private func details(of failure: ExpectationFailure) -> [Styled] {
        let subject = TerminalText.harmless(failure.title)
        let place = TerminalText.harmless(failure.place.description)
        var lines = [Styled("    " + subject, .bold)]
        let isNarrow = lines[0].width + 2 + TerminalText.width(of: place) > width
        if isNarrow { lines.append(Styled("      " + place, .dim)) } else { lines[0] += Styled("  " + place, .dim) }
        lines += labelled("expected ", failure.expected, .plain) + labelled("found    ", failure.actual, .red)
        let room = width - 8
        for line in failure.difference {
            let text = TerminalText.truncated(TerminalText.harmless(line.plain), to: room)
            lines.append(Styled("        " + text, line.kind.style))
        }
        return lines
    }

    private func labelled(_ label: String, _ text: String, _ style: Style) -> [Styled] {
        let room = max(20, width - 6 - label.count)
        let text = TerminalText.harmless(text)
        let pieces = isForTerminal ? TerminalText.folded(text, to: room) : TerminalText.wrapped(text, to: room)
        return pieces.enumerated().map { index, piece in
            let lead = index == 0 ? label : TerminalText.padded("", to: label.count)
            return Styled("      " + lead, .dim) + Styled(piece, style)
        }
    }

    private func wrapped(_ text: String, indent: Int, _ style: Style = .plain) -> [Styled] {
        let room = indent == 0 && !isForTerminal ? Int.max : max(20, width - indent)
        return TerminalText.wrapped(TerminalText.harmless(text), to: room).map {
            Styled(TerminalText.padded("", to: indent) + $0, style)
        }
    }
}

// MARK: - The run

extension HumanReport {
    /// The lines at the end of the run.
    package func summary(of run: RunResult) -> Styled {
        if detail == .failures { return shortSummary(of: run) }
        var lines: [Styled] = [Styled("")]
        if !run.cases.isEmpty { lines += totals(run) }
        let slowest = run.slowest(3).map { run.cases[$0] }
        if run.cases.count > 1, !slowest.isEmpty { lines += list("slowest", slowest.map { ($0.id, $0.outcome) }) }
        if !run.dependencies.isEmpty {
            lines += list("needed", run.dependencies.prefix(5).map { ($0.id, $0.outcome) })
        }
        if let snapshots = run.snapshots?.phrase { lines += wrapped(snapshots, indent: 0, .dim) }
        for coverage in run.coverage { lines += wrapped(coverage.phrase, indent: 0, .dim) }
        for sentence in run.leftOut { lines += wrapped(sentence, indent: 0, .dim) }
        for warning in run.warnings { lines += wrapped("warning: \(warning)", indent: 0, .yellow) }
        return .lines(lines + seed(of: run) + remark(on: run))
    }

    /// The totals, unless all cases passed. A run that was interrupted or had no cases gets a line, so that it doesn't look like
    /// a run that passed.
    private func shortSummary(of run: RunResult) -> Styled {
        let isGreen = run.count(.passed) == run.cases.count
        let snapshots = run.snapshots?.phrase.map { wrapped($0, indent: 0, .dim) } ?? []
        return .lines((isGreen ? [] : totals(run) + seed(of: run)) + snapshots + remark(on: run))
    }

    private func seed(of run: RunResult) -> [Styled] {
        run.origin.seed.map { wrapped("the same random values again: --seed \($0)", indent: 0, .dim) } ?? []
    }

    private func remark(on run: RunResult) -> [Styled] {
        // The gaps of a merged run were already printed as errors.
        if !run.gaps.isEmpty { return [] }
        return run.remark.map { wrapped($0, indent: 0, .yellow) } ?? []
    }

    private func totals(_ run: RunResult) -> [Styled] {
        let shard = run.shard.map { ", shard \($0.text)" } ?? ""
        let place = TerminalText.harmless("(\(run.environment)\(shard))")
        let head = Styled("\(run.countPhrase) in \(TimeText.short(run.duration)) \(place):")
        var counts = Styled("")
        for (index, verdict) in Verdict.allCases.filter({ run.count($0) > 0 }).enumerated() {
            if index > 0 { counts += Styled(", ") }
            counts += Styled(verdict.phrase(of: run.count(verdict)), [.bold, verdict.style])
        }
        var lines = head.width + 1 + counts.width <= width ? [head + Styled(" ") + counts] : [head, counts]
        guard run.flakyCount > 0 else { return lines }
        let flaky = Styled("\(run.flakyCount) flaky", [.bold, .yellow])
        let isFitting = lines[lines.count - 1].width + 2 + flaky.width <= width
        if isFitting { lines[lines.count - 1] += Styled(", ") + flaky } else { lines.append(flaky) }
        return lines
    }

    private func list(_ label: String, _ items: [(String, Outcome)]) -> [Styled] {
        let texts = items.map { id, outcome in
            let word = outcome.verdict == .passed ? "" : " \(outcome.verdict.phrase)"
            return "\(TerminalText.harmless(id)) \(TimeText.short(outcome.duration))\(word)"
        }
        return wrapped("\(label): \(texts.joined(separator: ", "))", indent: 0, .dim)
    }

    /// The progress on one line that fits the terminal. The next progress line replaces this line.
    package func progress(_ progress: RunProgress) -> Styled {
        var text = "\(progress.done)/\(progress.total)"
        if progress.notPassed > 0 { text += ", \(progress.notPassed) not passed" }
        if !progress.running.isEmpty { text += "  " + TerminalText.harmless(progress.running.joined(separator: ", ")) }
        return Styled(TerminalText.truncated(text, to: progressWidth), .dim)
    }

    /// The characters that erase the progress line.
    package static let erasing = "\r\u{1B}[K"
}

extension Verdict {
    fileprivate var mark: String {
        switch self {
        case .passed: "✓"
        case .failed: "✗"
        case .error: "!"
        case .blocked: "⊘"
        case .notJudged, .notRun: "-"
        }
    }

    fileprivate var style: Style {
        switch self {
        case .passed: .green
        case .failed, .error: .red
        case .blocked: .yellow
        case .notJudged, .notRun: .dim
        }
    }
}

extension DifferenceLine.Kind {
    /// The value found is red, because it is wrong. The expected value has no colour.
    fileprivate var style: Style {
        switch self {
        case .expected: .plain
        case .actual: .red
        case .context, .note: .dim
        }
    }
}
