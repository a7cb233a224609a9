import Foundation
import ReqcliDefinitions
import RequestBuilding
import TestSupport
import Testing

@testable import LoadTesting

struct ScheduleTests {
    private static func schedule(_ stages: [(String, Double)], isRandom: Bool = false, seed: String = "1") throws
        -> Schedule
    {
        let stages = try stages.map { Schedule.Stage(try #require(RateRange($0.0)), for: .seconds($0.1)) }
        return Schedule(stages, dice: LoadDice(seed: seed), isRandom: isRandom)
    }

    @Test("At an even rate, the arrivals are equally far apart")
    func even() throws {
        let times = try Self.schedule([("4/s", 2)]).arrivals.map(\.time)
        #expect(times == (0..<8).map { .milliseconds($0 * 250) })
    }

    @Test(
        "The number of arrivals is the integral of the rate",
        arguments: [
            ([("200/s", 10)], 2000), ([("0..200/s", 10)], 1000), ([("200..0/s", 10)], 1000), ([("0.5/s", 10)], 5),
            ([("60/m", 7)], 7), ([("0.1/s", 30), ("0.2/s", 30)], 9),
            ([("0..100/s", 3), ("100/s", 5), ("100..0/s", 3)], 800),
        ] as [([(String, Double)], Int)])
    func count(_ stages: [(String, Double)], _ count: Int) throws {
        let schedule = try Self.schedule(stages)
        #expect(Array(schedule.arrivals).count == count)
        #expect(schedule.expectedCount == count)
    }

    @Test("While the rate grows, the time of an arrival is the root of its number")
    func growing() throws {
        let times = try Self.schedule([("0..200/s", 10)]).arrivals.map(\.time.seconds)
        for (number, time) in times.enumerated() {
            #expect(abs(time - (Double(number) / 10).squareRoot()) < 1e-8)
        }
    }

    @Test("In 200 random plans, times only grow, stay inside the plan, and are the same again")
    func random() throws {
        var generator = SeededGenerator(seed: 4711)
        for _ in 0..<200 {
            let stages = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                let (first, last) = (
                    Int.random(in: 0...90, using: &generator), Int.random(in: 1...90, using: &generator)
                )
                return ("\(first)..\(last)/s", Double.random(in: 0.1...5, using: &generator))
            }
            let (isRandom, seed) = (Bool.random(using: &generator), String(generator.next()))
            let schedule = try Self.schedule(stages, isRandom: isRandom, seed: seed)
            let arrivals = Array(schedule.arrivals)
            #expect(arrivals == Array(try Self.schedule(stages, isRandom: isRandom, seed: seed).arrivals))
            #expect(arrivals.map(\.number) == Array(arrivals.indices))
            #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0.time <= $1.time })
            #expect(arrivals.allSatisfy { $0.time >= .zero && $0.time <= schedule.length + .nanoseconds(1) })
            if !isRandom { #expect(arrivals.count == schedule.expectedCount) }
        }
    }

    @Test("Random gaps are exponential: the mean is that of the rate, and the deviation is as large")
    func poisson() throws {
        let times = try Self.schedule([("100/s", 500)], isRandom: true).arrivals.map(\.time.seconds)
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
        #expect(abs(mean - 0.01) < 0.0002)
        #expect(abs(variance.squareRoot() - 0.01) < 0.0003)
    }

    @Test("Actions are chosen by their weights, and the choice depends on the seed")
    func actions() {
        let dice = LoadDice(seed: "7")
        let chosen = (0..<100_000).map { dice.action($0, weights: [6, 3, 1]) }
        for (action, share) in [0.6, 0.3, 0.1].enumerated() {
            #expect(abs(Double(chosen.count { $0 == action }) / 100_000 - share) < 0.01)
        }
        #expect(chosen == (0..<100_000).map { LoadDice(seed: "7").action($0, weights: [6, 3, 1]) })
        #expect(chosen != (0..<100_000).map { LoadDice(seed: "8").action($0, weights: [6, 3, 1]) })
    }

    @Test("Waits of users are spread over their range")
    func think() {
        let dice = LoadDice(seed: "7")
        let waits = (0..<10_000).map { dice.think($0, in: .seconds(1) ... .seconds(3)).seconds }
        #expect(waits.allSatisfy { (1...3).contains($0) })
        #expect(abs(waits.reduce(0, +) / 10_000 - 2) < 0.02)
    }

    @Test(
        "Rates that are not rates",
        arguments: ["", "200", "/s", "-1/s", "0/s", "1..2", "a/s", "1/d", "0..0/s", "2000000/s", "1e9/s"])
    func invalid(_ text: String) { #expect(RateRange(text) == nil) }

    @Test(
        "Rates and how they are shown",
        arguments: [
            ("200/s", "200/s"), ("0..200/s", "0/s to 200/s"), ("30/m", "30/m"), ("120/m", "2/s"), ("0.25/s", "15/m"),
            ("1/h", "1/h"),
        ])
    func shown(_ text: String, _ expected: String) { #expect(RateRange(text)?.text == expected) }
}
