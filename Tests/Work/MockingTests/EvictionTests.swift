import Testing

@testable import ReqcliMocking

/// What is kept of requests has bounds, and what goes beyond them makes nothing green.
struct EvictionTests {
    @Test("A wrong request counts however many sessions come after it")
    func complaints() throws {
        let engine = try EngineFixture().engine()
        _ = engine.answer(IncomingRequest("GET /v1/nothing-like-it", session: "first"))
        for number in 0..<1500 { _ = engine.answer(IncomingRequest("GET /v1/user/1/feed", session: "t\(number)")) }
        let lines = engine.complaints(expecting: [CallExpectation("user.feed", 1500...1500)]).map(\.text)
        #expect(lines.count == 1 && lines[0].contains("nothing-like-it"), "\(lines)")
    }

    @Test("Sessions without choices take no choice of another away")
    func choices() throws {
        var sessions = MockSessions(limit: 10)
        sessions["test"].choices["user.feed"] = "empty"
        for number in 0..<100 { sessions["t\(number)"].addDrift("\(number)") }
        #expect(sessions.choice(of: "test", for: "user.feed") == "empty")
    }

    @Test("The journal counts all that it keeps of a request")
    func journal() throws {
        let engine = try EngineFixture().engine()
        let fields = (0..<5000).map { "f\($0)=x" }.joined(separator: "&")
        let request = IncomingRequest("GET /v1/user/1/feed?\(fields)")
        let answer = engine.answer(request)
        #expect(answer.problems.count <= RequestComparison.mostProblems + 1)
        var journal = Journal(limit: 100, sizeLimit: 1 << 20)
        for _ in 0..<100 { journal.add(answer) }
        let entries = journal.entries(after: 0)
        let kept = entries.reduce(0) { $0 + $1.size }
        #expect(kept <= 1 << 20 && entries.count < 100 && !entries.isEmpty)
    }
}
