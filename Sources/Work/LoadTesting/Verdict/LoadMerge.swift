import Checking
import ReqcliDefinitions
package import ReqcliText
import RequestBuilding

/// The JSON report of a load, or of a part of it.
package struct LoadPart: Sendable {
    /// The name of the report, for messages.
    let name: String
    let result: LoadResult

    /// Facts that all parts of one load share.
    fileprivate var identity: [String] {
        [
            result.plan.environment, result.plan.json.compact,
            result.plan.thresholds.map(\.text).joined(separator: "\n"),
            result.origin.seed ?? "", result.plan.part.map { "\($0.startAt) \($0.shard.count)" } ?? "",
        ]
    }

    private static let differences = ["environment", "plan", "conditions", "seed", "start or number of parts"]

    /// What differs from another part; nil if both are parts of one load.
    fileprivate func difference(from other: LoadPart) -> String? {
        zip(Self.differences, zip(identity, other.identity)).first { $1.0 != $1.1 }?.0
    }

    /// Whether a file is a report of a load.
    package static func isReport(_ file: SourceFile) -> Bool {
        JSONDocument.read(file).validRoot?["format"]?.string == LoadResult.format
    }

    /// Nil if the file is not a complete report of a load.
    package init?(_ file: SourceFile) {
        guard let root = JSONDocument.read(file).validRoot, let result = LoadResult(root) else { return nil }
        (name, self.result) = (file.name, result)
    }
}

/// Joins the parts of a load, one from each machine, and compares their measurements with the conditions.
package enum LoadMerge {
    /// - Parameter unreadable: The messages about files that are not reports.
    /// - Returns: Nil if there is no report.
    package static func result(of parts: [LoadPart], unreadable: [String] = []) -> LoadResult? {
        let counts = parts.map { part in parts.count { $0.identity == part.identity } }
        guard let index = counts.firstIndex(of: counts.max() ?? 0) else { return nil }
        let first = parts[index]
        var findings = unreadable.map { finding($0) }
        var kept: [LoadPart] = []
        for part in parts {
            let shard = part.result.plan.part?.shard
            if let difference = part.difference(from: first) {
                findings.append(finding("\"\(part.name)\" has another \(difference) than \"\(first.name)\""))
            } else if shard == nil, parts.count > 1 {
                findings.append(finding("\"\(part.name)\" is the report of a whole load"))
            } else if let other = kept.first(where: { $0.result.plan.part?.shard == shard }) {
                findings.append(
                    finding("part \(shard?.text ?? "") is given twice: \"\(other.name)\" and \"\(part.name)\""))
            } else {
                kept.append(part)
            }
        }
        kept.sort { ($0.result.plan.part?.shard.index ?? 1) < ($1.result.plan.part?.shard.index ?? 1) }
        let count = first.result.plan.part?.shard.count ?? 1
        let missing = Set(1...count).subtracting(kept.map { $0.result.plan.part?.shard.index ?? 1 }).sorted()
        if !missing.isEmpty {
            let shown = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
            let rest = missing.count > 10 ? " and \(missing.count - 10) more" : ""
            findings.append(finding("missing part\(missing.count == 1 ? "" : "s"): \(shown)\(rest)"))
        }
        return merged(kept, findings)
    }

    private static func finding(_ message: String) -> LoadFinding {
        LoadFinding(.parts, message, hint: "give the JSON reports of all parts of one load, each once")
    }

    private static func merged(_ parts: [LoadPart], _ gaps: [LoadFinding]) -> LoadResult {
        let results = parts.map(\.result)
        let first = results[0]
        var findings = gaps
        var tallies = first.tallies.map { _ in Tally() }
        var (unjudged, timeline, ending) = (Tally(), Timeline(), LoadResult.Ending.complete)
        for result in results {
            let name = result.plan.part.map { "part \($0.shard.text): " } ?? ""
            for index in tallies.indices { tallies[index].add(result.tallies[index]) }
            unjudged.add(result.unjudged)
            timeline.add(result.timeline)
            if case .aborted = result.ending, ending == .complete { ending = result.ending }
            if result.ending == .interrupted { findings.append(finding("\(name)it was interrupted")) }
            findings += result.findings.filter { $0.kind != .empty || result.plan.part == nil }.map {
                LoadFinding($0.kind, name + $0.message, hint: $0.hint)
            }
        }
        var merged = LoadResult(
            first.plan.whole, tallies: tallies, unjudged: unjudged, timeline: timeline, ending: ending,
            findings: findings, usedCores: results.reduce(0) { $0 + $1.usedCores },
            startedAt: results.map(\.startedAt).min() ?? first.startedAt,
            duration: results.map(\.duration).max() ?? first.duration)
        merged.origin = first.origin
        merged.warnings = results.flatMap(\.warnings).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        return merged
    }
}

extension LoadPlan {
    /// The plan of all parts together.
    fileprivate var whole: LoadPlan {
        LoadPlan(
            environment: environment, actions: actions, pace: pace, users: users, most: most, dice: dice,
            thresholds: thresholds, abort: abort, mostInFlight: mostInFlight)
    }
}

// MARK: - Reading

