import HostileServing
import Testing
import ToolSupport

/// What Foundation's own loader does by itself must not be what `send` does.
@Suite(.serialized) struct LoaderTests {
    private static let foundation = ["--loader", "foundation"]

    @Test(
        "a redirect is followed when that is asked for, and credentials stay where they belong",
        arguments: [[], ["--follow"]])
    func redirect(flags: [String]) async throws {
        let other = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(200)
        }
        defer { other.stop() }
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(302, ["Location: http://127.0.0.1:\(other.port)/there"])
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "headers": { "X-Key": "{{secret.token}}", "X-Kept": "yes" } }"#,
            environment: #""secrets": { "token": { "env": "TOKEN" } }, "auth": { "bearer": "{{secret.token}}" }"#)
        let run = try await Tool.run(
            ["send", "it", "-i"] + flags + Self.foundation, in: workspace, environment: ["TOKEN": "s3cr3t"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.outputText.hasPrefix(flags.isEmpty ? "HTTP 302" : "HTTP 200"), "\(run.outputText)")
        #expect(server.requests.first?.values("Authorization") == ["Bearer s3cr3t"])
        #expect(other.requests.count == flags.count)
        for request in other.requests {
            #expect(request.values("X-Kept") == ["yes"])
            #expect(request.values("Authorization") == [] && request.values("X-Key") == [])
        }
    }

    @Test(
        "TLS settings that it would do without are refused",
        arguments: [
            #""insecure": true"#, #""minVersion": "1.3""#, #""ca": "ca.pem""#,
        ])
    func settings(setting: String) async throws {
        let workspace = try ToolWorkspace(server: "https://127.0.0.1:1", environment: #""tls": { \#(setting) }"#)
        try workspace.write("ca.pem", "")
        let run = try await Tool.run(["send", "it"] + Self.foundation, in: workspace)
        #expect(run.status == 3)
        #expect(run.errors.contains("Foundation's loader can't do what tls asks for"), "\(run.errors)")
    }

    @Test(
        "a body that it would not send is refused", arguments: ["GET", "HEAD"], [#""text": "hi""#, #""file": "hi""#])
    func bodies(method: String, body: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(200)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "method": "\#(method)", "body": { \#(body) } }"#)
        try workspace.write("hi", "hi")
        let run = try await Tool.run(["send", "it"] + Self.foundation, in: workspace)
        #expect(run.status == 3)
        #expect(
            run.errors == """
                error: the request to 127.0.0.1 can't be sent (Foundation's loader sends no body with \(method), \
                --loader curl does): change it

                """)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "a head that is cut is an error, and no crash",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\n",
        ])
    func cutHead(head: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send(head)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "expect": { "status": 200 } }"#)
        let run = try await Tool.run(["send", "it"] + Self.foundation, in: workspace)
        #expect(run.status == 6, "\(run.errors)")
        #expect(run.errors.hasPrefix("error: ") && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        let check = try await Tool.run(["check"] + Self.foundation, in: workspace)
        #expect(check.status == 6, "\(check.errors)")
        #expect(check.outputText.contains("1 case"), "\(check.outputText)")
    }

    @Test(
        "trailers and interim heads are no crash either",
        arguments: [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 200 OK\r\n\r\nok",
        ])
    func trailers(answer: String) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send(answer)
        }
        defer { server.stop() }
        let run = try await Tool.run(
            ["send", "it"] + Self.foundation, in: ToolWorkspace(server: "http://127.0.0.1:\(server.port)"))
        #expect(run.status == 0 && run.outputText == "ok", "\(run.errors)")
    }

    @Test("REQCLI_LOADER that names no loader is told, not passed over")
    func unknown() async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        let run = try await Tool.run(["send", "it"], in: workspace, environment: ["REQCLI_LOADER": "urlsession"])
        #expect(run.status == 2)
        #expect(run.errors.contains(#"REQCLI_LOADER takes curl or foundation; found "urlsession""#), "\(run.errors)")
    }
}
