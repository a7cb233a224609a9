import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

extension RunResult {
    /// The run that a JSON report of `check` describes: the inverse of ``JSONReport``.
    ///
    /// Only the environment and the ids and verdicts of the cases are required. Everything that the five formats of reports show
    /// is read.
    package init(reading file: SourceFile) throws(UnreadableReport) {
        let document = JSONDocument.read(file)
        guard let root = document.validRoot else {
            throw UnreadableReport(reason: document.diagnostics.first?.message ?? "it is empty")
        }
        try self.init(reading: ReportObject(root))
    }

    private init(reading report: ReportObject) throws(UnreadableReport) {
        guard try report.text("format") == JSONReport.format else {
            throw UnreadableReport(reason: "\"format\" is not \"\(JSONReport.format)\"")
        }
        let version = try report.int("version") ?? JSONReport.version
        guard version == JSONReport.version else {
            throw UnreadableReport(reason: "it has version \(version), and this reqcli reads \(JSONReport.version)")
        }
        let extents = try Self.extents(report)
        var number = 0
        guard report.has("cases") else { throw UnreadableReport(reason: "\"cases\" is missing") }
        var cases: [CaseResult] = []
        for key in ["cases", "scenarios"] {
            cases += try report.objects(key) { (each) throws(UnreadableReport) in
                number += 1
                return try CaseResult(reading: each, number: number, extents)
            }
        }
        let dependencies = try report.objects("dependencies") { (each) throws(UnreadableReport) in
            try DependencyResult(reading: each, extents)
        }
        self.init(
            environment: try report.required("environment", report.text("environment")),
            shard: try Self.shard(report), selectedCount: try report.object("totals")?.int("selected") ?? cases.count,
            cases: cases.map { $0.findingExchange(among: dependencies) }, dependencies: dependencies,
            startedAt: try report.time("startedAt") ?? 0, duration: try report.duration("durationMs") ?? .zero,
            wasInterrupted: try report.bool("interrupted") ?? false)
        warnings = try report.texts("warnings")
        snapshots = try report.object("snapshots").map(SnapshotTotals.init(reading:))
        problems = try report.objects("problems", Failure.init(reading:))
        leftOut = try report.texts("leftOut")
        plan = try report.text("plan")
        gaps = try report.objects("incomplete", Diagnostic.init(reading:))
        if wasInterrupted, let code = try report.int("exitCode"), code > 128, code < 256 {
            endOnInterruption = ExitStatus(signal: Int32(code - 128))
        }
        if let code = try report.int("exitCode"), code != Int(exitStatus.code) {
            throw UnreadableReport(
                reason: "its \"exitCode\" is \(code), but its verdicts give \(exitStatus.code): the report was changed")
        }
    }

    private static func shard(_ report: ReportObject) throws(UnreadableReport) -> Shard? {
        guard let object = try report.object("shard") else { return nil }
        guard let shard = Shard(index: try object.int("index") ?? 0, of: try object.int("count") ?? 0) else {
            throw UnreadableReport(reason: "\"shard\" is not a valid part of a run")
        }
        return shard
    }

    /// The documented operations and statuses, by the name of the description.
    private static func extents(
        _ report: ReportObject
    ) throws(UnreadableReport) -> [String: OpenAPICoverage.Extent] {
        var extents: [String: OpenAPICoverage.Extent] = [:]
        let all = try report.objects("coverage") { (each) throws(UnreadableReport) in
            (
                try each.required("file", each.text("file")),
                OpenAPICoverage.Extent(
                    operations: try each.object("operations")?.int("documented") ?? 0,
                    statuses: try each.object("statuses")?.int("documented") ?? 0)
            )
        }
        for (file, extent) in all { extents[file] = extent }
        return extents
    }
}

// MARK: - Cases and needs

extension CaseResult {
    fileprivate init(
        reading each: ReportObject, number: Int, _ extents: [String: OpenAPICoverage.Extent]
    ) throws(UnreadableReport) {
        let place = try each.place() ?? .unknown
        let id = try each.required("id", each.text("id"))
        let (endpointID, scenarioID) = (try each.text("endpoint"), try each.text("scenario"))
        self.init(
            number: try each.int("number") ?? number, id: id,
            endpointID: endpointID ?? scenarioID ?? String(id.prefix { $0 != "/" && $0 != "#" }),
            checkName: try each.text("check"), row: try each.int("row"), summary: try each.text("description"),
            tags: try each.texts("tags"), place: place,
            probe: try each.object("probe").map { (probe) throws(UnreadableReport) in
                Probe(
                    parameter: try probe.text("param") ?? "", value: nil,
                    isAllowed: try probe.text("expects") == "pass", rule: "", isInPath: false, place: place)
            }, outcome: try Outcome(reading: each, extents))
        steps = try each.objects("steps") { (step) throws(UnreadableReport) in
            StepResult(
                name: try step.required("name", step.text("name")), endpointID: try step.text("endpoint") ?? "",
                isCleanup: try step.bool("cleanup") ?? false, place: try step.place() ?? .unknown,
                outcome: try Outcome(reading: step, extents))
        }
    }

