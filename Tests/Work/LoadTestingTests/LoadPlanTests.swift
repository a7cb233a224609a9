import Checking
import ReqcliDefinitions
import RequestBuilding
import Testing

@testable import LoadTesting

struct LoadPlanTests {
    private static func plan(
        _ pace: LoadPlan.Pace, users: Int = 1, most: Int? = nil, dice: LoadDice = LoadDice(seed: "1"),
        part: LoadPlan.Part? = nil
    ) -> LoadPlan {
        LoadPlan(
            environment: "development", actions: [LoadPlan.Action(id: "a", weight: 1, flows: [])], pace: pace,
            users: users, most: most, dice: dice, thresholds: [], abort: [], mostInFlight: 1, part: part)
    }

    @Test("Random gaps need as many rows of data as the seed gives arrivals", arguments: 0..<20)
    func rows(seed: Int) {
        let dice = LoadDice(seed: "\(seed)")
        let schedule = Schedule(
            [Schedule.Stage(RateRange(10, to: 10), for: .seconds(10))], dice: dice, isRandom: true)
        let count = Array(schedule.arrivals).count
        let plan = Self.plan(.schedule(schedule), dice: dice)
        #expect(!plan.needsMoreRows(than: count))
        #expect(plan.needsMoreRows(than: count - 1))
        let limited = Self.plan(.schedule(schedule), most: 50, dice: dice)
        #expect(!limited.needsMoreRows(than: 50) && limited.needsMoreRows(than: 49))
    }

    @Test("Users without a number of calls need more rows than any table has")
    func rowsOfUsers() {
        let stages = [UserStage(from: 3, to: 3, for: .seconds(1))]
        #expect(Self.plan(.users(stages), users: 3).needsMoreRows(than: 1000))
        #expect(!Self.plan(.users(stages), users: 3, most: 9).needsMoreRows(than: 9))
    }

    @Test("Each user of a part logs in there, and with no row of another part", arguments: [1, 2, 3])
    func logins(index: Int) throws {
        let part = LoadPlan.Part(try #require(Shard(index: index, of: 3)), startAt: 0)
        let users = Self.plan(.users([UserStage(from: 4, to: 4, for: .seconds(1))]), users: 4, part: part)
        let logins = users.logins(rows: 6, upTo: 1000)
        #expect(Set(logins.map(\.user)) == Set((0..<4).filter { $0 % 3 == index - 1 }))
        #expect(logins.allSatisfy { part.has($0.number) })
        let schedule = Schedule(
            [Schedule.Stage(RateRange(10, to: 10), for: .seconds(10))], dice: LoadDice(seed: "1"))
        let rates = Self.plan(.schedule(schedule), users: 6, part: part).logins(rows: 1, upTo: 1000)
        #expect(rates.map(\.user) == [index - 1, index + 2])
        #expect(Self.plan(.schedule(schedule), users: 2).logins(rows: 2, upTo: 3).map(\.number) == [0, 1, 2])
    }

    @Test("With --count, the judged time ends with the last arrival")
    func judgedLength() {
        let dice = LoadDice(seed: "1")
        let stages = [
            Schedule.Stage(RateRange(10, to: 10), for: .seconds(5), isJudged: false),
            Schedule.Stage(RateRange(10, to: 10), for: .seconds(20)),
        ]
        let pace = LoadPlan.Pace.schedule(Schedule(stages, dice: dice))
        #expect(Self.plan(pace).judgedLength == .seconds(20))
        #expect(Self.plan(pace, most: 100).judgedLength == .seconds(5))
        #expect(Self.plan(pace, most: 1000).judgedLength == .seconds(20))
    }

    @Test("A line has coordinates with one digit after the point, and a single point has a length")
    func plot() {
        func points(_ values: [Double?]) -> String {
            let line = LoadPlot.Line(name: "p50", style: "one", points: values)
            return LoadPlot(
                id: "p", title: "P", lines: [line], axis: ("s", values.indices.map { "\($0)" }), text: { "\($0)" }
            ).markup
        }
        #expect(points([1, 2, 2, 3]).contains(#"points="64,120 277.3,64 490.7,64 704,8""#))
        #expect(points([nil, 1, nil]).contains(#"points="384,8 384.1,8""#))
    }
}
