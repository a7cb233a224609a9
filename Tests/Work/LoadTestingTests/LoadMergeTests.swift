import Checking
import Foundation
import ReqcliDefinitions
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@testable import LoadTesting

struct LoadMergeTests {
    /// A load on a made-up clock: each arrival has a latency that follows from its number.
    private struct MadeUp {
        let plan: LoadPlan
        let seed: UInt64

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            let dice = LoadDice(seed: "\(seed)")
            let stages = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                Schedule.Stage(
                    RateRange(
                        Double(Int.random(in: 0...40, using: &generator)),
                        to: Double(Int.random(in: 1...60, using: &generator))),
                    for: .milliseconds(Int.random(in: 500...12_000, using: &generator)),
                    isJudged: Int.random(in: 0...3, using: &generator) > 0)
            }
            let actions = (0..<Int.random(in: 1...3, using: &generator)).map { number in
                LoadPlan.Action(
                    id: "a\(number)", weight: Int.random(in: 1...5, using: &generator),
                    rows: number == 1 ? ["a1/one", "a1/two"] : nil, flows: [])
            }
            plan = LoadPlan(
                environment: "development", actions: actions,
                pace: .schedule(Schedule(stages, dice: dice, isRandom: seed % 2 == 0)), users: 3, most: nil, dice: dice,
                thresholds: ["p99 < 300ms", "errors < 5 %", "a0: p50 < 20ms", "rate >= 99 %"].compactMap {
                    Threshold($0)
                }, abort: [], mostInFlight: 100)
            self.seed = seed
        }

        func part(_ shard: Shard) -> LoadPlan {
            LoadPlan(
                environment: plan.environment, actions: plan.actions, pace: plan.pace, users: plan.users, most: nil,
                dice: plan.dice, thresholds: plan.thresholds, abort: [], mostInFlight: 100,
                part: LoadPlan.Part(shard, startAt: 1000.5))
        }

        func result(_ plan: LoadPlan) throws -> LoadResult {
            let schedule = try #require(plan.schedule)
            let stretch = seed % 5 == 0 ? 700 : 1
            var tallies = plan.rows.map { _ in Tally() }
            var (unjudged, timeline) = (Tally(), Timeline())
            for arrival in schedule.arrivals where plan.part?.has(arrival.number) ?? true {
                var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(arrival.number))
                let action = plan.dice.action(arrival.number, weights: plan.actions.map(\.weight))
                var due = arrival.time * stretch
                for row in plan.firstRows[action]..<plan.firstRows[action + 1] {
                    let delay = Duration.microseconds(Int.random(in: 0...900, using: &generator))
                    let service = Duration.microseconds(1 << Int.random(in: 3...22, using: &generator))
                    let isPassed = Int.random(in: 0...19, using: &generator) > 0
                    timeline.due(at: due)
                    timeline.ended(at: due + delay + service, latency: isPassed ? delay + service : nil)
                    func change(_ tally: inout Tally) {
                        tally.due()
                        tally.begun(after: delay)
                        if isPassed {
                            tally.passed(after: delay + service, service: service)
                        } else {
                            tally.failed("status 500") { nil }
                        }
                    }
                    if arrival.isJudged { change(&tallies[row]) } else { change(&unjudged) }
                    due += delay + service
                }
            }
            return LoadResult(
                plan, tallies: tallies, unjudged: unjudged, timeline: timeline, ending: .complete, findings: [],
                usedCores: 0, startedAt: 1000, duration: .seconds(60))
        }

        func read(_ result: LoadResult, as name: String) throws -> LoadPart {
            try #require(LoadPart(SourceFile(name: name, bytes: Array(result.json.pretty.utf8))))
        }
    }

    @Test("The merged parts of a load equal the whole load: every bucket, window and condition", arguments: 0..<200)
    func equality(number: Int) throws {
        let load = MadeUp(seed: UInt64(number))
        let count = [2, 3, 5, 7, 50][number % 5]
        var parts = try (1...count).map { index in
            let shard = try #require(Shard(index: index, of: count))
            return try load.read(try load.result(load.part(shard)), as: "part-\(index)")
        }
        parts.shuffle()
        let merged = try #require(LoadMerge.result(of: parts))
        let whole = try load.result(load.plan)
        #expect(merged.json == whole.json)
        #expect(merged.exitStatus == whole.exitStatus)
    }

    @Test("Each arrival belongs to one part", arguments: 0..<20)
    func numbers(number: Int) throws {
        let load = MadeUp(seed: UInt64(number))
        let schedule = try #require(load.plan.schedule)
        let parts = try (1...7).map { load.part(try #require(Shard(index: $0, of: 7))) }
        for arrival in schedule.arrivals {
            #expect(parts.count { $0.part?.has(arrival.number) == true } == 1)
        }
    }

    /// - Parameter index: The number of the plan among those that are judged from the beginning to the end.
    private static func parts(_ numbers: [Int], ofPlan index: Int = 0) throws -> [LoadPart] {
        let load = (0..<100).map { MadeUp(seed: $0) }.filter { $0.plan.judgedLength == $0.plan.length }[index]
        return try numbers.enumerated().map { index, number in
            let shard = try #require(Shard(index: number, of: 3))
            return try load.read(try load.result(load.part(shard)), as: "file-\(index)")
        }
    }

    @Test("A missing part, one given twice and one of another plan make a load prove nothing")
    func incomplete() throws {
        let missing = try #require(LoadMerge.result(of: try Self.parts([1, 3])))
        #expect(missing.findings.map(\.message) == ["missing part: 2/3"])
        #expect(missing.exitStatus == .usage)
        let twice = try #require(LoadMerge.result(of: try Self.parts([1, 2, 3, 2])))
        #expect(twice.findings.map(\.message) == [#"part 2/3 is given twice: "file-1" and "file-3""#])
        let other = try #require(
            LoadMerge.result(of: try Self.parts([1, 2]) + Self.parts([3], ofPlan: 1)))
        #expect(other.exitStatus == .usage)
        #expect(other.findings.first?.message.contains("has another plan than") == true)
    }

    @Test("What a part has found, and a part that was interrupted, is named with the part")
    func findings() throws {
        let load = MadeUp(seed: 3)
        let shard = try #require(Shard(index: 1, of: 1))
        let plan = load.part(shard)
        let result = LoadResult(
            plan, tallies: plan.rows.map { _ in Tally() }, unjudged: Tally(), timeline: Timeline(),
            ending: .interrupted, findings: [LoadFinding(.behind, "too late", hint: "x")], usedCores: 0,
            startedAt: 1000, duration: .seconds(1))
        let merged = try #require(LoadMerge.result(of: [try load.read(result, as: "one")]))
        #expect(merged.findings.map(\.message).prefix(2) == ["part 1/1: it was interrupted", "part 1/1: too late"])
        #expect(merged.exitStatus == .usage)
    }

    // MARK: Reports that don't belong together, or are damaged

    /// A report, changed by a replacement; nil if it is not valid.
    private static func report(_ shard: String?, replacing old: String = "", with new: String = "") throws -> LoadPart?
    {
        let load = MadeUp(seed: 3)
        let plan = try shard.map { load.part(try #require(Shard($0))) } ?? load.plan
        var result = try load.result(plan)
        result.origin.server = "http://127.0.0.1:8080"
        let text = result.json.pretty
        #expect(old.isEmpty || text.contains(old))
        return LoadPart(
            SourceFile(
                name: shard ?? "whole",
                bytes: Array((old.isEmpty ? text : text.replacingOccurrences(of: old, with: new)).utf8)))
    }

    @Test(
        "Parts with other arrivals, another server or only a rehearsal are not parts of one load",
        arguments: [
            (#""abort": []"#, #""abort": ["errors < 1 %"]"#, "plan"),
            (#""abort": []"#, #""arrivals": "poisson", "abort": []"#, "plan"),
            ("127.0.0.1", "localhost", "server"),
            (#""plan""#, #""rehearsal": true, "plan""#, "source of responses (stubs or a server)"),
        ])
    func others(_ old: String, _ new: String, _ difference: String) throws {
        let parts = [
            try Self.report("1/3"), try Self.report("2/3"), try Self.report("3/3", replacing: old, with: new),
        ].compactMap(\.self)
        let merged = try #require(LoadMerge.result(of: parts))
        #expect(merged.findings.first?.message == "\"3/3\" has another \(difference) than \"1/3\"")
        #expect(merged.exitStatus == .usage)
    }

    @Test("Rehearsed parts are merged as a rehearsal, and a missing one is a finding")
    func rehearsal() throws {
        let parts = try ["1/2", "2/2"].map { shard in
            try #require(try Self.report(shard, replacing: #""plan""#, with: #""rehearsal": true, "plan""#))
        }
        let merged = try #require(LoadMerge.result(of: parts))
        #expect(merged.remarks.contains { $0.hasPrefix("only rehearsed") })
        #expect(try #require(LoadMerge.result(of: [parts[0]])).exitStatus == .usage)
    }

    @Test("Reports of whole loads are no parts")
    func wholes() throws {
        let parts = [try Self.report(nil), try Self.report(nil)].compactMap(\.self)
        let merged = try #require(LoadMerge.result(of: parts))
        #expect(merged.findings.count { $0.message == #""whole" is the report of a whole load"# } == 2)
        #expect(merged.exitStatus == .usage)
    }

    @Test(
        "A report that was changed or cut off is not a report",
        arguments: [
            (#""from""#, #""from": 1e300, "was""#), (#""ms""#, #""ms": 1e300, "was""#),
            (#""arrivals""#, #""arrivals": 9223372036854775807, "was""#), (#""arrivals""#, #""arrivals": 0, "was""#),
            (#""cores""#, #""cores": 1e300, "was""#), (#""count""#, #""count": 1, "was""#),
            (#""max""#, #""max": -1, "was""#), (#""seconds""#, #""seconds": 3, "was""#),
            (#""condition""#, #""condition": "p50", "was""#), (#""due""#, #""was""#),
            (#""plan""#, #""findings": [{"kind": "unknown", "message": "m"}], "plan""#),
            (#""plan""#, #""aborted": {"ms": 5}, "plan""#), (#""buckets": ["#, #""buckets": [[1],"#),
            (#""weight""#, #""thinkMs": [5, 1], "weight""#), (#""rows""#, #""rows": 5, "was""#),
        ])
    func damaged(_ old: String, _ new: String) throws {
        #expect(try Self.report("1/3") != nil)
        #expect(try Self.report("1/3", replacing: old, with: new) == nil)
    }

    @Test("The rate of an aborted load is that of the time until then")
    func aborted() throws {
        let plan = LoadPlan(
            environment: "development", actions: [LoadPlan.Action(id: "a", weight: 1, flows: [])],
            pace: .schedule(
                Schedule([Schedule.Stage(RateRange(10, to: 10), for: .seconds(60))], dice: LoadDice(seed: "1"))),
            users: 1, most: nil, dice: LoadDice(seed: "1"), thresholds: ["rate >= 9/s"].compactMap { Threshold($0) },
            abort: [], mostInFlight: 1)
        var tally = Tally()
        for _ in 0..<20 {
            tally.due()
            tally.begun(after: .zero)
            tally.failed("status 500") { nil }
        }
        let result = LoadResult(
            plan, tallies: [tally], unjudged: Tally(), timeline: Timeline(),
            ending: .aborted("errors < 50 %", after: .seconds(2)), findings: [], usedCores: 0, startedAt: 1000,
            duration: .seconds(3), stop: .seconds(2))
        let part = try #require(LoadPart(SourceFile(name: "a", bytes: Array(result.json.pretty.utf8))))
        #expect(LoadMerge.result(of: [part])?.verdicts.map(\.found) == ["10/s"])
    }

    @Test("A condition on a step without a request proves nothing")
    func emptyCondition() throws {
        let dice = LoadDice(seed: "1")
        let plan = LoadPlan(
            environment: "development",
            actions: [LoadPlan.Action(id: "a", weight: 1, rows: ["a/one", "a/two"], flows: [])],
            pace: .schedule(Schedule([Schedule.Stage(RateRange(1, to: 1), for: .seconds(1))], dice: dice)), users: 1,
            most: nil, dice: dice, thresholds: ["p50 < 1s", "a/two: p50 < 1s"].compactMap { Threshold($0) }, abort: [],
            mostInFlight: 1)
        var tally = Tally()
        tally.due()
        tally.begun(after: .zero)
        tally.passed(after: .milliseconds(1), service: .milliseconds(1))
        let result = LoadResult(
            plan, tallies: [tally, Tally()], unjudged: Tally(), timeline: Timeline(), ending: .complete, findings: [],
            usedCores: 0, startedAt: 1000, duration: .seconds(1))
        #expect(result.findings.map(\.message) == ["no request was made for a/two: p50 < 1s"])
        #expect(result.exitStatus == .usage)
    }

    @Test("A page has a chart and a table for each measurement, and no script")
    func page() throws {
        let load = MadeUp(seed: 3)
        let text = LoadPage(try load.result(load.plan)).text
        for title in ["Latency over time", "Rate", "Latencies", "Percentiles", "Lateness of the generator"] {
            #expect(text.contains(">\(title)</h2>"), "\(title)")
        }
        #expect(!text.contains("<script"))
        #expect(text.count { $0 == "\u{0}" } == 0)
    }
}

struct UserStageTests {
    @Test("A stage of users begins and ends their calls while the number of users is above theirs")
    func ramp() {
        let stages = [
            UserStage(from: 0, to: 10, for: .seconds(10)),
            UserStage(from: 10, to: 10, for: .seconds(5), isJudged: false),
            UserStage(from: 10, to: 0, for: .seconds(10)),
        ]
        #expect(stages.activity(of: 4, from: .zero)?.time == .seconds(4))
        #expect(stages.activity(of: 4, from: .seconds(12))?.time == .seconds(12))
        #expect(stages.activity(of: 4, from: .seconds(12))?.isJudged == false)
        #expect(stages.activity(of: 4, from: .seconds(20))?.time == .seconds(20))
        #expect(stages.activity(of: 4, from: .seconds(21.5)) == nil)
        #expect(stages.activity(of: 10, from: .zero) == nil)
    }
}
