import ReqcliBasics
import ReqcliText
import RequestBuilding

/// JUnit XML, limited to what the common schemas share: a suite for each file, a test case for each case or step of a scenario.
///
/// Blocked cases are errors, and so are all cases that didn't run after an interruption. If they were marked as skipped, the run
/// would look as if it had passed.
struct JUnitReport: Report {
    func write(_ run: RunResult, to write: (String) -> Void) {
        // The beginning of a suite has its counts, so they are needed before the cases are written.
        let suites = Suite.all(of: run.cases)
        write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
        var number = -1
        var left = 0
        for each in run.wholeCases.lazy.flatMap(\.testCases) {
            var text = ""
            if left == 0 {
                number += 1
                left = suites[number].count
                begin(suites[number], number: number, of: run, to: &text)
            }
            self.write(each, of: run, to: &text)
            left -= 1
            if left == 0 { end(suites[number], of: run, to: &text) }
            write(text)
        }
        var text = ""
        if !run.gaps.isEmpty { self.write(run.gaps, number: suites.count, of: run, to: &text) }
        write(text + "</testsuites>\n")
    }

    private func begin(_ suite: Suite, number: Int, of run: RunResult, to text: inout String) {
        func count(_ verdicts: Verdict...) -> Int { verdicts.reduce(0) { $0 + suite.counts[$1, default: 0] } }
        let (notRun, notJudged) = (count(.notRun), count(.notJudged))
        let attributes = [
            ("id", String(number)), ("package", "reqcli"), ("name", suite.name), ("hostname", "localhost"),
            ("timestamp", Timestamp.text(run.startedAt)), ("tests", String(suite.count)),
            ("failures", String(count(.failed))),
            ("errors", String(count(.error, .blocked) + (run.wasInterrupted ? notRun : 0))),
            ("skipped", String(notJudged + (run.wasInterrupted ? 0 : notRun))),
            ("time", TimeText.seconds(.milliseconds(suite.time))),
        ]
        text += "  <testsuite\(Self.attributes(attributes))>\n    <properties>\n"
        let properties =
            [("environment", run.environment)] + run.origin.named + (run.shard.map { [("shard", $0.text)] } ?? [])
            + run.warnings.map { ("warning", $0) }
        for property in properties {
            text += "      <property\(Self.attributes([("name", property.0), ("value", property.1)]))/>\n"
        }
        text += "    </properties>\n"
    }

    private func end(_ suite: Suite, of run: RunResult, to text: inout String) {
        text += Self.element("system-out", suite.circumstances)
        text += Self.element("system-err", run.warnings.map { "warning: \($0)" }) + "  </testsuite>\n"
    }

    /// A suite of errors, so that an incomplete merged run counts as failed.
    private func write(_ gaps: [Diagnostic], number: Int, of run: RunResult, to text: inout String) {
        let attributes = [
            ("id", String(number)), ("package", "reqcli"), ("name", run.gapSource), ("hostname", "localhost"),
            ("timestamp", Timestamp.text(run.startedAt)), ("tests", String(gaps.count)), ("failures", "0"),
            ("errors", String(gaps.count)), ("skipped", "0"), ("time", "0.000"),
        ]
        text += "  <testsuite\(Self.attributes(attributes))>\n    <properties/>\n"
        for gap in gaps {
            let attributes = [("classname", run.gapSource), ("name", gap.message), ("time", "0.000")]
            text += "    <testcase\(Self.attributes(attributes))>\n      <error"
            text += Self.attributes([("type", "incomplete"), ("message", gap.message)])
            text += ">\(Markup.escaped(gap.hint ?? ""))</error>\n    </testcase>\n"
        }
        text += Self.element("system-out", []) + Self.element("system-err", []) + "  </testsuite>\n"
    }

    private static func element(_ name: String, _ lines: [String]) -> String {
        if lines.isEmpty { return "    <\(name)/>\n" }
        return "    <\(name)>\(Markup.escaped(lines.joined(separator: "\n")))</\(name)>\n"
    }

