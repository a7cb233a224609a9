import Exchange
import StubServing
import Testing

@testable import Todos

@Test func getsTodosFromAServer() async throws {
    let stubs = StubTransport()
        .stubbing(Stub(json: #"{"id": 1, "title": "Write tests"}"#), for: "todos/1")
        .stubbing([Stub(status: 503), Stub(json: "{}", status: 201)], for: StubPattern("todos", method: .post))
    let server = try await StubServer(stubs)
    let store = TodoStore(server: server.url, token: "secret")
    #expect(try await store.todo(1)?.title == "Write tests")
    #expect(server.requests.first?.headers["Authorization"] == "Bearer secret")
    await #expect(throws: RequestFailed.self) { try await store.add("Rest") }
    try await server.wait(for: "todos", count: 1)
    await server.stop()
}
