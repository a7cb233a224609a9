import Exchange
import Foundation
import RequestBuilding
import StubServing
import Testing

@testable import Todos

/// Ten everyday tasks. check.sh counts the lines inside the functions.
@Suite struct TenTasks {
    private let url: URL
    private let client: APIClient
    private let file = URL.temporaryDirectory.appending(path: "\(UUID()).png").path
    private let todo = Todo(id: 1, title: "Rest")

    init() throws {
        url = try #require(URL(string: "https://api.example.com"))
        client = APIClient(baseURL: url, transport: StubTransport()).stubbingRest(
            Stub(json: #"{"id": 1, "title": "Rest"}"#))
    }

    @Test("1. a value from JSON")
    func get() async throws {
        let todo: Todo = try await client.value(of: .get("todos/1"))
        #expect(todo == self.todo)
    }

    @Test("2. send JSON")
    func post() async throws {
        let created: Todo = try await client.value(of: .jsonPost("todos", todo))
        #expect(created == todo)
    }

    @Test("3. a query with items that may be missing")
    func query() async throws {
        let page: Int? = nil
        _ = try await client.data(
            of: RequestBuilder.get("todos").addingQuery([("q", "a b"), ("page", page.map(String.init))]))
        #expect(client.stubs.requests.last?.url.query == "q=a%20b")
    }

    @Test("4. a token that changes")
    func token() async throws {
        let signed = AuthorizationMiddleware { .bearer("t") }
        #expect(try await signed.trial(of: .get("a")).requests.first?.headers["Authorization"] == "Bearer t")
    }

    @Test("5. retries after a temporary failure")
    func retry() async throws {
        let trial = try await RetryMiddleware(sleep: { _ in }).trial(
            of: .get("a"), respondingWith: Stub(status: 503), Stub())
        #expect(trial.response.status == 200)
    }

    @Test("6. a time limit, and an error that can be told apart")
    func timeout() async throws {
        let slow = client.stubbing(Stub(json: "1").delayed(by: .milliseconds(20)), for: "slow")
        let error = await #expect(throws: TransportError.self) {
            try await slow.data(of: .get("slow").timeout(.milliseconds(5)))
        }
        #expect(error?.kind == .timeout(.total))
    }

    @Test("7. nil for something that isn't there")
    func missing() async throws {
        let missing: Todo? = try await client.stubbing(Stub(status: 404), for: "todos/9").valueIfPresent(
            of: .get("todos/9"))
        #expect(missing == nil)
    }

    @Test("8. a form with a file")
    func upload() async throws {
        let form = MultipartBody(parts: [
            .text("title", "Rest"), .file("picture", path: file, contentType: "image/png"),
        ])
        _ = try await client.data(of: RequestBuilder.post("pictures").multipartBody(form))
        #expect(client.stubs.requests.last?.headers["Content-Type"]?.hasPrefix("multipart/form-data") == true)
    }

    @Test("9. a download with its progress")
    func download() async throws {
        try await client.download(.get("picture"), to: file) { #expect($0.received == 26) }
        #expect(FileManager.default.contents(atPath: file)?.count == 26)
    }

    @Test("10. a test with a server")
    func server() async throws {
        let server = try await StubServer(StubTransport().stubbingRest(Stub(json: "[]")))
        #expect(try await APIClient(baseURL: server.url).value(of: .get("todos"), as: [Todo].self) == [])
        await server.stop()
    }
}
