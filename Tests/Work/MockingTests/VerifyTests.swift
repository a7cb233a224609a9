import ReqcliText
import TestSupport
import Testing

@testable import ReqcliMocking

/// What stands against the requests that came.
@Suite struct VerifyTests {
    private static func engine(_ requests: [IncomingRequest]) throws -> MockEngine {
        let engine = try EngineFixture().engine()
        for request in requests { _ = engine.answer(request) }
        return engine
    }

    private static let good = IncomingRequest(#"POST /v1/user {"name": "Ada"}"#)
    private static let wrong = IncomingRequest(#"POST /v1/user {"name": "A"}"#)

    @Test(
        "a number of calls is a number or a range",
        arguments: [
            ("2", 2...2), ("0", 0...0), ("1..3", 1...3), ("3..1", nil), ("", nil), ("x", nil), ("1..", nil),
            ("-1", nil),
            ("99999999999999999999", nil),
        ] as [(String, ClosedRange<Int>?)])
    func counts(_ text: String, _ expected: ClosedRange<Int>?) { #expect(CallExpectation.count(text) == expected) }

    @Test("calls that came as expected are fine")
    func fulfilled() throws {
        let engine = try Self.engine([Self.good, Self.good])
        for count in [1...Int.max, 2...2, 1...3] {
            #expect(engine.complaints(expecting: [CallExpectation("user.create", count)]).isEmpty)
        }
        #expect(engine.complaints(expecting: [CallExpectation("user.feed", 0...0)]).isEmpty)
    }

    @Test(
        "calls that didn't come, or came too often, are named",
        arguments: [
            ("user.feed", 1...Int.max, "user.feed: a call expected, none received"),
            ("user.create", 2...2, "user.create: 2 calls expected, 1 received"),
            ("user.create", 0...0, "user.create: no call expected, 1 received"),
            ("user.create", 3...4, "user.create: 3 to 4 calls expected, 1 received"),
        ])
    func missing(_ endpoint: String, _ count: ClosedRange<Int>, _ line: String) throws {
        let engine = try Self.engine([Self.good])
        #expect(engine.complaints(expecting: [CallExpectation(endpoint, count)]).map(\.text) == [line])
    }

    @Test("a request that was refused before an endpoint was looked for is a complaint, and is in the journal")
    func refused() throws {
        let engine = try Self.engine([Self.good])
        engine.noteRefused(
            IncomingRequest("GET /v1/user/1/feed"), with: MockAnswer.Refusal(status: 403, title: "another host"))
        #expect(engine.complaints(expecting: []).map(\.text) == ["GET /v1/user/1/feed: another host"])
        #expect(engine.requestCount == 2)
    }

    @Test(
        "a request without an endpoint that goes on is a complaint, and so is one that another server leaves unanswered"
    )
    func passedOn() throws {
        var fixture = EngineFixture()
        fixture.options.proxying = .unnamed
        let engine = try fixture.engine()
        _ = engine.answer(IncomingRequest("GET /nothing"))
        let request = IncomingRequest("GET /v1/user/1/feed?pin=opensesame")
        let answer = engine.answer(request)
        engine.noteFailure(answer, status: 502, Wording(quoting: "no connection to opensesame"))
        #expect(
            engine.complaints(expecting: []).map(\.text) == [
                "GET /nothing: no endpoint", "GET /v1/user/1/feed: no connection to ***",
            ])
        #expect(engine.requests(session: "default").last?.status == 502)
    }

    @Test("a wrong call is a complaint with its place, and doesn't count")
    func wrongCall() throws {
        let engine = try Self.engine([Self.wrong])
        let lines = engine.complaints(expecting: [CallExpectation("user.create", 1...1)])
        #expect(
            lines.map(\.text) == [
                #"POST /v1/user: name must have at least 2 characters; found "A""#,
                "user.create: 1 call expected, no valid call received",
            ])
        #expect(lines.first?.place?.description.hasPrefix("endpoints/user.json:") == true)
    }

    @Test("no request at all, an unknown one, and a sequence that ran out are complaints")
    func others() throws {
        #expect(try Self.engine([]).complaints(expecting: []).map(\.text) == ["no request was received"])
        #expect(
            try Self.engine([IncomingRequest("GET /nothing")]).complaints(expecting: []).map(\.text)
                == ["GET /nothing: no endpoint"])
        let turns = IncomingRequest("GET /v1/user/1/feed", "X-Reqcli-Stub: turns")
        #expect(
            try Self.engine([turns, turns, turns]).complaints(expecting: []).map(\.text)
                == ["GET /v1/user/1/feed: the sequence turns has sent all of its responses"])
    }

    @Test("of many complaints 20 are kept, and the rest is counted")
    func many() throws {
        let engine = try Self.engine((0..<30).map { IncomingRequest("GET /nothing/\($0)") })
        let lines = engine.complaints(expecting: []).map(\.text)
        #expect(lines.count == 21)
        #expect(lines.last == "10 more")
    }

    @Test("a variant that differs from another server is a complaint of its session, once, until it is reset")
    func drift() throws {
        let engine = try Self.engine([Self.good])
        for session in ["default", "default", "a"] { engine.addDrift("user.create=created differs", session: session) }
        #expect(engine.complaints(expecting: []).map(\.text) == ["user.create=created differs"])
        #expect(engine.complaints(session: "default", expecting: []).map(\.text) == ["user.create=created differs"])
        engine.reset(session: "default")
        #expect(engine.complaints(session: "default", expecting: []).map(\.text) == ["no request was received"])
    }

    @Test("without validation no request is wrong")
    func unvalidated() throws {
        var fixture = EngineFixture()
        fixture.options.validates = false
        let engine = try fixture.engine()
        _ = engine.answer(Self.wrong)
        #expect(engine.complaints(expecting: [CallExpectation("user.create", 1...1)]).isEmpty)
    }
}
