import TestSupport
import Testing

@testable import Exchange

/// The heap of the times at which an engine looks at its transfers.
@Suite struct DeadlineTests {
    @Test("entries come back in the order of their times, never before their time, and each once")
    func order() {
        for seed in 0..<50 {
            var random = SeededGenerator(seed: UInt64(seed))
            var deadlines = Deadlines()
            var expected: [Deadlines.Entry] = []
            for id in 0..<400 {
                let entry = Deadlines.Entry(time: .random(in: 0..<1000, using: &random), id: UInt64(id))
                deadlines.add(entry)
                expected.append(entry)
                guard id % 3 == 0 else { continue }
                let now = Int64.random(in: 0..<400, using: &random)
                let taken = deadlines.takeFirst(at: now)
                #expect(taken?.time == expected.map(\.time).min().flatMap { $0 <= now ? $0 : nil })
                expected.removeAll { $0 == taken }
            }
            deadlines.keep { $0.id % 2 == 0 }
            expected.removeAll { $0.id % 2 != 0 }
            var rest: [Deadlines.Entry] = []
            while let entry = deadlines.takeFirst(at: .max) { rest.append(entry) }
            #expect(rest.map(\.time) == expected.map(\.time).sorted())
            #expect(Set(rest.map(\.id)) == Set(expected.map(\.id)))
            #expect(deadlines.first == .max)
        }
    }
}
