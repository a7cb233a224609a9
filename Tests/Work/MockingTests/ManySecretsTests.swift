import HTTPWire
import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

@testable import ReqcliMocking

/// A request with more secret values than are searched for one by one shows nothing that it quotes.
@Suite struct ManySecretsTests {
    private static func engine() throws -> MockEngine {
        var fixture = EngineFixture()
        fixture.environment = #"""
            { "baseURL": "https://api.example.com/v1", "secrets": { "tok": { "env": "TOK" } } }
            """#
        return MockEngine(
            try fixture.served(
                #"""
                "a": { "method": "POST", "path": "a/{{id}}", "query": { "q": "1", "expected": "2" },
                  "params": { "id": { "type": "integer" } }, "body": { "form": { "p": "{{secret.tok}}", "n": "x" } } }
                """#),
            world: fixture.world)
    }

    private static func request(_ count: Int, id: String, last: String) -> IncomingRequest {
        let form = (0..<count).map { "p=SEKRET\($0)" }.joined(separator: "&") + "&n=plain"
        return IncomingRequest(
            method: "POST", path: "/v1/a/\(id)", query: "q=\(last)",
            headers: HeaderLines([(name: "Content-Type", value: "application/x-www-form-urlencoded")]),
            body: Array(form.utf8))
    }

    @Test("all that is quoted is masked, and no word of a problem", arguments: [1001, 20_000])
    func tooMany(_ count: Int) throws {
        let engine = try Self.engine()
        let request = Self.request(count, id: "7", last: "SEKRET\(count - 1)")
        let answer = engine.answer(request)
        #expect(answer.mask.areTooMany)
        #expect(answer.mask.values.count == RequestMask.limit)
        let problems = answer.problems.map { answer.mask.text($0.message) }
        #expect(problems.contains(#"the query item q is ***; expected "1""#), "\(problems)")
        #expect(problems.contains("the query item expected is missing"), "\(problems)")
        let journal = engine.requests(session: "default").map(\.json.compact).joined()
        #expect(journal.contains(#""body":"***""#), "\(journal)")
        let complaints = engine.complaints(expecting: []).map(\.description)
        for text in [journal, answer.mask.target(of: request)] + problems + complaints {
            #expect(!text.contains("SEKRET"), "\(text)")
        }
    }

    @Test("as many as the limit are masked one by one")
    func asManyAsTheLimit() throws {
        let engine = try Self.engine()
        let answer = engine.answer(Self.request(RequestMask.limit, id: "7", last: "SEKRET999"))
        #expect(!answer.mask.areTooMany)
        let journal = engine.requests(session: "default").map(\.json.compact).joined()
        #expect(journal.contains("p=***&p=***&n=plain"), "\(journal.suffix(300))")
        #expect(!journal.contains("SEKRET"))
    }
}
