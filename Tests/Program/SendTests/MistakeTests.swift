import HostileServing
import TestSupport
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
        (["it", "userID", "1"], "did you mean userID=1?"), (["it", "userID:", "1"], "did you mean userID=1?"),
        (["user/get", "userID=1"], "an endpoint's id has dots: user.get"),
        (["psot", "http://127.0.0.1:1/x"], "did you mean POST?"),
        (["POST", "user.create", "name=x"], "leave out POST"),
        (["http://127.0.0.1:91o1/x"], #""91o1" is not a port"#),
        (["http://127.0.0.1:1/x", "http://127.0.0.1:1/y"], "a request has one URL"),
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

    @Test("a file that can't be written is an error before anything is sent", arguments: ["none/out.json", "folder"])
    func output(_ path: String) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace(["folder/x": ""])
        let run = try await Tool.run(["POST", "127.0.0.1:\(server.port)/", "a=1", "-o", path], in: workspace)
        #expect(run.status == 9 && run.errors.contains("nothing was sent"), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }

    static let hints: [(words: [String], input: String, says: String?)] = [
        (["PSOT", "/x"], "", "did you mean POST?"), (["M-SEARCH", "/x"], "", nil), (["post", "/x"], "", nil),
        (["plain", "id=1"], "", "the path has {id} as plain text; a placeholder has two braces: {{id}}"),
        (["plain"], "", nil), (["plain"], "{}", "the endpoint has its own body; --body - sends the input"),
        (["plain", "--body", "-"], "{}", nil),
    ]

    @Test("what is sent as typed, although it is probably a mistake, gets a note", arguments: hints)
    func noted(_ words: [String], _ input: String, _ says: String?) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([
            "endpoints/plain.json":
                #"{"method": "POST", "path": "/{id}", "params": {"id": {"type": "integer", "required": false}}}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
        ])
        let line = #"printf '%s' "$1" | { shift; "$@"; }"#
        let run = try await Tool.run(
            ["-c", line, "bash", input, Tool.path, "send"] + words, in: workspace.folder.path,
            variables: workspace.environment, program: ["bash"])
        #expect(run.status == 0 && server.requests.count == 1, "\(run.errors)")
        if let says { #expect(run.errors.contains(says)) } else { #expect(!run.errors.contains("did you mean")) }
        if says == nil { #expect(!run.errors.contains("plain text") && !run.errors.contains("not sent")) }
    }
}
