import Exchange
import Foundation
import RequestBuilding
import Synchronization
import Testing

@testable import Todos

/// The behaviours that apps expect of the libraries, tried from a package that depends on them.
@Suite struct OriginTests {
    private let url: URL
    private let client: APIClient

    init() throws {
        url = try #require(URL(string: "https://api.example.com/v1"))
        client = APIClient(baseURL: url, transport: StubTransport(sleep: { _ in }))
    }

    private func target(_ builder: RequestBuilder) throws -> String {
        try builder.prepared(baseURL: url).url.absoluteString
    }

    // MARK: - Environments and overrides

    @Test("a timeout of 60 s holds, set by the request or by its environment")
    func sixtySeconds() async throws {
        #expect(
            try RequestBuilder.get("a").timeout(.seconds(60)).prepared(baseURL: url).transfer.timeouts.total
                == .seconds(60))
        let slow = APIClient(
            environment: RequestEnvironment(name: "test", host: "stub.invalid"), transport: client.transport
        )
        .stub(Stub(json: "1").delayed(by: .seconds(70)), for: "a")
        let error = await #expect(throws: TransportError.self) { try await slow.data(of: .get("a")) }
        #expect(error?.kind == .timeout(.total))
    }

    @Test("headers come from a dictionary, and a header that is nil is left out")
    func headers() throws {
        let values = ["Accept": "text/html", "X-Trace": "1"]
        let request = try RequestBuilder.get("a").headers(HeaderFields(values)).header("X-None", nil).prepared(
            baseURL: url)
        #expect(request.headers == ["Accept": "text/html", "X-Trace": "1"])
    }

    @Test("one operator replaces the whole query, and its items are pairs")
    func query() throws {
        let builder = RequestBuilder.get("a").addingQueryItem("old", "1")
        #expect(
            try target(builder.query([("city", "San Francisco"), ("page", nil)])) == "\(url)/a?city=San%20Francisco")
        #expect(try target(builder.query([])) == "\(url)/a")
    }

    @Test("the environment of a builder can be read")
    func environment() {
        #expect(RequestFactory(environment: .staging).get("a").environment?.name == "staging")
    }

    @Test("an environment's Content-Type goes out only with a body")
    func contentType() throws {
        let requests = RequestFactory(environment: .development)
        #expect(try requests.get("a").prepared().headers["Content-Type"] == nil)
        #expect(try requests.request(.delete, "a").prepared().headers["Content-Type"] == nil)
        #expect(try requests.post("a").body(Data("{}".utf8)).prepared().headers["Content-Type"] == "application/json")
    }

    @Test("a path goes below the base's path, and one with a leading slash drops it")
    func paths() throws {
        #expect(try target(.get("users")) == "https://api.example.com/v1/users")
        #expect(try target(.get("/users")) == "https://api.example.com/users")
    }

    // MARK: - Bodies

    @Test("jsonPost sends Data as it is, takes an encoder, and takes a dictionary")
    func bodies() throws {
        func text(_ builder: RequestBuilder) throws -> String? {
            try builder.prepared(baseURL: url).body?.data.map { String(decoding: $0, as: UTF8.self) }
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        #expect(try text(.jsonPost("a", Data("[1]".utf8))) == "[1]")
        #expect(try text(.jsonPost("a", Breed(breedName: "Akita"), encoder: encoder)) == #"{"breed_name":"Akita"}"#)
        #expect(try text(.jsonPost("a", ["name": "Akita"])) == #"{"name":"Akita"}"#)
        #expect(try text(RequestBuilder.post("a").formBody([("b", "1"), ("b", "2")])) == "b=1&b=2")
    }

    // MARK: - Calls as values

    @Test("a call has a builder, segments, a query and a response type of its own, and a family of calls is one enum")
    func calls() async throws {
        let client = client.stub(json: #"[{"breedName": "Akita"}]"#, endpoint: "breeds/a%2Fb/page?size=2")
            .stub(json: "[]", endpoint: "slow").stub(json: #"{"breedName": "Pug"}"#, endpoint: "breeds")
        #expect(try await client.value(of: BreedPage(group: "a/b")) == [Breed(breedName: "Akita")])
        #expect(try await client.value(of: SlowReport()) == [])
        let pug: Breed = try await client.value(of: BreedAPI.create(Breed(breedName: "Pug")))
        #expect(pug.breedName == "Pug")
        let requests = try #require(client.transport as? StubTransport).requests
        #expect(requests.map(\.method) == [.get, .get, .post])
        #expect(requests[1].transfer.timeouts.total == .seconds(300))
    }

    @Test("404 is nil, also with a blank or JSON body if asked for")
    func missing() async throws {
        for body in ["", " ", #"{"error": "no such todo"}"#] {
            let client = client.stub(json: body, status: 404, endpoint: "todos/{id}")
            #expect(try await client.valueIfPresent(of: GetTodo(id: 1), ignoring404Body: true) == nil)
        }
    }

    @Test("a client decodes snake_case with a decoder that is given once")
    func snakeCase() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = APIClient(baseURL: url, transport: StubTransport(), decoder: decoder)
            .stub(json: #"{"breed_name": "Akita"}"#, endpoint: "one")
        #expect(try await client.value(of: .get("one")) == Breed(breedName: "Akita"))
    }

    // MARK: - Stubs

    @Test("a stub is chosen by method, host, path pattern, non-ASCII path, and query in any order")
    func patterns() async throws {
        let client = client.stub(Stub(json: "1"), for: StubPattern("todos", method: .post))
            .stub(Stub(json: "2"), for: StubPattern("users", host: "api.example.com"))
            .stub(json: "3", endpoint: "todos/{id}").stub(json: "4", endpoint: "straße")
            .stub(json: "5", endpoint: "find?a=1&b=2")
        let builders: [RequestBuilder] = [
            .post("todos"), .get("users"), .get("todos/7"), .get("stra%C3%9Fe"),
            .get("find").query([("b", "2"), ("a", "1")]),
        ]
        var answers: [Int] = []
        for builder in builders { answers.append(try await client.value(of: builder)) }
        #expect(answers == [1, 2, 3, 4, 5])
    }

    @Test("a later stub overrides, any error can be stubbed, and a stub says what follows the last response")
    func overrides() async throws {
        let fixture = client.stub(json: "1", endpoint: "a")
        #expect(try await fixture.stub(json: "2", endpoint: "a").value(of: .get("a")) == 2)
        let failing = fixture.stub(error: CocoaError(.fileNoSuchFile), endpoint: "a")
        await #expect(throws: CocoaError(.fileNoSuchFile)) { try await failing.data(of: .get("a")) }
        let twice = fixture.stub([Stub(json: "1"), Stub(json: "2")], for: "a", afterwards: .fail)
        #expect(try await twice.value(of: .get("a")) == 1)
        #expect(try await twice.value(of: .get("a")) == 2)
        await #expect(throws: StubMissing.self) { try await twice.data(of: .get("a")) }
    }

    @Test("variants are values with names, delays and errors, and a delay longer than the timeout is a timeout")
    func variants() async throws {
        let variants = [
            Stub(json: "[1]").named("standard"), Stub(json: "[").named("malformed"),
            Stub(json: "[]").named("slow").delayed(by: .seconds(9)), Stub(error: .dns),
        ]
        let call = RequestBuilder.get("a").timeout(.seconds(5))
        #expect(try await client.stub(variants[0], for: "a").value(of: call) == [1])
        await #expect(throws: ResponseNotDecoded.self) {
            let _: [Int] = try await client.stub(variants[1], for: "a").value(of: call)
        }
        for (stub, kind) in [(variants[2], TransportError.Kind.timeout(.total)), (variants[3], .dns)] {
            let error = await #expect(throws: TransportError.self) {
                try await client.stub(stub, for: "a").data(of: call)
            }
            #expect(error?.kind == kind)
        }
    }

    @Test("the transport is the switch that takes the whole app offline")
    func offline() async throws {
        let offline = StubTransport().stubRest(Stub(error: .unreachable))
        let store = TodoStore(client: APIClient(baseURL: url).with(transport: offline))
        let error = await #expect(throws: TransportError.self) { try await store.todo(1) }
        #expect(error?.kind == .unreachable)
        #expect(offline.requests.count == 1)
    }

    // MARK: - Middlewares

    @Test("a middleware is tried alone, with a closure as its next step")
    func middleware() async throws {
        let request = try RequestBuilder.get("a").prepared(baseURL: url)
        let seen = Mutex<PreparedRequest?>(nil)
        let response = try await AuthorizationMiddleware(token: "t").send(request) { request in
            seen.withLock { $0 = request }
            return Response(status: 204)
        }
        #expect(response.status == 204)
        #expect(seen.withLock { $0?.headers["Authorization"] } == "Bearer t")
    }
}

struct Breed: Codable, Equatable {
    var breedName: String
}

struct BreedPage: APISpec {
    typealias Value = [Breed]
    let group: String

    var endpoint: String { "breeds" }
    var pathSegments: [String?] { [group, nil, "page"] }
    var query: [(name: String, value: String?)] { [("size", "2"), ("after", nil)] }
}

struct SlowReport: APISpec {
    typealias Value = [Breed]
    var endpoint: String { "unused" }
    var builder: RequestBuilder { .get("slow").timeout(.seconds(300)) }
}

enum BreedAPI: APISpec {
    case list, create(Breed)

    var endpoint: String { "breeds" }
    var method: HTTPMethod { if case .create = self { .post } else { .get } }
    var body: (any Encodable)? { if case .create(let breed) = self { breed } else { nil } }
}
