package import ReqcliText
import RequestBuilding

extension RunResult {
    static let table = RecordTable<RunResult>([
        RecordField { _ in
            [.init("format", .string(JSONReport.format)), .init("version", .int(JSONReport.version))]
        } read: { (report, _) throws(UnreadableReport) in
            guard try report.text("format") == JSONReport.format else {
                throw UnreadableReport(reason: "\"format\" is not \"\(JSONReport.format)\"")
            }
            let version = try report.int("version") ?? JSONReport.version
            guard version == JSONReport.version else {
                throw UnreadableReport(
                    reason: "its \"version\" is \(version), but this reqcli reads version \(JSONReport.version)")
            }
        },
        RecordField("environment", \.environment, .text, isRequired: true),
        RecordField("server", optional: \.origin.server, .text),
        RecordField("commit", optional: \.origin.commit, .text), RecordField("job", optional: \.origin.job, .text),
        RecordField("seed", optional: \.origin.seed, .text),
        RecordField("shard", optional: \.shard, .shard),
        RecordField("plan", optional: \.plan, .text),
        RecordField("startedAt", \.startedAt, .time),
        RecordField("durationMs", \.duration, .milliseconds),
        RecordField("interrupted", \.wasInterrupted, .bool),
        RecordField("exitCode") { .int(Int($0.exitStatus.code)) },
        RecordField("remark") { run in run.remark.map { .string($0) } },
        RecordField("incomplete", \.gaps, RecordForm.diagnostic.list) { !$0.isEmpty },
        RecordField("problems", \.problems, RecordForm.failure.list) { !$0.isEmpty },
        RecordField("snapshots", optional: \.snapshots, SnapshotTotals.table.form { SnapshotTotals() }),
        RecordField("coverage") { run in
            let coverage = run.coverage
            return coverage.isEmpty ? nil : .array(coverage.map(\.json))
        },
        RecordField("warnings", \.warnings, RecordForm.text.list) { !$0.isEmpty },
        RecordField { run in
            [.init("totals", run.totals)]
        } read: { (report, run) throws(UnreadableReport) in
            run.selectedCount = try report.object("totals")?.int("selected") ?? -1
        },
        RecordField("leftOut", \.leftOut, RecordForm.text.list) { !$0.isEmpty },
        RecordField { run in
            [.init("cases", .array([]))]
                + (run.cases.contains(where: \.isScenario) ? [.init("scenarios", .array([]))] : [])
        } read: { (report, run) throws(UnreadableReport) in
            guard report.has("cases") else { throw UnreadableReport(reason: "\"cases\" is missing") }
            let form = CaseResult.table.form { CaseResult() }.list
            run.cases = try report.value("cases", form) ?? []
            run.cases += try report.value("scenarios", form) ?? []
        },
        RecordField("dependencies", \.dependencies, DependencyResult.table.form { DependencyResult() }.list),
    ])

    private var totals: OrderedJSON {
        let scenarios = cases.count(where: \.isScenario)
        // Only a run with probes can have cases that were not judged.
        let verdicts = Verdict.allCases.filter { $0 != .notJudged || count($0) > 0 }
        return .object(
            [.init("selected", .int(selectedCount)), .init("cases", .int(cases.count - scenarios))]
                + (scenarios == 0 ? [] : [.init("scenarios", .int(scenarios))])
                + verdicts.map { .init($0.rawValue, .int(count($0))) }
                + (flakyCount > 0 ? [.init("flaky", .int(flakyCount))] : []))
    }

    // MARK: Reading

    /// The run that a JSON report of `check` describes: the inverse of ``JSONReport``.
    ///
    /// Only the environment and the ids and verdicts of the cases are required. Everything that the five formats of reports show
    /// is read.
    package init(reading file: SourceFile) throws(UnreadableReport) {
        let document = JSONDocument.read(file)
        guard let root = document.validRoot else {
            throw UnreadableReport(reason: document.diagnostics.first?.message ?? "it is empty")
        }
        let report = try ReportObject(root)
        self.init(
            environment: "", shard: nil, selectedCount: 0, cases: [], dependencies: [], startedAt: 0, duration: .zero,
            wasInterrupted: false)
        try Self.table.read(report, into: &self)
        if selectedCount < 0 { selectedCount = cases.count }
        try complete(Self.extents(report))
        let code = try report.int("exitCode")
        if wasInterrupted, let code, code > 128, code < 256 {
            endOnInterruption = ExitStatus(signal: Int32(code - 128))
        }
        if let code, code != Int(exitStatus.code) {
            throw UnreadableReport(
                reason: "its \"exitCode\" is \(code), but its verdicts give \(exitStatus.code): the report was changed")
        }
    }

    /// Adds what a case has from other parts of the report: its number, the extent of a description, and the response of the
    /// required call that failed.
    private mutating func complete(_ extents: [String: OpenAPICoverage.Extent]) {
        for index in dependencies.indices { dependencies[index].outcome.complete(extents, []) }
        for index in cases.indices {
            if cases[index].number == 0 { cases[index].number = index + 1 }
            cases[index].outcome.complete(extents, dependencies)
            for step in cases[index].steps.indices { cases[index].steps[step].outcome.complete(extents, dependencies) }
        }
    }

    /// The documented operations and statuses, by the name of the description.
    private static func extents(
        _ report: ReportObject
    ) throws(UnreadableReport) -> [String: OpenAPICoverage.Extent] {
        let form = RecordForm<(String, OpenAPICoverage.Extent)> { _ in
            .null
        } read: { (value) throws(UnreadableReport) in
            let object = try ReportObject(value)
            let extent = OpenAPICoverage.Extent(
                operations: try object.object("operations")?.int("documented") ?? 0,
                statuses: try object.object("statuses")?.int("documented") ?? 0)
            return (try object.required("file", object.text("file")), extent)
        }
        return Dictionary(try report.value("coverage", form.list) ?? []) { _, last in last }
    }
}

extension Outcome {
    fileprivate mutating func complete(
        _ extents: [String: OpenAPICoverage.Extent], _ dependencies: [DependencyResult]
    ) {
        if let answer, let extent = extents[answer.file] { self.answer?.documented = extent }
        guard let blocker else { return }
        let need = dependencies.first {
            $0.outcome.verdict != .passed && ($0.id == blocker.id || $0.endpointID == blocker.id)
        }
        self.blocker?.exchange = need?.outcome.exchange
    }
}

extension SnapshotTotals {
    fileprivate static let table = RecordTable<SnapshotTotals>([
        RecordField("written", \.written, .int), RecordField("updated", \.updated, .int),
        RecordField("removed", \.removed, .int), RecordField("missing", \.missing, .int),
        RecordField("different", \.different, .int),
    ])
}

extension RecordForm<Shard> {
    fileprivate static var shard: Self {
        Self { shard in
            .object(["index": .int(shard.index), "count": .int(shard.count)])
        } read: { (value) throws(UnreadableReport) in
            let object = try ReportObject(value)
            guard let shard = Shard(index: try object.int("index") ?? 0, of: try object.int("count") ?? 0) else {
                throw UnreadableReport(reason: "\"shard\" is not a valid part of a run")
            }
            return shard
        }
    }
}

extension RecordForm<Double> {
    /// A time such as `2026-03-01T12:30:00Z`, in seconds since 1970.
    fileprivate static var time: Self {
        Self {
            .string(Timestamp.iso8601($0))
        } read: { (value) throws(UnreadableReport) in
            guard let time = Timestamp.seconds(try RecordForm<String>.text.read(value)) else {
                throw UnreadableReport(value, isNot: "a time")
            }
            return time
        }
    }
}
