import Exchange
import ReqcliNetworking
import RequestBuilding
import Testing

struct Todo: Codable, Equatable {
    var id: Int
    var title: String
    var isDone: Bool
}

/// The todo API of the articles.
enum TodoAPI: APISpec {
    case list, one(Int), create(Todo)

    var endpoint: String {
        switch self {
        case .list, .create: "todos"
        case .one(let id): "todos/\(id)"
        }
    }

    var method: HTTPMethod {
        if case .create = self { .post } else { .get }
    }

    var body: (any Encodable)? {
        if case .create(let todo) = self { todo } else { nil }
    }
}

/// A call that declares its response type.
struct TodoCall: APISpec {
    typealias Value = Todo
    let id: String
    var fields: String?

    var endpoint: String { "todos" }
    var pathSegments: [String?] { [nil, id] }
    var query: [(name: String, value: String?)] { [("fields", fields), ("expand", "a b")] }
}

/// A call with a request of its own.
struct SlowReport: EndpointCall {
    typealias Value = [Todo]
    var request: RequestBuilder { RequestBuilder.get("reports/slow").queryItem("all", "1").timeout(.seconds(300)) }
}

@Suite struct APIClientTests {
    static let first = #"{"id": 1, "title": "Write tests", "isDone": true}"#
    private let client: APIClient

