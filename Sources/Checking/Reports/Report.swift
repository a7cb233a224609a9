/// A format in which a finished run can be written down.
///
/// A new one is a file with a conforming type and a line in ``ReportKind``. It gets a result in which nothing is secret
/// and everything is bounded; control characters and broken text are for it to make harmless.
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

    /// Whether it shows the requests and answers of cases that passed.
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
