import HostileServing
import Testing
import ToolSupport

/// `auth.digest` answers a Digest challenge of its own origin once, and never one of another origin.
@Suite(.serialized) struct DigestTests {
    private static let environment = #"""
        "auth": { "KIND": { "user": "ada", "password": "{{secret.pw}}" } },
        "secrets": { "pw": { "env": "PW" } }, "redirects": { "follow": true }
        """#

    private static let challenge = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"

    private func send(
        _ server: HostileServer, _ flags: [String] = [], kind: String = "digest", command: String = "send"
    ) async throws -> ToolRun {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/in", "method": "POST", "body": { "text": "twice" }, "expect": { "status": 200 } }"#,
            environment: Self.environment.replacing("KIND", with: kind))
        return try await Tool.run([command, "it"] + flags, in: workspace, environment: ["PW": "s3cr3t"])
    }

    /// A server that lets requests in whose credentials begin with the text, and otherwise responds with these challenges.
    private func guarded(_ challenges: [String], _ start: String) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let isIn = request.values("Authorization").contains { $0.hasPrefix(start) }
                connection.respond(isIn ? 200 : 401, isIn ? [] : challenges, body: isIn ? "in" : "no")
            }
        }
    }

    private static let basic = "WWW-Authenticate: Basic realm=\"r\""

    private static let strongestAnswers: [([String], String, Bool)] = [
        ([basic, challenge], "Digest username=\"ada\"", false), ([challenge], "Digest username=\"ada\"", false),
        ([basic], "Basic YWRhOnMzY3IzdA==", true),
        (["WWW-Authenticate: Negotiate, Basic realm=\"r\", charset=\"UTF-8\""], "Basic YWRhOnMzY3IzdA==", true),
    ]

    @Test(
        "auth.any answers the strongest challenge, and warns where that is Basic over http", arguments: strongestAnswers
    )
    func strongest(_ challenges: [String], _ start: String, _ isWarned: Bool) async throws {
        let server = try guarded(challenges, start)
        defer { server.stop() }
        let run = try await send(server, ["-v"], kind: "any")
        #expect(run.status == 0 && run.outputText == "in", "\(run.errors)")
        #expect(server.requests.count == 2 && server.requests.first?.values("Authorization") == [])
        #expect(run.errors.contains("warning: the password is sent unencrypted: http://127.0.0.1:") == isWarned)
        #expect(!run.errors.contains("s3cr3t") && !run.errors.contains("YWRhOnMzY3IzdA"), "\(run.errors)")
        let checked = try await send(server, kind: "any", command: "check")
        #expect(checked.status == 0, "\(checked.errors)")
    }

    @Test(
        "the rendered curl answers the same challenges",
        arguments: [([basic], "Basic "), ([basic, challenge], "Digest ")])
    func rendered(_ challenges: [String], _ start: String) async throws {
        let server = try guarded(challenges, start)
        defer { server.stop() }
        let command = try await send(server, ["--reveal"], kind: "any", command: "render")
        #expect(try ShellCommand.run(command.outputText).elementsEqual("in".utf8))
    }

    @Test("a wrong password is sent once as Basic, and auth.digest never sends it")
    func refused() async throws {
        let server = try guarded([Self.basic], "Basic nobody")
        defer { server.stop() }
        #expect(try await send(server, kind: "any").status == 4)
        #expect(server.requests.count == 2)
        #expect(try await send(server).status == 4)
        #expect(server.requests.count == 3)
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