    /// The result with the response of the required call that failed. A report contains this response only once, with the call.
    fileprivate func findingExchange(among dependencies: [DependencyResult]) -> CaseResult {
        var result = self
        result.outcome.findExchange(among: dependencies)
        for index in steps.indices { result.steps[index].outcome.findExchange(among: dependencies) }
        return result
    }
}

extension DependencyResult {
    fileprivate var verdict: Verdict { outcome.verdict }

    fileprivate init(
        reading each: ReportObject, _ extents: [String: OpenAPICoverage.Extent]
    ) throws(UnreadableReport) {
        self.init(
            callWording: Wording(own: try each.required("id", each.text("id"))),
            endpointID: try each.text("endpoint") ?? "",
            place: try each.place() ?? .unknown, isRefresh: try each.bool("refresh") ?? false,
            outcome: try Outcome(reading: each, extents))
    }
}

extension Outcome {
    fileprivate mutating func findExchange(among dependencies: [DependencyResult]) {
        guard let blocker else { return }
        let need = dependencies.first { $0.verdict != .passed && ($0.id == blocker.id || $0.endpointID == blocker.id) }
        self.blocker?.exchange = need?.outcome.exchange
    }

    fileprivate init(
        reading each: ReportObject, _ extents: [String: OpenAPICoverage.Extent]
    ) throws(UnreadableReport) {
        self.init(try each.required("verdict", each.word("verdict")))
        attempts = try each.int("attempts") ?? 0
        started = try each.duration("startMs") ?? .zero
        duration = try each.duration("durationMs") ?? .zero
        flake = try each.object("flaky").map { (flaky) throws(UnreadableReport) in
            Flake(attempt: try flaky.int("attempt") ?? 2, reasons: try flaky.texts("reasons").map(Wording.init(own:)))
        }
        stub = try each.object("stub").map { (stub) throws(UnreadableReport) in
            Exchanged.Stub(
                name: try stub.required("variant", stub.text("variant")), mustFail: try stub.bool("mustFail") ?? false)
        }
        failures = try each.objects("failures", ExpectationFailure.init(reading:))
        problem = try each.object("problem").map(Failure.init(reading:))
        if verdict == .passed, stub?.mustFail != true, !failures.isEmpty || problem != nil {
            throw UnreadableReport(reason: "a case or a call has both passed and failed")
        }
        reason = try each.wording("reason")
        blocker = try each.object("blockedBy").map(Blocker.init(reading:))
        exchange = try ExchangeRecord(reading: each)
        let snapshotName = SnapshotName(endpoint: try each.text("endpoint") ?? "", check: try each.text("check"))
        snapshot = try each.word("snapshot").map { SnapshotFinding(snapshotName, $0) }
        answer = try each.object("described").map { (answer) throws(UnreadableReport) in
            let file = try answer.required("file", answer.text("file"))
            return OpenAPIAnswer(
                file: file, operation: try answer.text("operation") ?? "", status: try answer.text("status"),
                documented: extents[file] ?? OpenAPICoverage.Extent(operations: 0, statuses: 0))
        }
    }
}

extension Blocker {
    fileprivate init(reading blocker: ReportObject) throws(UnreadableReport) {
        self.init(
            id: try blocker.required("id", blocker.text("id")), reason: try blocker.wording("reason") ?? "",
            hint: try blocker.wording("hint"),
            exitStatus: try blocker.exitStatus() ?? .expectationFailed,
            isItselfBlocked: try blocker.bool("isBlocked") ?? false, refusedStatus: nil)
    }
}

