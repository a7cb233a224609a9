import Foundation
import Glibc
import HostileServing
import Testing
import ToolSupport

/// Request bodies from files and from standard input.
@Suite(.serialized) struct UploadTests {
    private static func server(_ answer: @escaping @Sendable (HostileConnection, String) -> Void) throws
        -> HostileServer
    {
        try HostileServer { connection in
            while let request = connection.readRequest() { answer(connection, request.line) }
        }
    }

    private static func workspace(_ server: HostileServer, _ endpoint: String) throws -> ToolWorkspace {
        try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: endpoint)
    }

    /// A file to use as standard input.
    private static func input(_ bytes: Data, in workspace: ToolWorkspace) throws -> FileHandle {
        try bytes.write(to: URL(fileURLWithPath: workspace.path("input")))
        return try #require(FileHandle(forReadingAtPath: workspace.path("input")))
    }

    @Test("a linked body file has its target's Content-Length in send -v and in render")
    func link() async throws {
        let server = try Self.server { connection, _ in connection.respond() }
        defer { server.stop() }
        let workspace = try Self.workspace(server, #"{ "path": "/", "method": "PUT", "body": { "file": "link" } }"#)
        try workspace.write("upload", "a file's bytes")
        try FileManager.default.createSymbolicLink(atPath: workspace.path("link"), withDestinationPath: "upload")
        let sent = try await Tool.run(["send", "it", "-v"], in: workspace)
        #expect(sent.errors.contains("> Content-Length: 14\n"), "\(sent.errors)")
        #expect(server.requests.first?.values("Content-Length") == ["14"])
        let shown = try await Tool.run(["render", "it", "--format", "http"], in: workspace)
        #expect(shown.outputText.contains("Content-Length: 14\r\n"), "\(shown.outputText)")
    }

    @Test(
        "standard input is the body of the endpoint itself, not of a needed request",
        arguments: [(["--body", "-"], 5), (["--body", "-"], 17 << 20), (["name@=-"], 5)] as [([String], Int)])
    func needed(flags: [String], size: Int) async throws {
        let server = try Self.server { connection, _ in connection.respond(body: #"{ "token": "t" }"#) }
        defer { server.stop() }
        let workspace = try Self.workspace(
            server,
            #"""
            { "path": "/{{login.token}}", "method": "PUT", "needs": { "login": "login" },
              "params": { "name": { "type": "string", "required": false } }, "body": { "text": "{{name}}" } }
            """#)
        try workspace.write(
            "endpoints/login.json", #"{ "path": "/login", "capture": { "token": { "json": "$.token" } } }"#)
        let bytes = Data(repeating: 0x61, count: size)
        let input = try Self.input(bytes, in: workspace)
        let run = try await Tool.run(["send", "it"] + flags, in: workspace, input: input.fileDescriptor)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.last?.line == "PUT /t HTTP/1.1")
        #expect(server.requests.last.map { Data($0.body) } == bytes)
    }

    @Test(
        "a body is sent in full again after a redirect",
        arguments: [["--body", "@input"], ["--body", "-"]])
    func again(flags: [String]) async throws {
        let server = try Self.server { connection, line in
            if line.contains("/start") { connection.respond(307, ["Location: /end"]) } else { connection.respond() }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(server, #"{ "path": "/start", "method": "POST" }"#)
        let bytes = Data(repeating: 0x61, count: flags == ["--body", "-"] ? 17 << 20 : 20)
        let input = try Self.input(bytes, in: workspace)
        let run = try await Tool.run(
            ["send", "it", "--follow"] + flags, in: workspace, input: input.fileDescriptor)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.map { $0.body.count } == [bytes.count, bytes.count])
    }

    @Test(
        "standard input of any size has the same Content-Type in send and render",
        arguments: [("a", "text/plain; charset=utf-8"), ("[1]", "application/json")])
    func type(text: String, type: String) async throws {
        let server = try Self.server { connection, _ in connection.respond() }
        defer { server.stop() }
        let workspace = try Self.workspace(server, #"{ "path": "/", "method": "POST" }"#)
        for padding in [0, 17 << 20] {
            let input = try Self.input(Data(text.utf8) + Data(repeating: 0x20, count: padding), in: workspace)
            let run = try await Tool.run(
                ["send", "it", "--body", "-"], in: workspace, input: input.fileDescriptor)
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.last?.values("Content-Type") == [type])
            let again = try #require(FileHandle(forReadingAtPath: workspace.path("input")))
            let shown = try await Tool.run(
                ["render", "it", "--body", "-", "--format", "http"], in: workspace, input: again.fileDescriptor)
            #expect(shown.outputText.contains("Content-Type: \(type)\r\n"))
        }
    }

    @Test("memory does not grow with standard input, which is sent again after a redirect")
    func large() async throws {
        let size = 64 << 20
        let server = try Self.server { connection, line in
            if line.contains("/start") {
                connection.respond(307, ["Location: /end"])
            } else {
                connection.waitForClose()
            }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(server, #"{ "path": "/start", "method": "PUT" }"#)
        let bytes = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 8) })
        let all = (0..<size >> 20).reduce(into: Data()) { all, _ in all += bytes }
        let input = try Self.input(all, in: workspace)
        let tool = try Tool.start(
            ["send", "it", "--body", "-", "--follow"], in: workspace, input: input.fileDescriptor)
        #expect(await eventually { server.requests.count == 2 })
        let memory = try #require(tool.mostMemory)
        tool.send(signal: .terminate)
        #expect(try await tool.end().signal == .terminate)
        #expect(server.requests.map { Data($0.body) } == [all, all])
        #expect(server.requests.last?.values("Content-Length") == ["\(size)"])
        #expect(memory < size * 3 / 2, "\(memory >> 20) MiB")
        #expect(workspace.files == ["input"])
    }

    @Test("render takes more than 16 MiB of standard input", arguments: [["--format", "http"], ["--one-line"]])
    func rendered(flags: [String]) async throws {
        let workspace = try ToolWorkspace(server: "http://127.0.0.1:1")
        let input = try Self.input(Data(repeating: 0x61, count: 17 << 20), in: workspace)
        let run = try await Tool.run(
            ["render", "it", "--body", "-"] + flags, in: workspace, input: input.fileDescriptor)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.count > 17 << 20)
    }
}

extension RunningTool {
    /// The peak memory use so far, in bytes.
    fileprivate var mostMemory: Int? {
        let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
