import HostileServing
import Testing
import ToolSupport

/// Mistakes of every day: the message says what to do.
@Suite struct MistakeTests {
    private static let endpoint = #"{ "path": "/{{userID}}", "params": { "userID": { "type": "integer" } } }"#

    static let lines: [(words: [String], says: String)] = [
        (["it", "--userID", "1"], "a param is written without dashes: userID=VALUE"),
        (["it", "--userID=1"], "a param is written without dashes: userID=VALUE"),
        (["http:/127.0.0.1:1/x"], "did you mean http://127.0.0.1:1/x?"),
        (["https//h/x"], "did you mean https://h/x?"), (["http://"], #""http://" has no host"#),
        (["--json", #"{"password":"s3cr3t-1"}"#, "http://127.0.0.1:1/x"], "--json only prints the response as JSON"),
        (["it", "userID=1", "-s", ".a.b"], "write $.a.b"), (["it", "userID=1", "-s", "a"], "write $.a"),
        (["it", "userID=1", "-s", ".a[].b"], "write $.a[*].b"),
    ]

    @Test("what is typed wrongly", arguments: lines)
    func typed(_ words: [String], _ says: String) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1", endpoint: Self.endpoint)
        let run = try await Tool.run(["send"] + words, in: workspace)
        #expect(run.status == 2 && run.errors.contains(says) && !run.errors.contains("s3cr3t"), "\(run.errors)")
    }

    @Test("a server that speaks another protocol, or takes too long")
    func servers() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                switch request.line.split(separator: " ")[1] {
                case "/slow": connection.pause(2)
                case "/round": connection.respond(302, ["Location: /round"])
                default: connection.respond(302, ["Location: /x"])
                }
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([:])
        func errors(_ words: String...) async throws -> String {
            try await Tool.run(words, in: workspace).errors
        }
        let url = "127.0.0.1:\(server.port)"
        let plain = try HostileServer { connection in _ = connection.respond(400) }
        defer { plain.stop() }
        #expect(
            try await errors("https://127.0.0.1:\(plain.port)/").contains(
                "check that the port speaks TLS (or write http://)"))
        #expect(try await errors("\(url)/slow", "--timeout", "100ms").contains("raise the limit with --timeout"))
        #expect(try await errors("\(url)/round", "-L").contains("raise the limit with --max-redirects"))
        #expect(try await errors("\(url)/").contains("no body; --follow (-L) follows the redirect"))
    }
}
