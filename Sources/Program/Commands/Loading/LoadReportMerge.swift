import Checking
import CommandLineKit
import LoadTesting
import ReqcliDefinitions
import ReqcliText

/// Merges the reports of the parts of a load, for `report merge`.
struct LoadReportMerge {
    private let context: Context
    private var files: [SourceFile] = []
    private var problems: [String] = []

    /// Reads the files. A file that cannot be read is like a missing part.
    init(_ paths: [String], _ context: Context) {
        self.context = context
        for path in paths {
            do throws(Failure) {
                files.append(
                    SourceFile(name: path, bytes: try context.read(path, upTo: 1 << 28, called: "\"\(path)\"")))
            } catch {
                problems += error.diagnostics.map(\.message)
            }
        }
    }

    /// Whether a file is the report of a load, and not one of `check`.
    var isOfLoad: Bool { files.contains(where: LoadPart.isReport) }

    func run(
        _ reports: [RequestedReport<LoadReportKind>], in workspace: Workspace?
    ) throws(Failure) -> ExitStatus {
        let parts = files.map { LoadPart($0) }
        let unreadable =
            problems + zip(files, parts).filter { $1 == nil }.map { "\"\($0.0.name)\" is not a JSON report of load" }
        guard let result = LoadMerge.result(of: parts.compactMap(\.self), unreadable: unreadable) else {
            throw Failure(
                .usage, code: .earlierReportInvalid, unreadable.joined(separator: "; "),
                hint: "write one with --report json=FILE")
        }
        let writing = ReportFiles(reports, in: workspace, context, Interruption())
        if !writing.problems.isEmpty {
            writing.abandon()
            throw Failure(joining: writing.problems)
        }
        let isTaken = reports.contains(where: \.isForStandardOutput)
        let stream: Terminal.Stream = isTaken ? .error : .output
        let width = context.terminal.isTerminal(stream) ? context.terminal.width() : 100
        (isTaken ? context.messages : context.output).write(
            LoadSummary(result, width: width).text, inColour: context.isColoured(stream))
        return try result.written(to: writing)
    }
}

extension LoadResult {
    /// Writes every report, whatever the verdict and however the load ended. Returns the status.
    func written(to files: ReportFiles<LoadReportKind>) throws(Failure) -> ExitStatus {
        let problems = files.write({ $0.kind.write(self, to: $1) })
        let findings = findings.map(\.diagnostic)
        if problems.isEmpty, findings.isEmpty { return exitStatus }
        throw Failure(
            ExitStatus.worst(of: [exitStatus] + problems.map(\.status)), problems.flatMap(\.diagnostics) + findings)
    }
}