    init() throws {
        client = APIClient(baseURL: try #require(URL(string: "https://api.example.com/v1")), transport: StubTransport())
    }

    @Test("a client sends the request that a spec describes and decodes the response")
    func sendsSpec() async throws {
        let client = client.stubbing(Stub(json: Self.first), for: "todos/1")
        let todo: Todo = try await client.value(of: TodoAPI.one(1))
        #expect(todo == Todo(id: 1, title: "Write tests", isDone: true))
        let request = try #require((client.transport as? StubTransport)?.requests.first)
        #expect(request.url.absoluteString == "https://api.example.com/v1/todos/1")
        #expect(request.method.token == "GET")
    }

    @Test("a spec's method, headers and body are sent")
    func spec() async throws {
        let todo = Todo(id: 2, title: "New", isDone: false)
        let client = client.stubbing(Stub(json: Self.first, status: 201), for: "todos")
        let _: Todo = try await client.value(of: TodoAPI.create(todo))
        let request = try #require((client.transport as? StubTransport)?.requests.first)
        #expect(request.method.token == "POST")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(try JSONDecoder().decode(Todo.self, from: request.body?.data ?? Data()) == todo)
    }

    @Test("a typed spec decodes to its own type; its segments and query are encoded, and nil is left out")
    func typedSpec() async throws {
        let client = client.stubbing(Stub(json: Self.first), for: "todos/a%2Fb?expand=a%20b")
        let call = TodoCall(id: "a/b")
        let todo = try await client.value(of: call)
        #expect(todo == Todo(id: 1, title: "Write tests", isDone: true))
        #expect(try await client.valueIfPresent(of: call) == todo)
        #expect(try await client.data(of: call) == Data(Self.first.utf8))
        #expect(try await client.send(call).status == 200)
        let called = try await withCheckedThrowingContinuation { continuation in
            client.value(of: call) { continuation.resume(with: $0) }
        }
        #expect(called == todo)
    }

    @Test("a spec without its own type decodes to the caller's type")
    func untypedSpec() async throws {
        let client = client.stubbing(Stub(json: Self.first), for: "todos/1").stubbing(
            Stub(data: Data(), status: 404), for: "todos")
        #expect(try await client.value(of: TodoAPI.one(1), as: Todo.self).id == 1)
        #expect(try await client.valueIfPresent(of: TodoAPI.one(1), as: Todo.self)?.id == 1)
        #expect(try await client.valueIfPresent(of: TodoAPI.list, as: [Todo].self) == nil)
    }

    @Test("a spec leaves out a header that is nil, and encodes its body with its encoder")
    func specParts() async throws {
        struct Save: APISpec {
            struct Form: Encodable { let firstName: String }
            var trace: String?
            var endpoint: String { "forms" }
            var method: HTTPMethod { .post }
            var headers: HeaderFields { ["X-Trace": trace, "X-Kind": "form"] }
            var body: (any Encodable)? { Form(firstName: "Ada") }
            var encoder: JSONEncoder {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                return encoder
            }
        }
        let request = try Save().request.prepared(baseURL: URL(string: "http://h"))
        #expect(request.body == .data(Data(#"{"first_name":"Ada"}"#.utf8)))
        #expect(request.headers == ["Content-Type": "application/json", "X-Kind": "form"])
        #expect(try Save(trace: "7").request.prepared(baseURL: URL(string: "http://h")).headers["X-Trace"] == "7")
    }

    @Test("a call's own request is used, with its query")
    func ownRequest() async throws {
        let client = client.stubbing(Stub(json: "[]"), for: "reports/slow?all=1")
        #expect(try await client.value(of: SlowReport()).isEmpty)
        let request = try #require((client.transport as? StubTransport)?.requests.first)
        #expect(request.transfer.timeouts.total == .seconds(300))
    }

    @Test("a client's environment is chosen once and applies to every request")
    func environment() async throws {
        let transport = StubTransport().stubbingRest(Stub(json: "[]"))
        let client = APIClient(base: RequestBuilder().environment(.development), transport: transport)
        let _: [Todo] = try await client.value(of: .get("todos"))
        let request = try #require(transport.requests.first)
        #expect(request.url.absoluteString == "http://localhost:8080/todos")
        #expect(request.headers["X-Environment"] == "development")
        #expect(request.transfer.timeouts.total == .seconds(120))
    }

    @Test("a status other than 2xx is an error with status, head and body")
    func requestFailed() async throws {
        let client = client.stubbing(Stub(json: #"{"error": "gone"}"#, status: 410), for: "todos/1")
        let error = await #expect(throws: RequestFailed.self) {
            let _: Todo = try await client.value(of: TodoAPI.one(1))
        }
        #expect(error?.status == 410)
        #expect(error?.head.headers["Content-Type"] == "application/json")
        #expect(error?.body == Data(#"{"error": "gone"}"#.utf8))
        #expect(error?.description == "the response from api.example.com has the status 410 Gone")
    }

    @Test("a response that cannot be decoded is an error that says what is wrong and where")
    func notDecoded() async throws {
        let client = client.stubbing(Stub(json: #"{"id": "one"}"#), for: "todos/1")
        let error = await #expect(throws: ResponseNotDecoded.self) {
            let _: Todo = try await client.value(of: TodoAPI.one(1))
        }
        let message = error?.description ?? ""
        #expect(message.hasPrefix("the response with status 200 of type application/json can't be decoded as Todo: "))
        #expect(message.contains("$.id"), "\(message)")
        #expect(error?.body == Data(#"{"id": "one"}"#.utf8))
    }

    @Test("snake_case JSON decodes into Swift names")
    func snakeCase() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = APIClient(
            baseURL: try #require(URL(string: "https://api.example.com")),
            transport: StubTransport().stubbingRest(Stub(json: #"{"id": 1, "title": "a", "is_done": true}"#)),
            decoder: decoder)
        let todo: Todo = try await client.value(of: .get("todos/1"))
        #expect(todo.isDone)
    }

    @Test("a client decodes with any decoder")
    func ownDecoder() async throws {
        struct Lines: ResponseDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
                return try JSONDecoder().decode(type, from: JSONEncoder().encode(lines))
            }
        }
        let client = APIClient(
            base: RequestBuilder().environment(.staging), transport: StubTransport(), decoder: Lines()
        )
        .stubbing(Stub(data: Data("a\nb".utf8)), for: "lines")
        #expect(try await client.value(of: .get("lines"), as: [String].self) == ["a", "b"])
    }

    @Test("localized descriptions of errors say what happened")
    func localized() async throws {
        let client = client.stubbing(Stub(json: "{", status: 410), for: "todos/1").stubbing(
            Stub(error: .refused), for: "todos")
        func message(_ path: String) async -> String {
            do {
                _ = try await client.data(of: .get(path))
                return "nothing thrown"
            } catch { return error.localizedDescription }
        }
        #expect(await message("todos/1") == "the response from api.example.com has the status 410 Gone")
        #expect(await message("todos") == "api.example.com refused the connection (stubbed)")
        let error = TransportError(.tls(.selfSigned), target: "h")
        #expect(error.recoverySuggestion == "trust its certificate authority, or accept any certificate")
        #expect(RequestBuilder.get("a").problems().first?.localizedDescription.hasPrefix("makeRequest: ") == true)
    }

    @Test("the callback methods return the same responses as the async methods")
    func callback() async throws {
        let client = client.stubbing(Stub(json: Self.first), for: "todos/1")
        let todo = try await withCheckedThrowingContinuation { continuation in
            client.value(of: .get("todos/1"), as: Todo.self) { continuation.resume(with: $0) }
        }
        #expect(todo.id == 1)
        let error = await #expect(throws: StubMissing.self) {
            try await withCheckedThrowingContinuation { continuation in
                client.value(of: .get("todos/2"), as: Todo.self) { continuation.resume(with: $0) }
            }
        }
        #expect(error != nil)
    }

    // MARK: - Todos

    @Test("todos: one is read, all are listed, and one is created")
    func todos() async throws {
        let client =
            client
            .stubbing(Stub(json: Self.first), for: "todos/1")
            .stubbing(Stub(json: "[\(Self.first)]"), for: "todos")
        let one: Todo = try await client.value(of: TodoAPI.one(1))
        let list: [Todo] = try await client.value(of: TodoAPI.list)
        #expect(list == [one])
        let created: Todo = try await self.client.stubbing(Stub(json: Self.first, status: 201), for: "todos")
            .value(of: TodoAPI.create(one))
        #expect(created == one)
    }

    @Test("todos: 404 with an empty body is nil, and an empty list is a list")
    func nothing() async throws {
        let missing = client.stubbing(Stub(data: Data(), status: 404), for: "todos/9")
        #expect(try await missing.valueIfPresent(of: .get("todos/9"), as: Todo.self) == nil)
        let empty = client.stubbing(Stub(json: "[]"), for: "todos")
        #expect(try await empty.valueIfPresent(of: .get("todos"), as: [Todo].self) == [])
        let explained = client.stubbing(Stub(json: #"{"error": "no such list"}"#, status: 404), for: "todos/9")
        await #expect(throws: RequestFailed.self) {
            try await explained.valueIfPresent(of: .get("todos/9"), as: Todo.self)
        }
    }

    @Test("todos: 404 with any body is nil if asked for; another failure is still an error")
    func nothingWithBody() async throws {
        for body in [" ", #"{"error": "no such todo"}"#] {
            let missing = client.stubbing(Stub(json: body, status: 404), for: "todos/9").stubbing(
                Stub(json: body, status: 410), for: "todos")
            #expect(try await missing.valueIfPresent(of: .get("todos/9"), as: Todo.self, ignoring404Body: true) == nil)
            #expect(try await missing.valueIfPresent(of: TodoAPI.one(9), as: Todo.self, ignoring404Body: true) == nil)
            #expect(try await missing.valueIfPresent(of: TodoCall(id: "9"), ignoring404Body: true) == nil)
            await #expect(throws: RequestFailed.self) {
                try await missing.valueIfPresent(of: .get("todos"), as: Todo.self, ignoring404Body: true)
            }
        }
    }
}
