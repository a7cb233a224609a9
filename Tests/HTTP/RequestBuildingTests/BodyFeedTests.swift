import ReqcliBasics
import RequestBuilding
import Testing

@Suite struct BodyFeedTests {
    private final class Count: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock(\.self) }
        func add() { number.withLock { $0 += 1 } }
    }

    private func read(_ feed: BodyFeed, upTo limit: Int) -> (outcome: BodyFeed.Outcome, bytes: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: limit)
        let outcome = buffer.withUnsafeMutableBytes { feed.read(into: $0) }
        guard case .read(let count) = outcome else { return (outcome, []) }
        return (outcome, Array(buffer[..<count]))
    }

    @Test("bytes come out as they went in, and then the end")
    func order() {
        let feed = BodyFeed(length: nil) {}
        #expect(read(feed, upTo: 3).outcome == .nothingYet)
        #expect(!feed.hasBegun)
        feed.append([1, 2, 3, 4], isLast: false)
        #expect(read(feed, upTo: 3).bytes == [1, 2, 3])
        #expect(feed.hasBegun)
        feed.append([5], isLast: false)
        #expect(read(feed, upTo: 3).bytes == [4])
        #expect(read(feed, upTo: 3).bytes == [5])
        #expect(read(feed, upTo: 3).outcome == .nothingYet)
        feed.append([], isLast: true)
        #expect(read(feed, upTo: 3).outcome == .end)
    }

    @Test("more is asked for once for each part, when little is left")
    func asking() {
        let asked = Count()
        let woken = Count()
        let feed = BodyFeed(length: nil) { asked.add() }
        feed.whenMore { woken.add() }
        _ = read(feed, upTo: 1)
        _ = read(feed, upTo: 1)
        #expect(asked.value == 1)
        feed.append([UInt8](repeating: 0, count: 200_000), isLast: false)
        #expect(woken.value == 1)
        _ = read(feed, upTo: 100_000)
        #expect(asked.value == 1)
        _ = read(feed, upTo: 50_000)
        _ = read(feed, upTo: 50_000)
        #expect(asked.value == 2)
        feed.append([1], isLast: true)
        _ = read(feed, upTo: 1)
        _ = read(feed, upTo: 1)
        #expect(asked.value == 2 && woken.value == 2)
    }
}
