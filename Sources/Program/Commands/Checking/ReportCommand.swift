import Checking
package import CommandLineKit
import ReqcliDefinitions
package import ReqcliText

/// Works with existing reports of `check`: merges the reports of the parts of one run.
package struct ReportCommand: Command {
    static let mergeWord = "merge"

    static let words = Argument(
        rest: "merge FILE", .text("merge FILE", completing: .file),
        "The word merge, then the JSON reports of the parts of one run")

    package static let spec = CommandSpec(
        "report", "Merge the reports of a run on several machines",
        examples: [
            Example("Merge the reports of all parts of a run", "reqcli report merge part-*.json"),
            Example(
                "JUnit and HTML of the whole run",
                "reqcli report merge part-*.json --report junit=r.xml --report html=r.html"),
            Example(
                "Keep the durations for the next run", "reqcli report merge part-*.json --report json=timings.json"),
        ],
        arguments: ArgumentList(words),
        options: [
            OptionGroup("Output", CheckOptions.verbose, CheckOptions.json, CheckOptions.reports)
                .ruled(by: [.atMostOne(CheckOptions.verbose, GlobalOptions.quiet)])
        ],
        sections: [
            TextSection(
                "Parts",
                """
                Each machine runs "reqcli check --shard auto --report json=part-1.json", with a separate file name. \
                The merged reports are the same as those of an undivided run, except for times: the run takes as long as its \
                longest part, and each part begins at 0. The exit status is also the same.
                """),
            TextSection(
                "Incomplete runs",
                """
                All reports must come from one plan: the same cases, files and environment. If a part is missing, given twice, \
                interrupted or from another plan, the exit status is 2, whatever the other parts say. The merged reports are \
                still written, and say what is missing.
                """),
        ],
        exitStatuses: [
            .success, .expectationFailed,
            .usage.meaning("wrong usage; a part is missing, given twice, interrupted or from another plan"),
            .broken, .noAnswer, .timedOut, .refusedByPolicy, .outputFailed,
        ],
        page: "how-to/split-ci.md")

    private let arguments: ParsedArguments
    private let paths: [String]
    private let reports: [ReportRequest]

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        let words = arguments.positionals
        guard words.first == Self.mergeWord else {
            throw UsageError(
                words.first.map { "\"report\" has no action \"\(TerminalText.harmless($0))\"" }
                    ?? "\"report\" needs an action",
                hint: "write \"reqcli report merge part-*.json\"", command: Self.spec.name)
        }
        paths = Array(words.dropFirst())
        guard !paths.isEmpty else {
            throw UsageError(
                "\"report merge\" needs the JSON reports of the parts of a run",
                hint: "write \"reqcli report merge part-*.json\"", command: Self.spec.name)
        }
        do throws(Failure) {
            reports = try ReportRequest.parse(CheckOptions.requestedReports(arguments))
        } catch {
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
        let file = SourceFile(name: path, bytes: try context.read(path, upTo: 1 << 28, called: "\"\(path)\""))
        do throws(UnreadableReport) {
            return RunPart(name: path, run: try RunResult(reading: file))
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