    private func write(_ each: TestCase, of run: RunResult, to text: inout String) {
        let attributes = [
            ("classname", each.className), ("name", each.id), ("time", TimeText.seconds(each.outcome.duration)),
        ]
        text += "    <testcase\(Self.attributes(attributes))"
        switch each.verdict {
        case .passed: text += "/>\n"
        case .notRun where run.wasInterrupted:
            let attributes = [("type", "interrupted"), ("message", "interrupted: it was not run")]
            text += ">\n      <error\(Self.attributes(attributes))/>\n    </testcase>\n"
        case .notJudged:
            let attributes = [("message", each.reason ?? each.verdict.phrase)]
            text += ">\n      <skipped\(Self.attributes(attributes))/>\n    </testcase>\n"
        case .notRun: text += ">\n      <skipped/>\n    </testcase>\n"
        case .failed, .error, .blocked:
            let element = each.verdict == .failed ? "failure" : "error"
            let first = each.outcome.reasons.first?.text ?? each.verdict.phrase
            let lines = ["\(each.place.description)"] + each.outcome.plainLines + each.outcome.exchangeLines
            text += ">\n      <\(element)\(Self.attributes([("type", each.verdict.rawValue), ("message", first)]))>"
            text += Markup.escaped(lines.joined(separator: "\n"))
            text += "</\(element)>\n    </testcase>\n"
        }
    }

    private static func attributes(_ pairs: [(String, String)]) -> String {
        pairs.map { " \($0.0)=\"\(Markup.attribute($0.1))\"" }.joined()
    }
}

/// The test cases of a file that follow each other.
private struct Suite {
    let name: String
    var counts: [Verdict: Int] = [:]
    /// The sum of the times that the test cases show.
    var time = 0
    /// The circumstances of all test cases, because only some schemas allow text in a test case.
    var circumstances: [String] = []

    var count: Int { counts.values.reduce(0, +) }

    static func all(of cases: [CaseResult]) -> [Suite] {
        cases.lazy.flatMap(\.testCases).reduce(into: []) { suites, each in
            let name = each.place.file.name
            if suites.last?.name != name { suites.append(Suite(name: name)) }
            suites[suites.count - 1].add(each)
        }
    }

    private mutating func add(_ each: TestCase) {
        counts[each.verdict, default: 0] += 1
        time += TimeText.milliseconds(each.outcome.duration)
        let phrases = each.outcome.circumstances
        if !phrases.isEmpty {
            circumstances.append("\(each.id): \(phrases.joined(separator: ", "))\(each.firstReasons)")
        }
    }
}

/// A case, or a step of a scenario.
private struct TestCase {
    let id: String
    let className: String
    let place: Place
    let outcome: Outcome
    /// The reason why the case or step was not judged.
    let reason: String?

    var verdict: Verdict { outcome.verdict }

    /// Why a flaky case did not pass at first.
    var firstReasons: String {
        guard verdict == .passed, let reasons = outcome.flake?.reasons, !reasons.isEmpty else { return "" }
        return "; at first \(reasons.joined(separator: "; "))"
    }
}

extension CaseResult {
    /// The test cases of a case: the case itself or, for a scenario, its steps. If something is wrong with a scenario as a whole,
    /// the scenario itself is listed before its steps.
    fileprivate var testCases: [TestCase] {
        let whole = TestCase(
            id: id, className: endpointID, place: place, outcome: outcome, reason: outcome.notJudgedPhrase)
        if !isScenario { return [whole] }
        let isWrong = !outcome.failures.isEmpty || outcome.problem != nil
        return (isWrong ? [whole] : [])
            + steps.map {
                TestCase(
                    id: "\(id)/\($0.shownName)", className: endpointID, place: $0.place, outcome: $0.outcome,
                    reason: $0.phrase)
            }
    }
}
