import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `--write-out` prints what is known of a response after its body.
@Suite(.serialized) struct WriteOutTests {
    private static func answer(_ connection: HostileConnection) {
        while let request = connection.readRequest() {
            if request.line.contains("/first") {
                connection.respond(302, ["Location: /last"])
            } else {
                connection.respond(
                    404, ["X-Echo: t0p-s3cret", "Set-Cookie: id=0123456789", "A: 1", "a: 2", "ETag: \"e\""],
                    body: "gone")
            }
        }
    }

    private static func workspace(_ server: HostileServer) throws -> ToolWorkspace {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/first", "headers": { "X": "{{secret.token}}" } }"#,
            environment: #""secrets": { "token": { "env": "TOKEN" } }"#)
        try workspace.write("jar", "")
        return workspace
    }

    @Test(
        "variables stand for the last response, with secrets and cookies masked",
        arguments: [
            (#"\n{status} {version} {size}\n"#, "gone\n404 HTTP/1.1 4\n"), ("{url}", "gonehttp://127.0.0.1:PORT/last"),
            ("{header.etag}|{header.A}|{header.none}|", #"gone"e"|1, 2||"#),
            (#"{{status}\\n\x}"#, #"gone{status}\n\x}"#),
            ("{header.x-echo} {header.set-cookie}", "gone<secret.token> id=<secret.cookie.id>"), ("", "gone"),
        ])
    func variables(template: String, output: String) async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let run = try await Tool.run(
            ["send", "it", "--follow", "--cookie-jar", "jar", "-w", template], in: workspace,
            environment: ["TOKEN": "t0p-s3cret"])
        #expect(run.status == 4, "\(run.errors)")
        #expect(run.outputText == output.replacing("PORT", with: "\(server.port)"))
    }

    @Test("the times are seconds, in order, and the text follows what --select and --json print, too")
    func times() async throws {
        let server = try HostileServer { while $0.readRequest() != nil { $0.respond(body: #"{"a": 1}"#) } }
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(
            ["send", "it", "-s", "$.a", "-w", "{time.connect} {time.firstByte} {time.total} {time.tls}"], in: workspace)
        let lines = run.outputText.split(separator: "\n")
        #expect(lines.first == "1" && lines.count == 2, "\(run)")
        let times = lines.last?.split(separator: " ").compactMap { Double($0) } ?? []
        #expect(times.count == 4 && times[0] > 0 && times[0] <= times[1] && times[1] <= times[2] && times[2] < 60)
        #expect(lines.last?.hasSuffix(" 0.000000") == true, "\(run)")
    }

    @Test(
        "a variable that there isn't is an error before anything is sent",
        arguments: [
            ("{statsu}", #"did you mean "status"?"#), ("{time.totel}", #"did you mean "time.total"?"#),
            ("{zzzzzz}", "there is no variable {zzzzzz}; available: status, reason, version, url, size"),
            ("{status", "a variable ends with \"}\""),
            ("{header.}", "there is no variable {header.}"),
        ])
    func unknown(template: String, message: String) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        let run = try await Tool.run(["send", "it", "-w", template], in: workspace)
        #expect(run.status == 2 && run.errors.contains(message), "\(run.errors)")
    }
}
