import ReqcliAssembly
import ReqcliText
import TestSupport
import Testing

@Suite("Injection")
struct InjectionTests {
    /// Where a value comes from.
    enum Source: CaseIterable {
        case parameter
        case variable
        case secret

        func scenario(_ members: String, _ value: String) -> Scenario {
            let name = self == .secret ? "secret.v" : "v"
            let text = members.replacing("VALUE", with: "{{\(name)}}")
            switch self {
            case .parameter:
                var scenario = Scenario(#"{"params": {"v": {"type": "string"}}, \#(text)}"#)
                scenario.arguments = [ParameterArgument(name: "v", source: .text(value))]
                return scenario
            case .variable:
                let written = OrderedJSON.string(value.replacing("{{", with: "\\{{")).compact
                return Scenario("{\(text)}", environment: #"{"baseURL": "http://h", "variables": {"v": \#(written)}}"#)
            case .secret:
                var scenario = Scenario(
                    "{\(text)}", environment: #"{"baseURL": "http://h", "secrets": {"v": {"env": "V"}}}"#)
                scenario.stub = { $0.stub(variables: ["V": value]) }
                return scenario
            }
        }
    }

    @Test("No value is more than a value, wherever it stands and wherever it comes from", arguments: Spot.all)
    func injection(_ spot: Spot) throws {
        let sources = Source.allCases
        for (index, value) in HostileText.samples(60, seed: UInt64(spot.name.utf8.count)).enumerated() {
            let source = sources[index % sources.count]
            let scenario = source.scenario(spot.members, value)
            // Whitespace is no secret.
            let isRefused = spot.refuses(value) || source == .secret && HostileText.isBlank(value)
            switch try scenario.outcome() {
            case .success(let request):
                #expect(!isRefused, "let through \(value.debugDescription)")
                try spot.verify(request, value)
            case .failure(let failure):
                #expect(spot.isPicky || isRefused, "refused \(value.debugDescription): \(failure.messages)")
                #expect(failure.definitions.allSatisfy { $0.place != nil }, "\(failure.messages)")
                #expect(failure.usage.isEmpty)
            }
        }
    }

    @Test(
        "CR, LF and NUL headed for a header are an error with its place",
        arguments: ["a\rb", "a\nb", "a\0b", "\r\nX: 1"])
    func header(_ value: String) throws {
        let cases = [
            #""headers": {⟦⟧"X": "{{v}}"}"#, #""auth": ⟦⟧{"bearer": "{{v}}"}"#,
            #""auth": ⟦⟧{"apiKey": {"header": "K", "value": "{{v}}"}}"#,
        ]
        for members in cases {
            var scenario = Scenario(#"{"params": {"v": {"type": "string"}}, \#(members)}"#)
            scenario.arguments = [ParameterArgument(name: "v", source: .text(value))]
            let failure = try scenario.failure()
            #expect(failure.places == scenario.marks)
            #expect(failure.definitions.first?.message.contains("can't be sent in a header") == true)
        }
    }

    @Test(
        "What an author writes in a path keeps its meaning",
        arguments: [
            ("/a%2Fb", "/a%2Fb"), ("/a b", "/a%20b"), ("/é", "/%C3%A9"), ("/a/../b", "/a/../b"), ("/a//b", "/a//b"),
            ("/a+b;c=d,e:f@g", "/a+b;c=d,e:f@g"), ("/100%", "/100%25"), ("/%zz", "/%25zz"),
            ("/a/./{{v}}/../b", "/a/./x/../b"),
            ("/{{v}}%2F{{v}}", "/x%2Fx"), ("/\\\\{{v}}", "/%7B%7Bv%7D%7D"), ("/{{v}}/", "/x/"),
        ])
    func author(_ path: String, _ expected: String) throws {
        let wire = try Scenario(
            #"{"path": "\#(path)"}"#, environment: #"{"baseURL": "http://h/base", "variables": {"v": "x"}}"#
        ).wire()
        #expect(wire.target == expected)
    }

    @Test("A base URL that is all placeholder is taken as it is; in front of a path it may be one, too")
    func baseURL() throws {
        let environment =
            #"{"baseURL": "BASE", "variables": {"base": "https://a:1/x", "tenant": "acme", "scheme": "https"}}"#
        let cases = [
            ("{{base}}", "https://a:1/x/p"), ("{{base}}/y", "https://a:1/x/y/p"),
            ("https://{{tenant}}.example.com", "https://acme.example.com/p"),
            ("{{scheme}}://h/{{tenant}}", "https://h/acme/p"), ("{{scheme}}://{{tenant}}:8443/", "https://acme:8443/p"),
        ]
        for (base, expected) in cases {
            let text = environment.replacing("BASE", with: base)
            #expect(try Scenario(#"{"path": "p"}"#, environment: text).wire().url == expected)
        }
    }
}
