import Calling
import Exchange
import ReqcliDefinitions
import ReqcliRedaction
import ReqcliText
import RequestBuilding

/// The tables of a case and its parts. To add a datum to the reports, add a property and its row here.
extension CaseResult {
    static let table = RecordTable<CaseResult>([
        RecordField("number", \.number, .int),
        RecordField("id", \.id, .text, isRequired: true),
        RecordField { each in
            [OrderedJSON.Member(each.isScenario ? "scenario" : "endpoint", .string(each.endpointID))]
        } read: { (object, each) throws(UnreadableReport) in
            let (endpoint, scenario) = (try object.text("endpoint"), try object.text("scenario"))
            each.endpointID = endpoint ?? scenario ?? String(each.id.prefix { $0 != "/" && $0 != "#" })
        },
        RecordField("check", optional: \.checkName, .text),
        RecordField("row", optional: \.row, .int),
        RecordField { each in
            each.probe.map { probe in
                let expected: OrderedJSON = probe.isAllowed ? "pass" : "4xx"
                return [.init("probe", .object(["param": .string(probe.parameter), "expects": expected]))]
            } ?? []
        } read: { (object, each) throws(UnreadableReport) in
            guard let probe = try object.object("probe") else { return }
            each.probe = Probe(
                parameter: try probe.text("param") ?? "", value: nil, isAllowed: try probe.text("expects") == "pass",
                rule: "", isInPath: false, place: try object.place() ?? .unknown)
        },
        RecordField("description", optional: \.summary, .text),
        RecordField("tags", \.tags, RecordForm.text.list),
        .place(\.place),
        RecordField(\.outcome, Outcome.table),
        RecordField("steps", \.steps, StepResult.table.form { StepResult() }.list) { !$0.isEmpty },
    ])

    init() {
        self.init(
            number: 0, id: "", endpointID: "", checkName: nil, row: nil, summary: nil, tags: [], place: .unknown,
            probe: nil, outcome: Outcome(.passed))
    }
}

extension StepResult {
    fileprivate static let table = RecordTable<StepResult>([
        RecordField("name", \.name, .text, isRequired: true), RecordField("endpoint", \.endpointID, .text),
        RecordField("cleanup", \.isCleanup, .bool), .place(\.place), RecordField(\.outcome, Outcome.table),
    ])

    fileprivate init() {
        self.init(name: "", endpointID: "", isCleanup: false, place: .unknown, outcome: Outcome(.passed))
    }
}

extension DependencyResult {
    static let table = RecordTable<DependencyResult>([
        RecordField("id", \.callWording, .wording, isRequired: true), RecordField("endpoint", \.endpointID, .text),
        RecordField("refresh", \.isRefresh, .bool), .place(\.place), RecordField(\.outcome, Outcome.table),
    ])

    init() {
        self.init(callWording: "", endpointID: "", place: .unknown, isRefresh: false, outcome: Outcome(.passed))
    }
}

extension Outcome {
    static let table = RecordTable<Outcome>([
        RecordField("verdict", \.verdict, .word, isRequired: true),
        RecordField("attempts", \.attempts, .int),
        RecordField("startMs", \.started, .milliseconds),
        RecordField("durationMs", \.duration, .milliseconds),
        RecordField("flaky", optional: \.flake, Flake.table.form { Flake(attempt: 2, reasons: []) }),
        RecordField("stub", optional: \.stub, CallResult.Stub.table.form { .init(name: "", mustFail: false) }),
        RecordField(
            "failures", \.failures,
            ExpectationFailure.table.form { ExpectationFailure("", expected: "", actual: "", at: .unknown) }.list),
        RecordField("problem", optional: \.problem, .failure),
        RecordField("reason", optional: \.reason, .wording),
        RecordField("blockedBy", optional: \.blocker, Blocker.table.form { Blocker() }),
        RecordField { outcome in
            outcome.snapshot.map { [.init("snapshot", .string($0.state.rawValue))] } ?? []
        } read: { (object, outcome) throws(UnreadableReport) in
            let name = SnapshotName(endpoint: try object.text("endpoint") ?? "", check: try object.text("check"))
            outcome.snapshot = try object.value("snapshot", .word).map { SnapshotFinding(name, $0) }
        }.masking { $0.snapshot?.note(secretsOf: $1) },
        RecordField("described", optional: \.answer, OpenAPIAnswer.table.form { OpenAPIAnswer() }),
        RecordField { outcome in
            outcome.exchange.map(ExchangeRecord.table.members) ?? []
        } read: { (object, outcome) throws(UnreadableReport) in
            guard object.has("request") || object.has("response") else { return }
            var exchange = ExchangeRecord()
            try ExchangeRecord.table.read(object, into: &exchange)
            outcome.exchange = exchange
        }.masking { $0.exchange = $0.exchange?.redacted($1) },
    ]) { (outcome) throws(UnreadableReport) in
        guard outcome.verdict == .passed, outcome.stub?.mustFail != true,
            !outcome.failures.isEmpty || outcome.problem != nil
        else { return }
        throw UnreadableReport(reason: "a case or a call has both passed and failed")
    }
}

