import Foundation
import HostileServing
import Testing
import ToolSupport

/// `check --record` and `check --replay`.
@Suite(.serialized) struct RecordingTests {
    /// A server that responds with a body, in which `SECRET` is replaced by the bearer token of the request.
    private static func server(_ body: String) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let token = request.head.firstMatch(of: /Bearer ([^\r]*)/).map { String($0.1) } ?? ""
                connection.respond(
                    200, ["Content-Type: application/json", "Set-Cookie: sid=abcdef123456; Path=/"],
                    body: body.replacing("SECRET", with: token))
            }
        }
    }

    private static func workspace(_ server: HostileServer, _ expect: String) throws -> ToolWorkspace {
        try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/", "expect": \#(expect) }"#,
            environment: #""secrets": { "t": { "env": "T" } }, "auth": { "bearer": "{{secret.t}}" }"#)
    }

    private static let token = "Tok-9f8e7d6c5b"

    private static func record(_ workspace: ToolWorkspace) async throws -> ToolRun {
        try await Tool.run(["check", "--record", "run.reqcli"], in: workspace, environment: ["T": token])
    }

    /// Replays the recording of a workspace in another folder.
    private static func replay(_ workspace: ToolWorkspace, _ words: [String] = []) async throws -> ToolRun {
        let other = try ToolWorkspace([:])
        return try await Tool.run(["check", "--replay", workspace.path("run.reqcli")] + words, in: other)
    }

    @Test("a red run is replayed in the same words, without its server, its workspace and its secret")
    func red() async throws {
        let server = try Self.server(#"{"token": "SECRET", "n": 1}"#)
        let workspace = try Self.workspace(
            server, #"{ "json": { "$.token": "{{secret.t}}", "$.n": 2 } }"#)
        let run = try await Self.record(workspace)
        server.stop()
        #expect(run.status == 1 && run.errors.isEmpty, "\(run.errors)")
        let replay = try await Self.replay(workspace)
        #expect(replay.status == 1 && replay.errors.isEmpty, "\(replay.errors)")
        #expect(replay.outputText == run.outputText)
        let file = try #require(workspace.read("run.reqcli"))
        #expect(!String(decoding: file, as: UTF8.self).contains(Self.token))
        #expect(!String(decoding: file, as: UTF8.self).contains("abcdef123456"))
        try workspace.write("endpoints/it.json", #"{ "path": "/", "expect": { "json": { "$.n": 1 } } }"#)
        #expect(try await Self.replay(workspace, ["--workspace", workspace.path("")]).status == 0)
    }

    @Test("a case whose verdict depends on a secret's value is not replayable, and not green")
    func unreplayable() async throws {
        let server = try Self.server(#"{"token": "SECRET"}"#)
        defer { server.stop() }
        let workspace = try Self.workspace(server, ##"{ "json": { "$.token": { "matches": "^Tok-9" } } }"##)
        let run = try await Self.record(workspace)
        #expect(run.status == 0 && run.errors.contains("can't replay 1 of 1 case"), "\(run.errors)")
        let replay = try await Self.replay(workspace)
        #expect(replay.status == 2)
        #expect(replay.outputText.contains("not replayable: its verdict would change"), "\(replay.outputText)")
    }

    @Test("without a run, no recording is written, and an earlier one is removed")
    func noRun() async throws {
        let server = try Self.server("{}")
        let workspace = try Self.workspace(server, #"{ "status": 200 }"#)
        _ = try await Self.record(workspace)
        server.stop()
        #expect(workspace.read("run.reqcli") != nil)
        try workspace.write("endpoints/it.json", "{")
        let run = try await Self.record(workspace)
        #expect(run.status == 3 && run.errors.contains("run.reqcli is removed"), "\(run.errors)")
        #expect(workspace.read("run.reqcli") == nil)
        let other = try await Tool.run(["check", "--record", "missing/run.reqcli"], in: workspace)
        #expect(other.status != 0)
    }

    @Test("a file that is not a recording is refused")
    func other() async throws {
        let workspace = try ToolWorkspace(["run.reqcli": "{}"])
        let replay = try await Self.replay(workspace)
        #expect(replay.status == 2 && replay.outputText.isEmpty)
        #expect(replay.errors.contains("it is not a zip archive"), "\(replay.errors)")
    }
}
