import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// The cases of an earlier run that did not pass, read from its JSON report for `--failed`.
package struct EarlierRun: Sendable, Equatable {
    /// The name of the report, for messages.
    package let name: String
    package let environment: String
    /// The ids of all cases that did not pass, in the order of the report, as reports write the ids.
    package let notPassed: [String]

    /// Reads the JSON report of an earlier run.
    ///
    /// - Throws: A failure if the file is not a JSON report of `check`.
    package init(_ file: SourceFile) throws(Failure) {
        name = file.name
        let run: RunResult
        do throws(UnreadableReport) {
            run = try RunResult(reading: file)
        } catch {
            throw Failure(
                .usage, code: .earlierReportInvalid, "\"\(name)\" is not a JSON report of check",
                hint: "write a report with --report json=FILE")
        }
        if let gap = run.gaps.first {
            throw Failure(
                .usage, code: .earlierReportInvalid,
                "\"\(name)\" is the report of an incomplete run: \(gap.message)",
                hint: "merge all parts of the run, or leave out --failed to run all cases")
        }
        environment = run.environment
        notPassed = run.cases.filter { $0.verdict != .passed }.map { Self.written($0.id) }
    }

    /// An id in the form in which all reports write it.
    static func written(_ id: String) -> String { TerminalText.harmless(id) }
}

extension Diagnostic.Code {
    package static let earlierReportInvalid: Self = "check.earlierReportInvalid"
}
