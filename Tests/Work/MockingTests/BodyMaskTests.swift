import HTTPWire
import ReqcliText
import TestSupport
import Testing

@testable import ReqcliMocking

/// Secrets in bodies that are cut, compressed or not read, or that only the last endpoint takes.
@Suite struct BodyMaskTests {
    private let environment = #"""
        { "baseURL": "https://api.example.com/v1", "secrets": { "tok": { "env": "TOK" } } }
        """#

    @Test("a secret at the end of the part of a body that is kept is masked")
    func cut() throws {
        var fixture = EngineFixture()
        fixture.environment = environment
        let engine = MockEngine(
            try fixture.served(
                #""a": { "method": "POST", "path": "a", "body": { "json": { "x": "{{x}}", "p": "{{secret.tok}}" } }, "params": { "x": { "type": "string" } } }"#
            ),
            world: fixture.world)
        let start = #"{"x": ""#
        let middle = #"", "p": ""#
        let filling = String(repeating: "y", count: JournalEntry.bodyLimit - start.count - middle.count - 5)
        _ = engine.answer(IncomingRequest("POST /v1/a " + start + filling + middle + #"SEKRETSEKRET"}"#))
        let journal = engine.requests(session: "default").map(\.json.compact).joined()
        #expect(journal.contains(#"yy\", \"p\": \"***""#))
        #expect(!journal.contains("SEKR"))
    }

    @Test("the start of a body that isn't read shows nothing where a secret may be in it")
    func unread() throws {
        var fixture = EngineFixture()
        fixture.environment = environment
        fixture.options.proxying = .unnamed
        let engine = MockEngine(
            try fixture.served(
                #""a": { "method": "POST", "path": "a", "body": { "json": { "p": "{{secret.tok}}" } } }"#),
            world: fixture.world, options: fixture.options)
        let request = IncomingRequest(
            method: "POST", path: "/v1/a", query: nil,
            headers: HeaderLines([(name: "Content-Type", value: "application/json")]),
            body: Array(#"{"p": "SEKRET"#.utf8), isCut: true)
        _ = engine.answer(toStartOf: request)
        let journal = engine.requests(session: "default").map(\.json.compact).joined()
        #expect(journal.contains(#""body":"***""#), "\(journal)")
    }

    @Test("a compressed body with a secret isn't shown, and its secret is known")
    func compressed() throws {
        // The gzip of p=SEKRETa.
        let bytes: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2B, 0xB0, 0x0D, 0x76, 0xF5, 0x0E,
            0x72, 0x0D, 0x49, 0x04, 0x00, 0xE6, 0xD1, 0xDE, 0x99, 0x09, 0x00, 0x00, 0x00,
        ]
        var fixture = EngineFixture()
        fixture.environment = environment
        let engine = MockEngine(
            try fixture.served(
                #""a": { "method": "POST", "path": "a", "body": { "form": { "p": "{{secret.tok}}" } } }"#),
            world: fixture.world)
        let fields = [
            (name: "Content-Type", value: "application/x-www-form-urlencoded"),
            (name: "Content-Encoding", value: "gzip"),
        ]
        let answer = engine.answer(
            IncomingRequest(method: "POST", path: "/v1/a", query: nil, headers: HeaderLines(fields), body: bytes))
        let journal = engine.requests(session: "default").map(\.json.compact).joined()
        #expect(journal.contains(#""body":"***""#), "\(journal)")
        #expect(answer.mask.text("of SEKRETa") == "of ***")
    }

    @Test("a request that the last endpoint answers hides what is secret there")
    func lastEndpoint() throws {
        var fixture = EngineFixture()
        fixture.environment = environment
        let engine = MockEngine(
            try fixture.served(
                #""a": { "method": "POST", "path": "a", "params": { "pin": { "type": "string", "secret": true } }, "body": { "json": { "code": "{{pin}}" } }, "stubs": { "variants": { "standard": { "text": "ok" } } } }"#,
                last: "user.a"),
            world: fixture.world)
        _ = engine.answer(IncomingRequest(#"POST /v1/other {"code": "SEKRET"}"#))
        let journal = engine.requests(session: "default").map(\.json.compact).joined()
        #expect(journal.contains("/v1/other") && !journal.contains("SEKRET"), "\(journal)")
    }
}
