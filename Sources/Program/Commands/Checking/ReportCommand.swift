import Checking
package import CommandLineKit
import LoadTesting
import ReqcliDefinitions
package import ReqcliText

/// Works with existing reports of `check`: merges the reports of the parts of one run, or shows the trend of several runs.
package struct ReportCommand: Command {
    enum Action: String, CaseIterable {
        case merge
        case trend
    }

    static let words = Argument(
        rest: "ACTION FILE", .text("ACTION FILE", completing: .file),
        "\"merge\" and the JSON reports of all parts of one run; or \"trend\" and JSON reports of several runs, or folders of reports"
    )
    static let json = SharedOptions.json("Print the merged report, or the trend, as JSON")
    static let page = Option("output", short: "o", .file(), "With trend: write an HTML page with charts to this file")

    package static let spec = CommandSpec(
        "report", "Merge the reports of one run, or show the trend of several",
        examples: [
            Example("Merge the reports of all parts of a run", "reqcli report merge part-*.json"),
            Example(
                "JUnit and HTML of the whole run",
                "reqcli report merge part-*.json --report junit=r.xml --report html=r.html"),
            Example(
                "Keep the durations for the next run", "reqcli report merge part-*.json --report json=timings.json"),
            Example("The trend of all runs in a folder, also as a page", "reqcli report trend runs/ -o trend.html"),
            Example(
                "The ids of flaky cases",
                "reqcli report trend runs/ --json | jq -r '.cases[] | select(.flaky[0]).id'"),
        ],
        arguments: ArgumentList(words),
        options: [
            merging.ruled(by: [.atMostOne(CheckOptions.verbose, GlobalOptions.quiet)]), OptionGroup("Trend", page),
            OptionGroup("Output", json),
        ],
        sections: [
            TextSection(
                "Parts",
                """
                Each machine runs "reqcli check --shard auto --report json=part-1.json", with a different file name. The \
                merged reports are the same as those of an undivided run, except for times: the run takes as long as its \
                longest part, and each part begins at 0. The exit status is also the same.
                """),
            TextSection(
                "Parts of a load",
                """
                The JSON reports of "reqcli load --shard" are merged, too: their measurements are added, and compared with \
                the conditions once. Such a load also has the report markdown=FILE.
                """),
            TextSection(
                "Incomplete runs",
                """
                All reports must come from one plan: the same cases, files and environment. If a part is missing, given twice, \
                interrupted or from another plan, the exit status is 2, whatever the other parts say. The merged reports are \
                still written, and say what is missing.
                """),
            TextSection(
                "Trend",
                """
                "report trend" prints a line for each case: how many of its runs failed, the median of its durations, the \
                latest duration, and how that differs from the median of the earlier ones. Blocked cases, and cases that did \
                not run, are not counted. A case is flaky if it passed only on a later attempt, if it passed and failed at the \
                same commit, or if it changed between passing and failing three times or more. In a folder, JSON files that \
                are not reports of check are skipped with a note.
                """),
        ],
        exitStatuses: [
            .success, .expectationFailed,
            .usage.meaning(
                "wrong usage; a report cannot be read; a part is missing, given twice, interrupted or from another plan"
            ),
            .broken, .noAnswer, .timedOut, .refusedByPolicy, .outputFailed,
        ],
        page: "how-to/split-ci.md")

    private static let merging = OptionGroup("Merge", CheckOptions.verbose, CheckOptions.reports)

    private let arguments: ParsedArguments
    private let action: Action
    private let paths: [String]
    private let reports: [ReportRequest]
    private let loadReports: [RequestedReport<LoadReportKind>]
    /// The problem with reports that only `load` has; nil if there are none.
    private let notForCheck: Failure?

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        let words = arguments.positionals
        guard let action = words.first.flatMap(Action.init) else {
            throw UsageError(
                words.first.map { "\"report\" has no action \"\(TerminalText.harmless($0))\"" }
                    ?? "\"report\" needs an action",
                hint: "write \"reqcli report merge part-*.json\", or \"reqcli report trend runs/\"",
                command: Self.spec.name)
        }
        self.action = action
        paths = Array(words.dropFirst())
        guard !paths.isEmpty else {
            let (reports, example) =
                action == .merge
                ? ("the parts of a run", "part-*.json") : ("several runs, or a folder of them", "runs/")
            throw UsageError(
                "\"report \(action)\" needs the JSON reports of \(reports)",
                hint: "write \"reqcli report \(action) \(example)\"", command: Self.spec.name)
        }
        let foreign = action == .merge ? [Self.page.spec] : Self.merging.options
        if let option = arguments.firstGiven(of: OptionGroup("", foreign)) {
            throw UsageError("--\(option.name) cannot be used with \"report \(action)\"", command: Self.spec.name)
        }
        let requested = CheckOptions.requestedReports(arguments)
        loadReports = (try? RequestedReport.parse(requested)) ?? []
        do throws(Failure) {
            reports = try ReportRequest.parse(requested)
            notForCheck = nil
        } catch {
            if action == .merge, !loadReports.isEmpty {
                (reports, notForCheck) = ([], error)
                return
            }
            throw UsageError(
                error.diagnostics.map { UsageError.Problem($0.message, hint: $0.hint) }, command: Self.spec.name)
        }
    }

    /// The status of a run whose output couldn't be written: `status` or the status for failed output, whichever is worse.
    package static func statusIfUnwritten(_ status: ExitStatus) -> ExitStatus {
        CheckCommand.statusIfUnwritten(status)
    }

    package func run(in context: Context) throws(Failure) -> ExitStatus {
        let workspace = try context.openIfThere(arguments)
        if action == .trend {
            let page = arguments[Self.page].map { ReportRequest(kind: .html, path: $0) }
            return try ReportTrend(paths: paths, page: page, isJSON: arguments[Self.json]).run(in: context, workspace)
        }
        let merge = LoadReportMerge(paths, context)
        if merge.isOfLoad { return try merge.run(loadReports, in: workspace) }
        if let notForCheck { throw notForCheck }
        let result = try merged(context)
        let files = ReportFiles(reports, in: workspace, context, Interruption())
        if !files.problems.isEmpty {
            files.abandon()
            throw Failure(joining: files.problems)
        }
        show(result, context)
        let problems = result.problems + files.write(result)
        if result.gaps.isEmpty, problems.isEmpty { return result.exitStatus }
        // An incomplete run always has the status `usage`, even if all parts have passed.
        let status = result.gaps.isEmpty ? ExitStatus.worst(of: [result.exitStatus] + problems.map(\.status)) : .usage
        throw Failure(status, result.gaps + problems.flatMap(\.diagnostics))
    }

    /// The run of all parts. A file that cannot be read is a gap in the run, like a missing part.
    private func merged(_ context: Context) throws(Failure) -> RunResult {
        var parts: [RunPart] = []
        var unreadable: [Diagnostic] = []
        for path in paths {
            do throws(Failure) {
                parts.append(try part(path, context))
            } catch {
                unreadable += error.diagnostics
            }
        }
        return try RunMerge.run(of: parts, unreadable: unreadable)
    }

    private func part(_ path: String, _ context: Context) throws(Failure) -> RunPart {
        try Self.reading(path, context) { (file) throws(UnreadableReport) in
            RunPart(name: path, run: try RunResult(reading: file))
        }
    }

    /// The result of `read` for the JSON report at a path.
    static func reading<Value>(
        _ path: String, _ context: Context, _ read: (SourceFile) throws(UnreadableReport) -> Value
    ) throws(Failure) -> Value {
        let file = SourceFile(name: path, bytes: try context.read(path, upTo: 1 << 28, called: "\"\(path)\""))
        do throws(UnreadableReport) {
            return try read(file)
        } catch {
            throw Failure(
                .usage, code: .earlierReportInvalid, "\"\(path)\" is not a JSON report of check: \(error.reason)",
                hint: "write one with --report json=FILE")
        }
    }

    /// Prints the cases that did not pass or are flaky, and a summary; with `--verbose` all cases.
    private func show(_ result: RunResult, _ context: Context) {
        let isTaken = reports.contains(where: \.isForStandardOutput)
        let output = isTaken ? context.messages : context.output
        let stream: Terminal.Stream = isTaken ? .error : .output
        let isTerminal = context.terminal.isTerminal(stream)
        let isVerbose = arguments[CheckOptions.verbose]
        let shown = result.cases.filter { isVerbose || $0.verdict != .passed || $0.outcome.flake != nil }
        var report = HumanReport(
            ids: shown.map(\.id), width: isTerminal ? context.terminal.width() : 100, isForTerminal: isTerminal,
            detail: isVerbose ? .exchanges : arguments[GlobalOptions.quiet] ? .failures : .cases)
        let inColour = context.isColoured(stream)
        for each in shown { output.write(report.text(of: each), inColour: inColour) }
        output.write(report.summary(of: result), inColour: inColour)
    }
}
