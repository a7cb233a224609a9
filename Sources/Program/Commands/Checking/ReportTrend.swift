import Checking
import CommandLineKit
import ReqcliDefinitions
import ReqcliText

/// `report trend`: reads the reports of earlier runs, and shows how their cases went over time.
struct ReportTrend {
    /// Files, and folders whose files are read.
    let paths: [String]
    /// The file of the page; nil for no page.
    let page: ReportRequest?
    let isJSON: Bool

    private static let mostMarks = 10

    func run(in context: Context, _ workspace: Workspace?) throws(Failure) -> ExitStatus {
        let trend = Trend(try runs(context))
        let files = ReportFiles([page].compactMap(\.self), in: workspace, context, Interruption())
        if !files.problems.isEmpty {
            files.abandon()
            throw Failure(joining: files.problems)
        }
        if isJSON {
            context.output.write(trend.json.pretty + "\n")
        } else if page?.isForStandardOutput != true {
            context.write(lines(trend, context))
        }
        let problems = files.write { $1(TrendPage(trend).text) }
        if !problems.isEmpty { throw Failure(joining: problems) }
        return .success
    }

    // MARK: Reading

    /// The runs of all reports. Each report counts once, however often it is named.
    private func runs(_ context: Context) throws(Failure) -> [Trend.Run] {
        var runs: [Trend.Run] = []
        var problems: [Failure] = []
        var seen: Set<String> = []
        func add(_ path: String) throws(Failure) {
            guard seen.insert(context.files.resolve(try context.pathFromHere(path)) ?? path).inserted else { return }
            runs.append(try run(path, context))
        }
        for path in paths {
            do throws(Failure) {
                guard context.files.kind(try context.pathFromHere(path)) == .directory else {
                    try add(path)
                    continue
                }
                var isEmpty = true
                for name in try names(in: path, context) {
                    do throws(Failure) {
                        try add(FilePath.join(path, name))
                        isEmpty = false
                    } catch {
                        context.note("\(error.message), and is left out")
                    }
                }
                if isEmpty { throw Self.lacksReports(path) }
            } catch {
                problems.append(error)
            }
        }
        if !problems.isEmpty { throw Failure(joining: problems) }
        return runs
    }

    private func names(in folder: String, _ context: Context) throws(Failure) -> [String] {
        let path = try context.pathFromHere(folder)
        do throws(FileProblem) {
            return try context.files.names(path).filter { $0.hasSuffix(".json") }
        } catch {
            throw Failure(.usage, code: .fileUnreadable, "cannot read \"\(folder)\": \(error.reason)")
        }
    }

    private static func lacksReports(_ folder: String) -> Failure {
        Failure(
            .usage, code: .fileUnreadable, "\"\(folder)\" has no JSON report of check",
            hint: "keep one of each run: reqcli check --report json=\(FilePath.join(folder, "RUN.json"))")
    }

    private func run(_ path: String, _ context: Context) throws(Failure) -> Trend.Run {
        try ReportCommand.reading(path, context) { (file) throws(UnreadableReport) in try Trend.Run(reading: file) }
    }

    // MARK: Printing

    private func lines(_ trend: Trend, _ context: Context) -> [Styled] {
        var columns = Columns()
        let marks = "last \(Self.mostMarks)"
        columns.add(["case", "runs", "failed", "median", "latest", "change", marks].map { Styled($0, .dim) })
        for each in trend.cases {
            let style: Style = each.latest.hasPassed ? each.flakiness.isEmpty ? .plain : .yellow : .red
            columns.add(
                Styled(harmlessLine(trend.title(of: each)), style), Styled("\(each.results.count)"),
                Styled("\(each.failures)"), Styled(TrendText.duration(each.median)),
                Styled(TrendText.duration(each.latest.duration)), Styled(TrendText.change(each.change)),
                Styled(each.results.suffix(Self.mostMarks).map { $0.hasPassed ? "✓" : "✗" }.joined()))
        }
        let flaky = trend.cases.filter { !$0.flakiness.isEmpty }.map { each in
            let reasons = each.flakiness.map(\.phrase).joined(separator: "; ")
            return Styled("flaky: \(harmlessLine("\(trend.title(of: each)): \(reasons)"))", .yellow)
        }
        return columns.lines(width: context.outputWidth) + [""] + flaky + [Styled(trend.summary)]
    }
}
