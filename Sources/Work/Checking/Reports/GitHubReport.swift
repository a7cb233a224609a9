import ReqcliText

/// Workflow commands, which GitHub shows as annotations at places in endpoint files.
struct GitHubReport: Report {
    func write(_ run: RunResult, to write: (String) -> Void) {
        func writeLines(_ lines: [String]) { for line in lines { write(line + "\n") } }
        for each in run.cases {
            writeLines(errors(each.id, each.outcome, at: each.place))
            for step in each.steps {
                writeLines(errors("\(each.id)/\(step.shownName)", step.outcome, at: step.place, inFileOf: step.place))
            }
        }
        var lines = run.gaps.map { "::error title=reqcli report merge::\(Self.data($0.message))" }
        lines += run.warnings.map { "::warning title=reqcli check::\(Self.data($0))" }
        if run.gaps.isEmpty, let remark = run.remark {
            lines.append("::\(run.wasInterrupted ? "error" : "notice") title=reqcli check::\(Self.data(remark))")
        }
        writeLines(lines)
    }

    /// The failures of a case or a step as annotations.
    ///
    /// - Parameter home: For a step, a place in the scenario's file. Errors in other files are shown there.
    private func errors(
        _ id: String, _ outcome: Outcome, at place: Place, inFileOf home: Place? = nil
    ) -> [String] {
        func shown(_ found: Place?) -> Place {
            guard let found, home == nil || found.file.name == home?.file.name else { return place }
            return found
        }
        return lines(of: outcome, id, at: place, shown)
    }

    private func lines(of outcome: Outcome, _ id: String, at place: Place, _ shown: (Place?) -> Place) -> [String] {
        switch outcome.verdict {
        case .passed:
            outcome.flake.map { [Self.annotation("warning", "\(id) (flaky)", at: place, $0.explanation.text)] } ?? []
        case .notJudged, .notRun: []
        case .failed:
            outcome.failures.map { failure in
                let details = [failure.message] + failure.difference.map(\.plain)
                return Self.error(id, at: shown(failure.place), details.joined(separator: "\n"))
            }
        case .error:
            (outcome.problem?.diagnostics ?? []).map { diagnostic in
                let message = [diagnostic.message, diagnostic.hint].compactMap(\.self).joined(separator: "\n")
                return Self.error(id, at: shown(diagnostic.place), message)
            }
        case .blocked:
            outcome.reasons.isEmpty
                ? [] : [Self.error("\(id) (blocked)", at: place, outcome.reasons.map(\.text).joined(separator: "\n"))]
        }
    }

    private static func error(_ title: String, at place: Place, _ message: String) -> String {
        annotation("error", title, at: place, message)
    }

    private static func annotation(_ kind: String, _ title: String, at place: Place, _ message: String) -> String {
        let start = place.start
        let properties = [
            ("file", place.file.name), ("line", String(start.line)), ("endLine", String(place.end.line)),
            ("col", String(start.column)), ("title", title),
        ]
        let written = properties.map { "\($0.0)=\(property($0.1))" }.joined(separator: ",")
        return "::\(kind) \(written)::\(data(message))"
    }

    private static func data(_ text: String) -> String {
        TerminalText.harmless(text, keepingLines: true).replacing("%", with: "%25").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
