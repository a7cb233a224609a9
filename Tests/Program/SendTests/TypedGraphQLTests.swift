import HostileServing
import Testing
import ToolSupport

/// GraphQL operations without a file.
struct TypedGraphQLTests {
    @Test(
        "a typed GraphQL operation ends with status 1 if the response has errors",
        arguments: [
            (["query={ me { id } }"], #"{"data": null, "errors": [{"message": "no user"}]}"#, 1 as Int32),
            (["query=query Q { me }", "variables:={}"], #"{"errors": [{"message": "no user"}]}"#, 1),
            (["query={ me { id } }"], #"{"data": {"me": 1}}"#, 0),
            // A server that is none of GraphQL may take a member of this name.
            (["query={ me { id } }"], #"{"json": {"query": "{ me { id } }"}}"#, 0),
            (["query=shoes"], #"{"errors": [{"message": "no user"}]}"#, 0),
            (["query={me}", "--form"], #"{"errors": [{"message": "no user"}]}"#, 0),
        ])
    func errors(_ words: [String], _ response: String, _ status: Int32) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, body: response) }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([:])
        let run = try await Tool.run(["http://127.0.0.1:\(server.port)/graphql"] + words, in: workspace)
        #expect(run.status == status, "\(run)")
        #expect(run.errors.contains("has GraphQL errors: \"no user\"") == (status == 1), "\(run.errors)")
        #expect(String(decoding: run.output, as: UTF8.self).contains(response), "the body is printed in any case")
    }
}