extension LoadResult {
    /// The result in a JSON report; nil if the report is not complete.
    fileprivate init?(_ root: JSONValue) {
        guard root["format"]?.string == Self.format, root["version"]?.number?.int == Self.version,
            let plan = LoadPlan(root), let started = root["startedAt"]?.string.flatMap({ Timestamp.seconds($0) }),
            let rows = root["actions"]?.elements.compactMap({ Tally($0) }), rows.count == plan.rows.count,
            let windows = root["windows"], let timeline = Timeline(windows)
        else { return nil }
        var ending = Ending.complete
        if let aborted = root["aborted"], let condition = aborted["condition"]?.string {
            ending = .aborted(condition, after: .milliseconds(aborted["ms"]?.number?.int ?? 0))
        }
        if root["interrupted"]?.bool == true { ending = .interrupted }
        let findings = (root["findings"]?.elements.map(\.self) ?? []).compactMap { value -> LoadFinding? in
            guard let kind = value["kind"]?.string.flatMap(LoadFinding.Kind.init),
                let message = value["message"]?.string
            else { return nil }
            return LoadFinding(kind, message, hint: "see the report of this part")
        }
        self.init(
            plan, tallies: rows, unjudged: root["unjudged"].flatMap { Tally($0) } ?? Tally(), timeline: timeline,
            ending: ending, findings: findings, usedCores: root["generator"]?["cores"]?.number?.double ?? 0,
            startedAt: started, duration: .milliseconds(root["durationMs"]?.number?.int ?? 0))
        for (key, path) in [("server", \RunOrigin.server), ("commit", \.commit), ("job", \.job), ("seed", \.seed)] {
            origin[keyPath: path] = root[key]?.string
        }
        warnings = root["warnings"]?.elements.compactMap(\.string) ?? []
    }
}

extension LoadPlan {
    fileprivate init?(_ root: JSONValue) {
        guard let environment = root["environment"]?.string, let json = root["plan"],
            let users = json["users"]?.number?.int, let mix = json["mix"]?.elements
        else { return nil }
        let actions = mix.compactMap { value -> Action? in
            guard let id = value["id"]?.string, let weight = value["weight"]?.number?.int else { return nil }
            return Action(id: id, weight: weight, rows: value["rows"]?.elements.compactMap(\.string), flows: [])
        }
        func stages<Stage>(_ key: String, _ make: (Double, Double, Duration, Bool) -> Stage) -> [Stage]? {
            json[key]?.elements.compactMap { value in
                guard let from = value["from"]?.number?.double, let to = value["to"]?.number?.double,
                    let length = value["ms"]?.number?.double
                else { return nil }
                let nanoseconds = Int64((length * 1e6).rounded())
                return make(from, to, .nanoseconds(nanoseconds), value["judged"]?.bool ?? true)
            }
        }
        let dice = LoadDice(seed: root["seed"]?.string ?? "")
        let open = stages("stages") { Schedule.Stage(RateRange($0, to: $1), for: $2, isJudged: $3) }
        let closed = stages("userStages") { UserStage(from: Int($0), to: Int($1), for: $2, isJudged: $3) }
        guard let pace = open.map({ Pace.schedule(Schedule($0, dice: dice)) }) ?? closed.map(Pace.users) else {
            return nil
        }
        var part: Part?
        if let text = root["shard"]?.string {
            guard let shard = Shard(text),
                let start = root["startAt"]?.string.flatMap({ Timestamp.seconds(rfc3339: $0) })
            else {
                return nil
            }
            part = Part(shard, startAt: start)
        }
        self.init(
            environment: environment, actions: actions, pace: pace, users: users, most: json["count"]?.number?.int,
            dice: dice,
            thresholds: (root["thresholds"]?.elements.map(\.self) ?? []).compactMap {
                $0["condition"]?.string.flatMap { Threshold($0) }
            }, abort: [], mostInFlight: .max, part: part)
    }
}

extension Tally {
    fileprivate init?(_ json: JSONValue) {
        guard let arrivals = json["arrivals"]?.number?.int, let sent = json["sent"]?.number?.int,
            let latencies = json["latencyUs"].flatMap({ Histogram($0) }),
            let service = json["serviceUs"].flatMap({ Histogram($0) }),
            let delays = json["delaysUs"].flatMap({ Histogram($0) }), let errors = json["errors"]?.elements
        else { return nil }
        let kinds = errors.map { kind in
            (
                kind["cause"]?.string ?? "",
                ErrorKind(
                    count: kind["count"]?.number?.int ?? 0,
                    examples: kind["examples"]?.elements.compactMap(\.string) ?? [])
            )
        }
        self.init(
            arrivals: arrivals, sent: sent, latencies: latencies, service: service, delays: delays,
            errors: Dictionary(kinds, uniquingKeysWith: { first, _ in first }))
    }
}

extension Histogram {
    fileprivate init?(_ json: JSONValue, isCoarse: Bool = false) {
        guard let buckets = json["buckets"]?.elements, let sum = json["sum"]?.number?.int,
            let longest = json["max"]?.number?.int
        else { return nil }
        let pairs = buckets.compactMap { pair -> (edge: UInt64, count: UInt64)? in
            let numbers = pair.elements.compactMap { $0.number?.int }
            return numbers.count == 2 && numbers.allSatisfy { $0 >= 0 } ? (UInt64(numbers[0]), UInt64(numbers[1])) : nil
        }
        self.init(
            isCoarse: isCoarse, buckets: pairs, sum: UInt64(max(0, sum)), longest: UInt64(max(0, longest)))
    }
}

extension Timeline {
    fileprivate init?(_ json: JSONValue) {
        guard let width = json["seconds"]?.number?.int, (1...1 << 20).contains(width), let rows = json["rows"]?.elements
        else { return nil }
        self.init(
            width: width,
            rows: rows.map { row in
                func count(_ key: String) -> Int { row[key]?.number?.int ?? 0 }
                return (
                    Counts(due: count("due"), late: count("late"), ended: count("ended"), errors: count("errors")),
                    row["latencyUs"].flatMap { Histogram($0, isCoarse: true) } ?? .coarse
                )
            })
    }
}
