import Exchange
import Foundation
import RequestBuilding
import StubServing
import TestSupport
import Testing

@Suite("A server of stubs for tests")
struct StubServerTests {
    private struct Todo: Codable, Equatable, Sendable {
        let id: Int
    }

    private func client(_ server: StubServer) -> APIClient {
        APIClient(baseURL: server.url, transport: URLSessionTransport())
    }

    private func text(_ response: Response) async throws -> String {
        String(decoding: try await response.body.data(), as: UTF8.self)
    }

    private func status(_ path: String, _ server: StubServer, _ builder: RequestBuilder? = nil) async throws -> Int {
        try await client(server).send(builder ?? .get(path)).status
    }

    @Test("A stub responds to the requests of its pattern, and requests are seen as they came")
    func stubs() async throws {
        let server = try await StubServer(
            StubTransport().stubbing(Stub(json: #"[{"id": 7}]"#), for: "todos").stubbing(
                Stub(status: 410), for: "todos/{id}"))
        let todos: [Todo] = try await client(server).value(of: .get("v1/todos").query([("page", "2")]))
        #expect(todos == [Todo(id: 7)])
        #expect(try await status("todos/7", server, .post("todos/7")) == 410)
        #expect(server.requests.map(\.method) == [.get, .post])
        #expect(server.requests.first?.url == URL(string: "\(server.url)/v1/todos?page=2"))
        await server.stop()
    }

    @Test("A request without a stub is 404, and the body says which stubs there are")
    func missing() async throws {
        let server = try await StubServer(StubTransport().stubbing(Stub(json: "[]"), for: "todos"))
        let response = try await client(server).send(.get("todo"))
        #expect(response.status == 404)
        #expect(response.headers["X-Reqcli-Stub"] == "none")
        #expect(try await text(response).contains("there are stubs for todos"))
        await server.stop()
    }

    @Test("A sequence gives its stubs in turn, and ends as it says")
    func sequence() async throws {
        let server = try await StubServer(
            StubTransport().stubbing([Stub(status: 201), Stub(status: 202)], for: "a", afterwards: .fail).stubbingRest(
                Stub(status: 204)))
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await status("a", server)) }
        #expect(statuses == [201, 202, 500])
        #expect(try await status("b", server) == 204)
        await server.stop()
    }

    @Test("A stub for GET responds to HEAD, too")
    func head() async throws {
        let server = try await StubServer(
            StubTransport().stubbing(Stub(json: "[1]"), for: StubPattern("a", method: .get)))
        let request = PreparedRequest(url: server.url.appending(path: "a"), method: .head)
        let response = try await client(server).send(request)
        #expect(response.status == 200)
        #expect(response.headers["Content-Length"] == "3")
        await server.stop()
    }

    @Test("A file is sent, and one that is missing is 500")
    func files() async throws {
        let folder = try TemporaryFolder(["a.json": String(repeating: "[1] ", count: 50_000)])
        let server = try await StubServer(
            StubTransport().stubbing(Stub(file: folder.path("a.json")), for: "a").stubbing(
                Stub(file: folder.path("b.json")), for: "b"))
        let response = try await client(server).send(.get("a"))
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(try await text(response).utf8.count == 200_000)
        #expect(try await status("b", server) == 500)
        await server.stop()
    }

    static let faultCases: [(name: String, error: TransportError.Kind)] = [
        ("reset", .reset), ("refused", .refused), ("half a body", .truncated),
    ]

    @Test("An error is a fault of the connection", arguments: faultCases)
    func faults(_ name: String, _ error: TransportError.Kind) async throws {
        var stub = Stub(json: "[1, 2, 3, 4, 5, 6]")
        stub.error = TransportError(error, target: "")
        let server = try await StubServer(StubTransport().stubbing(stub, for: "a"))
        await #expect(throws: TransportError.self) {
            let response = try await client(server).send(.get("a"))
            _ = try await text(response)
        }
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test("An error with a status comes after the head")
    func errorWithStatus() async throws {
        var stub = Stub(error: URLError(.badURL), status: 503)
        stub.body = .data(Data("[1, 2, 3, 4]".utf8))
        let server = try await StubServer(StubTransport().stubbingRest(stub))
        let response = try await client(server).send(.get("a"))
        #expect(response.status == 503)
        await #expect(throws: TransportError.self) { try await response.body.data() }
        await server.stop()
    }

    // MARK: Waiting

    @Test("A wait ends once so many requests have come, those before it among them")
    func wait() async throws {
        let server = try await StubServer(StubTransport().stubbingRest(Stub(status: 204)))
        #expect(try await status("a", server) == 204)
        async let waited = server.wait(for: "a", count: 3, timeout: .seconds(60))
        for path in ["a", "b", "a"] { #expect(try await status(path, server) == 204) }
        #expect(try await waited.map(\.url.path) == ["/a", "/a", "/a"])
        #expect(try await server.wait(for: "b").count == 1)
        await server.stop()
    }

    @Test("A wait that is too long says how many requests came")
    func tooLong() async throws {
        let server = try await StubServer(StubTransport().stubbingRest(Stub(status: 204)))
        #expect(try await status("a", server) == 204)
        let error = await #expect(throws: StubServerError.self) {
            try await server.wait(for: "a", count: 2, timeout: .milliseconds(20))
        }
        #expect(error?.description == "1 of 2 requests for a were received within 0.02 seconds")
        await server.stop()
    }

    @Test("A wait that is cancelled ends")
    func cancelled() async throws {
        let server = try await StubServer(StubTransport().stubbingRest(Stub(status: 204)))
        let waiting = Task { try await server.wait(count: 1, timeout: .seconds(3600)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await server.stop()
    }

    // MARK: The end

    @Test("A server that has stopped takes no connection")
    func stop() async throws {
        let server = try await StubServer(StubTransport().stubbingRest(Stub(status: 204).delayed(by: .seconds(3600))))
        let waiting = Task { try await status("a", server) }
        try await server.wait(timeout: .seconds(60))
        await server.stop()
        await #expect(throws: TransportError.self) { try await waiting.value }
        await #expect(throws: TransportError.self) { try await status("a", server) }
    }

    @Test("A server ends when nothing refers to it any more")
    func unused() async throws {
        let url = try await StubServer(StubTransport().stubbingRest(Stub(status: 204))).url
        let client = APIClient(baseURL: url, transport: URLSessionTransport())
        for _ in 0..<2000 {
            do { _ = try await client.send(.get("a")) } catch is TransportError { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the server still responds")
    }

    @Test("Many servers at a time know only their own requests")
    func many() async throws {
        try await withThrowingTaskGroup { group in
            for number in 1...20 {
                group.addTask {
                    let server = try await StubServer(StubTransport().stubbingRest(Stub(status: 200 + number)))
                    for _ in 0..<number { #expect(try await self.status("a", server) == 200 + number) }
                    #expect(server.requests.count == number)
                    await server.stop()
                }
            }
            try await group.waitForAll()
        }
    }
}
