import Foundation
import ReqcliText
import TestSupport
import Testing

@testable import ReqcliMocking

/// Calls of the control API by chance.
@Suite struct ControlFuzzTests {
    private static let count = RandomInputs.count(1_000)
    private static let token = "0123456789abcdef"

    private static let bodies = [
        "", "{}", "[]", "null", #"{"user.feed": "empty"}"#, #"{"user.*": "turns", "user.only": null}"#,
        #"{"user.create": 1}"#, #"{"user.feed": "1..3", "user.create": 0}"#, #"{"for": "3s"}"#,
        #"{"endpoint": "user.feed", "count": 2, "timeout": "1s"}"#,
        #"{"user.feed": {"a": [1, "b", null, true, 1e999]}}"#,
        #"{"endpoint": "user.feed", "params": {"id": "1", "pin": ["a", null]}}"#,
    ].map { Array($0.utf8) }
    private static let pieces = [
        "\"", "{", "}", "[", ",", ":", "null", "\"user.feed\"", "\"empty\"", "\"count\"", "0", "-1",
        "99999999999999999999", "\"for\"",
        "\"10m\"", "\"1000000h\"", "\"9223372036854775807s\"", "\\u0000", "é", "*", "1..", "..1", "\"1..99999999999\"",
    ].map { Array($0.utf8) }
    private static let calls = [
        ("GET", ""), ("GET", "/health"), ("PUT", "/stubs"), ("GET", "/requests"), ("POST", "/wait"),
        ("POST", "/verify"),
        ("POST", "/reset"), ("POST", "/refuse"), ("POST", "/stop"), ("GET", "/news"), ("POST", "/example"),
    ]
    private static let paths = [
        "", "/", "/health", "/stubs", "/requests", "/wait", "/verify", "/reset", "/refuse", "/stop", "/stubs/", "/STOP",
        "//stop",
        "/%73top", "/s/a", "/x\u{0}",
    ]
    private static let queries = [
        nil, nil, nil, "session=a", "session=b&endpoint=user.feed", "endpoint=user.feed&after=1", "after=-1",
        "after=9223372036854775807", "after=99999999999999999999", "session=", "session=a%20b", "x=1", "session",
        "=&&%",
    ]
    private static let headers =
        [
            [:], [:], [:], [:], ["Origin": "null"], ["Sec-Fetch-Site": "none"], ["Sec-Fetch-Site": "cross-site"],
            ["X-Reqcli-Session": "a b"],
        ] as [[String: String]]

    private static func call(_ hasToken: Bool, _ generator: inout SeededGenerator) -> IncomingRequest {
        var body = bodies.randomElement(using: &generator) ?? []
        for _ in 0..<max(0, Int.random(in: -2...2, using: &generator)) { body.damage(pieces, using: &generator) }
        let wrong = ["", "Bearer ", "Bearer \(token)0", "Basic \(token)", token, "Bearer \(token.dropLast())x"]
        let authorization = hasToken ? "Bearer \(token)" : wrong.randomElement(using: &generator) ?? ""
        let fields = (headers.randomElement(using: &generator) ?? [:]).map { IncomingRequest.Field($0, $1) }
        var (method, path) = calls.randomElement(using: &generator) ?? ("", "")
        if Int.random(in: 0..<4, using: &generator) == 0 {
            method = ["GET", "PUT", "POST", "DELETE", "get"].randomElement(using: &generator) ?? ""
            path = paths.randomElement(using: &generator) ?? ""
        }
        return IncomingRequest(
            method: method, path: "/__reqcli" + path,
            query: queries.randomElement(using: &generator) ?? nil,
            headers: [IncomingRequest.Field("Authorization", authorization)] + fields, body: body,
            session: fields.first { $0.name == IncomingRequest.sessionHeader }?.value)
    }

    @Test("No call breaks the server, none without the token does anything, and one that is refused changes nothing")
    func calls() throws {
        let engine = try EngineFixture().engine()
        let api = ControlAPI(engine, token: Self.token)
        var generator = SeededGenerator(seed: 16)
        var carriedOut = 0
        for number in 0..<Self.count {
            if number % 3 == 0 {
                let path = ["/v1/user/1/feed", "/v1/user", "/v1/nothing"].randomElement(using: &generator) ?? ""
                _ = engine.answer(IncomingRequest("GET \(path)", session: Bool.random(using: &generator) ? "a" : nil))
            }
            let hasToken = Int.random(in: 0..<4, using: &generator) > 0
            let isAllowed = Int.random(in: 0..<8, using: &generator) > 0
            let request = Self.call(hasToken, &generator)
            let before = Self.state(engine)
            let outcome = api.outcome(of: request, isAllowed: isAllowed)
            if case .reply(let reply) = outcome, reply.status >= 400 {
                #expect(Self.isProblem(reply) && before == Self.state(engine), "\(request)")
            } else {
                let isFree = request.path == "/__reqcli/health"
                let isOfPage = request.headers.contains { $0.name == "Origin" || $0.value == "cross-site" }
                #expect(isAllowed && !isOfPage && (hasToken || isFree) && Self.isSound(outcome), "\(request)")
                if !isFree { carriedOut += 1 }
            }
        }
        #expect(carriedOut > Self.count / 50)
    }

    /// What a call may change.
    private static func state(_ engine: MockEngine) -> [String] {
        ["default", "a"].flatMap { session in
            [engine.overview(of: session).compact, "\(engine.requests(session: session).count)"]
        }
    }

    private static func isProblem(_ reply: ControlReply) -> Bool {
        guard case .object(let members)? = reply.json, reply.json?.compact.contains(token) == false else {
            return false
        }
        return [400, 401, 403, 404, 405, 409].contains(reply.status)
            && members.first?.name == "title"
            && members.contains { $0.name == "status" && $0.value == .int(reply.status) }
    }

    private static func isSound(_ outcome: ControlAPI.Outcome) -> Bool {
        switch outcome {
        case .reply(let reply): [200, 204].contains(reply.status) && reply.json?.compact.contains(token) != true
        case .wait(let endpoint, let count, let timeout, _):
            endpoint.hasPrefix("user.") && count > 0 && (.zero ... .seconds(600)).contains(timeout)
        case .refuse(let time): (.zero ... .seconds(600)).contains(time)
        case .verify(let expectations, _): expectations.allSatisfy { $0.endpoint.hasPrefix("user.") }
        case .show, .stop: true
        }
    }
}

extension [UInt8] {
    /// Puts in a piece, replaces some bytes with it, takes some out, or changes one.
    fileprivate mutating func damage(_ pieces: [[UInt8]], using generator: inout SeededGenerator) {
        let start = Int.random(in: 0...count, using: &generator)
        let end = Swift.min(count, start + Int.random(in: 0...8, using: &generator))
        let piece = pieces.randomElement(using: &generator) ?? []
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: insert(contentsOf: piece, at: start)
        case 1: replaceSubrange(start..<end, with: piece)
        case 2: removeSubrange(start..<end)
        default: if start < count { self[start] = UInt8.random(in: 0...255, using: &generator) }
        }
    }
}
