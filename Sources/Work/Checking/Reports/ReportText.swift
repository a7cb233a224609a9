import Calling
import ReqcliText
import RequestBuilding

extension Verdict {
    /// The verdict as people read it.
    var phrase: String {
        switch self {
        case .notRun: "not run"
        case .notJudged: "not judged"
        case .passed, .failed, .error, .blocked: rawValue
        }
    }

    /// A count with the verdict: `1 error`, `2 errors`, `2 failed`.
    func phrase(of count: Int) -> String {
        "\(count) \(self == .error && count != 1 ? "errors" : phrase)"
    }
}

extension RunResult {
    /// The number of cases and scenarios, such as `12 cases`, `1 scenario` or `12 cases and 1 scenario`.
    var countPhrase: String {
        let scenarios = cases.count(where: \.isScenario)
        let others = cases.count - scenarios
        let parts = [(others, "case"), (scenarios, "scenario")].filter { $0.0 > 0 }
        return parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
    }

    /// A remark about the run as a whole.
    var remark: String? {
        if !gaps.isEmpty { return "incomplete: \(gaps.map(\.message).joined(separator: "; "))" }
        if wasInterrupted {
            let isUnclean = cases.contains { each in
                each.steps.contains { $0.isCleanup && $0.verdict == .notRun }
                    && each.steps.contains { $0.outcome.attempts > 0 }
            }
            return "interrupted: running cases were stopped, and no more cases were started"
                + (isUnclean ? "; the cleanup is incomplete" : "")
        }
        if isEmptyShard, let shard {
            let cases = selectedCount == 1 ? "the one case" : "\(selectedCount) cases"
            return "shard \(shard.text) is empty: none of \(cases) belongs to this shard, so nothing was checked here"
        }
        if exitStatus == .usage, hasProbedNothing { return "nothing was probed: no probe got a verdict" }
        return count(.notRun) > 0 ? "stopped early: the remaining cases were not run" : nil
    }

    /// The positions of the slowest cases, the slowest first. Cases whose time rounds to 0 ms are left out.
    func slowest(_ count: Int) -> [Int] {
        // Whole milliseconds, as in the JSON report, so that reports made from it have the same order.
        let durations = cases.map { TimeText.milliseconds($0.outcome.duration) }
        return cases.indices.filter { cases[$0].outcome.attempts > 0 && durations[$0] > 0 }
            .sorted { (durations[$1], $0) < (durations[$0], $1) }
            .prefix(count).map(\.self)
    }
}

extension StepResult {
    /// The name of the step, such as `cart` or, for the cleanup, `cleanup cart.delete`.
    var shownName: String { isCleanup ? "cleanup \(name)" : name }

    /// The text after the time in the line of a step; nil for a step that passed.
    var phrase: String? {
        switch verdict {
        case .passed: nil
        case .notJudged: outcome.reason?.text ?? verdict.phrase
        case .failed, .error, .blocked, .notRun: verdict.phrase
        }
    }
}

extension Outcome {
    /// Facts that the verdict doesn't show, for example several attempts or a response of a stub.
    var circumstances: [String] {
        var phrases: [String] = []
        if verdict == .passed, flake != nil { phrases.append("flaky") }
        if attempts > 1 { phrases.append("\(attempts) requests") }
        if let stub {
            phrases.append("stub \(stub.name)\(stub.mustFail ? ", which must fail the checks" : "")")
        }
        if verdict == .passed, let state = snapshot?.state, state != .same {
            phrases.append(state == .missing ? "new snapshot" : "changed snapshot")
        }
        return phrases
    }

    /// Why a probe proves nothing: `not judged: the server responded with 401`, `not run: user.get failed`.
    var notJudgedPhrase: String? {
        reason.map { "\(attempts > 0 ? Verdict.notJudged.phrase : Verdict.notRun.phrase): \($0)" }
    }

    /// Everything about a case as plain lines: failures with their places, then the request and the response.
    var plainLines: [String] {
        var lines: [String] = []
        for failure in failures {
            lines.append(failure.message)
            lines.append("  at \(failure.place.description)")
            lines += failure.difference.map { "  \($0.plain)" }
        }
        for diagnostic in problem?.diagnostics ?? [] {
            lines.append(diagnostic.message)
            if let place = diagnostic.place { lines.append("  at \(place.description)") }
            if let hint = diagnostic.hint { lines.append("  \(hint)") }
        }
        if let blocker { lines.append(blocker.message.text) }
        if let reason { lines.append(reason.text) }
        return lines
    }

    var exchangeLines: [String] {
        guard let exchange else { return [] }
        var lines = exchange.request.map { ["", $0.curl] } ?? []
        guard exchange.status != nil else { return lines }
        lines += ["", exchange.head.text, "", exchange.shownBody]
        return lines
    }
}

extension ExchangeRecord {
    var sizeText: String { "\(bodyIsLonger ? "more than " : "")\(bodySize) bytes" }

    var shownBody: String {
        if bodyIsHidden { return "(\(sizeText) that are not shown, because they may hold a secret)" }
        guard let body else { return "(\(sizeText) that are not text)" }
        if bodySize == 0 { return "(no body)" }
        return bodyIsWhole ? body : body + "…\n(\(sizeText)\(bodyIsLonger ? "" : " in all"))"
    }
}

extension String {
    /// JSON with the same meaning, but without `##`, because some CI servers take `##` anywhere in a line as the start of a
    /// command. The replacement is safe, because in JSON `#` occurs only in strings.
    var withoutCommands: String { replacing("##", with: "#\\u0023") }
}

/// Times as reports show them.
package enum TimeText {
    /// Seconds with three decimals: `0.012`.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        return "\(milliseconds / 1000).\(Timestamp.padded(milliseconds % 1000, 3))"
    }

    package static func milliseconds(_ duration: Duration) -> Int { max(0, Int((duration.seconds * 1000).rounded())) }

    /// A short form with tenths of small durations: `0.4ms`, `12ms`.
    package static func fine(_ duration: Duration) -> String {
        let tenths = Int((duration.seconds * 10_000).rounded())
        return (1..<100).contains(tenths) ? "\(tenths / 10).\(tenths % 10)ms" : short(duration)
    }

    /// A short form: `12ms`, `1.2s`, `2m 05s`.
    package static func short(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        if milliseconds < 1000 { return "\(milliseconds)ms" }
        if milliseconds < 59_950 {
            let tenths = (milliseconds + 50) / 100
            return "\(tenths / 10).\(tenths % 10)s"
        }
        let seconds = (milliseconds + 500) / 1000
        return "\(seconds / 60)m \(Timestamp.padded(seconds % 60))s"
    }
}
