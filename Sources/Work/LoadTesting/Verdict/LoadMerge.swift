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
            result.plan.isRehearsal ? "stubs" : "", result.origin.server ?? "", result.origin.commit ?? "",
        ]
    }

    private static let differences = [
        "environment", "plan", "conditions", "seed", "start or number of parts",
        "source of responses (stubs or a server)",
        "server", "commit",
    ]

    /// The name of the first fact that differs from another part; nil if both are parts of one load.
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
        if first.result.plan.part != nil, !missing.isEmpty {
            let shown = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
            let rest = missing.count > 10 ? " and \(missing.count - 10) more" : ""
            findings.append(finding("missing part\(missing.count == 1 ? "" : "s"): \(shown)\(rest)"))
        }
        // Without any part, the measurements are those of one of the whole loads.
        return merged(first, kept.isEmpty ? [first] : kept, findings)
    }

    private static func finding(_ message: String) -> LoadFinding {
        LoadFinding(.parts, message, hint: "give the JSON reports of all parts of one load, each once")
    }

    private static func merged(_ first: LoadPart, _ parts: [LoadPart], _ gaps: [LoadFinding]) -> LoadResult {
        let results = parts.map(\.result)
        let first = first.result
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
            // Whether something is empty shows in the sums.
            findings += result.findings.filter { $0.kind != .empty }.map {
                LoadFinding($0.kind, name + $0.message, hint: $0.hint)
            }
        }
        var merged = LoadResult(
            first.plan.whole, tallies: tallies, unjudged: unjudged, timeline: timeline, ending: ending,
            findings: findings, usedCores: results.reduce(0) { $0 + $1.usedCores },
            startedAt: results.map(\.startedAt).min() ?? first.startedAt,
            duration: results.map(\.duration).max() ?? first.duration, stop: stop(of: results))
        merged.origin = first.origin
        merged.warnings = results.flatMap(\.warnings).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        return merged
    }
}

extension LoadMerge {
    /// The time after which no part began a request; nil if one was not aborted.
    private static func stop(of results: [LoadResult]) -> Duration? {
        let times = results.compactMap { if case .aborted(_, let time) = $0.ending { time } else { nil as Duration? } }
        return times.count == results.count ? times.max() : nil
    }
}

extension LoadPlan {
    /// The plan of all parts together.
    fileprivate var whole: LoadPlan {
        LoadPlan(
            environment: environment, actions: actions, pace: pace, users: users, most: most, dice: dice,
            thresholds: thresholds, abort: abort, mostInFlight: mostInFlight, isRehearsal: isRehearsal)
    }
}
