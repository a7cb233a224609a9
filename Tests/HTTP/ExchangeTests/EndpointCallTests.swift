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
