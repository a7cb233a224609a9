import Checking
import ReqcliDefinitions
import ReqcliText
import RequestBuilding

extension LoadResult {
    /// The version of the JSON report. A change that could break programs that read the report gets a new version.
    static let version = 1
    static let format = "reqcli.load"

    /// The report as JSON. `docs/reference/load.md` describes the format.
    var json: OrderedJSON {
        var members: [OrderedJSON.Member] = [
            .init("format", .string(Self.format)), .init("version", .int(Self.version)),
            .init("environment", .string(plan.environment)),
        ]
        members += [("server", origin.server), ("commit", origin.commit), ("job", origin.job), ("seed", origin.seed)]
            .compactMap { name, value in value.map { OrderedJSON.Member(name, .string($0)) } }
        members += [
            .init("startedAt", .string(Timestamp.iso8601(startedAt))),
            .init("durationMs", .int(TimeText.milliseconds(duration))), .init("exitCode", .int(Int(exitStatus.code))),
            .init("plan", plan.json),
        ]
        if plan.isRehearsal { members.append(.init("rehearsal", .bool(true))) }
        if let part = plan.part {
            members += [
                .init("shard", .string(part.shard.text)), .init("startAt", .string(Timestamp.rfc3339(part.startAt))),
            ]
        }
        if !findings.isEmpty {
            members.append(
                .init(
                    "findings",
                    .array(
                        findings.map { .object(["kind": .string($0.kind.rawValue), "message": .string($0.message)]) })))
        }
        switch ending {
        case .complete: break
        case .aborted(let condition, let time):
            members.append(
                .init(
                    "aborted",
                    .object(["condition": .string(condition), "ms": .int(TimeText.milliseconds(time))])))
        case .interrupted: members.append(.init("interrupted", .bool(true)))
        }
        if !warnings.isEmpty { members.append(.init("warnings", .array(warnings.map { .string($0) }))) }
        let sentences = remarks
        if !sentences.isEmpty { members.append(.init("remarks", .array(sentences.map { .string($0) }))) }
        members += [
            .init("thresholds", .array(plan.thresholds.enumerated().map { json(of: $1, at: $0) })),
            .init("generator", .object(["cores": .decimal(usedCores, 2), "delaysUs": all.delays.json])),
            .init("actions", .array(zip(plan.rows, tallies).map { $1.json(of: $0) })),
            .init("windows", timeline.json),
        ]
        if unjudged.arrivals > 0 { members.append(.init("unjudged", unjudged.json(of: nil))) }
        return .object(members)
    }

    private func json(of threshold: Threshold, at index: Int) -> OrderedJSON {
        let verdict = verdicts.indices.contains(index) ? verdicts[index] : nil
        return .object([
            "condition": .string(threshold.text), "met": verdict.map { .bool($0.holds) },
            "found": verdict.map { .string($0.found) }, "place": threshold.place.map { .string($0.description) },
        ])
    }
}

extension LoadPlan {
    var json: OrderedJSON {
        func stage(_ rates: (Double, Double), _ length: Duration, _ isJudged: Bool) -> OrderedJSON {
            .object([
                "from": .decimal(rates.0, 6), "to": .decimal(rates.1, 6), "ms": .decimal(length.seconds * 1000, 6),
                "judged": isJudged ? nil : .bool(false),
            ])
        }
        let stages =
            switch pace {
            case .schedule(let schedule):
                schedule.stages.map { stage(($0.rates.first, $0.rates.last), $0.length, $0.isJudged) }
            case .users(let stages):
                stages.map { stage((Double($0.first), Double($0.last)), $0.length, $0.isJudged) }
            }
        return .object([
            schedule == nil ? "userStages" : "stages": .array(stages), "users": .int(users),
            "count": most.map { .int($0) },
            "arrivals": schedule?.isRandom == true ? .string(LoadDefinition.Arrivals.poisson.rawValue) : nil,
            "abort": .array(abort.map { .string($0.text) }),
            "mix": .array(actions.map(\.json)),
        ])
    }
}

extension LoadPlan.Action {
    fileprivate var json: OrderedJSON {
        let times = think.map { [$0.lowerBound, $0.upperBound].map { OrderedJSON.decimal($0.seconds * 1000, 6) } }
        return .object([
            "id": .string(id), "weight": .int(weight), "rows": .array(rows.map { .string($0) }),
            "dataRows": dataRows > 1 ? .int(dataRows) : nil, "thinkMs": times.map { .array($0) },
        ])
    }
}

extension Tally {
    fileprivate func json(of row: String?) -> OrderedJSON {
        let errors = errors.sorted { $0.key < $1.key }.map { name, kind in
            OrderedJSON.object([
                "cause": .string(name), "count": .int(kind.count),
                "examples": .array(kind.examples.map { .string($0) }),
            ])
        }
        return .object([
            "id": row.map { .string($0) }, "arrivals": .int(arrivals), "sent": .int(sent),
            "errors": .array(errors), "latencyUs": latencies.json, "serviceUs": service.json,
            "delaysUs": delays.json,
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
    /// A number with at most this many digits after the point.
    fileprivate static func decimal(_ value: Double, _ digits: Int) -> OrderedJSON {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let (whole, rest) = Int((value * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
        if rest == 0 { return .int(whole) }
        var text = String(scale + rest).dropFirst()
        while text.last == "0" { text.removeLast() }
        return .number("\(whole).\(text)")
    }
}
