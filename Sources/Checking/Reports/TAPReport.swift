import SourceText
import TerminalText

/// TAP 14: a line for each case, with details as YAML below it.
struct TAPReport: Report {
    func text(of run: RunResult) -> String {
        var text = "TAP version 14\n" + run.warnings.map { "# warning: \(Self.line($0))\n" }.joined()
        if run.cases.isEmpty, run.gaps.isEmpty {
            return text + "1..0 # SKIP \(Self.line(run.remark ?? "nothing to run"))\n"
        }
        text += "1..\(run.cases.count + run.gaps.count)\n"
        for (index, each) in run.cases.enumerated() {
            if run.wasInterrupted, each.verdict == .notRun { continue }
            write(each, number: index + 1, to: &text)
        }
        for (index, gap) in run.gaps.enumerated() {
            text += "not ok \(run.cases.count + index + 1) - report merge: \(Self.description(gap.message))\n"
        }
        return text + (run.wasInterrupted ? "Bail out! interrupted\n" : "")
    }

    private func write(_ each: CaseResult, number: Int, to text: inout String) {
        let name = Self.description(each.id)
        switch each.verdict {
        case .passed:
            let lines = Self.circumstances(each.outcome)
            text += "ok \(number) - \(name)\n" + Self.block(lines.isEmpty ? [] : ["---"] + lines + ["..."])
        // The case that stopped the run is already reported as failed.
        case .notJudged:
            text += "ok \(number) - \(name) # SKIP \(Self.line(each.outcome.notJudgedPhrase ?? each.verdict.phrase))\n"
        case .notRun: text += "ok \(number) - \(name) # SKIP not run\n"
        case .failed, .error, .blocked:
            text += "not ok \(number) - \(name)\n" + Self.block(Self.yaml(each))
        }
    }

    private static func block(_ lines: [String]) -> String { lines.map { "  \($0)\n" }.joined() }

    /// Facts about the response: several attempts, or a stub.
    private static func circumstances(_ outcome: Outcome) -> [String] {
        var lines: [String] = []
        if outcome.attempts > 1 { lines.append("requests: \(outcome.attempts)") }
        if outcome.verdict == .passed, let flake = outcome.flake {
            lines.append("flaky: \(quoted(flake.explanation))")
        }
        if let stub = outcome.stub {
            lines.append("stub: \(quoted(stub.name))")
            if stub.mustFail { lines.append("must_fail: true") }
        }
        return lines
    }

    private static func yaml(_ each: CaseResult) -> [String] {
        var lines = [
            "---", "verdict: \(each.verdict.rawValue)", "at: \(quoted(each.place.description))",
            "duration_ms: \(TimeText.milliseconds(each.outcome.duration))",
        ]
        lines += circumstances(each.outcome)
        lines.append("reasons:")
        // Written under a key of its own, because some readers take text with a colon for a mapping.
        lines += each.outcome.reasons.map { "  - message: \(quoted($0))" }
        if let request = each.outcome.exchange?.request { lines.append("request: \(quoted(request.curl))") }
        if let status = each.outcome.exchange?.status { lines.append("status: \(status)") }
        return lines + ["..."]
    }

    /// A quoted text. JSON strings are valid YAML.
    private static func quoted(_ text: String) -> String {
        JSONStringText.quoted(TerminalText.harmless(text, keepingLines: true))
    }

    /// Escapes `#`, which begins a directive.
    private static func description(_ text: String) -> String {
        line(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    private static func line(_ text: String) -> String { TerminalText.harmless(text) }
}
