import Exchange
import Foundation
import RequestBuilding
import Synchronization
import Testing

@testable import Todos

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
        // The 60 s that every URLRequest has are URLSession's limit between two packets, and so they are here.
        #expect(try PreparedRequest(URLRequest(url: url)).transfer.timeouts.idle == .seconds(60))
        var own = URLRequest(url: url)
        own.timeoutInterval = 90
        #expect(try PreparedRequest(own).transfer.timeouts.total == .seconds(90))
        let slow = APIClient(
            base: RequestBuilder().environment(RequestEnvironment(name: "test", host: "stub.invalid")),
            transport: client.transport
        )
        .stubbing(Stub(json: "1").delayed(by: .seconds(70)), for: "a")
        let error = await #expect(throws: TransportError.self) { try await slow.data(of: .get("a")) }
        #expect(error?.kind == .timeout(.total))
    }

    @Test("headers come from a dictionary, and a header that is nil is left out")
    func headers() throws {
        let values = ["Accept": "text/html", "X-Trace": "1"]
        let request = try RequestBuilder.get("a").headers(HeaderFields(values)).header("X-None", nil).prepared(
            baseURL: url)
        #expect(request.headers == ["Accept": "text/html", "X-Trace": "1"])
        let trace: String? = nil
        #expect(["Accept": "text/html", "X-Trace": trace] == HeaderFields(["Accept": "text/html"]))
    }

    @Test("one operator replaces the whole query, and its items are pairs")
    func query() throws {
        let builder = RequestBuilder.get("a").addingQueryItem("old", "1")
        #expect(
            try target(builder.query([("city", "San Francisco"), ("page", nil)])) == "\(url)/a?city=San%20Francisco")
        #expect(try target(builder.query([])) == "\(url)/a")
        #expect(try target(builder.addingQuery([("b", "2"), ("c", nil), ("b", "3")])) == "\(url)/a?old=1&b=2&b=3")
    }

    @Test("the environment of a builder can be read")
    func environment() {
        #expect(RequestBuilder().environment(.staging).appending(.get("a")).environment?.name == "staging")
    }

    @Test("an environment's Content-Type goes out only with a body")
    func contentType() throws {
        let base = RequestBuilder().environment(.development)
        #expect(try base.appending(.get("a")).prepared().headers["Content-Type"] == nil)
        #expect(try base.method(.delete).path("a").prepared().headers["Content-Type"] == nil)
        #expect(
            try base.appending(.post("a")).body(Data("{}".utf8)).prepared().headers["Content-Type"]
                == "application/json")
    }

    @Test("the operator says whether a path goes below the base's path or drops it, and a doubtful slash is an error")
    func paths() throws {
        #expect(try target(.get("users")) == "https://api.example.com/v1/users")
        #expect(try target(RequestBuilder().path(fromRoot: "users")) == "https://api.example.com/users")
        #expect(try target(RequestBuilder().path(fromRoot: "/users")) == "https://api.example.com/users")
        let error = #expect(throws: RequestBuildingError.self) { try target(.get("/users")) }
        #expect(error?.kind == .invalidPath)
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
        let any: [String: Any] = ["name": "Akita", "age": 3, "tags": ["a", true]]
        #expect(try text(.jsonPost("a", any)) == #"{"age":3,"name":"Akita","tags":["a",true]}"#)
        #expect(try text(RequestBuilder.post("a").formBody([("b", "1"), ("b", "2")])) == "b=1&b=2")
    }

    // MARK: - Calls as values

    @Test("a call has a builder, segments, a query and a response type of its own, and a family of calls is one enum")
    func calls() async throws {
        let client = client.stubbing(Stub(json: #"[{"breedName": "Akita"}]"#), for: "breeds/a%2Fb/page?size=2")
            .stubbing(Stub(json: "[]"), for: "slow").stubbing(Stub(json: #"{"breedName": "Pug"}"#), for: "breeds")
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
            let client = client.stubbing(Stub(json: body, status: 404), for: "todos/{id}")
            #expect(try await client.valueIfPresent(of: GetTodo(id: 1), ignoring404Body: true) == nil)
        }
    }

    @Test("a client decodes snake_case with a decoder that is given once")
    func snakeCase() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = APIClient(baseURL: url, transport: StubTransport(), decoder: decoder)
            .stubbing(Stub(json: #"{"breed_name": "Akita"}"#), for: "one")
        #expect(try await client.value(of: .get("one")) == Breed(breedName: "Akita"))
    }

    // MARK: - Stubs

    @Test("a stub is chosen by method, host, path pattern, non-ASCII path, and query in any order")
    func patterns() async throws {
        let client = client.stubbing(Stub(json: "1"), for: StubPattern("todos", method: .post))
            .stubbing(Stub(json: "2"), for: StubPattern("users", host: "api.example.com"))
            .stubbing(Stub(json: "3"), for: "todos/{id}").stubbing(Stub(json: "4"), for: "straße")
            .stubbing(Stub(json: "5"), for: "find?a=1&b=2")
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
        let fixture = client.stubbing(Stub(json: "1"), for: "a")
        #expect(try await fixture.stubbing(Stub(json: "2"), for: "a").value(of: .get("a")) == 2)
        let failing = fixture.stubbing(Stub(error: CocoaError(.fileNoSuchFile)), for: "a")
        await #expect(throws: CocoaError(.fileNoSuchFile)) { try await failing.data(of: .get("a")) }
        let late = try await fixture.stubbing(Stub(error: CocoaError(.fileNoSuchFile), status: 503), for: "a").send(
            .get("a"))
        #expect(late.status == 503)
        await #expect(throws: CocoaError(.fileNoSuchFile)) { try await late.body.data() }
        let twice = fixture.stubbing([Stub(json: "1"), Stub(json: "2")], for: "a", afterwards: .fail)
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
        #expect(try await client.stubbing(variants[0], for: "a").value(of: call) == [1])
        await #expect(throws: ResponseNotDecoded.self) {
            let _: [Int] = try await client.stubbing(variants[1], for: "a").value(of: call)
        }
        for (stub, kind) in [(variants[2], TransportError.Kind.timeout(.total)), (variants[3], .dns)] {
            let error = await #expect(throws: TransportError.self) {
                try await client.stubbing(stub, for: "a").data(of: call)
            }
            #expect(error?.kind == kind)
        }
    }

    @Test("the transport is the switch that takes the whole app offline")
    func offline() async throws {
        let offline = StubTransport().stubbingRest(Stub(error: .unreachable))
        let store = TodoStore(client: APIClient(baseURL: url).with(transport: offline))
        let error = await #expect(throws: TransportError.self) { try await store.todo(1) }
        #expect(error?.kind == .unreachable)
        #expect(offline.requests.count == 1)
    }

    // MARK: - Middlewares

    @Test("a middleware is tried alone")
    func middleware() async throws {
        let trial = try await AuthorizationMiddleware(token: "t").trial(of: .get("a"))
        #expect(trial.requests.first?.headers["Authorization"] == "Bearer t")
    }

    // MARK: - Downloads

    @Test("a download shows its progress, and goes on where it was interrupted")
    func download() async throws {
        let path = URL.temporaryDirectory.appending(path: "\(UUID()).bin").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var cut = Stub(data: Data("abc".utf8), headers: ["ETag": "\"1\"", "Content-Length": "6"])
        cut.error = TransportError(.truncated, target: "")
        let rest = Stub(
            data: Data("def".utf8), status: 206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 3-5/6"])
        let client = client.stubbing([cut, rest], for: "map", afterwards: .fail)
        await #expect(throws: TransportError.self) { try await client.download(.get("map"), to: path) }
        let received = Mutex<[Int]>([])
        try await client.download(.get("map"), to: path) { progress in
            received.withLock { $0.append(progress.received) }
        }
        #expect(received.withLock { $0 } == [6])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("abcdef".utf8))
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

struct SlowReport: EndpointCall {
    typealias Value = [Breed]
    var request: RequestBuilder { .get("slow").timeout(.seconds(300)) }
}

enum BreedAPI: APISpec {
    case list, create(Breed)

    var endpoint: String { "breeds" }
    var method: HTTPMethod { if case .create = self { .post } else { .get } }
    var body: (any Encodable)? { if case .create(let breed) = self { breed } else { nil } }
}

struct GetTodo: APISpec {
    typealias Value = Todo
    let id: Int

    var endpoint: String { "todos" }
    var pathSegments: [String?] { [String(id)] }
}
