import Calling
import ReqcliText

/// TAP 14: a line for each case, with details as YAML below it; a subtest for each scenario.
struct TAPReport: Report {
    func write(_ run: RunResult, to write: (String) -> Void) {
        write("TAP version 14\n" + run.warnings.map { "# warning: \(Self.line($0))\n" }.joined())
        if run.cases.isEmpty, run.gaps.isEmpty {
            return write("1..0 # SKIP \(Self.line(run.remark ?? "nothing to run"))\n")
        }
        write("1..\(run.cases.count + run.gaps.count)\n")
        for (index, each) in run.wholeCases.enumerated() {
            if run.wasInterrupted, each.verdict == .notRun { continue }
            var text = each.isScenario ? subtest(each) : ""
            self.write(each.id, each.outcome, at: each.place, number: index + 1, to: &text)
            write(text)
        }
        for (index, gap) in run.gaps.enumerated() {
            write("not ok \(run.cases.count + index + 1) - report merge: \(Self.description(gap.message))\n")
        }
        if run.wasInterrupted { write("Bail out! interrupted\n") }
    }

    private func subtest(_ each: CaseResult) -> String {
        var text = "# Subtest: \(Self.description(each.id))\n1..\(each.steps.count)\n"
        for (index, step) in each.steps.enumerated() {
            write(
                step.shownName, step.outcome, reason: step.phrase, at: step.place, number: index + 1, to: &text)
        }
        return text.split(separator: "\n").map { "    \($0)\n" }.joined()
    }

    private func write(
        _ id: String, _ outcome: Outcome, reason: String? = nil, at place: Place, number: Int, to text: inout String
    ) {
        let name = Self.description(id)
        switch outcome.verdict {
        case .passed:
            let lines = Self.circumstances(outcome)
            text += "ok \(number) - \(name)\n" + Self.block(lines.isEmpty ? [] : ["---"] + lines + ["..."])
        case .notJudged:
            let reason = reason ?? outcome.notJudgedPhrase ?? outcome.verdict.phrase
            text += "ok \(number) - \(name) # SKIP \(Self.line(reason))\n"
        // A case that was not run is not a failure, because the case that stopped the run is already reported as failed.
        case .notRun: text += "ok \(number) - \(name) # SKIP not run\n"
        case .failed, .error, .blocked:
            text += "not ok \(number) - \(name)\n" + Self.block(Self.yaml(outcome, at: place))
        }
    }

    private static func block(_ lines: [String]) -> String { lines.map { "  \($0)\n" }.joined() }

    /// Facts about the response: several attempts, or a stub.
    private static func circumstances(_ outcome: Outcome) -> [String] {
        var lines: [String] = []
        if outcome.attempts > 1 { lines.append("requests: \(outcome.attempts)") }
        if outcome.verdict == .passed, let flake = outcome.flake {
            lines.append("flaky: \(quoted(flake.explanation.text))")
        }
        if let stub = outcome.stub {
            lines.append("stub: \(quoted(stub.name))")
            if stub.mustFail { lines.append("must_fail: true") }
        }
        return lines
    }

    private static func yaml(_ outcome: Outcome, at place: Place) -> [String] {
        var lines = [
            "---", "verdict: \(outcome.verdict.rawValue)", "at: \(quoted(place.description))",
            "duration_ms: \(TimeText.milliseconds(outcome.duration))",
        ]
        lines += circumstances(outcome)
        lines.append("reasons:")
        // Each reason has its own key, because some YAML readers read a string with a colon as a mapping.
        lines += outcome.reasons.map { "  - message: \(quoted($0.text))" }
        if let request = outcome.exchange?.request { lines.append("request: \(quoted(request.curl))") }
        if let status = outcome.exchange?.status { lines.append("status: \(status)") }
        return lines + ["..."]
    }

    /// A quoted text. JSON strings are valid YAML.
    private static func quoted(_ text: String) -> String {
        JSONStringText.quoted(TerminalText.harmless(text, keepingLines: true)).withoutCommands
    }

    /// Escapes `#`, which begins a directive.
    private static func description(_ text: String) -> String {
        line(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    private static func line(_ text: String) -> String {
        TerminalText.withoutCommands(TerminalText.harmless(text))
    }
}
