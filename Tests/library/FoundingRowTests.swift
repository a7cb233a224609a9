import Exchange
import Foundation
import RequestBuilding
import StubServing
import Synchronization
import Testing

@testable import Todos

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The behaviours that the founding articles promise, from a package that depends on the libraries.
@Suite struct FoundingRowTests {
    private let url: URL
    private let client: APIClient

    init() throws {
        url = try #require(URL(string: "https://api.example.com/v1"))
        client = APIClient(baseURL: url, transport: StubTransport(sleep: { _ in }))
    }

    private func made(_ builder: RequestBuilder) throws -> PreparedRequest { try builder.prepared(baseURL: url) }
    private func target(_ builder: RequestBuilder) throws -> String { try made(builder).url.absoluteString }

    // MARK: - A. An environment as the baseline, overridden by the call

    @Test("an environment has scheme, host, port, headers, cache policy and timeout, and a test has its own")
    func environments() throws {
        let development = try RequestBuilder().environment(.development).prepared()
        #expect(development.url.absoluteString == "http://localhost:8080")
        #expect(development.headers == ["Accept": "application/json", "X-Environment": "development"])
        #expect(development.transfer.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(development.transfer.timeouts.total == .seconds(120))
        for environment in [RequestEnvironment.staging, .production] {
            #expect(
                try RequestBuilder().environment(environment).prepared().headers["X-Environment"] == environment.name)
        }
        let own = RequestEnvironment(name: "test", scheme: "http", host: "stub.invalid", port: 81, basePath: "api")
        #expect(
            try RequestBuilder(path: "a").environment(own).prepared().url.absoluteString
                == "http://stub.invalid:81/api/a")
    }

    @Test("the environment is chosen once, and its values are used as they are where a call changes nothing")
    func chosenOnce() throws {
        let base = RequestBuilder().environment(.staging)
        #expect(
            try [base.appending(.get("a")), base.appending(.post("b"))].map { try $0.prepared().url.host } == [
                "staging.example.com", "staging.example.com",
            ])
        #expect(try base.appending(.get("ping")).prepared().headers == base.prepared().headers)
    }

    @Test("a path from the root replaces the environment's path; scheme and host stay")
    func rootPath() throws {
        let base = RequestBuilder().environment(RequestEnvironment(name: "e", host: "h", basePath: "/api"))
        #expect(try base.path(fromRoot: "/v3/user").prepared().url.absoluteString == "https://h/v3/user")
    }

    @Test("a new header is added, one of the same name replaces, several at once likewise; the environment's stay")
    func headers() throws {
        let base = RequestBuilder().environment(.development)
        let one = try base.header("X-New", "1").header("accept", "text/html").prepared().headers
        #expect(one["X-New"] == "1" && one.values("Accept") == ["text/html"] && one["X-Environment"] == "development")
        let several = try base.headers(["Accept": "a/b", "X-New": "2"]).prepared().headers
        #expect(
            several.values("Accept") == ["a/b"] && several["X-New"] == "2" && several["X-Environment"] == "development")
    }

    @Test("a call's cache policy and timeout override those of the environment")
    func overrides() throws {
        let call = RequestBuilder().environment(.development).cachePolicy(.returnCacheDataElseLoad).timeout(.seconds(3))
        let transfer = try call.prepared().transfer
        #expect(transfer.cachePolicy == .returnCacheDataElseLoad && transfer.timeouts.total == .seconds(3))
    }

    @Test("query items are joined and encoded, and an empty list leaves no question mark")
    func query() throws {
        #expect(
            try target(RequestBuilder(path: "a").query([("b", "c d"), ("e", "f&g")])) == "\(url)/a?b=c%20d&e=f%26g")
        #expect(try target(RequestBuilder(path: "a").query([])) == "\(url)/a")
    }

    @Test("the bytes of a body are sent as they are")
    func bytes() throws {
        #expect(try made(.post("a").body(Data([0, 255, 10]))).body == .data(Data([0, 255, 10])))
    }

    @Test("an invalid URL is an error that says what is wrong")
    func invalidURL() throws {
        let error = #expect(throws: RequestBuildingError.self) { try RequestBuilder.get("a").host("a b").prepared() }
        #expect(error?.kind == .invalidHost && error?.localizedDescription.contains("\"a b\"") == true)
    }

    @Test("two requests of one builder don't influence each other")
    func noStaleState() throws {
        let base = RequestBuilder.get("a").queryItem("b", "1")
        let changed = base.queryItem("b", "2").header("X", "y").body(Data([1]))
        #expect(try made(base) == made(.get("a").queryItem("b", "1")))
        #expect(try target(changed) == "\(url)/a?b=2")
    }

    // MARK: - B. Client, middlewares, stubs

    @Test("a client sends a spec with its path, method, headers and body, and decodes the response")
    func spec() async throws {
        struct Save: APISpec {
            typealias Value = Breed
            var endpoint: String { "breeds" }
            var method: HTTPMethod { .put }
            var headers: HeaderFields { ["X-Trace": "7"] }
            var body: (any Encodable)? { Breed(breedName: "Pug") }
        }
        let client = client.stubbing(Stub(json: #"{"breedName": "Pug"}"#), for: "breeds")
        #expect(try await client.value(of: Save()) == Breed(breedName: "Pug"))
        let sent = client.stubs.requests.first
        #expect(sent?.method == .put && sent?.headers["X-Trace"] == "7")
        #expect(sent?.body?.data == Data(#"{"breedName":"Pug"}"#.utf8))
    }

    @Test("a status that isn't 2xx is an error with status and body")
    func failedStatus() async throws {
        let client = client.stubbing(Stub(json: #"{"error": "gone"}"#, status: 410), for: "a")
        let error = await #expect(throws: RequestFailed.self) { try await client.data(of: .get("a")) }
        #expect(error?.status == 410 && error?.body == Data(#"{"error": "gone"}"#.utf8))
    }

    @Test("a stub is JSON, data, a file or an error, and gives a new client")
    func stubs() async throws {
        let file = URL.temporaryDirectory.appending(path: "\(UUID()).json").path
        try Data("3".utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let stubbed = client.stubbing(Stub(json: "1"), for: "a").stubbing(Stub(data: Data("2".utf8)), for: "b")
            .stubbing(Stub(file: file), for: "c").stubbing(Stub(error: .dns), for: "d")
        #expect(
            try await [stubbed.value(of: .get("a")), stubbed.value(of: .get("b")), stubbed.value(of: .get("c"))] == [
                1, 2, 3,
            ])
        await #expect(throws: TransportError.self) { try await stubbed.data(of: .get("d")) }
        await #expect(throws: StubMissing.self) { try await client.data(of: .get("a")) }
    }

    @Test("several responses are taken in order; a stub fits the end of the path, and another one all the rest")
    func sequences() async throws {
        let client = client.stubbing([Stub(json: "1"), Stub(json: "2")], for: "todos").stubbingRest(Stub(json: "0"))
        var answers: [Int] = []
        for path in ["todos", "other", "deep/todos"] { answers.append(try await client.value(of: .get(path))) }
        #expect(answers == [1, 0, 2])
    }

    @Test("a request without a stub is an error that names it and the stubs, and removed stubs are forgotten")
    func missing() async throws {
        let client = client.stubbing(Stub(json: "1"), for: "todos")
        let error = await #expect(throws: StubMissing.self) { try await client.data(of: .get("todo")) }
        #expect(error?.request == "GET https://api.example.com/v1/todo" && error?.stubs == ["todos"])
        await #expect(throws: StubMissing.self) { try await client.removingStubs().data(of: .get("todos")) }
    }

    @Test("a stub's response goes through the real decoding and the real middlewares")
    func realPath() async throws {
        let spy = Spy()
        let client = APIClient(baseURL: url, transport: StubTransport(), middlewares: [spy])
            .stubbing(Stub(json: "[1"), for: "a")
        await #expect(throws: ResponseNotDecoded.self) { let _: [Int] = try await client.value(of: .get("a")) }
        #expect(spy.count.withLock { $0 } == 1)
    }

    @Test("an authorization adds its header and keeps URL and method")
    func authorization() async throws {
        let trial = try await AuthorizationMiddleware(token: "t").trial(of: .post("a?b"))
        #expect(trial.requests.map(\.method) == [.post])
        #expect(trial.requests.map(\.url.absoluteString) == ["http://stub.invalid/a%3Fb"])
        #expect(trial.requests.map { $0.headers["Authorization"] } == ["Bearer t"])
    }

    @Test(
        "a log has method, URL and headers once for each request, and sees only what middlewares before it have added")
    func logging() async throws {
        let lines = Mutex<[String]>([])
        let log = LoggingMiddleware { line in lines.withLock { $0.append(line) } }
        for middlewares in [[log, AuthorizationMiddleware(token: "t")], [AuthorizationMiddleware(token: "t"), log]]
            as [[any Middleware]]
        {
            let client = APIClient(
                baseURL: url, transport: StubTransport().stubbingRest(Stub()), middlewares: middlewares)
            _ = try await client.send(.get("a").header("X-Trace", "7"))
        }
        let text = lines.withLock { $0 }
        let requests = text.joined(separator: "\n").components(separatedBy: "GET https://api.example.com/v1/a")
        // Each of the two requests is named with its headers, and once more with its status.
        #expect(requests.count == 5)
        #expect(text.joined().components(separatedBy: "X-Trace: 7").count == 3)
        #expect(text.joined().components(separatedBy: "Authorization: ").count == 2)
        #expect(!text.joined().contains("Bearer t"))
    }

    @Test("todos: one, a list, a new one, a missing one and an empty list")
    func todos() async throws {
        let client = client.stubbing(Stub(json: #"{"id": 1}"#), for: "todos/1").stubbing(
            Stub(status: 404), for: "todos/9"
        )
        .stubbing(Stub(json: "[]"), for: StubPattern("todos", method: .get))
        .stubbing(Stub(json: #"{"id": 2}"#, status: 201), for: StubPattern("todos", method: .post))
        #expect(try await client.value(of: .get("todos/1")) == ["id": 1])
        #expect(try await client.value(of: .get("todos"), as: [Int].self) == [])
        #expect(try await client.value(of: .jsonPost("todos", ["title": "Rest"])) == ["id": 2])
        #expect(try await client.valueIfPresent(of: .get("todos/9"), as: [String: Int].self) == nil)
    }

    // MARK: - C. Variants without a network

    @Test(
        "one endpoint has variants, from files, and works before there is a server",
        arguments: ["standard", "empty", "with_more"])
    func variants(_ name: String) async throws {
        let counts = ["standard": 14, "empty": 0, "with_more": 19]
        let file = URL.temporaryDirectory.appending(path: "\(UUID()).json").path
        try JSONEncoder().encode(Array(repeating: "Akita", count: counts[name] ?? 0)).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let breeds: [String] = try await client.stubbing(Stub(file: file), for: "breeds").value(of: .get("breeds"))
        #expect(breeds.count == counts[name])
        let malformed = client.stubbing(Stub(json: "["), for: "breeds")
        await #expect(throws: ResponseNotDecoded.self) {
            let _: [String] = try await malformed.value(of: .get("breeds"))
        }
    }

    @Test("URL and session are injected, for a callback too, and an unknown URL fails and doesn't hang")
    func injected() async throws {
        let session = APIClient(
            baseURL: url, transport: URLSessionTransport(session: URLSession(configuration: .exchange)))
        let client = session.stubbing(Stub(json: "[1]"), for: "a")
        let answer = try await withCheckedThrowingContinuation { continuation in
            client.value(of: .get("a"), as: [Int].self) { continuation.resume(with: $0) }
        }
        #expect(answer == [1])
        await #expect(throws: StubMissing.self) { try await client.data(of: .get("b")) }
    }

    @Test("a response comes late, or is an error, in the scenario that wants it")
    func scenarios() async throws {
        let late = client.stubbing(Stub(json: "1").delayed(by: .seconds(9)), for: "a")
        await #expect(throws: TransportError.self) {
            try await late.data(of: RequestBuilder.get("a").timeout(.seconds(1)))
        }
        #expect(try await late.value(of: .get("a")) == 1)
        let failing = client.stubbing(Stub(error: URLError(.notConnectedToInternet)), for: "a")
        await #expect(throws: URLError.self) { try await failing.data(of: .get("a")) }
    }

    @Test("snake_case decodes into Swift names")
    func snakeCase() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = APIClient(baseURL: url, transport: StubTransport(), decoder: decoder)
            .stubbing(Stub(json: #"{"breed_name": "Pug"}"#), for: "a")
        #expect(try await client.value(of: .get("a")) == Breed(breedName: "Pug"))
    }

    // MARK: - D. The immutable builder

    @Test("the base comes at the end, and joins the path right whatever slashes they have")
    func joining() throws {
        for (base, path) in [("http://h/api", "users"), ("http://h/api/", "users")] {
            let request = try RequestBuilder(path: path).makeRequest(baseURL: URL(string: base))
            #expect(request.url?.absoluteString == "http://h/api/users")
        }
        for path in ["users", "/users"] {
            #expect(
                try RequestBuilder(path: path).makeRequest(baseURL: URL(string: "http://h/")).url?.absoluteString
                    == "http://h/users")
        }
    }

    @Test("the URL's components are the one truth, and changes of the request run once the URL is known")
    func oneTruth() throws {
        let builder = RequestBuilder.get("a").modifyRequest { $0.headers.set("X-Path", $0.url.path) }
            .modifyURLComponents { $0.path += "/b" }
        #expect(try made(builder).headers["X-Path"] == "/v1/a/b")
    }

    @Test("every operator gives a new builder and leaves its receiver")
    func immutable() throws {
        let builder = RequestBuilder.get("a")
        _ = builder.header("X", "1").queryItem("b", "2").path("c").method(.post).textBody("d").timeout(.seconds(1))
        #expect(try made(builder) == made(.get("a")))
    }

    @Test("an app's own operators change the URL and the request")
    func openDoors() throws {
        let builder = RequestBuilder.get("a").modifyURLComponents { $0.query = "own=1" }
            .modifyURLRequest { $0.timeoutInterval = 60 }
        #expect(try target(builder) == "\(url)/a?own=1")
        #expect(try made(builder).transfer.timeouts.total == .seconds(60))
    }

    @Test("query items append, and a value is encoded")
    func queryItems() throws {
        let builder = RequestBuilder.get("users/search").addingQueryItem("city", "San Francisco").addingQueryItem(
            "city", "b")
        #expect(try target(builder) == "\(url)/users/search?city=San%20Francisco&city=b")
    }

    @Test("all methods but CONNECT can be sent")
    func methods() throws {
        for method in [HTTPMethod.get, .post, .put, .head, .delete, .patch, .options, .trace] {
            #expect(try made(RequestBuilder().method(method)).method == method)
        }
        #expect(throws: RequestBuildingError.self) { try HTTPMethod("CONNECT") }
    }

    @Test("a header is added or set by different operators")
    func headerKinds() throws {
        let added = RequestBuilder().addingHeader("Accept", "a/b").addingHeader("Accept", "c/d")
        #expect(try made(added).headers.values("Accept") == ["a/b", "c/d"])
        #expect(try made(added.header("Accept", "e/f")).headers.values("Accept") == ["e/f"])
    }

    @Test("a body comes from data or a value, with an encoder of the app's own")
    func bodies() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let body = try made(RequestBuilder.post("a").jsonBody(Breed(breedName: "Pug"), encoder: encoder)).body
        #expect(body?.data == Data(#"{"breed_name":"Pug"}"#.utf8))
    }

    @Test("there are starting points for the most common requests")
    func factories() throws {
        #expect(try made(.get("a")).method == .get && made(.post("a")).method == .post)
        #expect(try made(.jsonGet("a")).headers["Accept"] == "application/json")
        let posted = try made(.jsonPost("a", ["b": 1]))
        #expect(posted.method == .post && posted.headers["Content-Type"] == "application/json")
    }

    // MARK: - E. A family of requests

    @Test("parts of a path that aren't there leave no trace")
    func segments() throws {
        #expect(try target(RequestBuilder().path(segments: ["api", nil, "employee", "7"])) == "\(url)/api/employee/7")
        #expect(try target(RequestBuilder().path(segments: [nil])) == "\(url)")
    }

    @Test("six requests of a family stand in one place, and search criteria that aren't given aren't sent")
    func family() throws {
        #expect(try target(.employees) == "\(url)/employees")
        #expect(try target(.employee(1)) == "\(url)/employee/1")
        #expect(try target(.create(["name": "test"])) == "\(url)/create")
        #expect(try made(.update(1, ["name": "test"])).method == .put)
        #expect(try made(.delete(1)).method == .delete)
        #expect(try target(.search(name: "test", salary: 1000)) == "\(url)/search?name=test&salary=1000")
    }

    @Test("a Content-Type goes out with a body alone, and a nil body is none")
    func contentTypes() throws {
        #expect(try made(.employees).headers["Content-Type"] == nil)
        #expect(try made(.create(["name": "test"])).headers["Content-Type"] == "application/json")
        let none = try made(RequestBuilder.post("a").jsonBody(nil as [String: String]?))
        #expect(none.body == nil && none.headers["Content-Type"] == nil)
    }

    @Test("all but the base URL is optional, and a module overrides the base URL")
    func defaults() throws {
        let base = RequestBuilder().baseURL("https://h.example")
        #expect(try base.prepared() == PreparedRequest(url: #require(URL(string: "https://h.example"))))
        #expect(
            try base.baseURL("http://billing:8080").appending(.get("a")).prepared().url.absoluteString
                == "http://billing:8080/a")
    }

    @Test("failures have kinds: no host, no URL")
    func failureKinds() throws {
        func kind(_ builder: RequestBuilder) -> RequestBuildingError.Kind? { builder.problems().first?.kind }
        #expect(kind(.get("a")) == .missingHost)
        #expect(kind(RequestBuilder().baseURL("nowhere")) == .invalidBaseURL)
        #expect(kind(RequestBuilder().baseURL("http://h").modifyURLComponents { $0.user = "ada" }) == .urlNotMade)
    }
}

/// Counts the requests and passes them on.
private final class Spy: Middleware {
    let count = Mutex(0)

    func send(_ request: PreparedRequest, next: Next) async throws -> Response {
        count.withLock { $0 += 1 }
        return try await next(request)
    }
}
