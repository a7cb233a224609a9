import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Mistakes of every day: the message says what to do.
@Suite struct MistakeTests {
    private static let endpoint = """
        { "path": "/{{userID}}", "query": { "t": "{{text}}" },
          "params": { "userID": { "type": "integer" }, "text": { "type": "string", "required": false } } }
        """

    static let lines: [(words: [String], says: String)] = [
        (["it", "--userID", "1"], "a param is written without dashes: userID=VALUE"),
        (["it", "--userID=1"], "a param is written without dashes: userID=VALUE"),
        (["http:/127.0.0.1:1/x"], "did you mean http://127.0.0.1:1/x?"),
        (["https//h/x"], "did you mean https://h/x?"), (["http://"], #""http://" has no host"#),
        (["--json", #"{"password":"s3cr3t-1"}"#, "http://127.0.0.1:1/x"], "--json only prints the response as JSON"),
        (["it", "userID", "1"], "did you mean userID=1?"), (["it", "userID", "=", "1"], "did you mean userID=1?"),
        (["it", "userID:", "1"], "did you mean userID=1?"),
        (["user/get", "userID=1"], "an endpoint's id has dots: user.get"),
        (["psot", "http://127.0.0.1:1/x"], "did you mean POST?"),
        (["POST", "user.create", "name=x"], "leave out POST"),
        (["http://127.0.0.1:91o1/x"], #""91o1" is not a port"#),
        (["http://127.0.0.1:1/x", "http://127.0.0.1:1/y"], "a request has one URL"),
        (["it", "userID=1", "-s", ".a.b"], "write $.a.b"), (["it", "userID=1", "-s", "a"], "write $.a"),
        (["it", "userID=1", "-s", ".a[].b"], "write $.a[*].b"), (["it", "userID=1", "-s", ".[].b"], "write $[*].b"),
        (["-s", "127.0.0.1:1/x"], "for curl's -s leave it out"),
        (["-sS", "127.0.0.1:1/x"], "for curl's -s leave it out"),
        (["-A", "bearer", ":1/x"], "for HTTPie's write --bearer TOKEN"), (["-f", ":1/x"], "for HTTPie's write --form"),
        (["--auth-type", "bearer", ":1/x"], "write --bearer TOKEN"),
        (["--verify=no", ":1/x"], "write --insecure (-k)"),
        (["--session=s", ":1/x"], "write --cookie-jar FILE"), (["--print=Hh", ":1/x"], "write --headers"),
        ([":1/x", "localhost:1/y"], "a request has one URL"),
        (["{{baseURL}}/x"], "a placeholder, which only files have"),
        (["localhost:abc/x"], #""abc" is not a port"#),
        (["127.0.0.1:abc/x"], #""abc" is not a port"#), (["localhost:1x"], #""1x" is not a port"#),
        ([":1/x", "POST", "a=1"], "write the method before the URL"), (["POST"], "POST needs a URL or a path"),
        ([":1/x", "-H", "Accept:", "text/plain"], "quote a header: -H 'Accept: VALUE'"),
        (["POST", ":1/x", "name=Ada", "Lovelace"], "quote a value with spaces: 'name=Ada Lovelace'"),
        (["POST", ":1/x", "password=s3cr3t-1", "more"], "quote a value with spaces: 'password=…'"),
        ([":1/x", "—pretty"], "an option begins with hyphens: --pretty"),
        (["POST", ":1/x", "@body.json"], "write --body @body.json"),
        (["PUT", ":1/x", "data.json"], "write --body @data.json"),
        (["users/3"], "a path on the environment's server begins with a slash: /users/3"),
        (["endpoints/it.json"], #""reqcli list" shows the ids"#),
        ([":1/x", "--bearer", "Bearer s3cr3t-1"], "the word is added: write --bearer TOKEN"),
        (["it", "userID=1", "-q"], "-Q is short for --quiet"), (["-q", "it", "userID=1"], "-Q is short for --quiet"),
        (["it", "userID=1", "text=Ada", "Lovelace"], "quote a value with spaces: 'text=Ada Lovelace'"),
    ]

    static let commands: [(words: [String], says: String)] = [
        (["post", ":1/x"], "write a method before a URL: reqcli POST URL"), (["get", "it"], "reqcli send ID"),
        (["DELETE", "it"], "an endpoint has its own method: reqcli send ID"), (["ls"], "write list"),
        (["export", "curl"], "reqcli render ID"), (["export", "opnapi"], "did you mean \"openapi\"?"),
        (["send", "it", "--env-file", "-"], "for a file of this name write ./-"),
        (["config"], "reqcli status"), (["localhost"], "localhost:8080"),
        (["api.example.com"], "a URL has a scheme: https://api.example.com"), (["send"], "for example: reqcli send"),
        (["help", "it.get"], "reqcli show it.get"),
        (["version"], "write --version"), (["run", "it"], #""check" tests endpoints"#),
        (["check", "it", "userID=1"], "a param's value can't be given here"),
        (["check", "flow"], "did you mean scenario:flow?"),
        (["check", "endpoints/it.json"], "--uses FILE"), (["serve", "8080"], "--port 8080"),
        (["serve", "-d", "1s"], "did you mean \"--delay\"?"), (["send", "scenario:flow"], "reqcli check"),
        (["send", "it", "by.id"], "a call has one endpoint"),
        (["history", "12"], "history show 12"), (["history", "clera"], "did you mean \"clear\"?"),
        (["import", "curl http://h/x"], "without quotes"), (["curl", "curl http://h/x"], "leave out the quotes"),
        (["import", "empty.json"], "empty.json is empty"), (["import", "a.png"], "a.png is binary"),
    ]

    @Test("what is typed wrongly after other commands", arguments: commands)
    func typedElsewhere(_ words: [String], _ says: String) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/it.json": Self.endpoint, "endpoints/by.json": #"{"endpoints": {"id": {"path": "/"}}}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:1"}"#,
            "scenarios/flow.json": #"{"steps": [{"call": "it", "with": {"userID": 1}}]}"#, "empty.json": "\n",
            "a.png": "\u{7F}PNG\u{0}\u{1}x",
        ])
        let run = try await Tool.run(words, in: workspace)
        #expect(run.status == 2 && run.errors.contains(says), "\(run.errors)")
    }

    @Test("- in place of a file that is written is standard output", arguments: [["export", "openapi", "-o", "-"]])
    func standardOutput(_ words: [String]) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1", endpoint: Self.endpoint)
        let run = try await Tool.run(words, in: workspace)
        #expect(run.status == 0 && run.outputText.contains("openapi"), "\(run.errors)")
        #expect(workspace.read("-") == nil)
    }

    @Test("a method that is almost a standard one, and a secret without its prefix, are found by validate")
    func files() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/it.json": #"{"method": "PSOT", "path": "/x"}"#,
            "endpoints/by.json": #"{"path": "/x", "headers": {"X": "{{password}}"}}"#,
            "environments/development.json": #"{"baseURL": "http://h", "secrets": {"password": {"env": "P"}}}"#,
        ])
        let run = try await Tool.run(["validate"], in: workspace)
        #expect(run.errors.contains("did you mean \"POST\"?"), "\(run.errors)")
        #expect(run.errors.contains("did you mean {{secret.password}}?"), "\(run.errors)")
    }

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

    @Test(
        "a file that can't be written is an error before anything is sent",
        arguments: ["none/out.json", "folder", "folder/", "new/"])
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
        (["plain", "--body", "-"], "{}", nil), (["PUT", "/x", "a=1"], "{}", "a=… is the body already"),
        (["PUT", "/x", "--body", "b"], "{}", "--body is the body already"), (["GET", "/x"], "{}", nil),
        (["/x/:id"], "", "the path has :id as plain text"), (["/x/{{id}}"], "", "only files have placeholders"),
        (["/v1/x:batch"], "", nil),
        (["colon", "id=1"], "", "the path has :id as plain text; a placeholder has two braces: {{id}}"),
        (["GET", "/x", "page=2"], "", "for the query write page==VALUE"),
        (["/x", "a=@note.txt"], "", "a@=note.txt sends the text of the file"), (["/x", "a=@ada"], "", nil),
        (["POST", "/x", "--body", "note.txt"], "", "--body @note.txt sends the file"),
        (["POST", "/x", "--body", #"{"a":1,}"#], "", "the body is not JSON (line 1, column 7"),
        (["POST", "/x", "--body", #"{"password": s3cr3t-9x8}"#], "", "the body is not JSON (line 1, column 14)"),
        (["POST", "/x", "--body", "@bad.json"], "", "the body is not JSON (line 1, column 2"),
        (["PUT", "/x", "--body", #"{"a":1}"#], "", nil),
    ]

    @Test("what is sent as typed, although it is probably a mistake, gets a note", arguments: hints)
    func noted(_ words: [String], _ input: String, _ says: String?) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([
            "endpoints/plain.json":
                #"{"method": "POST", "path": "/{id}", "params": {"id": {"type": "integer", "required": false}}}"#,
            "endpoints/colon.json": #"{"path": "/:id", "params": {"id": {"type": "integer", "required": false}}}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
            "note.txt": "hi", "bad.json": "{a:1}",
        ])
        let line = #"printf '%s' "$1" | { shift; "$@"; }"#
        let run = try await Tool.run(
            ["-c", line, "bash", input, Tool.path, "send"] + words, in: workspace.folder.path,
            variables: workspace.environment, program: ["bash"])
        #expect(run.status == 0 && server.requests.count == 1, "\(run.errors)")
        #expect(!run.errors.contains("s3cr3t"), "\(run.errors)")
        if let says { #expect(run.errors.contains(says)) } else { #expect(!run.errors.contains("did you mean")) }
        let notes = run.errors.split(separator: "\n").filter { !$0.hasSuffix("200 OK, no body") }
        if says == nil { #expect(notes == [], "\(run.errors)") }
    }
}
