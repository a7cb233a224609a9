import HostileServing
import Testing
import ToolSupport

/// A secret with `origins` is sent to no other server, and `secrets` lists every server that can receive a secret.
@Suite(.serialized) struct SecretOriginTests {
    private static let value = ["TOKEN": "s3cr3t-of-ada"]

    private static func server(redirectingTo target: String? = nil) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let leadsOn = target != nil && request.line.contains(" /start")
                connection.respond(
                    leadsOn ? 307 : 200, leadsOn ? ["Location: \(target ?? "")/landed"] : [],
                    body: #"{"echo": "s3cr3t-of-ada"}"#)
            }
        }
    }

    /// A workspace whose secret may only be sent to `allowed`.
    private static func workspace(
        _ server: String, allowed: String, endpoint: String, environment: String = ""
    ) throws -> ToolWorkspace {
        try ToolWorkspace(
            server: server, endpoint: endpoint,
            environment:
                #""expect": { "status": 200 }, "secrets": { "token": { "env": "TOKEN", "origins": "\#(allowed)" } }\#(environment)"#
        )
    }

    struct Request: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let endpoint: String
        var environment = ""
    }

    private static let requests = [
        Request(testDescription: "a header", endpoint: #"{ "headers": { "X-A": "a{{secret.token}}" } }"#),
        Request(
            testDescription: "credentials",
            endpoint: #"{ "auth": { "basic": { "user": "a", "password": "{{secret.token}}" } } }"#),
        Request(testDescription: "a query item", endpoint: #"{ "query": { "k": "{{secret.token}}" } }"#),
        Request(testDescription: "a path", endpoint: #"{ "path": "/{{secret.token}}" }"#),
        Request(
            testDescription: "a body",
            endpoint: #"{ "method": "POST", "body": { "json": { "a": "{{secret.token}}" } } }"#),
        Request(testDescription: "a hash", endpoint: #"{ "query": { "k": "{{secret.token | sha256 | hex}}" } }"#),
        Request(
            testDescription: "a signature",
            endpoint:
                ##"{ "auth": { "hmac": { "key": "{{secret.token}}", "sign": "{{$method}}", "headers": { "X-S": "{{$signature}}" } } } }"##
        ),
        Request(
            testDescription: "a digest",
            endpoint: #"{ "auth": { "digest": { "user": "a", "password": "{{secret.token}}" } } }"#),
        Request(
            testDescription: "a variable", endpoint: #"{ "query": { "k": "{{v}}" } }"#,
            environment: #", "variables": { "v": "x{{secret.token}}" }"#),
    ]

    @Test("a request is refused before anything is sent, whatever it makes of the secret", arguments: requests)
    func refused(_ request: Request) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let origin = "http://127.0.0.1:\(server.port)"
        let other = try Self.workspace(
            origin, allowed: "https://api.example.com", endpoint: request.endpoint, environment: request.environment)
        for command in [["send", "it"], ["check", "it"]] {
            let run = try await Tool.run(command, in: other, environment: Self.value)
            #expect(run.status == 8, "\(run.errors)")
            #expect(
                run.errors.contains(#"the secret "token" must not be sent to \#(origin)"#)
                    && run.errors.contains("environments/development.json:1:"), "\(run.errors)")
            #expect(!run.errors.contains("s3cr3t"))
        }
        #expect(server.connections == 0)
        let own = try Self.workspace(
            origin, allowed: "HTTP://127.0.0.1:\(server.port)", endpoint: request.endpoint,
            environment: request.environment)
        let run = try await Tool.run(["send", "it"], in: own, environment: Self.value)
        #expect(run.status == 0 && server.connections > 0, "\(run.errors)")
    }

    @Test("a redirect that carries credentials anywhere is not followed to another origin", arguments: [true, false])
    func redirected(carries: Bool) async throws {
        let other = try Self.server()
        let target = "http://127.0.0.1:\(other.port)"
        let server = try Self.server(redirectingTo: target)
        defer { for each in [server, other] { each.stop() } }
        let origin = "http://127.0.0.1:\(server.port)"
        let credentials = carries ? #", "credentials": "anyHost""# : ""
        let workspace = try Self.workspace(
            origin, allowed: origin, endpoint: #"{ "path": "/start", "auth": { "bearer": "{{secret.token}}" } }"#,
            environment: #", "redirects": { "follow": true\#(credentials) }"#)
        let run = try await Tool.run(["send", "it"], in: workspace, environment: Self.value)
        #expect(run.status == (carries ? 8 : 0), "\(run.errors)")
        #expect(other.connections == (carries ? 0 : 1))
        #expect(!other.requests.contains { $0.head.contains("s3cr3t") })
    }

    /// A workspace whose endpoint `it` sends the secret, the server that may get it, and another server.
    private static func bearer() throws -> (server: HostileServer, other: HostileServer, workspace: ToolWorkspace) {
        let (server, other) = (try server(), try server())
        let origin = "http://127.0.0.1:\(server.port)"
        let workspace = try workspace(
            origin, allowed: origin, endpoint: #"{ "path": "/", "auth": { "bearer": "{{secret.token}}" } }"#)
        return (server, other, workspace)
    }

    @Test("a proxy, another base URL, a param that a need passes, and a capture are refused")
    func others() async throws {
        let (server, other, workspace) = try Self.bearer()
        defer { for each in [server, other] { each.stop() } }
        let target = "http://127.0.0.1:\(other.port)"
        try workspace.write(
            "endpoints/login.json",
            #"{ "auth": { "bearer": "{{secret.token}}" }, "capture": { "echo": { "json": "$.echo" } } }"#)
        try workspace.write(
            "endpoints/captured.json",
            #"{ "baseURL": "\#(target)", "needs": { "l": "login" }, "query": { "k": "{{l.echo | sha256 | hex}}" } }"#)
        try workspace.write(
            "endpoints/param.json",
            #"{ "baseURL": "\#(target)", "params": { "p": { "type": "string" } }, "query": { "k": "{{p | sha256 | hex}}" } }"#
        )
        try workspace.write(
            "endpoints/passing.json",
            #"{ "needs": { "l": { "endpoint": "param", "with": { "p": "{{secret.token}}" } } } }"#)
        try workspace.write(
            "endpoints/raw.json",
            #"{ "baseURL": "\#(target)", "params": { "p": { "type": "string" } }, "query": { "k": "{{p}}" } }"#)
        try workspace.write(
            "endpoints/hashing.json",
            #"{ "needs": { "l": { "endpoint": "raw", "with": { "p": "{{secret.token | sha256 | hex}}" } } } }"#)
        for words in [
            ["it", "--proxy", target], ["it", "--base-url", target], ["captured"], ["passing"], ["hashing"],
        ] {
            let run = try await Tool.run(["send"] + words, in: workspace, environment: Self.value)
            #expect(
                run.errors.contains(#"the secret "token" must not be sent to \#(target)"#), "\(words): \(run.errors)")
            #expect(run.status == 8, "\(words): \(run.errors)")
        }
        #expect(other.connections == 0)
    }

    @Test("a capture that an earlier run has kept is searched for the secret, and render and explain warn")
    func kept() async throws {
        let (server, other, workspace) = try Self.bearer()
        defer { for each in [server, other] { each.stop() } }
        let target = "http://127.0.0.1:\(other.port)"
        try workspace.write("endpoints/login.json", #"{ "capture": { "echo": { "json": "$.echo" } } }"#)
        try workspace.write(
            "endpoints/captured.json",
            #"{ "baseURL": "\#(target)", "needs": { "l": "login" }, "query": { "k": "{{l.echo}}" } }"#)
        for _ in 0..<2 {
            let run = try await Tool.run(["send", "captured", "--keep", "10m"], in: workspace, environment: Self.value)
            #expect(run.status == 8, "\(run.errors)")
        }
        #expect(other.connections == 0)
        for command in ["render", "explain"] {
            let run = try await Tool.run([command, "it", "--base-url", target], in: workspace, environment: Self.value)
            #expect(
                run.status == 0 && run.errors.contains("warning: the secret \"token\" must not be sent"),
                "\(run.errors)")
        }
    }

    @Test("secrets lists each server that a request can reach, and is a gate")
    func listed() async throws {
        let workspace = try ToolWorkspace(
            server: "https://api.example.com",
            endpoint: #"{ "headers": { "X-A": "{{secret.token | sha256 | hex}}" } }"#,
            environment: #""secrets": { "token": { "env": "TOKEN" } }"#)
        try workspace.write(
            "endpoints/param.json",
            #"{ "params": { "s": { "type": "string" } }, "baseURL": "{{s}}", "query": { "k": "{{secret.token}}" } }"#)
        let run = try await Tool.run(["secrets"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        for part in [
            "variable TOKEN", "https://api.example.com", "header X-A of it", "anywhere: a param decides, {{s}}",
            "query k of param",
        ] {
            #expect(run.outputText.contains(part), "\(run.outputText)")
        }
        let gate = ["secrets", "--allow-origin", "https://api.example.com"]
        let failed = try await Tool.run(gate, in: workspace)
        #expect(failed.status == 1 && failed.errors.contains("may reach 1 other origin: anywhere"), "\(failed.errors)")
        try workspace.write("endpoints/param.json", #"{ "baseURL": null, "path": "/" }"#)
        #expect(try await Tool.run(gate, in: workspace).status == 0)
    }
}