extension ExpectationFailure {
    fileprivate init(reading failure: ReportObject) throws(UnreadableReport) {
        let schema = try failure.object("schema")
        self.init(
            try failure.wording("subject") ?? "", path: try failure.wording("path"),
            title: try failure.wording("title"),
            expected: try failure.wording("expected") ?? "", actual: try failure.wording("actual") ?? "",
            at: try failure.place() ?? .unknown,
            difference: try failure.objects("difference") { (line) throws(UnreadableReport) in
                DifferenceLine(try line.required("kind", line.word("kind")), try line.wording("text") ?? "")
            },
            schema: try schema.map { (schema) throws(UnreadableReport) in
                SchemaSpot(
                    keyword: try schema.text("keyword") ?? "", absolute: try schema.text("absolute") ?? "",
                    instance: try failure.text("instance") ?? "")
            })
    }
}

extension ExchangeRecord {
    fileprivate init?(reading each: ReportObject) throws(UnreadableReport) {
        let request = try each.object("request")
        let response = try each.object("response")
        if request == nil, response == nil { return nil }
        self.init()
        self.request = try request.map { (request) throws(UnreadableReport) in
            Exchanged.Request(
                method: try request.text("method") ?? "", url: try request.text("url") ?? "",
                curl: try request.text("curl") ?? "")
        }
        guard let response else { return }
        status = try response.int("status")
        head = try response.wording("head") ?? ""
        body = try response.text("body")
        bodyIsWhole = try response.bool("bodyIsWhole") ?? true
        bodySize = try response.int("bodySize") ?? 0
        bodyIsLonger = try response.bool("bodyIsLonger") ?? false
        bodyIsHidden = try response.bool("bodyIsHidden") ?? false
    }
}

extension SnapshotTotals {
    fileprivate init(reading totals: ReportObject) throws(UnreadableReport) {
        self.init()
        written = try totals.int("written") ?? 0
        updated = try totals.int("updated") ?? 0
        removed = try totals.int("removed") ?? 0
        missing = try totals.int("missing") ?? 0
        different = try totals.int("different") ?? 0
    }
}

// MARK: - Problems and places

extension Failure {
    fileprivate init(reading problem: ReportObject) throws(UnreadableReport) {
        self.init(
            try problem.exitStatus() ?? .noAnswer, try problem.objects("diagnostics", Diagnostic.init(reading:)))
    }
}

extension Diagnostic {
    fileprivate init(reading diagnostic: ReportObject) throws(UnreadableReport) {
        self.init(
            try diagnostic.word("severity") ?? .error,
            code: Code(rawValue: try diagnostic.text("code") ?? ""),
            try diagnostic.required("message", diagnostic.text("message")), at: try diagnostic.rangePlace(),
            fileName: try diagnostic.text("file"), hint: try diagnostic.text("hint"),
            notes: try diagnostic.objects("notes") { (note) throws(UnreadableReport) in
                Note(try note.text("message") ?? "", at: try note.rangePlace() ?? .unknown)
            }, showsSource: false)
    }
}

extension Place {
    /// A substitute for a place that the report doesn't contain.
    fileprivate static var unknown: Place {
        Place(SourceFile(name: "", recorded: [Position(line: 1, column: 1)]), 0..<0)
    }
}

extension ReportObject {
    /// The place that the keys `file`, `line`, `column` and `endLine` describe.
    fileprivate func place() throws(UnreadableReport) -> Place? {
        guard let file = try text("file") else { return nil }
        let start = Position(line: try int("line") ?? 1, column: try int("column") ?? 1)
        let end = Position(line: try int("endLine") ?? start.line, column: 1)
        return Place(SourceFile(name: file, recorded: [start, end]), 0..<1)
    }

    /// The place that the keys `file` and `range` describe.
    fileprivate func rangePlace() throws(UnreadableReport) -> Place? {
        guard let file = try text("file"), let range = try object("range") else { return nil }
        let start = try range.position("start")
        return Place(SourceFile(name: file, recorded: [start, try range.position("end")]), 0..<1)
    }

    private func position(_ key: String) throws(UnreadableReport) -> Position {
        let position = try object(key)
        return Position(line: try position?.int("line") ?? 1, column: try position?.int("column") ?? 1)
    }

    fileprivate func exitStatus() throws(UnreadableReport) -> ExitStatus? {
        guard let code = try int("exitCode") else { return nil }
        if let status = ExitStatus.all.first(where: { $0.code == code }), status != .success { return status }
        throw UnreadableReport(reason: "\"exitCode\" has the unknown value \(code)")
    }

    /// A time such as `2026-03-01T12:30:00Z`, in seconds since 1970.
    fileprivate func time(_ key: String) throws(UnreadableReport) -> Double? {
        guard let text = try text(key) else { return nil }
        guard let time = Timestamp.seconds(text) else { throw UnreadableReport(reason: "\"\(key)\" is not a time") }
        return time
    }
}
