package import ReqcliText

/// One part of a run: the report of one machine.
package struct RunPart: Sendable {
    /// The name of the report, for messages.
    package let name: String
    package let run: RunResult

    package init(name: String, run: RunResult) {
        self.name = name
        self.run = run
    }

    /// The facts that all parts of one run share.
    fileprivate var identity: [String] {
        [run.environment, run.plan ?? "", "\(run.shard?.count ?? 0)", "\(run.selectedCount)"]
    }
}

/// Joins the parts of a run, one from each machine, into one run.
///
/// Parts that are missing, duplicated, interrupted or from another plan are gaps. A merged run with gaps never counts as
/// passed.
package struct RunMerge {
    private var kept: [RunPart] = []
    private var gaps: [Diagnostic] = []

    private init() {}

    /// The merged run.
    ///
    /// - Parameter unreadable: The problems of files that are not reports.
    /// - Throws: A failure if no report is left.
    package static func run(of parts: [RunPart], unreadable: [Diagnostic] = []) throws(Failure) -> RunResult {
        var merge = RunMerge()
        merge.gaps = unreadable
        // Use the plan that most parts have, so that one stale report does not exclude all others.
        let counts = parts.map { part in parts.count { $0.identity == part.identity } }
        if let most = counts.max(), let index = counts.firstIndex(of: most) {
            for part in parts { merge.keepIfOfOnePlan(part, with: parts[index], isAlone: parts.count == 1) }
        }
        guard !merge.kept.isEmpty else { throw Failure(.usage, merge.gaps) }
        merge.checkParts()
        merge.kept.sort { ($0.run.shard?.index ?? 1) < ($1.run.shard?.index ?? 1) }
        return merge.merged
    }

    private mutating func report(_ message: String, hint: String? = nil) {
        gaps.append(Diagnostic(code: .reportIncomplete, message, at: nil, hint: hint))
    }

    // MARK: One plan

    private mutating func keepIfOfOnePlan(_ part: RunPart, with reference: RunPart, isAlone: Bool) {
        if let difference = difference(part, reference, isAlone) {
            report(difference.message, hint: difference.hint)
        } else if let shard = part.run.shard, let other = kept.first(where: { $0.run.shard == shard }) {
            report(
                "part \(shard.text) is given twice: \"\(other.name)\" and \"\(part.name)\"",
                hint: "give only one report for each part; if a part ran again, give its later report")
        } else {
            kept.append(part)
        }
    }

    /// The reason why a report is not about the same run as the reference report; nil if both are about the same run.
    private func difference(
        _ part: RunPart, _ reference: RunPart, _ isAlone: Bool
    ) -> (message: String, hint: String)? {
        guard let shard = part.run.shard, let other = reference.run.shard else {
            if isAlone { return nil }
            let whole = part.run.shard == nil ? part : reference
            return (
                "\"\(whole.name)\" is the report of a whole run, but there are \(whole.name == part.name ? "other" : "more") reports",
                "run each part with --shard, and merge only the reports of the parts"
            )
        }
        guard part.run.plan != nil else {
            return (
                "\"\(part.name)\" has no \"plan\", which is needed to see that parts belong to the same run",
                "write the report with this version of reqcli"
            )
        }
        if part.run.environment != reference.run.environment {
            return (
                "\"\(part.name)\" is a report of the environment \(part.run.environment), but \"\(reference.name)\" is a report of "
                    + reference.run.environment, "run all parts with the same --env"
            )
        }
        if part.run.plan != reference.run.plan {
            return (
                "\"\(part.name)\" has a different plan from \"\(reference.name)\": its cases, files, stubs or description "
                    + "differ",
                "run all parts with the same commit, selectors, --data, --stub and --openapi, and merge only reports of one "
                    + "run"
            )
        }
        if part.run.selectedCount != reference.run.selectedCount {
            return (
                "\"\(part.name)\" is the report of a run with \(part.run.selectedCount == 1 ? "1 case" : "\(part.run.selectedCount) cases"), and \"\(reference.name)\" of a run with "
                    + "\(reference.run.selectedCount)", "merge only reports of one run, as written by check"
            )
        }
        if shard.count != other.count {
            return (
                "\"\(part.name)\" is part \(shard.text), and \"\(reference.name)\" is part \(other.text)",
                "run all parts with the same number of parts"
            )
        }
        return nil
    }

    // MARK: Completeness

    private mutating func checkParts() {
        let known = Set(kept.compactMap(\.run.shard?.index))
        let count = kept.first?.run.shard?.count ?? 0
        let missing = (1...max(1, count)).filter { $0 <= count && !known.contains($0) }
        if !missing.isEmpty {
            let shown = missing.prefix(Self.mostNamed).map { "\($0)/\(count)" }.joined(separator: ", ")
            let more = missing.count > Self.mostNamed ? " and \(missing.count - Self.mostNamed) more" : ""
            report(
                "\(missing.count == 1 ? "part \(shown) is" : "parts \(shown)\(more) are") missing: \(uncheckedPhrase)",
                hint: "find out why no report was written, and run the missing parts again")
        }
        for part in kept where part.run.wasInterrupted {
            let left = part.run.count(.notRun)
            report(
                "\(part.run.shard.map { "part \($0.text)" } ?? "\"\(part.name)\"") was interrupted: "
                    + "\(left) of its \(part.run.cases.count) \(part.run.cases.count == 1 ? "case" : "cases") did not run",
                hint: "run this part again, and merge the new report")
        }
        gaps += kept.flatMap(\.run.gaps)
        checkCases(hasAllParts: missing.isEmpty)
    }

    private static let mostNamed = 20

    private var uncheckedPhrase: String {
        let checked = kept.reduce(0) { $0 + $1.run.cases.count }
        let selected = kept.first?.run.selectedCount ?? 0
        return "\(max(0, selected - checked)) of \(selected) \(selected == 1 ? "case was" : "cases were") not checked"
    }

    /// Checks that every case is in exactly one part. A case can be in several parts or in none if the parts used different
    /// timings to distribute the cases.
    private mutating func checkCases(hasAllParts: Bool) {
        var seen: Set<Int> = []
        var doubled: [String] = []
        for each in kept.flatMap(\.run.cases) where !seen.insert(each.number).inserted { doubled.append(each.id) }
        let hint = "run all parts with the same --balance file, or all without one"
        if let id = doubled.first {
            report("\(counted(doubled.count)) in more than one part, such as \"\(id)\"", hint: hint)
        }
        let selected = kept.first?.run.selectedCount ?? 0
        if hasAllParts, seen.isEmpty { report("no case was checked", hint: "merge reports of a run with cases") }
        if hasAllParts, seen.count < selected {
            report("\(counted(selected - seen.count)) in no part", hint: hint)
        }
    }

    private func counted(_ count: Int) -> String { count == 1 ? "1 case is" : "\(count) cases are" }

    // MARK: The run

    private var merged: RunResult {
        let first = kept[0].run
        let runs = kept.map(\.run)
        var numbers: Set<Int> = []
        let cases = runs.flatMap(\.cases).filter { numbers.insert($0.number).inserted }.sorted { $0.number < $1.number }
        var result = RunResult(
            environment: first.environment, shard: nil, selectedCount: first.selectedCount, cases: cases,
            dependencies: dependencies(runs, cases), startedAt: runs.map(\.startedAt).min() ?? 0,
            duration: runs.map(\.duration).max() ?? .zero, wasInterrupted: runs.contains(where: \.wasInterrupted))
        result.warnings = runs.flatMap(\.warnings).withoutRepetitions + stalenessWarnings
        result.snapshots = runs.compactMap(\.snapshots).reduce(nil) { sum, totals in sum.map { $0 + totals } ?? totals }
        result.problems = runs.flatMap(\.problems)
        result.leftOut = runs.flatMap(\.leftOut).withoutRepetitions
        result.plan = first.plan
        result.origin = RunOrigin.shared(by: runs.map(\.origin))
        result.gaps = gaps
        return result
    }

    /// Warnings about parts that may be stale. If a machine has not written its report, the report of an earlier run may still be
    /// in its place. If both runs have the same plan, only the start time reveals the stale report. That is no proof, because
    /// another part may have been run again later. So there is only a warning.
    private var stalenessWarnings: [String] {
        let latest = kept.map(\.run.startedAt).max() ?? 0
        return kept.compactMap { part in
            let hours = Int((latest - part.run.startedAt) / 3600)
            guard hours >= 1, let shard = part.run.shard else { return nil }
            return
                "part \(shard.text) began \(hours) h before the last one: is \"\(part.name)\" a report of an earlier run?"
        }
    }

    /// The required calls of all parts, in the order in which they began. Each part that uses a required call sends it once. The
    /// merged run lists the call only once, as a run without shards would, unless the verdicts differ.
    private func dependencies(_ runs: [RunResult], _ cases: [CaseResult]) -> [DependencyResult] {
        var result: [DependencyResult] = []
        var positions: [String: [Int]] = [:]
        for run in runs {
            var counts: [String: Int] = [:]
            for need in run.dependencies {
                let key = "\(need.id)\n\(need.isRefresh)\n\(need.outcome.verdict)"
                let count = counts[key, default: 0]
                counts[key] = count + 1
                if let known = positions[key]?[safe: count] {
                    // Prefer the call that is also a case of the run.
                    if need.isCase(of: run) { result[known] = need }
                } else {
                    positions[key, default: []].append(result.count)
                    result.append(need)
                }
            }
        }
        return result.enumerated().sorted {
            ($0.element.outcome.started, $0.offset) < ($1.element.outcome.started, $1.offset)
        }.map(\.element)
    }
}

extension DependencyResult {
    fileprivate func isCase(of run: RunResult) -> Bool {
        run.cases.contains { $0.endpointID == endpointID && $0.outcome.started == outcome.started }
    }
}

extension SnapshotTotals {
    fileprivate static func + (one: SnapshotTotals, other: SnapshotTotals) -> SnapshotTotals {
        var sum = one
        sum.missing += other.missing
        sum.different += other.different
        sum.written += other.written
        sum.updated += other.updated
        sum.removed += other.removed
        return sum
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Diagnostic.Code {
    package static let reportIncomplete: Self = "report.incomplete"
}
