import ReqcliBasics
package import ReqcliText

/// A format for the report of a finished run.
///
/// To add a format, add a file with a conforming type, and a line in ``ReportKind``. The result that the report gets has no
/// secrets and is limited in size, but the report must escape control characters and invalid text.
///
/// ```swift
/// struct Count: Report {
///     func write(_ run: RunResult, to write: (String) -> Void) { write("\(run.cases.count)\n") }
/// }
/// ```
package protocol Report: Sendable {
    /// Writes the report in pieces, so that a report of many cases needn't be in memory.
    func write(_ run: RunResult, to write: (String) -> Void)
}

extension Report {
    package func text(of run: RunResult) -> String {
        var text = ""
        write(run) { text += $0 }
        return text
    }
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

/// The formats of a command's reports.
package protocol ReportFormat: CaseIterable, RawRepresentable, Equatable, Sendable where RawValue == String {}

extension ReportKind: ReportFormat {}

/// A requested report of `check`.
package typealias ReportRequest = RequestedReport<ReportKind>

/// A requested report, `--report junit=FILE`: its format and its file.
package struct RequestedReport<Kind: ReportFormat>: Sendable, Equatable {
    package let kind: Kind
    /// The path of the file; `-` is standard output.
    package let path: String

    package init(kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    package var isForStandardOutput: Bool { path == "-" }

    package static var expectation: String {
        "KIND=FILE, KIND one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"
    }

    /// Parses the values of all `--report` options. The error contains all mistakes in these values.
    package static func parse(_ texts: [String]) throws(Failure) -> [RequestedReport] {
        var requests: [RequestedReport] = []
        var problems: [Failure] = []
        func report(_ message: String, hint: String? = nil) {
            problems.append(Failure(.usage, code: .reportInvalid, message, hint: hint))
        }
        for text in texts {
            guard let equals = text.firstIndex(of: "="), text.index(after: equals) < text.endIndex else {
                report("--report takes \(expectation); found \"\(text)\"", hint: "write junit=report.xml, or json=-")
                continue
            }
            let name = String(text[..<equals])
            guard let kind = Kind(rawValue: name) else {
                let names = Kind.allCases.map(\.rawValue)
                report(
                    "there is no report \"\(name)\"",
                    hint: NearNames.question(for: name, among: names) ?? "available: \(names.joined(separator: ", "))")
                continue
            }
            let path = String(text[text.index(after: equals)...])
            let request = RequestedReport(kind: kind, path: path)
            if let other = requests.first(where: { $0.path == path }) {
                problems.append(request.clash(with: other))
                continue
            }
            requests.append(request)
        }
        if !problems.isEmpty { throw Failure(joining: problems) }
        return requests
    }
}

extension Array {
    /// Writes all reports. If one report can't be written, the others are still written.
    ///
    /// - Parameters:
    ///   - pieces: Writes a report in pieces.
    ///   - writeFile: Replaces a file in one step, or leaves it unchanged.
    package func write<Kind: ReportFormat>(
        _ pieces: @escaping (RequestedReport<Kind>, (String) -> Void) -> Void,
        toFile writeFile:
            @escaping (_ path: String, _ pieces: ((String) -> Void) -> Void) throws(WritingProblem) -> Void,
        toStandardOutput write: (String) -> Void
    ) -> [Failure] where Element == RequestedReport<Kind> {
        compactMap { request in
            /// Writes the pieces in larger parts, because each part is a call of the system.
            func writeParts(_ write: (String) -> Void) {
                var part = ""
                pieces(request) { piece in
                    part += piece
                    if part.utf8.count < 1 << 16 { return }
                    write(part)
                    part = ""
                }
                write(part)
            }
            if request.isForStandardOutput {
                writeParts(write)
                return nil
            }
            do throws(WritingProblem) {
                try writeFile(request.path, writeParts)
                return nil
            } catch {
                return request.problem(error)
            }
        }
    }
}

extension RequestedReport {
    /// The failure for two reports with the same file, because the later one would replace the earlier one.
    package func clash(with earlier: RequestedReport) -> Failure {
        let place = isForStandardOutput ? "standard output" : "\"\(path)\""
        return Failure(
            .usage, code: .reportInvalid,
            "two reports go to \(place): \(earlier.kind.rawValue) and \(kind.rawValue)")
    }

    /// The failure for a report inside the folders of definitions, where it could replace a file.
    package var isAmongDefinitions: Failure {
        Failure(
            .usage, code: .reportInvalid,
            "the \(kind.rawValue) report \"\(path)\" would be inside the folders of definitions",
            hint: "write it outside of endpoints/, environments/, scenarios/, stubs/ and snapshots/")
    }

    package func problem(_ problem: WritingProblem) -> Failure {
        Failure(
            .outputFailed, code: .reportUnwritable,
            "cannot write the \(kind.rawValue) report \"\(path)\": \(problem.reason)")
    }
}
