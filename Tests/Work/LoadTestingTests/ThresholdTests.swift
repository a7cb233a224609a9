import ReqcliDefinitions
import RequestBuilding
import Testing

@testable import LoadTesting

struct ThresholdTests {
    /// 90 arrivals that took 1 to 90 ms, and 10 that failed, in 10 seconds.
    private static let tally: Tally = {
        var tally = Tally()
        for number in 1...100 {
            tally.due()
            tally.begun(after: .zero)
            if number <= 90 {
                tally.passed(after: .milliseconds(number), service: .milliseconds(number))
            } else {
                tally.failed("status 500") { "example \(number)" }
            }
        }
        return tally
    }()

    @Test(
        "A condition holds or not, and says what was found",
        arguments: [
            ("p50 < 51ms", true, "50ms"), ("p50 < 50ms", false, "50ms"), ("p50 <= 0.051s", true, "50ms"),
            ("p90 < 91ms", true, "90ms"), ("p90.1 < 1h", false, "a request that failed"),
            ("max < 1h", false, "a request that failed"),
            ("mean < 1h", false, "a request that failed"), ("errors = 10", true, "10"), ("errors < 10", false, "10"),
            ("errors <= 10 %", true, "10 %"), ("errors < 10%", false, "10 %"), ("rate >= 99 %", true, "100 %"),
            ("rate >= 10/s", true, "10/s"), ("rate > 600/m", false, "10/s"), ("  p50<51ms ", true, "50ms"),
        ])
    func holds(_ text: String, _ holds: Bool, _ found: String) throws {
        let verdict = try #require(Threshold(text)).verdict(on: Self.tally, over: .seconds(10))
        #expect(verdict.holds == holds)
        #expect(verdict.found == found)
    }

    @Test("A condition on nothing is not met", arguments: ["p50 < 1h", "errors = 0", "rate >= 0 %"])
    func nothing(_ text: String) throws {
        let verdict = try #require(Threshold(text)).verdict(on: Tally(), over: .seconds(10))
        #expect(!verdict.holds && verdict.found == "nothing was measured")
    }

    @Test(
        "What is not a condition",
        arguments: [
            "", "p50", "p50 <", "< 5ms", "p50 < 5", "p49 < 5ms", "p100 < 5ms", "p99.999 < 5ms", "pp < 5ms",
            "errors < 1ms", "errors < -1",
            "errors < 101 %", "rate < 5ms", "rate < 5", "latency < 5ms", "p50 ~ 5ms", "max < 5 ms x",
        ])
    func invalid(_ text: String) { #expect(Threshold(text) == nil) }

    @Test("A name in front makes it a condition on an action")
    func action() {
        #expect(Threshold("todos.get: p50 < 5ms")?.action == "todos.get")
        #expect(Threshold("todos.get: p50 < 5ms")?.text == "todos.get: p50 < 5ms")
        #expect(Threshold("*: p50 < 5ms")?.action == nil)
        #expect(Threshold("p50 < 5ms")?.action == nil)
    }

    @Test("Five examples of each kind of error are kept, and at most forty kinds")
    func examples() {
        #expect(Self.tally.errors["status 500"]?.count == 10)
        #expect(Self.tally.errors["status 500"]?.examples == (91...95).map { "example \($0)" })
        var tally = Tally()
        for number in 0..<100 { tally.failed("kind \(number)") { nil } }
        #expect(tally.errors.count == 41)
        #expect(tally.errors["other errors"]?.count == 60)
        #expect(tally.errorCount == 100)
    }

    @Test(
        "Numbers as they are shown",
        arguments: [
            (0, "0 %"), (100, "100 %"), (0.001, "< 0.01 %"), (0.02, "0.02 %"), (12.34, "12.3 %"), (99.999, "99.99 %"),
            (50, "50 %"),
        ])
    func percent(_ value: Double, _ text: String) { #expect(LoadText.percent(value) == text) }
}

struct HealthTests {
    private static func timeline(_ change: (inout Timeline) -> Void) -> Timeline {
        var timeline = Timeline()
        for second in 0..<30 {
            for part in 0..<100 { timeline.due(at: .milliseconds(second * 1000 + part * 10)) }
        }
        change(&timeline)
        return timeline
    }

    @Test("More than 1 % of the arrivals of any ten seconds may not begin late")
    func behind() {
        #expect(Self.timeline { _ in }.finding == nil)
        #expect(Self.timeline { timeline in for _ in 0..<10 { timeline.late(at: .seconds(15)) } }.finding == nil)
        let finding = Self.timeline { timeline in for _ in 0..<11 { timeline.late(at: .seconds(15)) } }.finding
        #expect(finding?.kind == .behind)
        #expect(finding?.message == "11 of the 1000 arrivals after 6 s began more than 10 ms late")
    }

    @Test("A thread that is busy for 90 % of ten seconds is a finding", arguments: [(900, false), (920, true)])
    func busy(_ milliseconds: Int, _ isFinding: Bool) {
        var health = Health()
        for second in 0...20 {
            health.note(
                ProcessorSample(threads: [1: .milliseconds(second * milliseconds), 2: .milliseconds(second * 100)]),
                at: .seconds(second))
        }
        #expect((health.finding?.kind == .processor) == isFinding)
        #expect(abs(health.usedCores - Double(milliseconds + 100) / 1000) < 0.001)
    }

    @Test("A container that stops the program for 1 % of the time is a finding", arguments: [(9, false), (11, true)])
    func throttled(_ milliseconds: Int, _ isFinding: Bool) {
        var health = Health()
        for second in 0...20 {
            health.note(ProcessorSample(throttled: .milliseconds(second * milliseconds)), at: .seconds(second))
        }
        #expect((health.finding != nil) == isFinding)
    }

    @Test("A pause of more than 100 ms is a finding", arguments: [(100, false), (101, true)])
    func paused(_ milliseconds: Int, _ isFinding: Bool) {
        var health = Health()
        health.woke(late: .milliseconds(milliseconds), at: .seconds(3))
        #expect((health.finding != nil) == isFinding)
    }

    @Test("The time before the start of the load says nothing about the generator")
    func waiting() {
        var health = Health()
        health.note(ProcessorSample(), at: .seconds(-30))
        health.woke(late: .seconds(1), at: .seconds(-20))
        for second in 0...10 {
            health.note(ProcessorSample(threads: [1: .seconds(25) + .milliseconds(second)]), at: .seconds(second))
        }
        #expect(health.finding == nil)
        #expect(abs(health.usedCores - 0.001) < 1e-9)
    }

    @Test("Windows are doubled until there are at most 600, and lose nothing")
    func windows() {
        var timeline = Timeline()
        for second in 0..<5000 {
            timeline.due(at: .seconds(second))
            timeline.ended(at: .seconds(second), latency: second % 10 == 0 ? nil : .milliseconds(second))
        }
        #expect(timeline.width == 16)
        #expect(timeline.latencies.count == 313 && timeline.windows.count == 313)
        #expect(timeline.windows.reduce(0) { $0 + $1.due } == 5000)
        #expect(timeline.windows.reduce(0) { $0 + $1.errors } == 500)
        #expect(timeline.latencies.reduce(0) { $0 + $1.count } == 4500)
    }
}
