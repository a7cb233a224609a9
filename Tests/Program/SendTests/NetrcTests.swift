import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `--netrc` and `--netrc-file` add credentials for the server's host if the definitions have none.
@Suite(.serialized) struct NetrcTests {
    private static let password = "n3trc p4ss"
    private static let file = """
        machine 127.0.0.1 login ada password "\(password)"
        default login anybody password for-anyone

        """
    /// `ada:n3trc p4ss`
    private static let header = "Basic YWRhOm4zdHJjIHA0c3M="

    private static func server(status: Int = 200, _ headers: [String] = []) throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(status, headers, body: "fine") }
        }
    }

    private static func workspace(_ server: HostileServer, environment: String? = nil) throws -> ToolWorkspace {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", environment: environment)
        try workspace.write(".netrc", file)
        try workspace.write("other", "machine 127.0.0.1 login grace password other-one\n")
        return workspace
    }

    @Test(
        "the host's credentials are sent, from the home folder's .netrc or another file",
        arguments: [(["--netrc"], header), (["--netrc-file", "other"], "Basic Z3JhY2U6b3RoZXItb25l"), ([], nil)]
            as [([String], String?)])
    func sent(flags: [String], header: String?) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await Tool.run(["send", "it"] + flags, in: try Self.workspace(server))
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.first?.values("Authorization") == (header.map { [$0] } ?? []))
    }

    @Test(
        "Authorization from the definitions or a flag overrides the netrc file",
        arguments: [
            (#""auth": { "bearer": "t0ken" }"#, [], "Bearer t0ken"),
            (nil, ["-H", "Authorization: Custom x"], "Custom x"),
        ] as [(String?, [String], String)])
    func others(environment: String?, flags: [String], header: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server, environment: environment)
        let run = try await Tool.run(["send", "it", "--netrc"] + flags, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.first?.values("Authorization") == [header])
        let render = try await Tool.run(["render", "it", "--netrc"] + flags, in: workspace)
        #expect(!render.outputText.contains("--netrc"))
    }

    @Test("netrc credentials are not sent to another origin after a redirect, not even on the same host")
    func otherOrigin() async throws {
        let other = try Self.server()
        defer { other.stop() }
        for host in ["127.0.0.1", "localhost"] {
            let server = try Self.server(status: 307, ["Location: http://\(host):\(other.port)/"])
            defer { server.stop() }
            let run = try await Tool.run(["send", "it", "--netrc", "--follow"], in: try Self.workspace(server))
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.first?.values("Authorization") == [Self.header])
        }
        #expect(other.requests.map { $0.values("Authorization") } == [[], []])
    }

    @Test("the netrc password is never shown", arguments: [["-v"], ["--json"], ["-v", "--follow"]])
    func masked(flags: [String]) async throws {
        let server = try Self.server(status: 302, ["Location: \(Self.password.replacing(" ", with: "%20")):x"])
        defer { server.stop() }
        let run = try await Tool.run(["send", "it", "--netrc"] + flags, in: try Self.workspace(server))
        let shown = run.outputText + run.errors
        #expect(server.requests.first?.values("Authorization") == [Self.header])
        for form in [Self.password, "n3trc%20p4ss", "YWRhOm4zdHJjIHA0c3M"] {
            #expect(!shown.contains(form), "\(shown)")
        }
    }

    @Test("needed requests use the netrc file too")
    func needs() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(body: #"{"user": 7}"#) }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write("endpoints/it.json", #"{ "path": "/{{login.user}}", "needs": { "login": "login" } }"#)
        try workspace.write(
            "endpoints/login.json", #"{ "path": "/login", "capture": { "user": { "json": "$.user" } } }"#)
        let run = try await Tool.run(["send", "it", "--netrc"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.map { $0.values("Authorization") } == [[Self.header], [Self.header]])
    }

    @Test(
        "a netrc file that cannot be read is an error, and nothing is sent",
        arguments: [
            (["--netrc-file", "none"], "cannot read none: there is no such file"),
            (["--netrc-file", "endpoints"], "cannot read endpoints: it is a directory"),
            (["--netrc-file", "binary"], "cannot read binary: it is not UTF-8 text"),
            (["--netrc", "--netrc-file", "other"], "--netrc and --netrc-file contradict each other"),
        ])
    func unreadable(flags: [String], reason: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try workspace.folder.write("binary", [0xFF, 0xFE])
        let run = try await Tool.run(["send", "it"] + flags, in: workspace)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("error: \(reason)"), "\(run.errors)")
        #expect(server.connections == 0)
    }

    @Test("--netrc with a missing home folder or file adds no credentials", arguments: ["", "/nowhere"])
    func homeless(home: String) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        let run = try await Tool.run(["send", "it", "--netrc"], in: workspace, environment: ["HOME": home])
        #expect(run.status == 2)
        #expect(run.errors.contains(home.isEmpty ? "HOME is not set" : "cannot read ~/.netrc"), "\(run.errors)")
    }

    @Test(
        "the rendered curl command reads the same netrc file", .enabled(if: ShellCommand.has("curl"), "curl is needed"),
        arguments: [["--netrc"], ["--netrc-file", "other"]])
    func rendered(flags: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try await Tool.run(["send", "it"] + flags, in: workspace)
        let render = try await Tool.run(["render", "it"] + flags, in: workspace)
        #expect(render.status == 0 && render.errors == "", "\(render.errors)")
        #expect(render.outputText.contains(flags.joined(separator: " ")), "\(render.outputText)")
        #expect(!render.outputText.contains("Authorization"))
        _ = try ShellCommand.run(
            "HOME='\(workspace.folder.path)' && export HOME && \(render.outputText)", in: workspace.folder)
        #expect(server.requests.count == 2)
        #expect(server.requests[0].values("Authorization") == server.requests.last?.values("Authorization"))
    }

    @Test("explain names the netrc file as the source of the credentials")
    func explained() async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        try workspace.write(".netrc", Self.file)
        let run = try await Tool.run(["explain", "it", "--netrc", "--json"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.outputText.contains(#""origin": "--netrc""#), "\(run.outputText)")
        #expect(!run.outputText.contains("YWRhOm4z"))
    }
}
