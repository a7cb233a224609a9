import Foundation
import ReqcliAssembly
import ReqcliText
import RequestBuilding
import TestSupport
import Testing

@testable import ReqcliMocking

/// The calls of the control API that the server's page makes.
@Suite struct PageAPITests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let line: String
        var headers = ["Authorization: Bearer T", "Sec-Fetch-Site: same-origin"]
        var authority: String? = "localhost:8080"
        var isControlled = true
        var hasPage = true
        let expected: String

        var testDescription: String { name }
    }

    private static let origin = "Origin: http://localhost:8080"
    private static let choice = #"PUT /__reqcli/stubs {"user.feed": "empty"}"#
    private static let token = "Authorization: Bearer T"

    static let cases = [
        Case(name: "it reads", line: "GET /__reqcli/", expected: "200 "),
        Case(
            name: "without the token, it doesn't", line: "GET /__reqcli/", headers: ["Sec-Fetch-Site: same-origin"],
            expected: "401 "),
        Case(
            name: "it chooses", line: choice, headers: [token, "Sec-Fetch-Site: same-origin", origin], expected: "204 "),
        Case(name: "an older browser sends only the origin", line: choice, headers: [token, origin], expected: "204 "),
        Case(name: "without a page, it is another page", line: choice, hasPage: false, expected: "403 "),
        Case(
            name: "another port", line: choice, headers: [token, "Origin: http://localhost:5173"], expected: "403 "),
        Case(
            name: "another scheme", line: choice, headers: [token, "Origin: https://localhost:8080"], expected: "403 "),
        Case(name: "no origin that can be named", line: choice, headers: [token, "Origin: null"], expected: "403 "),
        Case(
            name: "two origins", line: choice, headers: [token, origin, "Origin: http://localhost:5173"],
            expected: "403 "),
        Case(
            name: "the origin of this server, from another site", line: choice,
            headers: [token, origin, "Sec-Fetch-Site: cross-site"], expected: "403 "),
        Case(
            name: "another port of this machine", line: "GET /__reqcli/",
            headers: [token, "Sec-Fetch-Site: same-site"],
            expected: "403 "),
        Case(name: "no host", line: choice, headers: [token, origin], authority: nil, expected: "403 "),
        Case(name: "it does not stop the server", line: "POST /__reqcli/stop", expected: "403 "),
        Case(name: "nor refuse connections", line: #"POST /__reqcli/refuse {"for": "3s"}"#, expected: "403 "),
        Case(name: "with --no-control it reads", line: "GET /__reqcli/news", isControlled: false, expected: "200 "),
        Case(name: "but changes nothing", line: choice, isControlled: false, expected: "403 "),
        Case(
            name: "and programs get nothing", line: "GET /__reqcli/", headers: [token], isControlled: false,
            expected: "404 "),
        Case(
            name: "an example", line: #"POST /__reqcli/example {"endpoint": "user.feed", "params": {"id": "7"}}"#,
            expected: "show GET https://api.example.com/v1/user/7/feed"),
        Case(
            name: "an example without a required param", line: #"POST /__reqcli/example {"endpoint": "user.feed"}"#,
            expected: "400 "),
        Case(
            name: "an example with a wrong param",
            line: #"POST /__reqcli/example {"endpoint": "user.feed", "params": {"id": "x"}}"#, expected: "400 "),
        Case(
            name: "an example of no endpoint", line: #"POST /__reqcli/example {"endpoint": "user.fed"}"#,
            expected: "400 "),
    ]

    private static func api(_ engine: MockEngine, isControlled: Bool = true, hasPage: Bool = true) -> ControlAPI {
        let settings = ControlAPI.PageSettings(
            isVerified: true, expectations: [CallExpectation("user.create")], proxying: nil)
        return ControlAPI(engine, token: "T", isControlled: isControlled, page: hasPage ? settings : nil)
    }

    @Test("the page may do what it needs, and no other page anything", arguments: cases)
    func call(_ row: Case) throws {
        let api = Self.api(try EngineFixture().engine(), isControlled: row.isControlled, hasPage: row.hasPage)
        let shown = Self.shown(row.line, row.headers, row.authority, by: api)
        #expect(row.expected.hasSuffix(" ") ? shown.hasPrefix(row.expected) : shown == row.expected, "\(shown)")
    }

    private static func shown(_ line: String, _ headers: [String], _ authority: String?, by api: ControlAPI) -> String {
        let plain = ControlAPITests.call(line, headers)
        let request = IncomingRequest(
            method: plain.method, path: plain.path, query: plain.rawQuery, headers: plain.headers, body: plain.body,
            authority: authority)
        return ControlAPITests.shown(api.outcome(of: request, isAllowed: true), by: api)
    }

    private static func news(_ query: String, _ engine: MockEngine) -> String {
        shown("GET /__reqcli/news\(query)", cases[0].headers, "localhost:8080", by: api(engine))
    }

    @Test("the news are the requests since the last ones, with what was nearest, and the problems so far")
    func news() throws {
        let engine = try EngineFixture().engine()
        _ = engine.answer(IncomingRequest("GET /v1/user/1/feed?token=hush"))
        _ = engine.answer(IncomingRequest("GET /v1/user/1/feeds", session: "a"))
        let all = Self.news("", engine)
        #expect(all.contains(#""last":2,"changes":0,"requests":[{"number":1,"session":"default","method":"GET","#))
        #expect(
            all.contains(
                #""target":"/v1/user/1/feed?token=***","endpoint":"user.feed","stub":"user.feed=standard","status":200"#
            ))
        #expect(!all.contains("hush"))
        let later = Self.news("?after=1", engine)
        #expect(
            later.contains(
                #""requests":[{"number":2,"session":"a","method":"GET","target":"/v1/user/1/feeds","status":404,"reason":"no endpoint","near":[{"endpoint":"user.feed","request":"GET /v1/user/{{id}}/feed","difference":"the segment is \"feeds\", not \"feed\""}"#
            ), "\(later)")
        #expect(later.contains(#""verify":{"asked":true,"problems":["#))
        #expect(later.contains("user.create: a call expected, none received"))
        #expect(Self.news("?after=2", engine).contains(#""requests":[],"#))
        #expect(Self.news("?after=99", engine).contains(#""last":2,"changes":0,"requests":[],"#))
        #expect(engine.choose([("user.feed", "empty")], session: "default") == nil)
        #expect(Self.news("", engine).contains(#""changes":1,"#))
    }

    @Test("a page gets at most the 50 newest requests, and the names of the last 20 recorded variants")
    func bounds() throws {
        let engine = try EngineFixture().engine()
        for number in 1...300 {
            _ = engine.answer(IncomingRequest("GET /v1/user/\(number)/feed"))
            engine.noteRecorded("user.feed=recorded\(number)")
        }
        let news = engine.news(after: 0)
        #expect(news.entries.map(\.number) == Array(251...300))
        #expect(engine.news(after: 298).entries.map(\.number) == [299, 300])
        #expect(news.recorded.count == 300)
        #expect(news.recorded.last.count == 20 && news.recorded.last.last == "user.feed=recorded300")
    }

    @Test("an example has the types of its params, and a placeholder in place of each secret")
    func example() throws {
        let pay = #"""
            "pay": { "path": "pay", "query": { "pin": "{{pin}}", "file": "{{file}}" }, "params": {
              "pin": { "type": "string", "secret": true }, "file": { "type": "file" } } },
            "sent": { "path": "sent", "params": { "path": { "type": "string" } },
              "query": { "content": "{{file path | base64}}" } }
            """#
        let engine = MockEngine(
            try EngineFixture().served("\(EngineFixture.feed), \(pay)"), world: EngineFixture().world)
        func shown(_ id: String, _ values: [(name: String, text: String)]) throws -> String {
            let example = try #require(try engine.example(of: id, values))
            return StandIn.shown("\(example.url) \(String(decoding: example.body?.data ?? .init(), as: UTF8.self))")
        }
        #expect(
            try shown("user.feed", [("id", "7"), ("pin", "12345")])
                == "https://api.example.com/v1/user/7/feed ")
        #expect(
            try shown("user.pay", [("pin", "12345"), ("file", "/etc/passwd")])
                == "https://api.example.com/v1/pay?pin={{pin}}&file={{file}} ")
        #expect(try shown("user.create", [("name", "Zoë")]) == #"https://api.example.com/v1/user {"name":"Zoë"}"#)
        #expect(try engine.example(of: "user.nothing", []) == nil)
        // A file that a param names could be any file of the user.
        #expect(
            try shown("user.sent", [("path", "/w/environments/env.json")])
                == "https://api.example.com/v1/sent?content={{file path | base64}} ")
    }
}
