package import ReqcliText
import RequestBuilding

/// The cases of earlier runs over time, from the JSON reports of these runs.
package struct Trend: Sendable {
    /// An earlier run.
    package struct Run: Sendable {
        /// The name of its report.
        package let name: String
        package let environment: String
        package let startedAt: Double
        let commit: String?
        let duration: Duration
        let results: [(id: String, result: Result)]

        /// Reads the JSON report of a run.
        package init(reading file: SourceFile) throws(UnreadableReport) {
            let run = try RunResult(reading: file)
            guard run.startedAt > 0 else { throw UnreadableReport(reason: "\"startedAt\" is missing") }
            (name, environment, startedAt) = (file.name, run.environment, run.startedAt)
            (commit, duration) = (run.origin.commit, run.duration)
            results = run.cases.compactMap { each in Result(each.outcome).map { (each.id, $0) } }
        }
    }

    /// How a case went in one run.
    package struct Result: Sendable {
        /// The position of the run.
        var run = 0
        package let verdict: Verdict
        /// The duration in milliseconds; nil if there was no response.
        package let duration: Int?
        let isFlaky: Bool

        package var hasPassed: Bool { verdict == .passed }

        /// Nil for a case that says nothing about its endpoint, because it was blocked or did not run.
        init?(_ outcome: Outcome) {
            guard [.passed, .failed, .error].contains(outcome.verdict) else { return nil }
            verdict = outcome.verdict
            isFlaky = outcome.flake != nil
            let hasResponse = outcome.attempts > 0 && outcome.verdict != .error
            duration = hasResponse ? TimeText.milliseconds(outcome.duration) : nil
        }
    }

    /// A case in one environment, with its results from the oldest to the latest. There is at least one.
    package struct Case: Sendable {
        package let id: String
        package let environment: String
        package let results: [Result]
        /// The reasons why the case is flaky; empty if it is not.
        package let flakiness: [Flakiness]
    }

    /// From the oldest to the latest.
    package let runs: [Run]
    /// Flaky cases first, then those that fail now, then those that failed earlier.
    package let cases: [Case]

    package init(_ runs: [Run]) {
        let runs = runs.sorted { ($0.startedAt, $0.name) < ($1.startedAt, $1.name) }
        var results: [[String]: [Result]] = [:]
        for (index, run) in runs.enumerated() {
            for (id, var result) in run.results {
                result.run = index
                results[[run.environment, id], default: []].append(result)
            }
        }
        self.runs = runs
        cases = results.map { key, results in
            Case(
                id: key[1], environment: key[0], results: results,
                flakiness: Self.flakiness(of: results) { runs[$0].commit })
        }.sorted { ($0.rank, $0.id, $0.environment) < ($1.rank, $1.id, $1.environment) }
    }

    /// The id of a case, with its environment if there are several.
    package func title(of each: Case) -> String {
        Set(runs.map(\.environment)).count > 1 ? "\(each.id) (\(each.environment))" : each.id
    }

    /// The runs, their time and the counts, in one sentence.
    package var summary: String {
        let times = [runs.first, runs.last].compactMap { $0.map { Self.text($0.startedAt) } }
        let when = runs.count == 1 ? "at \(times[0])" : "from \(times.joined(separator: " to "))"
        return "\(Self.counted(runs.count, "run")) \(when) UTC: \(counts.joined(separator: ", "))"
    }

    var counts: [String] {
        let (flaky, failing) = (cases.count { !$0.flakiness.isEmpty }, cases.count { !$0.latest.hasPassed })
        return [Self.counted(cases.count, "case")] + (flaky > 0 ? ["\(flaky) flaky"] : [])
            + (failing > 0 ? ["\(failing) not passed in the latest run"] : [])
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// A time without seconds, such as `2026-03-01 08:00`.
    static func text(_ time: Double) -> String { String(Timestamp.text(time).prefix(16).replacing("T", with: " ")) }
}

extension Trend.Case {
    package var latest: Trend.Result { results[results.count - 1] }
    package var failures: Int { results.count { !$0.hasPassed } }
    package var median: Int? { Self.median(results) }

    /// The change of the latest duration in percent, from the median of all earlier ones; nil if one of them is not known.
    package var change: Int? {
        guard let now = latest.duration, let before = Self.median(results.dropLast()), before > 0 else { return nil }
        return Int((Double(now - before) / Double(before) * 100).rounded())
    }

    private static func median(_ results: some Sequence<Trend.Result>) -> Int? {
        let durations = Durations(results.compactMap(\.duration))
        return durations.sorted.isEmpty ? nil : durations.percentile(50)
    }

    fileprivate var rank: Int {
        if !flakiness.isEmpty { return 0 }
        return latest.hasPassed ? failures > 0 ? 2 : 3 : 1
    }
}

extension Trend {
    /// A reason why a case is flaky: a word for programs, and a phrase for people.
    package struct Flakiness: Sendable, Equatable {
        let word: String
        package let phrase: String
    }

    /// Fewer changes between passing and failing may be a mistake that was made, and fixed.
    private static let fewestChanges = 3

    private static func flakiness(of results: [Result], commit: (Int) -> String?) -> [Flakiness] {
        var all: [Flakiness] = []
        func add(_ word: String, _ phrase: String) { all.append(Flakiness(word: word, phrase: phrase)) }
        let retried = results.count(where: \.isFlaky)
        if retried > 0 { add("retry", "passed only on a later attempt in \(counted(retried, "run"))") }
        var verdicts: [String: Bool] = [:]
        let mixed = results.compactMap { result -> String? in
            guard let commit = commit(result.run) else { return nil }
            let earlier = verdicts.updateValue(result.hasPassed, forKey: commit)
            return earlier == !result.hasPassed ? commit : nil
        }.first
        if let mixed { add("commit", "passed and failed at commit \(mixed.prefix(12))") }
        let changes = zip(results, results.dropFirst()).count { $0.hasPassed != $1.hasPassed }
        if changes >= fewestChanges { add("alternation", "changed \(changes) times between passing and failing") }
        return all
    }
}

extension Trend {
    /// The trend for programs. `docs/reference/reports.md` describes the format.
    package var json: OrderedJSON {
        .object([
            "format": "reqcli.trend", "version": 1,
            "runs": .array(
                runs.map { run in
                    .object([
                        "file": .string(run.name), "environment": .string(run.environment),
                        "startedAt": .string(Timestamp.iso8601(run.startedAt)),
                        "commit": run.commit.map { .string($0) },
                        "durationMs": .int(TimeText.milliseconds(run.duration)),
                        "passed": .int(run.passed), "failed": .int(run.results.count - run.passed),
                    ])
                }),
            "cases": .array(cases.map(\.json)),
        ])
    }
}

extension Trend.Run {
    var passed: Int { results.count { $0.result.hasPassed } }
}

extension Trend.Case {
    fileprivate var json: OrderedJSON {
        .object([
            "id": .string(id), "environment": .string(environment), "runs": .int(results.count),
            "failed": .int(failures), "medianMs": median.map { .int($0) }, "latestMs": latest.duration.map { .int($0) },
            "changePercent": change.map { .int($0) }, "flaky": .array(flakiness.map { .string($0.word) }),
            "results": .array(
                results.map { result in
                    .object([
                        "run": .int(result.run + 1), "verdict": .string(result.verdict.rawValue),
                        "durationMs": result.duration.map { .int($0) },
                    ])
                }),
        ])
    }
}
