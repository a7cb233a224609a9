import Exchange
import Foundation
import ReqcliAssembly
import ReqcliText
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

    @Test("With a seed, a value that is added to a response changes no other value, and each response has its own")
    func seed() throws {
        let headers = #"{ "X": "{{$uuid}}", "Y": "{{$uuid}}" }"#
        let body = #"{ "a": "{{$uuid}}", "b": ["{{$uuid}} {{$uuid}}", "{{$random.hex 9}}"] }"#
        func responses(_ headers: String, _ body: String) throws -> [(values: [String], new: [String])] {
            let fixture = EngineFixture()
            var world = fixture.world
            world.seed = RandomSeed("1")
            let served = try fixture.served(
                #""a": { "path": "a", "stubs": { "variants": { "x": { "fill": true, "headers": \#(headers), "json": \#(body) } } } }"#
            )
            let engine = MockEngine(served, world: world)
            return try (0..<2).map { _ in
                guard case .stub(let served) = engine.answer(IncomingRequest("GET /v1/a")).content,
                    case .data(let data) = served.stub.body
                else { throw EngineFixture.NotFound() }
                guard case .object(let members)? = OrderedJSON(parsing: String(decoding: data, as: UTF8.self)) else {
                    throw EngineFixture.NotFound()
                }
                func member(_ name: String) -> String {
                    members.first { $0.name == name }?.value.compact ?? ""
                }
                let fields: [String] = ["X", "Y"].compactMap { served.stub.headers[$0] }
                return (fields + [member("a"), member("b")], [member("new")])
            }
        }
        let first = try responses(headers, body)
        #expect(Set(first.flatMap(\.values)).count == 8, "\(first)")
        let second = try responses(
            #"{ "New": "{{$uuid}}", "X": "{{$uuid}}", "Y": "{{$uuid}}" }"#,
            #"{ "new": "{{$uuid}}", \#(body.dropFirst())"#)
        #expect(first.map(\.values) == second.map(\.values) && Set(second.flatMap(\.new)).count == 2)
    }
}
