import ReqcliText
import RequestBuilding

/// The run as JSON. `docs/reports.md` describes the format. A change that could break programs that read the report gets a new
/// version.
struct JSONReport: Report {
    static let format = "reqcli.check"
    static let version = 1

    /// Control characters are escaped even where JSON doesn't require this, because a terminal would obey such characters.
    func text(of run: RunResult) -> String {
        let plain = Self.json(run).pretty.withoutCommands + "\n"
        if plain.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return plain }
        var text = String.UnicodeScalarView()
        for scalar in plain.unicodeScalars {
            if (0x20..<0x7F).contains(scalar.value) || scalar == "\n"
                || TerminalText.harmless(String(scalar)).unicodeScalars.first == scalar
            {
                text.append(scalar)
            } else {
                text += JSONStringText.unicodeEscape(scalar.value).unicodeScalars
            }
        }
        return String(text)
    }

    private static func json(_ run: RunResult) -> OrderedJSON {
        let scenarios = run.cases.filter(\.isScenario)
        return .object([
            "format": .string(format), "version": .int(version), "environment": .string(run.environment),
            "shard": run.shard.map { .object(["index": .int($0.index), "count": .int($0.count)]) },
            "plan": run.plan.map { .string($0) }, "startedAt": .string(Timestamp.iso8601(run.startedAt)),
            "durationMs": .int(TimeText.milliseconds(run.duration)), "interrupted": .bool(run.wasInterrupted),
            "exitCode": .int(Int(run.exitStatus.code)), "remark": run.remark.map { .string($0) },
            "incomplete": run.gaps.isEmpty ? nil : .array(run.gaps.map { OrderedJSON($0) }),
            "problems": run.problems.isEmpty ? nil : .array(run.problems.map(problem)),
            "snapshots": run.snapshots?.json,
            "coverage": run.coverage.isEmpty ? nil : .array(run.coverage.map(\.json)),
            "warnings": run.warnings.isEmpty ? nil : .array(run.warnings.map { .string($0) }),
            "totals": .object(
                [
                    OrderedJSON.Member("selected", .int(run.selectedCount)),
                    .init("cases", .int(run.cases.count { !$0.isScenario })),
                ]
                    + (scenarios.isEmpty ? [] : [.init("scenarios", .int(scenarios.count))])
                    // Only a run with probes can have cases that were not judged.
                    + Verdict.allCases.filter { $0 != .notJudged || run.count($0) > 0 }
                    .map { OrderedJSON.Member($0.rawValue, .int(run.count($0))) }
                    + (run.flakyCount > 0 ? [.init("flaky", .int(run.flakyCount))] : [])),
            "leftOut": run.leftOut.isEmpty ? nil : .array(run.leftOut.map { .string($0) }),
            "cases": .array(run.cases.filter { !$0.isScenario }.map(json)),
            "scenarios": scenarios.isEmpty ? nil : .array(scenarios.map(scenario)),
            "dependencies": .array(run.dependencies.map(json)),
        ])
    }

    private static func json(_ each: CaseResult) -> OrderedJSON {
        merged(
            .object([
                "number": .int(each.number), "id": .string(each.id), "endpoint": .string(each.endpointID),
                "check": each.checkName.map { .string($0) }, "row": each.row.map { .int($0) },
                "probe": each.probe.map { probe in
                    .object([
                        "param": .string(probe.parameter), "expects": .string(probe.isAllowed ? "pass" : "4xx"),
                    ])
                },
                "description": each.summary.map { .string($0) }, "tags": .array(each.tags.map { .string($0) }),
            ]), place(each.place), outcome(each.outcome))
    }

    private static func scenario(_ each: CaseResult) -> OrderedJSON {
        let steps = each.steps.map { step in
            merged(
                .object([
                    "name": .string(step.name), "endpoint": .string(step.endpointID), "cleanup": .bool(step.isCleanup),
                ]), place(step.place), outcome(step.outcome))
        }
        return merged(
            .object([
                "number": .int(each.number), "id": .string(each.id), "scenario": .string(each.endpointID),
                "row": each.row.map { .int($0) },
                "description": each.summary.map { .string($0) }, "tags": .array(each.tags.map { .string($0) }),
            ]), place(each.place), outcome(each.outcome), .object(["steps": .array(steps)]))
    }

    private static func json(_ each: DependencyResult) -> OrderedJSON {
        merged(
            .object([
                "id": .string(each.id), "endpoint": .string(each.endpointID), "refresh": .bool(each.isRefresh),
            ]), place(each.place), outcome(each.outcome))
    }

    private static func place(_ place: Place) -> OrderedJSON {
        let start = place.start
        let end = place.end.line
        return .object([
            "file": .string(place.file.name), "line": .int(start.line), "column": .int(start.column),
            "endLine": end == start.line ? nil : .int(end),
        ])
    }

    private static func outcome(_ outcome: Outcome) -> OrderedJSON {
        .object([
            "verdict": .string(outcome.verdict.rawValue), "attempts": .int(outcome.attempts),
            "startMs": .int(TimeText.milliseconds(outcome.started)),
            "durationMs": .int(TimeText.milliseconds(outcome.duration)),
            "flaky": outcome.flake.map(flake),
            "stub": outcome.stub.map { .object(["variant": .string($0.name), "mustFail": .bool($0.mustFail)]) },
            "failures": .array(outcome.failures.map(failure)),
            "problem": outcome.problem.map(problem),
            "reason": outcome.reason.map { .string($0.text) }, "blockedBy": outcome.blocker.map(blocker),
            "snapshot": outcome.snapshot.map { .string($0.state.rawValue) }, "described": outcome.answer?.json,
            "request": outcome.exchange?.request.map { request in
                .object([
                    "method": .string(request.method), "url": .string(request.url), "curl": .string(request.curl),
                ])
            },
            "response": outcome.exchange.flatMap(response),
        ])
    }

    private static func flake(_ flake: Flake) -> OrderedJSON {
        .object(["attempt": .int(flake.attempt), "reasons": .array(flake.reasons.map { .string($0.text) })])
    }

    private static func blocker(_ blocker: Blocker) -> OrderedJSON {
        .object([
            "id": .string(blocker.id), "reason": .string(blocker.reason.text),
            "hint": blocker.hint.map { .string($0.text) }, "isBlocked": .bool(blocker.isItselfBlocked),
            "exitCode": .int(Int(blocker.exitStatus.code)),
        ])
    }

    private static func problem(_ problem: Failure) -> OrderedJSON {
        .object([
            "exitCode": .int(Int(problem.status.code)),
            "diagnostics": .array(problem.diagnostics.map { OrderedJSON($0) }),
        ])
    }

    private static func failure(_ failure: ExpectationFailure) -> OrderedJSON {
        merged(
            .object([
                "subject": .string(failure.subject),
                "title": failure.title == failure.subject ? nil : .string(failure.title),
                "path": failure.path.map { .string($0) },
                "expected": .string(failure.expected), "actual": .string(failure.actual),
                "instance": failure.schema.map { .string($0.instance) },
                "schema": failure.schema.map { schema in
                    merged(
                        place(failure.place),
                        .object(["keyword": .string(schema.keyword), "absolute": .string(schema.absolute)]))
                },
            ]), place(failure.place),
            .object([
                "difference": .array(
                    failure.difference.map { .object(["kind": .string($0.kind.rawValue), "text": .string($0.text)]) })
            ]))
    }

    private static func response(_ exchange: ExchangeRecord) -> OrderedJSON? {
        guard let status = exchange.status else { return nil }
        return .object([
            "status": .int(status), "head": .string(exchange.head.text), "body": exchange.body.map { .string($0) },
            "bodyIsWhole": .bool(exchange.bodyIsWhole), "bodySize": .int(exchange.bodySize),
            "bodyIsLonger": exchange.bodyIsLonger ? .bool(true) : nil,
            "bodyIsHidden": exchange.bodyIsHidden ? .bool(true) : nil,
        ])
    }

    private static func merged(_ objects: OrderedJSON...) -> OrderedJSON {
        .object(
            objects.flatMap { object -> [OrderedJSON.Member] in
                if case .object(let members) = object { members } else { [] }
            })
    }
}
