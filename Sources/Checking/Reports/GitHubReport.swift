import CommandLineKit
import SourceText
import TerminalText

/// Workflow commands, which GitHub shows as annotations at places in endpoint files.
struct GitHubReport: Report {
    func text(of run: RunResult) -> String {
        var lines: [String] = []
        for each in run.cases {
            switch each.verdict {
            case .passed:
                guard let flake = each.outcome.flake else { continue }
                lines.append(Self.annotation("warning", "\(each.id) (flaky)", at: each.place, flake.explanation))
            case .notJudged, .notRun: continue
            case .failed:
                lines += each.outcome.failures.map { failure in
                    let details = [failure.message] + failure.difference.map(\.plain)
                    return Self.error(each.id, at: failure.place, details.joined(separator: "\n"))
                }
            case .error:
                lines += (each.outcome.problem?.diagnostics ?? []).map { diagnostic in
                    let message = [diagnostic.message, diagnostic.hint].compactMap(\.self).joined(separator: "\n")
                    return Self.error(each.id, at: diagnostic.place ?? each.place, message)
                }
            case .blocked:
                lines.append(
                    Self.error("\(each.id) (blocked)", at: each.place, each.outcome.reasons.joined(separator: "\n")))
            }
        }
        lines += run.gaps.map { "::error title=reqcli report merge::\(Self.data($0.message))" }
        lines += run.warnings.map { "::warning title=reqcli check::\(Self.data($0))" }
        if run.gaps.isEmpty, let remark = run.remark {
            lines.append("::\(run.wasInterrupted ? "error" : "notice") title=reqcli check::\(Self.data(remark))")
        }
        return lines.map { $0 + "\n" }.joined()
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
