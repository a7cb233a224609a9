import Checking
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// The formats that `load --report` takes.
package enum LoadReportKind: String, ReportFormat {
    case json
    case markdown
    case junit

    package func write(_ result: LoadResult, to write: (String) -> Void) {
        switch self {
        case .json: write(result.json.pretty + "\n")
        case .markdown: write(result.markdown)
        case .junit: ReportKind.junit.report.write(result.run, to: write)
        }
    }
}

extension LoadResult {
    /// The version of the JSON report. A change that could break programs that read the report gets a new version.
    private static let version = 1

    /// The report as JSON. `docs/reference/load.md` describes the format.
    var json: OrderedJSON {
        var members: [OrderedJSON.Member] = [
            .init("format", .string("reqcli.load")), .init("version", .int(Self.version)),
            .init("environment", .string(plan.environment)),
        ]
        members += [("server", origin.server), ("commit", origin.commit), ("job", origin.job), ("seed", origin.seed)]
            .compactMap { name, value in value.map { OrderedJSON.Member(name, .string($0)) } }
        members += [
            .init("startedAt", .string(Timestamp.iso8601(startedAt))),
            .init("durationMs", .int(TimeText.milliseconds(duration))), .init("exitCode", .int(Int(exitStatus.code))),
            .init("plan", plan.json),
        ]
        if !findings.isEmpty {
            members.append(
                .init(
                    "findings",
                    .array(
                        findings.map { .object(["kind": .string($0.kind.rawValue), "message": .string($0.message)]) })))
        }
        let sentences = remarks + warnings
        if !sentences.isEmpty { members.append(.init("remarks", .array(sentences.map { .string($0) }))) }
        members += [
            .init(
                "thresholds",
                .array(
                    verdicts.map {
                        .object([
                            "condition": .string($0.threshold.text), "met": .bool($0.holds), "found": .string($0.found),
                        ])
                    })),
            .init("generator", .object(["cores": .hundredths(usedCores), "delaysUs": all.delays.json])),
            .init("actions", .array(zip(plan.actions, tallies).map { $1.json(of: $0) })),
            .init("windows", timeline.json),
        ]
        return .object(members)
    }

    /// The table and the thresholds, for a summary in CI.
    var markdown: String {
        func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
        func cell(_ text: String) -> String {
            text.replacing("|", with: "\\|").replacing("<", with: "&lt;").replacing("`", with: "'").replacing(
                "\n", with: " ")
        }
        var text =
            "### reqcli load: \(exitStatus == .success ? "passed" : exitStatus == .usage ? "proves nothing" : "failed")\n\n"
        for sentence in findings.map(\.message) + remarks + warnings { text += "\(cell(sentence))\n\n" }
        text += row(LoadTable.header) + row(["---"] + LoadTable.header.dropFirst().map { _ in "---:" })
        for each in LoadTable(self).rows { text += row(each.map { cell($0 == "*" ? "all" : $0) }) }
        if verdicts.isEmpty { return text }
        text += "\n" + row(["", "threshold", "found"]) + row(["---", "---", "---:"])
        for verdict in verdicts {
            text += row([verdict.holds ? "✓" : "✗", cell(verdict.threshold.text), cell(verdict.found)])
        }
        return text
    }

    /// The thresholds as the cases of a run.
    var run: RunResult {
        let text = verdicts.map(\.threshold.text).joined(separator: "\n")
        let file = SourceFile(name: "reqcli load", bytes: Array(text.utf8))
        var start = 0
        let conditions = verdicts.map { verdict in
            let end = start + verdict.threshold.text.utf8.count
            defer { start = end + 1 }
            return LoadCondition(
                verdict.threshold.text, isMet: verdict.holds, found: verdict.found, at: Place(file, start..<end))
        }
        var aborted: [Diagnostic] = []
        if case .aborted = ending { aborted = remarks.prefix(1).map { Diagnostic(code: .loadAborted, $0, at: nil) } }
        var run = RunResult(
            conditions: conditions, gaps: findings.map(\.diagnostic) + aborted, environment: plan.environment,
            startedAt: startedAt, duration: duration,
            endOnInterruption: ending == .interrupted ? endOnInterruption : nil)
        run.origin = origin
        run.warnings = warnings
        return run
    }
}

extension LoadFinding {
    package var diagnostic: Diagnostic {
        Diagnostic(code: .loadUnproven, "the load proves nothing: \(message)", at: nil, hint: hint)
    }
}

extension LoadPlan {
    fileprivate var json: OrderedJSON {
        var members: [OrderedJSON.Member] = []
        switch pace {
        case .schedule(let schedule):
            let stages = schedule.stages.map { stage in
                OrderedJSON.object([
                    "from": .hundredths(stage.rates.first), "to": .hundredths(stage.rates.last),
                    "ms": .int(TimeText.milliseconds(stage.length)),
                ])
            }
            members.append(.init("stages", .array(stages)))
        case .users(let length): members.append(.init("ms", .int(TimeText.milliseconds(length))))
        }
        return .object(members + [.init("users", .int(users))] + (most.map { [.init("count", .int($0))] } ?? []))
    }
}

extension Tally {
    fileprivate func json(of action: LoadPlan.Action) -> OrderedJSON {
        let errors = errors.sorted { $0.key < $1.key }.map { name, kind in
            OrderedJSON.object([
                "cause": .string(name), "count": .int(kind.count),
                "examples": .array(kind.examples.map { .string($0) }),
            ])
        }
        return .object([
            "id": .string(action.id), "weight": .int(action.weight), "arrivals": .int(arrivals), "sent": .int(sent),
            "errors": .array(errors), "latencyUs": latencies.json, "serviceUs": service.json,
        ])
    }
}

extension Histogram {
    /// The buckets that are not empty, as pairs of the upper edge and the count.
    fileprivate var json: OrderedJSON {
        let pairs = counts.enumerated().filter { $1 > 0 }.map { index, count in
            OrderedJSON.array([.int(Int(upperEdge(of: index))), .int(Int(count))])
        }
        return .object([
            "count": .int(Int(count)), "sum": .int(Int(sum)), "max": .int(Int(longest)), "buckets": .array(pairs),
        ])
    }
}

extension Timeline {
    fileprivate var json: OrderedJSON {
        let rows = windows.enumerated().map { index, counts in
            let latencies = index < latencies.count ? latencies[index] : .coarse
            return OrderedJSON.object([
                "second": .int(index * width), "due": .int(counts.due), "late": .int(counts.late),
                "ended": .int(counts.ended), "errors": .int(counts.errors), "latencyUs": latencies.json,
            ])
        }
        return .object(["seconds": .int(width), "rows": .array(rows)])
    }
}

extension OrderedJSON {
    /// A number with at most two digits after the point.
    fileprivate static func hundredths(_ value: Double) -> OrderedJSON {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return rest == 0 ? .int(whole) : .number("\(whole).\(rest < 10 ? "0" : "")\(rest)")
    }
}

extension Diagnostic.Code {
    package static let loadUnproven: Self = "load.unproven"
    package static let loadAborted: Self = "load.aborted"
}
