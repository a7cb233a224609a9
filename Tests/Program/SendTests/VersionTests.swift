import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `httpVersion` and its flags choose the version of HTTP, for `send` and for the rendered curl.
@Suite(.serialized) struct VersionTests {
    private static func answer(_ connection: HostileConnection) {
        while connection.readRequest() != nil { connection.respond(body: "here") }
    }

    @Test(
        "send and the rendered curl use the same version of HTTP/1",
        .enabled(if: ShellCommand.has("curl"), "curl is needed"),
        arguments: [
            ("", ["--http1.0"], "1.0"), (#", "httpVersion": "1.0""#, [], "1.0"),
            (#", "httpVersion": "1.0""#, ["--http1.1"], "1.1"),
            (#", "httpVersion": "1.0", "environments": {"development": {"httpVersion": null}}"#, [], "1.1"),
        ])
    func version1(setting: String, flags: [String], version: String) async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/a", "method": "POST", "body": {"text": "b"}\#(setting) }"#)
        let send = try await Tool.run(["send", "it"] + flags, in: workspace)
        #expect(send.status == 0 && send.outputText == "here", "\(send.errors)")
        let render = try await Tool.run(["render", "it"] + flags, in: workspace)
        #expect(try ShellCommand.run(render.outputText, in: workspace.folder) == Data("here".utf8))
        #expect(server.requests.map(\.line) == Array(repeating: "POST /a HTTP/\(version)", count: 2))
        #expect(server.requests.map(\.headerLines).map(Set.init).count == 2)
        #expect(Set(server.requests.map { Set($0.headerLines) }).count == 1)
    }

    @Test(
        "--http2 sends HTTP/2 over http without asking, also for needed requests, and so does the rendered curl",
        .enabled(if: ShellCommand.has("nginx") && ShellCommand.has("curl"), "nginx and curl are needed"))
    func version2() async throws {
        let server = try Nginx()
        let workspace = try ToolWorkspace(
            server: "http://localhost",
            endpoint: #"{ "path": "/echo", "query": { "n": "{{first.name}}" }, "needs": { "first": "first" } }"#)
        try workspace.write(
            "endpoints/first.json",
            #"{ "path": "/small", "capture": { "name": { "header": "Server", "match": "nginx" } } }"#)
        let flags = ["--unix-socket", server.http2Socket, "--http2"]
        let send = try await Tool.run(["send", "it", "-i"] + flags, in: workspace)
        #expect(
            send.outputText.hasPrefix("HTTP/2 200") && send.outputText.hasSuffix("n=nginx"),
            "\(send.outputText)\(send.errors)")
        let render = try await Tool.run(["render", "first"] + flags, in: workspace)
        #expect(try ShellCommand.run(render.outputText, in: workspace.folder) == Data("small\n".utf8))
    }

    @Test("a server that knows no HTTP/2 is a failure with --http2")
    func refused() async throws {
        let server = try HostileServer(Self.answer)
        defer { server.stop() }
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
        let run = try await Tool.run(["send", "it", "--http2"], in: workspace)
        #expect(run.status == 6 && run.outputText == "", "\(run.status) \(run.errors)")
    }
}
