import HostileServing
import Testing
import ToolSupport

/// `edit`: a call of the history, changed in an editor.
@Suite struct EditTests {
    private static let group = """
        {"defaults": {"headers": {"X-Group": "g"}},
         "endpoints": {"get": {"path": "/users/{{id}}", "params": {"id": {"type": "integer"}}}}}
        """

    private struct Scene {
        let server: HostileServer
        let workspace: ToolWorkspace

        init() throws {
            server = try HostileServer { connection in
                while connection.readRequest() != nil { connection.respond(200, body: "ok") }
            }
            workspace = try ToolWorkspace([
                "endpoints/user.json": EditTests.group,
                "environments/development.json":
                    #"{"baseURL": "http://127.0.0.1:\#(server.port)", "headers": {"X-Env": "own"}}"#,
            ])
        }

        func run(_ words: [String], editor: String = "true") async throws -> ToolRun {
            try await Tool.run(
                words, in: workspace, environment: ["REQCLI_HISTORY": "1", "EDITOR": editor, "VISUAL": ""])
        }

        var lines: [String] { server.requests.map { $0.line.split(separator: " ").prefix(2).joined(separator: " ") } }
    }

    @Test("--no-input opens no editor and sends nothing")
    func noInput() async throws {
        let scene = try Scene()
        defer { scene.server.stop() }
        _ = try await scene.run(["send", "user.get", "id=7"])
        let run = try await scene.run(["edit", "--no-input"], editor: "touch opened;")
        #expect(run.status == 2 && run.errors.contains("opens an editor, which --no-input forbids"), "\(run.errors)")
        #expect(!scene.workspace.files.contains("opened") && scene.lines == ["GET /users/7"])
    }

    @Test("an endpoint of a group is edited alone, and called with the same params and what it inherits")
    func endpoint() async throws {
        let scene = try Scene()
        defer { scene.server.stop() }
        _ = try await scene.run(["send", "user.get", "id=7"])
        let run = try await scene.run(["edit"], editor: "sed -i s,/users/,/people/,")
        #expect(run.status == 0 && run.outputText == "ok", "\(run.errors)")
        #expect(scene.lines == ["GET /users/7", "GET /people/7"])
        // A second edit of the same call begins with the result of the first.
        _ = try await scene.run(["edit"], editor: "sed -i s,/people/,/folk/,")
        #expect(scene.lines.last == "GET /folk/7")
        #expect(scene.server.requests.last?.values("X-Group") == ["g"])
        #expect(scene.workspace.read("endpoints/user.json") == Array(Self.group.utf8))
        #expect(run.errors.contains("-user.get.json; \"edit 1\" continues with it"))
    }

