/// A format for the report of a finished run.
///
/// A new format is a file with a conforming type, and a line in ``ReportKind``. The result that it gets has no secrets
/// and is limited in size, but the report must escape control characters and invalid text.
///
/// ```swift
/// struct Count: Report {
///     func text(of run: RunResult) -> String { "\(run.cases.count)\n" }
/// }
/// ```
package protocol Report: Sendable {
    func text(of run: RunResult) -> String
}

/// The formats that `--report` takes.
package enum ReportKind: String, CaseIterable, Sendable {
    case junit
    case tap
    case json
    case html
    case github

    /// Whether the report shows requests and responses of cases that passed.
    package var showsPassed: Bool {
        switch self {
        case .json, .html: true
        case .junit, .tap, .github: false
        }
    }

    package var report: any Report {
        switch self {
        case .junit: JUnitReport()
        case .tap: TAPReport()
        case .json: JSONReport()
        case .html: HTMLReport()
        case .github: GitHubReport()
        }
    }
}
