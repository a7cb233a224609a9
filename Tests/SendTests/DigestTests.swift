import HostileServing
import Testing
import ToolSupport

/// `auth.digest` answers a Digest challenge of its own origin once, and never one of another origin.
@Suite(.serialized) struct DigestTests {
    private static let environment = #"""
        "auth": { "digest": { "user": "ada", "password": "{{secret.pw}}" } },
        "secrets": { "pw": { "env": "PW" } }, "redirects": { "follow": true }
        """#

    private static let challenge = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"

    private func send(_ server: HostileServer, _ flags: [String] = []) async throws -> ToolRun {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/in", "method": "POST", "body": { "text": "twice" } }"#,
            environment: Self.environment)
        return try await Tool.run(["send", "it"] + flags, in: workspace, environment: ["PW": "s3cr3t"])
    }

    @Test("after a Digest challenge the request is sent again with credentials and its body")
    func answered() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isIn = request.values("Authorization").contains { $0.hasPrefix("Digest username=\"ada\"") }
                connection.respond(isIn ? 200 : 401, isIn ? [] : [Self.challenge], body: isIn ? "in" : "no")
            }
        }
        defer { server.stop() }
        let run = try await send(server, ["-v"])
        #expect(run.status == 0 && run.outputText == "in", "\(run.errors)")
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["twice", "twice"])
        #expect(server.requests.first?.values("Authorization") == [])
        #expect(run.errors.contains("response=") && !run.errors.contains("s3cr3t"), "\(run.errors)")
    }

    @Test("a wrong Digest password is exit 4, not an endless loop")
    func wrong() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(401, [Self.challenge], body: "no") }
        }
        defer { server.stop() }
        let run = try await send(server)
        #expect(run.status == 4 && run.outputText == "no")
        #expect(server.requests.count == 2)
    }

    @Test("a Digest challenge of another origin is not answered")
    func elsewhere() async throws {
        let other = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(401, [Self.challenge], body: "no") }
        }
        defer { other.stop() }
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(307, ["Location: http://127.0.0.1:\(other.port)/"])
            }
        }
        defer { server.stop() }
        #expect(try await send(server).status == 4)
        #expect(other.requests.map { $0.values("Authorization") } == [[]])
    }
}
