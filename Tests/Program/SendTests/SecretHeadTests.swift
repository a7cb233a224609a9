import HostileServing
import TestSupport
import Testing
import ToolSupport

/// What an endpoint captures as a secret from the head of its response is masked wherever this head is shown.
@Suite(.serialized) struct SecretHeadTests {
    private static let endpoint = """
        {"path": "/first", "capture": {
          "token": {"header": "X-Token", "secret": true},
          "part": {"header": "X-Link", "match": "key-[a-z0-9]+", "secret": true},
          "session": {"cookie": "sid"},
          "place": {"url": true, "secret": true},
          "plain": {"header": "X-Plain"}
        }}
        """

    private static let heads = [
        "X-Token: t0k3n-4711", "X-Link: <a>; key-99x8; b", "Set-Cookie: sid=s1d-0815; Path=/", "X-Plain: open",
    ]

    private static func server(_ heads: [String]) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                if request.line.contains("/first") {
                    connection.respond(302, ["Location: /last?code=c0d3-1234"] + heads)
                } else {
                    connection.respond(200, heads, body: "fine")
                }
            }
        }
    }

    private static let outputs: [[String]] = [
        ["-v"], ["-i"], ["-D", "head"], ["--json"],
        ["-w", "{header.X-Token} {header.X-Link} {header.Set-Cookie} {url}"],
        ["-v", "--cookie-jar", "jar"],
    ]

    @Test("a captured secret is masked in the heads, the URL and the redirects", arguments: outputs)
    func masked(output: [String]) async throws {
        let server = try Self.server(Self.heads)
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: Self.endpoint)
        try workspace.write("jar", "")
        let run = try await Tool.run(["send", "it", "--follow"] + output, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        let text = run.outputText + run.errors + String(decoding: workspace.read("head") ?? [], as: UTF8.self)
        for secret in ["t0k3n-4711", "key-99x8", "s1d-0815", "c0d3-1234"] {
            #expect(!text.contains(secret), "\(output): \(text)")
        }
        #expect(text.contains("<it.token>") && text.contains("<it.part>"), "\(output): \(text)")
        #expect(output.contains("-w") || text.contains("open"), "\(output): \(text)")
    }

    @Test("if a secret isn't found in a successful response, no value of its head is shown", arguments: outputs)
    func missing(output: [String]) async throws {
        let server = try Self.server(["X-Token: t0k3n-4711", "X-Token: t0k3n-4711", "X-Plain: open"])
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: Self.endpoint)
        try workspace.write("jar", "")
        let run = try await Tool.run(["send", "it", "--follow"] + output, in: workspace)
        let text = run.outputText + run.errors + String(decoding: workspace.read("head") ?? [], as: UTF8.self)
        #expect(!text.contains("t0k3n-4711") && !text.contains("open"), "\(output): \(text)")
    }

    @Test("the file of -D masks the values of cookies without a cookie jar, too")
    func cookies() async throws {
        let server = try Self.server(["Set-Cookie: other=0th3r; Path=/"])
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: #"{"path": "/last"}"#)
        _ = try await Tool.run(["send", "it", "-D", "head"], in: workspace)
        let text = String(decoding: workspace.read("head") ?? [], as: UTF8.self)
        #expect(text.contains("Set-Cookie: other=<secret.cookie.other>; Path=/"), "\(text)")
    }
}
