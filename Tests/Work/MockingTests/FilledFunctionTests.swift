import Exchange
import RequestBuilding
import Testing

@testable import ReqcliMocking

@Suite struct FilledFunctionTests {
    @Test(
        "functions change the values that fill a variant",
        arguments: [
            ("{{n | plus 1}}", 201, "4"), ("{{request.query.q | upper | default '}}'}}", 201, "}}"),
            ("{{request.path | replace '/' '.'}}", 201, ".v1.a.3"), ("{{file 'secret' | utf8}}", 500, nil),
            ("{{n | fromHex | utf8}}", 500, nil),
        ] as [(String, Int, String?)])
    func filledFunctions(_ placeholder: String, _ status: Int, _ text: String?) throws {
        let fixture = EngineFixture()
        let served = try fixture.served(
            #""a": { "path": "a/{{n}}", "params": { "n": { "type": "integer" } }, "stubs": { "variants": { "x": { "status": 201, "fill": true, "headers": { "X": "\#(placeholder)" } } } } }"#
        )
        let answer = MockEngine(served, world: fixture.world).answer(IncomingRequest("GET /v1/a/3"))
        #expect(answer.status == status)
        if case .stub(let served) = answer.content { #expect(served.stub.headers["X"] == text) }
    }
}
