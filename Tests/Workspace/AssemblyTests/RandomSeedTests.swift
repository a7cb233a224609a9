import ReqcliAssembly
import ReqcliText
@_spi(Generated) import RequestBuilding
import TestSupport
import Testing

@Suite("A seed of random values")
struct RandomSeedTests {
    private static let endpoint = #"""
        {"method": "POST", "headers": {"A": "{{$uuid}}", "B": "{{$random.hex 8}}{{$randomInt}}", "V": "{{v}}", "P": "{{p}}"},
         "params": {"p": {"type": "string", "default": "x"}, "q": {"type": "string", "required": false}},
         "body": {"json": {"a": [{"name": "x", "id": "{{$uuid}}"}, "{{$uuid}}", "{{$uuid}}"], "e\\/~": "\u0041{{$uuid}}\n{{$uuid}}"}}}
        """#
    private static let environment =
        #"{"baseURL": "http://h", "headers": {"E": "{{$uuid}}"}, "variables": {"v": "{{$random.hex 9}}"}}"#

    private func wire(
        _ endpoint: String = endpoint, _ environment: String = environment, seed: String = "1", _ arguments: String...
    ) throws -> Wire {
        var scenario = Scenario(endpoint, environment: environment)
        scenario.arguments = arguments.compactMap { ParameterArgument($0) }
        scenario.stub = { $0.seed = RandomSeed(seed) }
        return try scenario.wire()
    }

    /// The headers and the body, without what a test has added.
    private func values(_ wire: Wire) -> [String] {
        (wire.headers.filter { !$0.hasPrefix("New") } + [wire.body ?? ""]).sorted()
    }

    @Test("Each random value is another one, and all are the same with the same seed only")
    func same() throws {
        let first = try wire()
        #expect(try values(wire()) == values(first))
        let fields = first.headers.filter { $0.dropFirst().hasPrefix(": ") && !$0.hasPrefix("P") }.map {
            $0.dropFirst(3)
        }
        let random = fields + (first.body ?? "").split { "\"\\".contains($0) }.filter { $0.count > 7 }
        #expect(Set(random).count == random.count && random.count == 9, "\(random)")
        let other = try wire(seed: "2")
        #expect(Set(values(other)).intersection(values(first)) == ["P: x", "Content-Type: application/json"])
    }

    @Test(
        "A header, a member or a param that is added changes no other value",
        arguments: [
            (#"{"method""#, #"{"description": "New", "method""#), (#""A":"#, #""New": "{{$uuid}}", "A":"#),
            (#"{{$randomInt}}""#, #"{{$randomInt}}", "New2": "{{$random.hex 8}}""#),
            (#""p": {"type""#, #""new": {"type": "string", "default": "y"}, "p": {"type""#),
            ("\"body\"", "\n\n \"body\""),
        ])
    func added(_ old: String, _ new: String) throws {
        let changed = Self.endpoint.replacing(old, with: new)
        #expect(changed != Self.endpoint)
        #expect(try values(wire(changed)) == values(wire()))
    }

    @Test("An element that is added changes no value in elements with a name")
    func elements() throws {
        let old = #"{"body": {"json": [{"name": "x", "id": "{{$uuid}}"}, {"name": "x", "id": "{{$uuid}}"}]}}"#
        let new = old.replacing("[{", with: #"[{"name": "n"}, 1, {"#)
        func ids(_ endpoint: String) throws -> [Substring] {
            try #require(wire(endpoint).body).split(separator: "\"").filter { $0.count == 36 }
        }
        let first = try ids(old)
        #expect(try ids(new) == first && Set(first).count == 2)
    }

    @Test("An environment's header or variable that is added changes no other value")
    func environment() throws {
        let changed = Self.environment.replacing(#""E""#, with: #""New": "{{$uuid}}", "E""#)
            .replacing(#""v""#, with: #""new": "{{$uuid}}", "v""#)
        #expect(try values(wire(Self.endpoint, changed)) == values(wire()))
    }

    @Test("Arguments and the current folder change no value")
    func arguments() throws {
        let (endpoint, environment) = (Self.endpoint, Self.environment)
        let first = try wire(endpoint, environment, "p=1", "q=2")
        #expect(try values(wire(endpoint, environment, "q=3", "p=1")) == values(first))
        var scenario = Scenario(endpoint, environment: Self.environment, "p=1", "q=2")
        scenario.folder = "/w/endpoints"
        scenario.stub = { $0.seed = RandomSeed("1") }
        #expect(try values(scenario.wire()) == values(first))
    }

    @Test("The values are those of generated Swift with the same seed")
    func generated() throws {
        let endpoint = #"{"headers": {"A": "{{$uuid}}", "B": "{{$uuid}}-{{$randomInt}}", "V": "{{v}}"}}"#
        let environment =
            #"{"baseURL": "http://h", "headers": {"E": "{{$uuid}}"}, "variables": {"v": "{{$uuid}}"}}"#
        let base = RequestBuilder().baseURL("http://h").value("$environment", "env")
            .value("v") { .string($0.uuid(at: "environments/env.json#/variables/v 0 0")) }
            .deferred { RequestBuilder().header("E", $0.uuid(at: "environments/env.json#/headers/E 0 0")) }
        let call = RequestBuilder.deferred { values in
            let number = values.randomInt(at: "endpoints/g.json#/endpoints/e/headers/B 1 0").text
            return RequestBuilder().header("A", values.uuid(at: "endpoints/g.json#/endpoints/e/headers/A 0 0"))
                .header("B", "\(values.uuid(at: "endpoints/g.json#/endpoints/e/headers/B 0 0"))-\(number)")
                .header("V", try values["v"].text)
        }
        var scenario = Scenario(endpoint, environment: environment, defaults: "{}")
        scenario.stub = { $0.seed = RandomSeed("1") }
        let wire = try scenario.wire()
        let headers = try base.seed("1").named("g.e").appending(call).prepared().headers
        #expect(headers.count == 4)
        for header in headers { #expect(wire.headers.contains("\(header.name): \(header.value)"), "\(wire.headers)") }
    }

    @Test("A list of many random values takes linear time", .timeLimit(.minutes(1)))
    func many() throws {
        let list = Array(repeating: #""{{$uuid}}""#, count: 20_000).joined(separator: ", ")
        let text = String(repeating: "{{$uuid}}", count: 20_000)
        let wire = try wire(#"{"body": {"json": {"list": [\#(list)], "text": "\#(text)"}}}"#)
        let ids = try #require(wire.body).split(separator: "\"").filter { $0.count == 36 }
        #expect(Set(ids).count == 20_000)
    }
}