    @Test(
        "a typed request is edited as an endpoint; its server gets nothing of the environment, and its token stays out")
    func typed() async throws {
        let scene = try Scene()
        defer { scene.server.stop() }
        let address = "127.0.0.1:\(scene.server.port)"
        _ = try await scene.run(["PUT", "http://\(address)/a?b=c", "name=Ada", "X-One:1", "--bearer", "t0ken-of-mine"])
        let edited = try await scene.run(["edit", "1"], editor: "sed -i s/Ada/Bob/")
        #expect(
            edited.status == 2 && edited.errors.contains("had --bearer=…, but the history keeps no value"),
            "\(edited.errors)")
        _ = try await scene.run(["PUT", "http://\(address)/a?b=c", "name=Ada", "X-One:1"])
        let run = try await scene.run(["edit"], editor: "sed -i s/Ada/Bob/")
        #expect(run.status == 0, "\(run.errors)")
        let last = try #require(scene.server.requests.last)
        #expect(last.line.hasPrefix("PUT /a?b=c ") && last.values("X-One") == ["1"] && last.values("X-Env") == [])
        #expect(String(decoding: last.body, as: UTF8.self) == #"{"name":"Bob"}"#)
        #expect(!edited.errors.contains("t0ken-of-mine"))
        // Only a token that was read from a file is read again; none is taken from a pipe that was meant for something else.
        let again = try await scene.run(["send", "--again", "1"])
        #expect(again.status == 2 && again.errors.contains("had --bearer=…"), "\(again.errors)")
        try scene.workspace.write("token", "t0ken-of-mine\n")
        _ = try await scene.run(["PUT", "http://\(address)/t", "--bearer", "@token"])
        #expect(try await scene.run(["send", "--again"]).status == 0)
        let tokens = scene.server.requests.suffix(2).map { $0.values("Authorization") }
        #expect(tokens == [["Bearer t0ken-of-mine"], ["Bearer t0ken-of-mine"]])
        // A path has the environment's server, and what the environment adds.
        _ = try await scene.run(["POST", "/p", "a=1"])
        _ = try await scene.run(["edit"], editor: "sed -i s,/p,/q,")
        #expect(scene.lines.suffix(2) == ["POST /p", "POST /q"])
        #expect(scene.server.requests.last?.values("X-Env") == ["own"])
    }

    @Test("the server of --base-url is that of the login, too, and a secret is not written to the file")
    func login() async throws {
        let (own, other) = (try Scene(), try Scene())
        defer { own.server.stop() }
        defer { other.server.stop() }
        try own.workspace.write(
            "environments/development.json",
            """
            {"baseURL": "http://127.0.0.1:\(own.server.port)", "needs": {"login": "login"},
             "auth": {"bearer": "{{login.token}}"}}
            """)
        try own.workspace.write(
            "endpoints/login.json",
            #"{"path": "login", "auth": null, "capture": {"token": {"body": true, "secret": true}}}"#)
        let base = ["--base-url", "http://127.0.0.1:\(other.server.port)"]
        #expect(try await own.run(["send", "/p"] + base).status == 0)
        let run = try await own.run(["edit"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(own.lines == [] && other.lines == ["GET /login", "GET /p", "GET /login", "GET /p"])
    }

    static let failures: [(editor: String, status: Int32, message: String)] = [
        ("false", 2, "ended with status 1, so nothing is sent"),
        ("no-such-editor", 2, "ended with status 127, so nothing is sent"),
        ("truncate -s 0", 2, "-user.get.json is empty, so nothing is sent"),
        ("sed -i s/path/pth/", 3, #"-user.get.json:2:3: error: unknown key "pth""#),
        ("sed -i '$d'", 3, "user.get.json:"),
        (#"sed -i 's/"type": "integer"/"type": "string", "maxLength": 0/'"#, 2, "id"),
    ]

    @Test("nothing is sent if the editor fails or the file has mistakes", arguments: failures)
    func refused(_ editor: String, _ status: Int32, _ message: String) async throws {
        let scene = try Scene()
        defer { scene.server.stop() }
        _ = try await scene.run(["send", "user.get", "id=7"])
        let run = try await scene.run(["edit"], editor: editor)
        #expect(run.status == status && run.errors.contains(message), "\(run.status) \(run.errors)")
        #expect(scene.lines == ["GET /users/7"])
    }

    @Test("a mistake can be edited again at a terminal")
    func again() async throws {
        let scene = try Scene()
        defer { scene.server.stop() }
        _ = try await scene.run(["send", "user.get", "id=7"])
        let terminal = try PseudoTerminal()
        // The first edit makes a mistake, the second one mends it.
        let editor = "sh -c 'if grep -q pth \"$0\"; then sed -i s/pth/path/ \"$0\"; else sed -i s/path/pth/ \"$0\"; fi'"
        let tool = try Tool.start(
            ["edit"], in: scene.workspace, environment: ["EDITOR": editor, "VISUAL": ""], input: terminal.program,
            errors: .descriptor(terminal.program))
        #expect(await terminal.shows("Edit it again? [Y/n]"))
        terminal.type("\n")
        let run = try await tool.end()
        let text = await terminal.finalText()
        #expect(run.status == 0 && scene.lines.count == 2, "\(text)")
    }
}
