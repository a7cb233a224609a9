import Exchange
import Foundation
@_spi(Generated) import RequestBuilding
import Testing

private struct GetTodo: EndpointCall {
    typealias Value = TitledTodo
    static let id = "todos.get"
    var number: Int

    var request: RequestBuilder { RequestBuilder().path(filling: "todos/\(number)") }

    enum Variant: String, StubVariant {
        case standard, missing, flaky, unknown

        typealias Call = GetTodo

        var stubs: [Stub] {
            switch self {
            case .standard: [Stub(json: #"{"title": "Buy milk"}"#)]
            case .missing: [Stub(status: 404)]
            case .flaky: [Stub(status: 503), Stub(json: #"{"title": "Later"}"#)]
            case .unknown: [Stub(json: #"{"title": "Unknown"}"#)]
            }
        }

        static func variant(for call: GetTodo, sentAs request: PreparedRequest) -> Self? {
            call.number > 1000 ? .unknown : nil
        }
    }
}

private struct ListTodos: EndpointCall {
    var request: RequestBuilder { RequestBuilder(path: "todos") }
}

private struct TitledTodo: Decodable, Equatable {
    var title: String
}

private struct AddTodo: EndpointCall {
    static let id = "todos.add"

    var request: RequestBuilder {
        .deferred {
            RequestBuilder(path: "todos").header("X-Id", $0.uuid(at: "endpoints/todos.json#/headers/X-Id 0 0"))
        }
    }
}

/// Calls of endpoints, and stubs that are found by their ids.
@Suite struct EndpointCallTests {
    private let client: APIClient

    init() throws {
        let url = try #require(URL(string: "https://api.example.com"))
        client = APIClient(baseURL: url, transport: StubTransport())
    }

    @Test func stubsACallWhateverItsParamsAre() async throws {
        let client = client.stubbing(GetTodo.Variant.standard)
        #expect(try await client.value(of: GetTodo(number: 1)).title == "Buy milk")
        #expect(try await client.value(of: GetTodo(number: 2)).title == "Buy milk")
        await #expect(throws: StubMissing.self) { try await client.data(of: ListTodos()) }
    }

    @Test func aSeedMakesTheRandomValuesOfTheEndpoint() async throws {
        let base = RequestBuilder().baseURL("https://api.example.com").value("$environment", "test").seed("7")
        let transport = StubTransport().stubbingRest(Stub(status: 204))
        for base in [base, base, base.seed("8")] {
            _ = try await APIClient(base: base, transport: transport).send(AddTodo())
        }
        let call = RequestBuilder().named(AddTodo.id).appending(AddTodo().request)
        let wanted = try base.appending(call).prepared().headers["X-Id"]
        let sent = transport.requests.map { $0.headers["X-Id"] }
        #expect(wanted != nil && sent[0] == wanted && sent[1] == wanted && sent[2] != wanted, "\(sent)")
    }

    @Test(arguments: [#""2026-03-01T12:30:00Z""#, #""2026-03-01T13:30:00.000+01:00""#, "794061000"])
    func readsDates(text: String) async throws {
        struct Event: Decodable { var at: Date }
        let client = client.stubbing(Stub(json: #"{"at": \#(text)}"#), for: ListTodos.self)
        let event: Event = try await client.value(of: ListTodos())
        #expect(event.at == Date(timeIntervalSince1970: 1_772_368_200))
    }

    @Test func leavesDatesToADecoderThatHasItsOwnStrategy() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let client = APIClient(base: client.base, transport: StubTransport(), decoder: decoder)
            .stubbing(Stub(json: "[1]"), for: ListTodos.self)
        #expect(try await client.value(of: ListTodos(), as: [Date].self) == [Date(timeIntervalSince1970: 1)])
    }

    @Test func awaitsSecretsBeforeARequestIsSent() async throws {
        let base = client.base.awaitedValue("secret.token", { "t0ken" }, of: "API.staging")
            .deferred { values in RequestBuilder().header("X-Token", try values["secret.token"].text) }
        let stubs = StubTransport().stubbingRest(Stub(json: "[]"))
        _ = try await APIClient(base: base, transport: stubs).data(of: ListTodos())
        #expect(stubs.requests.first?.headers["X-Token"] == "t0ken")
    }

    @Test func usesVariantsInTurn() async throws {
        let client = client.stubbing(GetTodo.Variant.flaky)
        await #expect(throws: RequestFailed.self) { try await client.value(of: GetTodo(number: 1)) }
        #expect(try await client.value(of: GetTodo(number: 1)).title == "Later")
    }

    @Test func letsTheCallDecideIfNoVariantWasChosen() async throws {
        let offline = client.stubbingAll([GetTodo.Variant.standard])
        #expect(try await offline.value(of: GetTodo(number: 1)).title == "Buy milk")
        #expect(try await offline.value(of: GetTodo(number: 1001)).title == "Unknown")
        let chosen = offline.stubbing(GetTodo.Variant.missing)
        #expect(try await chosen.valueIfPresent(of: GetTodo(number: 1001)) == nil)
    }

    @Test func namesTheRequestByTheTypeUnlessTheCallHasAnId() async throws {
        let stubs = StubTransport().stubbingRest(Stub(json: "[]"))
        let client = client.with(transport: stubs)
        _ = try await client.data(of: ListTodos())
        _ = try await client.data(of: GetTodo(number: 1))
        let names = stubs.requests.compactMap(\.name)
        #expect(names.first?.hasSuffix("ListTodos") == true)
        #expect(names.last == "todos.get")
    }

    @Test func stubsASingleResponseForACall() async throws {
        let client = client.stubbing(Stub(json: #"{"title": "One"}"#), for: GetTodo.self)
        #expect(try await client.value(of: GetTodo(number: 7)).title == "One")
    }

    @Test func namesTheVariantInAFailure() async throws {
        let client = client.stubbing(Stub(error: .reset).named("down"), for: GetTodo.self)
        let error = await #expect(throws: TransportError.self) { try await client.value(of: GetTodo(number: 1)) }
        #expect(error?.localizedDescription.contains("stub down") == true)
    }
}
