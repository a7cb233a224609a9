import Checking
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// The formats that `load --report` takes.
package enum LoadReportKind: String, ReportFormat {
    case json
    case markdown
    case html
    case junit
    case tap
    case github

    package func write(_ result: LoadResult, to write: (String) -> Void) {
        switch self {
        case .json: write(result.json.pretty + "\n")
        case .markdown: write(result.markdown)
        case .html: write(LoadPage(result).text)
        case .junit: ReportKind.junit.report.write(result.run, to: write)
        case .tap: ReportKind.tap.report.write(result.run, to: write)
        case .github: ReportKind.github.report.write(result.run, to: write)
        }
    }
}

extension LoadResult {
    var headline: String {
        exitStatus == .success ? "passed" : exitStatus == .usage ? "proves nothing" : "failed"
    }

    /// The table and the thresholds, for a summary in CI.
    var markdown: String {
        func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
        func cell(_ text: String) -> String {
            text.replacing("|", with: "\\|").replacing("<", with: "&lt;").replacing("`", with: "'").replacing(
                "\n", with: " ")
        }
        var text = "### reqcli load: \(headline)\n\n"
        for sentence in findings.map(\.message) + remarks + warnings { text += "\(cell(sentence))\n\n" }
        text += row(LoadTable.header) + row(["---"] + LoadTable.header.dropFirst().map { _ in "---:" })
        for each in LoadTable(self).rows { text += row(each.map { cell($0 == "*" ? "all" : $0) }) }
        if verdicts.isEmpty { return text }
        text += "\n" + row(["", "threshold", "found"]) + row(["---", "---", "---:"])
        for verdict in verdicts {
            text += row([verdict.holds ? "✓" : "✗", cell(verdict.threshold.text), cell(verdict.found)])
        }
        return text
    }

    /// The thresholds as the cases of a run.
    var run: RunResult {
        let text = verdicts.map(\.threshold.text).joined(separator: "\n")
        let file = SourceFile(name: "reqcli load", bytes: Array(text.utf8))
        var start = 0
        let conditions = verdicts.map { verdict in
            let end = start + verdict.threshold.text.utf8.count
            defer { start = end + 1 }
            return LoadCondition(
                verdict.threshold.text, isMet: verdict.holds, found: verdict.found,
                at: verdict.threshold.place ?? Place(file, start..<end))
        }
        var aborted: [Diagnostic] = []
        if case .aborted = ending { aborted = remarks.prefix(1).map { Diagnostic(code: .loadAborted, $0, at: nil) } }
        var run = RunResult(
            conditions: conditions, gaps: findings.map(\.diagnostic) + aborted, environment: plan.environment,
            startedAt: startedAt, duration: duration,
            endOnInterruption: ending == .interrupted ? endOnInterruption : nil)
        run.origin = origin
        run.warnings = warnings
        return run
    }
}

extension LoadFinding {
    package var diagnostic: Diagnostic {
        Diagnostic(code: .loadUnproven, "the load proves nothing: \(message)", at: nil, hint: hint)
    }
}

extension Diagnostic.Code {
    package static let loadUnproven: Self = "load.unproven"
    package static let loadAborted: Self = "load.aborted"
}
