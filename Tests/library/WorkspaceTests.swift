import StubServing
import Testing

@testable import Todos

@Test func getsTodosOfAWorkspace() async throws {
    let server = try await StubServer(workspace: "api")
    let store = TodoStore(server: server.url, token: "secret")
    #expect(try await store.todo(1)?.title == "Write tests")
    try server.choose("missing", for: "todos.get")
    #expect(try await store.todo(2) == nil)
    try server.verify(["todos.get": 2...2])
    await server.stop()
}
