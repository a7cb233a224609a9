import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `--dump-header` writes the head of a response to a file.
@Suite(.serialized) struct HeadFileTests {
    private static func answer(_ connection: HostileConnection) {
        while let request = connection.readRequest() {
            if request.line.contains("/first") {
                connection.respond(302, ["Location: /last"])
            } else {
                connection.respond(404, ["X-Echo: t0p-s3cret", "Set-Cookie: id=0123456789"], body: "gone")
            }
        }
    }

    @Test("the file has the head of the last response, after an error, too, with secrets and cookies masked")
    func head() async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/first", "headers": { "X": "{{secret.token}}" } }"#,
            environment: #""secrets": { "token": { "env": "TOKEN" } }"#)
        try workspace.write("jar", "")
        let run = try await Tool.run(
            ["send", "it", "--follow", "-D", "head", "--cookie-jar", "jar"], in: workspace,
            environment: ["TOKEN": "t0p-s3cret"])
        #expect(run.status == 4 && run.outputText == "gone", "\(run.errors)")
        let text = String(decoding: workspace.read("head") ?? [], as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 404 ") && !text.contains("302"), "\(text)")
        #expect(text.contains("X-Echo: <secret.token>\n"), "\(text)")
        #expect(text.contains("Set-Cookie: id=<secret.cookie.id>\n"), "\(text)")
    }

    @Test(
        "a file that can't be written is an error",
        arguments: [
            ("no/head", 9, "cannot write no/head: no such file"),
            ("-", 2, "to print the headers, use --include (with the body)"),
        ])
    func unwritable(path: String, status: Int32, message: String) async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "-D", path], in: workspace)
        #expect(run.status == status && run.errors.contains(message), "\(run.errors)")
    }
}