extension Flake {
    fileprivate static let table = RecordTable<Flake>([
        RecordField("attempt", \.attempt, .int), RecordField("reasons", \.reasons, RecordForm.wording.list),
    ])
}

extension CallResult.Stub {
    static let table = RecordTable<CallResult.Stub>([
        RecordField("variant", \.name, .text, isRequired: true), RecordField("mustFail", \.mustFail, .bool),
    ])
}

extension Blocker {
    fileprivate static let table = RecordTable<Blocker>([
        RecordField("id", \.id, .text, isRequired: true), RecordField("reason", \.reason, .wording),
        RecordField("hint", optional: \.hint, .wording), RecordField("isBlocked", \.isItselfBlocked, .bool),
        RecordField("exitCode", \.exitStatus, .exitStatus),
        // The report has the response only once, with the call that failed.
        RecordField { _ in
            []
        } read: { (_, _) throws(UnreadableReport) in
        }
        .masking { $0.exchange = $0.exchange?.redacted($1) },
    ])

    fileprivate init() {
        self.init(id: "", reason: "", exitStatus: .expectationFailed, isItselfBlocked: false, refusedStatus: nil)
    }
}

extension ExpectationFailure {
    fileprivate static let table = RecordTable<ExpectationFailure>([
        RecordField("subject", \.wordings.subject, .wording),
        RecordField { failure in
            failure.title == failure.subject ? [] : [.init("title", .string(failure.title))]
        } read: { (object, failure) throws(UnreadableReport) in
            failure.wordings.title = try object.value("title", .wording) ?? failure.wordings.subject
        }.masking { $0.wordings.title = $1.redact($0.wordings.title) },
        RecordField("path", optional: \.wordings.path, .wording),
        RecordField("expected", \.wordings.expected, .wording),
        RecordField("actual", \.wordings.actual, .wording),
        RecordField { failure in
            guard let schema = failure.schema else { return [] }
            let own: [OrderedJSON.Member] = [
                .init("keyword", .string(schema.keyword)), .init("absolute", .string(schema.absolute)),
            ]
            let place = RecordField<ExpectationFailure>.place(\.place).write(failure)
            return [.init("instance", .string(schema.instance)), .init("schema", .object(place + own))]
        } read: { (object, failure) throws(UnreadableReport) in
            guard let schema = try object.object("schema") else { return }
            failure.schema = SchemaSpot(
                keyword: try schema.text("keyword") ?? "", absolute: try schema.text("absolute") ?? "",
                instance: try object.text("instance") ?? "")
        },
        .place(\.place),
        RecordField("difference", \.difference, DifferenceLine.table.form { DifferenceLine(.note, "") }.list),
    ])
}

extension DifferenceLine {
    fileprivate static let table = RecordTable<DifferenceLine>([
        RecordField("kind", \.kind, .word, isRequired: true), RecordField("text", \.wording, .wording),
    ])
}

extension OpenAPIAnswer {
    fileprivate static let table = RecordTable<OpenAPIAnswer>([
        RecordField("file", \.file, .text, isRequired: true), RecordField("operation", \.operation, .text),
        RecordField("status", optional: \.status, .text),
    ])

    /// An answer before its keys are read. The numbers of the description are in another part of the report.
    fileprivate init() {
        self.init(
            file: "", operation: "", status: nil, documented: OpenAPICoverage.Extent(operations: 0, statuses: 0))
    }
}

extension ExchangeRecord {
    static let table = RecordTable<ExchangeRecord>([
        RecordField("request", optional: \.request, request.form { .init(method: "", url: "", curl: "") }),
        RecordField { exchange in
            exchange.status == nil ? [] : [.init("response", .object(response.members(of: exchange)))]
        } read: { (object, exchange) throws(UnreadableReport) in
            if let object = try object.object("response") { try response.read(object, into: &exchange) }
        }.masking { response.mask(&$0, $1) },
        RecordField { exchange in
            exchange.status == nil ? timings.write(exchange) : []
        } read: { (object, exchange) throws(UnreadableReport) in
            if exchange.status == nil { try timings.read(object, &exchange) }
        },
    ])

