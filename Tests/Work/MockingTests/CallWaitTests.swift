import Exchange
import ReqcliBasics
import Testing

@testable import ReqcliMocking

@Suite("Waits for calls")
struct CallWaitTests {
    @Test("a wait ends when the calls have come, or when it is ended")
    func waits() async throws {
        let engine = try EngineFixture().engine()
        let (results, feed) = AsyncStream.makeStream(of: String.self)
        let first = engine.wait(forCalls: 2, of: "user.feed", session: "default") { feed.yield("first \($0)") }
        _ = engine.answer(IncomingRequest("GET /v1/user/1/feed"))
        _ = engine.answer(IncomingRequest("GET /v1/user/1/feed"))
        engine.wait(forCalls: 2, of: "user.feed", session: "default") { feed.yield("second \($0)") }
        let third = engine.wait(forCalls: 9, of: "user.feed", session: "default") { feed.yield("third \($0)") }
        engine.endWait(try #require(first))
        engine.endWait(try #require(third))
        feed.finish()
        #expect(await results.reduce(into: []) { $0.append($1) } == ["first true", "second true", "third false"])
    }

    @Test("A wait that begins when all waits have been ended ends at once")
    func lateWait() throws {
        let engine = try EngineFixture().engine()
        let outcomes = Mutex<[Bool]>([])
        func wait() -> Int? {
            engine.wait(forCalls: 1, of: "user.feed", session: "default") { hasCome in
                outcomes.withLock { $0.append(hasCome) }
            }
        }
        #expect(wait() != nil)
        engine.endWaits()
        #expect(wait() == nil)
        #expect(outcomes.withLock(\.self) == [false, false])
    }
}
