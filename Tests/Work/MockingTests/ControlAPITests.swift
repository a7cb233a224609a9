import Foundation
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@testable import ReqcliMocking

/// The calls of the control API.
@Suite struct ControlAPITests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let request: IncomingRequest
        let expected: String
        var isAllowed = true

        var testDescription: String { name }
    }

    static func call(_ line: String, _ headers: [String] = ["Authorization: Bearer T"]) -> IncomingRequest {
        let request = IncomingRequest(line)
        let fields = headers.map { header in
            let parts = header.split(separator: ":", maxSplits: 1)
            return IncomingRequest.Field(String(parts[0]), String(parts[1].dropFirst()))
        }
        return IncomingRequest(
            method: request.method, path: request.path, query: request.rawQuery, headers: request.headers + fields,
            body: request.body)
    }

    static func shown(_ outcome: ControlAPI.Outcome, by api: ControlAPI) -> String {
        func shown(_ reply: ControlReply) -> String { "\(reply.status) \(reply.json?.compact ?? "")" }
        return switch outcome {
        case .reply(let reply): shown(reply)
        case .verify(let expectations, let session): shown(api.verified(expectations, session))
        case .wait(let endpoint, let count, let timeout, let session): "wait \(endpoint) \(count) \(timeout) \(session)"
        case .refuse(let time): "refuse \(time)"
        case .show(let example): "show \(example.method) \(example.url)"
        case .stop: "stop"
        }
    }

    static let cases: [Case] = [
        Case(name: "health needs no token", request: call("GET /__reqcli/health", []), expected: "204 "),
        Case(name: "another machine", request: call("GET /__reqcli/health", []), expected: "403 ", isAllowed: false),
        Case(name: "no token", request: call("POST /__reqcli/reset", []), expected: "401 "),
        Case(
            name: "a wrong token", request: call("POST /__reqcli/reset", ["Authorization: Bearer t"]), expected: "401 "),
        Case(
            name: "the scheme in another case",
            request: call("POST /__reqcli/reset", ["Authorization: bEARER  T"]), expected: "204 "),
        Case(
            name: "another scheme", request: call("POST /__reqcli/reset", ["Authorization: Basic T"]), expected: "401 "),
        Case(
            name: "a scheme alone", request: call("POST /__reqcli/reset", ["Authorization: Bearer"]), expected: "401 "),
        Case(
            name: "a token with more behind it", request: call("POST /__reqcli/reset", ["Authorization: Bearer T T"]),
            expected: "401 "),
        Case(
            name: "a page",
            request: call("POST /__reqcli/reset", ["Authorization: Bearer T", "Origin: http://localhost"]),
            expected: "403 "),
        Case(
            name: "a page asks for health", request: call("GET /__reqcli/health", ["Origin: null"]), expected: "403 "),
        Case(
            name: "a request of a browser from a page",
            request: call("POST /__reqcli/stop", ["Authorization: Bearer T", "Sec-Fetch-Site: same-origin"]),
            expected: "403 "),
        Case(
            name: "a request that a user typed in a browser",
            request: call("GET /__reqcli/health", ["Sec-Fetch-Site: none"]), expected: "204 "),
        Case(name: "an unknown call", request: call("GET /__reqcli/x"), expected: "404 "),
        Case(name: "another method", request: call("GET /__reqcli/stop"), expected: "405 "),
        Case(name: "an unknown query item", request: call("POST /__reqcli/reset?a=1"), expected: "400 "),
        Case(name: "a name that is none", request: call("POST /__reqcli/reset?session=a%20b"), expected: "400 "),
        Case(
            name: "an unknown endpoint", request: call(#"PUT /__reqcli/stubs {"user.feeed": "empty"}"#),
            expected: "400 "),
        Case(
            name: "an unknown variant", request: call(#"PUT /__reqcli/stubs {"user.feed": "emty"}"#), expected: "400 "),
        Case(name: "a choice", request: call(#"PUT /__reqcli/stubs {"user.feed": "empty"}"#), expected: "204 "),
        Case(
            name: "a choice for a pattern", request: call(#"PUT /__reqcli/stubs {"user.f*": "empty"}"#),
            expected: "204 "
        ),
        Case(
            name: "a choice that an endpoint of the pattern lacks",
            request: call(#"PUT /__reqcli/stubs {"user.*": "empty"}"#),
            expected:
                #"400 {"title":"user.create has no stub variant \"empty\"; available: created","status":400}"#),
        Case(
            name: "no choice for any endpoint", request: call(#"PUT /__reqcli/stubs {"user.*": null}"#),
            expected: "204 "),
        Case(name: "no JSON", request: call("PUT /__reqcli/stubs {"), expected: "400 "),
        Case(
            name: "a wait",
            request: call(#"POST /__reqcli/wait {"endpoint": "user.feed", "count": 2, "timeout": "1s"}"#),
            expected: "wait user.feed 2 1.0 seconds default"),
        Case(
            name: "a wait without end",
            request: call(#"POST /__reqcli/wait {"endpoint": "user.feed", "timeout": "1h"}"#),
            expected: "400 "),
        Case(name: "a wait for nothing", request: call(#"POST /__reqcli/wait {}"#), expected: "400 "),
        Case(
            name: "verification that fails", request: call(#"POST /__reqcli/verify {"user.create": 1}"#),
            expected:
                #"409 {"title":"the received calls are not the expected calls","status":409,"problems":["user.create: 1 call expected, none received","no request was received"]}"#
        ),
        Case(name: "refusing", request: call(#"POST /__reqcli/refuse {"for": "3s"}"#), expected: "refuse 3.0 seconds"),
        Case(name: "refusing for no time", request: call(#"POST /__reqcli/refuse {}"#), expected: "400 "),
        Case(name: "the end", request: call("POST /__reqcli/stop"), expected: "stop"),
    ]

    @Test("each call answers as described", arguments: cases)
    func call(_ row: Case) throws {
        let api = ControlAPI(try EngineFixture().engine(), token: "T")
        let shown = Self.shown(api.outcome(of: row.request, isAllowed: row.isAllowed), by: api)
        #expect(row.expected.hasSuffix(" ") ? shown.hasPrefix(row.expected) : shown == row.expected, "\(shown)")
    }

    @Test("the overview shows choices and counts of a session, the journal its requests")
    func overview() throws {
        let engine = try EngineFixture().engine()
        let api = ControlAPI(engine, token: "T")
        func text(_ line: String) -> String { Self.shown(api.outcome(of: Self.call(line), isAllowed: true), by: api) }
        #expect(text(#"PUT /__reqcli/stubs?session=a {"user.feed": "empty"}"#) == "204 ")
        _ = engine.answer(IncomingRequest("GET /v1/user/1/feed", session: "a"))
        let overview = text("GET /__reqcli/?session=a")
        #expect(
            overview.contains(
                #"{"id":"user.feed","variants":["standard","empty","turns","large"],"chosen":"empty","calls":1,"validCalls":1,"default":"standard","method":"GET","path":"/v1/user/{{id}}/feed","params":[{"name":"id","type":"integer","required":true},{"name":"pin","type":"string","required":false,"secret":true}]}"#
            ))
        #expect(!text("GET /__reqcli/").contains("chosen"))
        #expect(
            text("GET /__reqcli/requests?session=a&endpoint=user.feed")
                == #"200 {"requests":[{"number":1,"session":"a","method":"GET","path":"/v1/user/1/feed","endpoint":"user.feed","stub":"user.feed=empty","status":200}]}"#
        )
        #expect(text("GET /__reqcli/requests") == #"200 {"requests":[]}"#)
        #expect(text("POST /__reqcli/reset?session=a") == "204 ")
        #expect(text("GET /__reqcli/requests?session=a") == #"200 {"requests":[]}"#)
    }

    @Test(
        "a session's name is taken out of the path",
        arguments: [
            ("/__reqcli/s/a/v1/x", "/v1/x", "a"), ("/__reqcli/s/a", "/", "a"), ("/v1/x", "/v1/x", nil),
            ("/__reqcli/s/a/__reqcli/health", "/__reqcli/health", "a"),
        ])
    func session(_ path: String, _ rest: String, _ name: String?) {
        let taken = IncomingRequest.takingSession(outOf: path)
        #expect(taken.path == rest)
        #expect(taken.session == name)
    }
}
