import Exchange
import Foundation
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import ReqcliMocking

/// Which variant answers, in which session, and what is remembered of it.
@Suite struct MockEngineTests {
    @Test("request, session, command line, conditions and default choose a variant, in this order")
    func precedence() throws {
        let plain = try EngineFixture().engine()
        #expect(plain.shown(IncomingRequest("GET /v1/user/1/feed")) == "user.feed=standard")
        #expect(plain.shown(IncomingRequest("GET /v1/user/2000/feed")) == "user.feed=large")
        let engine = try EngineFixture().engine(chosen: ["user.feed": "empty"])
        #expect(engine.shown(IncomingRequest("GET /v1/user/2000/feed")) == "user.feed=empty")
        #expect(engine.choose([("user.feed", "standard")], session: "default") == nil)
        #expect(engine.shown(IncomingRequest("GET /v1/user/2000/feed")) == "user.feed=standard")
        #expect(engine.shown(IncomingRequest("GET /v1/user/2000/feed", "X-Reqcli-Stub: large")) == "user.feed=large")
        #expect(engine.choose([("user.feed", nil)], session: "default") == nil)
        #expect(engine.shown(IncomingRequest("GET /v1/user/2000/feed")) == "user.feed=empty")
    }

    static let wrongBodies: [(body: [UInt8], problem: String)] = [
        ([], "the body is empty; expected JSON"),
        ([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], "the body is not JSON: it must be UTF-8 without a byte order mark"),
        ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "the body is not JSON: it must be UTF-8 without a byte order mark"),
        (Array(#"{"deep": {"l": [1]}}"#.utf8), "$.deep.l has 1 element; expected 2"),
        (Array(#"{"deep": {"l": [1, 2, 3]}}"#.utf8), "$.deep.l has 3 elements; expected 2"),
        (Array(#"{"deep": {"l": [1, 3]}}"#.utf8), "$.deep.l[1] is 3; expected 2"),
        (Array(#"{"deep": {"l": {}}}"#.utf8), "$.deep.l is an object; expected an array"),
    ]

    @Test("a problem says how a body differs, and never calls it a file", arguments: wrongBodies)
    func wordingOfBodies(_ body: [UInt8], _ problem: String) throws {
        let fixture = EngineFixture()
        let endpoint = #""deep": { "method": "POST", "path": "deep", "body": { "json": { "deep": { "l": [1, 2] } } } }"#
        let engine = MockEngine(try fixture.served(endpoint), world: fixture.world)
        let answer = engine.answer(
            IncomingRequest(
                method: "POST", path: "/v1/deep", query: nil,
                headers: [IncomingRequest.Field("Content-Type", "application/json")], body: body))
        #expect(answer.problems.map(\.message.text) == [problem])
    }

    @Test("a response is known without the body where no endpoint is for path and method, and is remembered once")
    func withoutBody() throws {
        let engine = try EngineFixture().engine()
        #expect(engine.answer(withoutBodyOf: IncomingRequest("POST /v1/zzz"))?.status == 404)
        #expect(engine.answer(withoutBodyOf: IncomingRequest("PUT /v1/user"))?.status == 405)
        #expect(engine.answer(withoutBodyOf: IncomingRequest("POST /v1/../user"))?.status == 400)
        #expect(engine.requestCount == 3)
        #expect(engine.answer(withoutBodyOf: IncomingRequest("POST /v1/user", session: "a b"))?.status == 400)
        #expect(engine.answer(withoutBodyOf: IncomingRequest("POST /v1/user")) == nil)
        #expect(engine.callCount(of: "user.create", session: "default") == 0)
        let last = try EngineFixture().engine(last: "user.create")
        #expect(last.answer(withoutBodyOf: IncomingRequest("POST /v1/zzz")) == nil)
        for passing in [MockEngine.Proxying.unnamed, .missing] {
            var fixture = EngineFixture()
            fixture.options.proxying = passing
            #expect(try fixture.engine().answer(withoutBodyOf: IncomingRequest("POST /v1/zzz")) == nil)
        }
    }

    @Test("OPTIONS * is answered with all methods, and is no call")
    func wholeServer() throws {
        let engine = try EngineFixture().engine(last: "user.create")
        let answer = engine.answer(IncomingRequest("OPTIONS *"))
        guard case .refusal(let refusal) = answer.content else {
            Issue.record("a stub answers")
            return
        }
        #expect(refusal.status == 204 && refusal.allowed == ["GET", "HEAD", "OPTIONS", "POST"])
        #expect(answer.number == nil && engine.requestCount == 0)
    }

    @Test("sessions have choices, turns and counts of their own")
    func sessions() throws {
        let engine = try EngineFixture().engine()
        #expect(engine.choose([("user.feed", "turns")], session: "a") == nil)
        let request = "GET /v1/user/1/feed"
        #expect(engine.shown(IncomingRequest(request, session: "b")) == "user.feed=standard")
        var bodies: [String] = []
        for session in ["a", "a", "a"] {
            bodies.append(engine.shown(IncomingRequest(request, session: session)))
        }
        #expect(
            bodies == ["user.feed=turns", "user.feed=turns", "500 the sequence turns has sent all of its responses"])
        #expect(engine.callCount(of: "user.feed", session: "a") == 3)
        #expect(engine.callCount(of: "user.feed", session: "b") == 1)
        engine.reset(session: "a")
        #expect(engine.callCount(of: "user.feed", session: "a") == 0)
        #expect(engine.requests(session: "a").isEmpty)
        #expect(engine.requests(session: "b").count == 1)
        #expect(engine.shown(IncomingRequest(request, session: "a")) == "user.feed=standard")
    }

    @Test("a session's name is checked")
    func sessionName() throws {
        let engine = try EngineFixture().engine()
        #expect(engine.shown(IncomingRequest("GET /v1/bare", session: "a b")).hasPrefix("400 "))
        #expect(
            engine.shown(IncomingRequest("GET /v1/bare", session: String(repeating: "a", count: 101))).hasPrefix("400 ")
        )
    }

    @Test("of more than 1,000 sessions the one that was unused for longest goes")
    func manySessions() throws {
        let engine = try EngineFixture().engine()
        for number in 0..<1001 { _ = engine.answer(IncomingRequest("GET /v1/bare", session: "s\(number)")) }
        #expect(engine.callCount(of: "user.bare", session: "s0") == 0)
        #expect(engine.callCount(of: "user.bare", session: "s1") == 1)
        #expect(engine.callCount(of: "user.bare", session: "s1000") == 1)
    }

    @Test("the journal keeps the last 1,000 requests, and counts lose nothing")
    func journal() throws {
        let engine = try EngineFixture().engine()
        for _ in 0..<1500 { _ = engine.answer(IncomingRequest("GET /v1/user/1/feed")) }
        let kept = engine.requests(session: "default")
        #expect(kept.count == 1000)
        #expect(kept.first?.number == 501)
        #expect(kept.last?.number == 1500)
        #expect(engine.requests(session: "default", after: 1498).map(\.number) == [1499, 1500])
        #expect(engine.requests(session: "default", after: .max).isEmpty)
        #expect(engine.callCount(of: "user.feed", session: "default") == 1500)
    }

    @Test("the journal keeps 64 KiB of each body, and 64 MiB in all")
    func journalSize() throws {
        let engine = try EngineFixture().engine()
        let request = IncomingRequest("POST /v1/user " + String(repeating: "x", count: 100_000))
        for _ in 0..<1000 { _ = engine.answer(request) }
        let full = engine.requests(session: "default")
        #expect(full.last?.request.body.count == 65536)
        #expect(full.last?.isCut == true)
        #expect(full.count == 1000)
        // Headers count, too.
        let long = IncomingRequest("GET /v1/bare", "X-Long: " + String(repeating: "y", count: 60_000))
        let both = IncomingRequest(
            method: "POST", path: "/v1/user", query: nil, headers: request.headers + long.headers,
            body: Array(repeating: UInt8(ascii: "x"), count: 65536))
        for _ in 0..<1000 { _ = engine.answer(both) }
        let kept = engine.requests(session: "default")
        #expect(kept.count < 600)
        #expect(kept.reduce(0) { $0 + $1.request.size } <= 64 << 20)
    }

    @Test("credentials, tokens and secret params are masked")
    func masks() throws {
        let engine = try EngineFixture().engine()
        _ = engine.answer(
            IncomingRequest(
                "GET /v1/user/7/feed?pin=opensesame&api_key=hunter2", "Authorization: Bearer abc", "Cookie: sid=1",
                "X-Note: opensesame, please"))
        _ = engine.answer(
            IncomingRequest(#"POST /v1/user {"name": "Ada", "password": "hunter2", "n": {"token": 12345678}}"#))
        _ = engine.answer(
            IncomingRequest("POST /v1/user a=1&password=hunter2", "Content-Type: application/x-www-form-urlencoded"))
        _ = engine.answer(
            IncomingRequest(
                "POST /v1/user --b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--b--\r\n",
                "Content-Type: multipart/form-data; boundary=b"))
        let boundary = String(repeating: "b", count: 100)
        _ = engine.answer(
            IncomingRequest(
                "POST /v1/user --\(boundary)\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n",
                "Content-Type: multipart/form-data; boundary=\(boundary)"))
        _ = engine.answer(IncomingRequest("GET /v1/user/7/feed?pin=1234"))
        let text = engine.requests(session: "default").map(\.json.compact).joined(separator: "\n")
        for secret in ["opensesame", "hunter2", "Bearer abc", "sid=1", "12345678", "1234"] {
            #expect(!text.contains(secret), "\(secret) in \(text)")
        }
        #expect(text.contains(#""name":"Ada""#))
        #expect(text.contains("pin has a value that is not allowed"))
        #expect(text.contains(#"a=1&password=***"#))
        #expect(text.contains(#"["X-Note","***, please"]"#))
    }

    @Test("without a variant, an endpoint answers 501, and one with conditions names those that fail")
    func noVariant() throws {
        let engine = try EngineFixture().engine()
        #expect(
            engine.shown(IncomingRequest("GET /v1/bare"))
                == #"501 user.bare has no stub variants: add one in stubs.variants; if the endpoint was imported from OpenAPI, "reqcli import --update --make-stubs all" makes one"#
        )
        #expect(
            engine.shown(IncomingRequest("GET /v1/only?a=2"))
                == "404 no stub variant responds to this request: the \"when\" of one is not met by the query item a")
    }

    @Test("a path without the base path is answered with a question")
    func missingBase() throws {
        let engine = try EngineFixture().engine()
        #expect(
            engine.shown(IncomingRequest("GET /user/7/feed"))
                == "404 no endpoint; did you mean GET /v1/user/{{id}}/feed?")
        #expect(engine.shown(IncomingRequest("GET /v1/user/7/feeds")) == "404 no endpoint")
    }

    @Test("the example of a choice is one that changes a response")
    func exampleChoice() throws {
        let fixture = EngineFixture()
        #expect(try fixture.engine().exampleChoice == "user.feed=empty")
        #expect(try fixture.engine(chosen: ["user.feed": "empty"]).exampleChoice == "user.feed=standard")
        let single = #""a": { "path": "a" }, "b": { "path": "b", "stubs": { "variants": { "one": { "text": "1" } } } }"#
        #expect(MockEngine(try fixture.served(single), world: fixture.world).exampleChoice == nil)
    }

    @Test("what fits nothing is for the last endpoint, if there is one, but for questions about methods")
    func last() throws {
        let engine = try EngineFixture().engine(last: "user.create")
        #expect(engine.shown(IncomingRequest("GET /nothing")) == "user.create=created")
        #expect(engine.shown(IncomingRequest("DELETE /v1/user")) == "user.create=created")
        let preflight = engine.answer(IncomingRequest("OPTIONS /nothing"), isPreflight: true)
        #expect(preflight.status == 404)
        #expect(preflight.number == nil)
    }

    @Test("requests for which no variant is named, or none exists, are passed on")
    func passing() throws {
        var fixture = EngineFixture()
        fixture.options.proxying = .unnamed
        let unnamed = try fixture.engine(chosen: ["user.create": "created"])
        #expect(unnamed.shown(IncomingRequest("GET /v1/user/1/feed")) == "passed on")
        #expect(unnamed.shown(IncomingRequest("GET /v1/user/1/feed", "X-Reqcli-Stub: empty")) == "user.feed=empty")
        #expect(unnamed.shown(IncomingRequest(#"POST /v1/user {"name": "Ada"}"#)) == "user.create=created")
        #expect(unnamed.shown(IncomingRequest("GET /nothing")) == "passed on")
        #expect(unnamed.shown(IncomingRequest("GET /v1/bare")) == "passed on")
        #expect(unnamed.shown(IncomingRequest("GET /v1/../x")).hasPrefix("400 "))
        fixture.options.proxying = .missing
        let missing = try fixture.engine()
        #expect(missing.shown(IncomingRequest("GET /v1/user/1/feed")) == "user.feed=standard")
        #expect(missing.shown(IncomingRequest("GET /v1/bare")) == "passed on")
        #expect(missing.shown(IncomingRequest("GET /v1/only")) == "passed on")
        #expect(missing.shown(IncomingRequest("DELETE /v1/bare")) == "passed on")
        let answer = missing.answer(IncomingRequest("GET /nothing"))
        let number = try #require(answer.number)
        #expect(missing.requests(session: "default").last?.status == nil)
        missing.complete(number, status: 203)
        #expect(missing.requests(session: "default").last?.status == 203)
    }

    @Test("a choice whose variant is gone is named and not shown, and counts again when the variant is back")
    func lostChoice() throws {
        let fixture = EngineFixture()
        let engine = try fixture.engine()
        _ = engine.choose([("user.feed", "empty")], session: "default")
        let others = EngineFixture.feed.replacing(#"["standard", "empty"]"#, with: #"["standard"]"#)
        let changed = try fixture.served(others.replacing(#""empty": { "json": [] },"#, with: ""))
        #expect(engine.replace(changed, []) == ["user.feed=empty"])
        #expect(engine.replace(changed, []) == [])
        #expect(!engine.overview(of: "default").compact.contains("chosen"))
        #expect(engine.shown(IncomingRequest("GET /v1/user/1/feed")) == "user.feed=standard")
        #expect(engine.replace(try fixture.served(), []) == [])
        #expect(engine.overview(of: "default").compact.contains(#""chosen":"empty""#))
        #expect(engine.shown(IncomingRequest("GET /v1/user/1/feed")) == "user.feed=empty")
        _ = engine.replace(try fixture.served(#""feed": { "path": "user/{{id}}/feed", "params": { "id": {} } }"#), [])
        #expect(engine.choose([("user.feed", nil)], session: "default") == nil)
        _ = engine.replace(try fixture.served(), [])
        #expect(engine.shown(IncomingRequest("GET /v1/user/1/feed")) == "user.feed=standard")
    }

    @Test("a reading of changed files keeps choices, and turns of what is as it was")
    func replacing() throws {
        let fixture = EngineFixture()
        let engine = try fixture.engine()
        _ = engine.choose([("user.feed", "turns")], session: "default")
        _ = engine.answer(IncomingRequest("GET /v1/user/1/feed"))
        engine.replace(try fixture.served(), [])
        func body() -> Stub? {
            guard case .stub(let served) = engine.answer(IncomingRequest("GET /v1/user/1/feed")).content else {
                return nil
            }
            return served.stub
        }
        #expect(body()?.body == .data(Data("[]".utf8)))
        engine.replace(
            try fixture.served(EngineFixture.feed.replacing(#""then": "fail""#, with: #""then": "loop""#)), [])
        #expect(body()?.body == .data(Data("[1]".utf8)))
        engine.replace(try fixture.served(EngineFixture.feed.replacing(#""turns""#, with: #""other""#)), [])
        #expect(engine.shown(IncomingRequest("GET /v1/user/1/feed")) == "user.feed=standard")
    }

    static let starts: [(name: String, request: IncomingRequest, passesOn: Bool)] = [
        ("an endpoint with variants", IncomingRequest(#"POST /v1/user {"na"#), true),
        ("no endpoint", IncomingRequest(#"POST /v1/other {"na"#), true),
        ("another method", IncomingRequest(#"PUT /v1/user {"na"#), true),
        ("a variant in the request", IncomingRequest(#"POST /v1/user {"na"#, "X-Reqcli-Stub: created"), false),
        ("an unknown variant in it", IncomingRequest(#"POST /v1/other {"na"#, "X-Reqcli-Stub: x"), false),
        ("a variant for its session", IncomingRequest(#"POST /v1/user {"na"#, session: "chosen"), false),
        ("another session's", IncomingRequest(#"POST /v1/user/1/feed {"na"#, session: "chosen"), true),
        ("a variant of the environment", IncomingRequest(#"GET /v1/only {"na"#), false),
        ("no session's name", IncomingRequest(#"POST /v1/user {"na"#, session: "a b"), false),
        ("a dot segment", IncomingRequest(#"POST /v1/../user {"na"#), false),
        ("endpoints that the body tells apart", IncomingRequest(#"POST /v1/graph {"na"#), false),
    ]

    @Test("a request goes on before its body is here only if the body has no say in it", arguments: starts)
    func start(_ name: String, _ request: IncomingRequest, _ passesOn: Bool) throws {
        var fixture = EngineFixture()
        fixture.options.proxying = .unnamed
        let graph = (0..<2).map {
            #""graph\#($0)": { "method": "POST", "path": "graph", "body": { "json": { "a": \#($0) } } }"#
        }
        let served = try fixture.served(
            ([EngineFixture.feed] + graph).joined(separator: ","), chosen: ["user.only": "one"])
        let engine = MockEngine(served, world: fixture.world, options: fixture.options)
        _ = engine.choose([("user.create", "created")], session: "chosen")
        let answer = engine.answer(toStartOf: request.keeping(bodyUpTo: .max))
        #expect((answer != nil) == passesOn)
        #expect(engine.requestCount == (passesOn ? 1 : 0))
        if let answer {
            guard case .passedOn = answer.content else {
                Issue.record("it doesn't go on")
                return
            }
            // What the rest of the body may have is not missing.
            #expect(answer.problems.isEmpty)
        }
    }

    @Test("without another server, with --only-missing, --strict or --rest, each body is needed whole")
    func needingBodies() throws {
        var fixture = EngineFixture()
        let request = IncomingRequest(#"POST /v1/other {"na"#).keeping(bodyUpTo: .max)
        #expect(try fixture.engine().answer(toStartOf: request) == nil)
        fixture.options.proxying = .missing
        #expect(try fixture.engine().answer(toStartOf: request) == nil)
        fixture.options.proxying = .unnamed
        #expect(try fixture.engine().answer(toStartOf: request) != nil)
        #expect(try fixture.engine(last: "user.feed").answer(toStartOf: request) == nil)
        fixture.options.isStrict = true
        #expect(try fixture.engine().answer(toStartOf: request) == nil)
    }

    @Test("near misses are looked for at most 20 times a second")
    func nearMisses() throws {
        let engine = try EngineFixture().engine()
        let counts = (0..<30).map { _ -> Int in
            guard case .refusal(let refusal) = engine.answer(IncomingRequest("GET /v1/user/1/feeds")).content else {
                return -1
            }
            return refusal.near.count
        }
        #expect(counts.prefix(20).allSatisfy { $0 > 0 })
        #expect(counts.dropFirst(20).allSatisfy { $0 == 0 })
    }

    @Test(
        "a length that a filled variant makes is one, or the response is an error",
        arguments: [("3", 304), ("-3", 500)])
    func filledLength(_ length: String, _ status: Int) throws {
        let fixture = EngineFixture()
        let served = try fixture.served(
            #""a": { "path": "a/{{n}}", "params": { "n": { "type": "integer" } }, "stubs": { "variants": { "x": { "status": 304, "fill": true, "headers": { "Content-Length": "{{n}}" } } } } }"#
        )
        let engine = MockEngine(served, world: fixture.world)
        #expect(engine.answer(IncomingRequest("GET /v1/a/\(length)")).status == status)
    }

    @Test("what ends no request is refused when it is read")
    func unservable() throws {
        let fixture = EngineFixture()
        func problem(_ endpoint: String) -> String? {
            do { _ = try fixture.served(endpoint) } catch let failure as Failure {
                return failure.diagnostics.map(\.message).joined(separator: "; ")
            } catch { return "\(error)" }
            return nil
        }
        #expect(
            problem(#""a": { "path": "a", "stubs": { "variants": { "x": { "status": 101 } } } }"#)
                == "user.a=x cannot be served: its status 101 is not a final status")
        #expect(
            problem(
                #""a": { "path": "a", "stubs": { "variants": { "x": { "headers": { "Content-Length": "3" }, "text": "ab" } } } }"#
            )
                == "user.a=x cannot be served: its Content-Length is 3, and its body has 2 bytes")
        #expect(
            problem(
                #""a": { "path": "a", "stubs": { "variants": { "x": { "headers": { "Content-Length": "2" }, "text": "ab" } } } }"#
            )
                == nil)
        for length in ["-3", "+2", "99999999999999999999", "2x", ""] {
            #expect(
                problem(
                    #""a": { "path": "a", "stubs": { "variants": { "x": { "status": 304, "headers": { "Content-Length": "\#(length)" } } } } }"#
                ) != nil, "\(length)")
        }
        #expect(
            problem(#""a": { "path": "/__reqcli/x" }"#)
                == "user.a cannot be served: paths below /__reqcli/ are reserved for the server")
    }
}