    private static let timings = RecordField<ExchangeRecord>(
        "timings", optional: \.timings, Timings.table.form { Timings() })

    static let request = RecordTable<CallResult.Request>([
        RecordField("method", \.method, .text),
        RecordField("url", \.url, .text).masking { $0.url = $1.redact($0.url) },
        RecordField("curl", \.curl, .text).masking { $0.curl = $1.redact($0.curl) },
    ])

    private static let response = RecordTable<ExchangeRecord>([
        RecordField("status", optional: \.status, .int), RecordField("head", \.head, .wording),
        RecordField("body", optional: \.body, .text).masking { exchange, redactor in
            exchange.body = exchange.body.map { text in
                let masked = redactor.redact(text)
                return exchange.bodyIsWhole ? masked : redactor.withoutCutSecret(masked)
            }
        },
        RecordField("bodyIsWhole", \.bodyIsWhole, .bool), RecordField("bodySize", \.bodySize, .int),
        RecordField("bodyIsLonger", \.bodyIsLonger, .bool) { $0 },
        RecordField("bodyIsHidden", \.bodyIsHidden, .bool) { $0 },
        timings,
    ])
}

// MARK: - Forms

extension RecordForm<Failure> {
    static var failure: Self {
        var form = Self { problem in
            .object([
                "exitCode": .int(Int(problem.status.code)),
                "diagnostics": .array(problem.diagnostics.map { OrderedJSON($0) }),
            ])
        } read: { (value) throws(UnreadableReport) in
            let object = try ReportObject(value)
            let status = try object.value("exitCode", .exitStatus)
            return Failure(
                status ?? .noAnswer, try object.value("diagnostics", RecordForm<Diagnostic>.diagnostic.list) ?? [])
        }
        form.mask = { $0 = $0.redacted($1) }
        return form
    }
}

extension RecordForm<Diagnostic> {
    static var diagnostic: Self {
        Self {
            OrderedJSON($0)
        } read: { (value) throws(UnreadableReport) in
            let object = try ReportObject(value)
            return Diagnostic(
                try object.value("severity", .word) ?? .error,
                code: Diagnostic.Code(rawValue: try object.text("code") ?? ""),
                try object.required("message", object.text("message")), at: try object.rangePlace(),
                fileName: try object.text("file"), hint: try object.text("hint"),
                notes: try object.value("notes", RecordForm<Diagnostic.Note>.note.list) ?? [], showsSource: false)
        }
    }
}

extension RecordForm<Diagnostic.Note> {
    /// A note, which is written with its diagnostic.
    fileprivate static var note: Self {
        Self { _ in
            .null
        } read: { (value) throws(UnreadableReport) in
            let object = try ReportObject(value)
            return Diagnostic.Note(try object.text("message") ?? "", at: try object.rangePlace() ?? .unknown)
        }
    }
}

extension RecordForm<ExitStatus> {
    /// The exit status of a problem, as a number.
    fileprivate static var exitStatus: Self {
        Self {
            .int(Int($0.code))
        } read: { (value) throws(UnreadableReport) in
            let code = try RecordForm<Int>.int.read(value)
            if let status = ExitStatus.all.first(where: { $0.code == code }), status != .success { return status }
            throw UnreadableReport(reason: "\"exitCode\" has the unknown value \(code)")
        }
    }
}

// MARK: - Places

extension RecordField {
    /// The keys `file`, `line`, `column` and `endLine`.
    fileprivate static func place(_ path: Path<Place>) -> RecordField {
        RecordField { model in
            let place = model[keyPath: path]
            let (start, end) = (place.start, place.end.line)
            let members: OrderedJSON = .object([
                "file": .string(place.file.name), "line": .int(start.line), "column": .int(start.column),
                "endLine": end == start.line ? nil : .int(end),
            ])
            return members.objectMembers ?? []
        } read: { (object, model) throws(UnreadableReport) in
            if let place = try object.place() { model[keyPath: path] = place }
        }
    }
}

extension Place {
    /// A substitute for a place that the report doesn't contain.
    fileprivate static var unknown: Place {
        Place(SourceFile(name: "", recorded: [Position(line: 1, column: 1)]), 0..<0)
    }
}

extension ReportObject {
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
}
