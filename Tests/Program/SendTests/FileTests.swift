import Foundation
import Glibc
import HostileServing
import Testing
import ToolSupport

/// Response bodies are written to files completely or not at all, and to the right file.
@Suite(.serialized) struct FileTests {
    private static func answering(_ body: String, headers: [String] = []) throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, headers, body: body) }
        }
    }

    private static func workspace(_ server: HostileServer) throws -> ToolWorkspace {
        try ToolWorkspace(server: "http://127.0.0.1:\(server.port)")
    }

    @Test("an output file appears only when it is complete")
    func whole() async throws {
        let server = try Self.answering("all of it")
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let run = try await Tool.run(["send", "it", "-o", "out"], in: workspace)
        #expect(run.status == 0 && run.output == [] && run.errors == "")
        #expect(workspace.read("out") == Array("all of it".utf8))
        #expect(workspace.files == ["out"], "nothing else, not in the home folder either")
    }

    @Test(
        "a requested head is printed while the body is written to its file",
        arguments: [["-i", "-o", "out"], ["--headers", "-o", "out"], ["-i", "--download"]])
    func head(flags: [String]) async throws {
        let server = try Self.answering("all of it", headers: ["Content-Disposition: attachment; filename=out"])
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let run = try await Tool.run(["send", "it"] + flags, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.outputText.hasPrefix("HTTP/1.1 200") && run.outputText.hasSuffix("\n\n"), "\(run.outputText)")
        #expect(!run.outputText.contains("all of it"))
        #expect(workspace.read("out") == Array("all of it".utf8))
    }

    @Test("with -o, a terminal shows no head if only the body is requested", arguments: ["-Q", "--body-only"])
    func noHead(flag: String) async throws {
        let server = try Self.answering("all of it")
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it", "-o", "out", flag], in: workspace, output: .descriptor(terminal.program))
        #expect(run.status == 0)
        #expect(await terminal.finalText() == "")
        #expect(workspace.read("out") == Array("all of it".utf8))
    }

    @Test(
        "--output with an option that prints something else is an error", arguments: [["--json"], ["-s", "$.a"]])
    func notWritten(flags: [String]) async throws {
        let server = try Self.answering("{}")
        defer { server.stop() }
        let run = try await Tool.run(["send", "it", "-o", "out"] + flags, in: Self.workspace(server))
        #expect(run.status == 2 && server.requests.isEmpty)
        #expect(run.errors.contains("--output writes the whole body"), "\(run.errors)")
    }

    @Test(
        "a path that leads to the program's own stdout appends to it and does not replace the file",
        arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
    func ownOutput(name: String) async throws {
        let server = try Self.answering("body")
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "expect": { "status": 200 } }"#)
        try workspace.write("log", "before\n")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("link"), withDestinationPath: "/dev/stdout")
        let log = open(workspace.path("log"), O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(log) }
        let run = try await Tool.run(["send", "it", "-o", name], in: workspace, output: .descriptor(log))
        #expect(run.status == 0, "\(run.errors)")
        _ = "\nafter".withCString { write(log, $0, 6) }
        #expect(workspace.read("log").map { String(decoding: $0, as: UTF8.self) } == "before\nbody\nafter")

        let report = try await Tool.run(
            ["check", "it", "--report", "tap=\(name)"], in: workspace, output: .descriptor(log))
        let text = workspace.read("log").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(text.hasPrefix("before\nbody\nafter") && text.contains("TAP version 14"), "\(text) \(report.errors)")
    }

    @Test("an existing file stays unchanged until the new one is complete, and keeps its permissions")
    func replaced() async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nnew ")
            _ = connection.readRequest()
            connection.send("file")
            connection.waitForClose()
        }
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write("out", "old file")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: workspace.path("out"))
        try FileManager.default.createSymbolicLink(atPath: workspace.path("link"), withDestinationPath: "out")
        let failing = try await Tool.run(["send", "it", "-o", "link", "--timeout", "500ms"], in: workspace)
        #expect(failing.status == 7)
        #expect(workspace.read("out") == Array("old file".utf8))
        #expect(workspace.files == ["link", "out"])

        let whole = try Self.answering("new file")
        defer { whole.stop() }
        let run = try await Tool.run(
            ["send", "it", "-o", "link", "--base-url", "http://127.0.0.1:\(whole.port)"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(workspace.read("out") == Array("new file".utf8))
        #expect(workspace.files == ["link", "out"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: workspace.path("link")) == "out")
        let attributes = try FileManager.default.attributesOfItem(atPath: workspace.path("out"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    enum Failing: String, CaseIterable, Sendable {
        case client, server, download, terminal, expected, asked

        var status: Int { self == .server ? 503 : 404 }
        var flags: [String] {
            switch self {
            case .download: ["--download"]
            case .asked: ["-o", "out", "--output-errors"]
            default: ["-o", "out"]
            }
        }
        var isWritten: Bool { self == .expected || self == .asked }
    }

    @Test("the body of an error goes to stderr, and the file keeps what it holds", arguments: Failing.allCases)
    func error(_ failing: Failing) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.respond(
                failing.status, ["Content-Disposition: attachment; filename=out"], body: #"{"error":"so"}"#)
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: failing == .expected ? #"{ "expect": { "status": 404 } }"# : "{}")
        if failing != .download { try workspace.write("out", "precious") }
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["send", "it"] + failing.flags, in: workspace, environment: ["NO_COLOR": "1"],
            errors: failing == .terminal ? .descriptor(terminal.program) : .kept)
        #expect(run.status == (failing == .expected ? 0 : failing == .server ? 5 : 4) && run.output == [])
        let file = workspace.read("out").map { String(decoding: $0, as: UTF8.self) }
        #expect(file == (failing.isWritten ? #"{"error":"so"}"# : failing == .download ? nil : "precious"))
        let screen = await terminal.finalText()
        let errors = failing == .terminal ? screen : run.errors
        let name = failing == .download ? "the file" : "out"
        let note = "note: \(failing.status) Some Reason, so \(name) is not written; --output-errors writes it\n"
        let body = failing == .terminal ? "{\n  \"error\": \"so\"\n}\n" : #"{"error":"so"}"#
        let written = failing == .asked ? "note: the server responded \(failing.status) Some Reason\n" : ""
        #expect(errors == (failing.isWritten ? written : note + body))
    }

    @Test("--output-errors without a file is an error")
    func errorsWithoutFile() async throws {
        let run = try await Tool.run(
            ["send", "it", "--output-errors"], in: try ToolWorkspace(server: "http://127.0.0.1:9"))
        #expect(
            run.status == 2 && run.errors.hasPrefix("error: --output-errors can only be used together with --output"),
            "\(run.errors)")
    }

    @Test("an output pipe or device is written to, not replaced")
    func special() async throws {
        let server = try Self.answering("through a pipe")
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try ShellCommand.run("mkfifo '\(workspace.path("fifo"))'")
        let reader = Task.detached { try ShellCommand.run("cat '\(workspace.path("fifo"))'") }
        let run = try await Tool.run(["send", "it", "-o", "fifo"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        // If the pipe was replaced, this would never end.
        guard try isPipe(workspace.path("fifo")) else {
            Issue.record("the pipe was replaced")
            reader.cancel()
            return
        }
        #expect(try await reader.value == Data("through a pipe".utf8))
        #expect(workspace.files == ["fifo"])
    }

    private func isPipe(_ path: String) throws -> Bool {
        try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeUnknown
    }

    @Test(
        "an output file that cannot be written is exit 9 with a reason",
        arguments: [
            ("nowhere/out", "no such file or directory"), (".", "it is a directory"), ("locked", "denied"),
            ("full", "no space left"),
        ])
    func unwritable(path: String, reason: String) async throws {
        let server = try Self.answering("lost")
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try workspace.write("locked", "as it was")
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: workspace.path("locked"))
        try FileManager.default.createSymbolicLink(atPath: workspace.path("full"), withDestinationPath: "/dev/full")
        // Root may write to it anyway.
        if path == "locked", getuid() == 0 { return }
        let run = try await Tool.run(["send", "it", "-o", path], in: workspace)
        #expect(run.status == 9)
        #expect(run.errors.contains("cannot write \(path)") && run.errors.contains(reason), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(workspace.files == ["full", "locked"])
        #expect(workspace.read("locked") == Array("as it was".utf8))
    }

    @Test("a file size limit (ulimit -f) is exit 9, not a signal", arguments: [["-o", "out"], []])
    func sizeLimit(flags: [String]) async throws {
        let server = try Self.answering(String(repeating: "more than that", count: 1000))
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let descriptor = open(workspace.path("stdout"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let run = try await Tool.start(
            ["--fsize=5000", Tool.path, "send", "it"] + flags, program: "/usr/bin/prlimit", in: workspace,
            output: .descriptor(descriptor)
        ).end()
        #expect(run.status == 9)
        let name = flags.last ?? "the output"
        #expect(run.errors == "error: cannot write \(name): file too large\n")
        #expect(workspace.files == ["stdout"])
    }

    enum Ending: String, CaseIterable, Sendable {
        /// The transfer fails before the first byte is written.
        case cutOff
        /// The transfer is cancelled because its bytes cannot be written.
        case silent, endless
    }

    @Test(
        "a failed write is reported, however the transfer ends",
        arguments: Ending.allCases)
    func writingFirst(ending: Ending) async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nsome")
            switch ending {
            case .cutOff: return
            case .silent: connection.waitForClose()
            case .endless: while connection.send(String(repeating: "more", count: 10000)) {}
            }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try FileManager.default.createSymbolicLink(atPath: workspace.path("full"), withDestinationPath: "/dev/full")
        let run = try await Tool.run(["send", "it", "-o", "full"], in: workspace)
        #expect(run.status == 9, "\(run.errors)")
        #expect(run.errors == "error: cannot write full: no space left on device\n")
    }

    @Test("stdout on a full disk is exit 9", arguments: [[], ["-i"], ["--json"], ["--pretty"], ["--headers"]])
    func fullOutput(flags: [String]) async throws {
        let server = try Self.answering(#"{"lost": true}"#)
        defer { server.stop() }
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let run = try await Tool.run(
            ["send", "it"] + flags, in: try Self.workspace(server), output: .descriptor(full.fileDescriptor))
        #expect(run.status == 9)
        #expect(run.errors.contains("cannot write the output: no space left on device"), "\(run.errors)")
    }

    /// Whether the tests can mount a small disk here. In most containers only root can.
    private static let canMount: Bool = {
        guard let workspace = try? ToolWorkspace([:]) else { return false }
        return (try? SmallDisk(at: workspace.path("disk"))) != nil
    }()

    @Test("a full disk is exit 9 and leaves no partial file", .enabled(if: canMount, "mounting a tmpfs needs root"))
    func fullDisk() async throws {
        let server = try Self.answering(String(repeating: "too much ", count: 100_000))
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let disk = try SmallDisk(at: workspace.path("disk"))
        try workspace.write("disk/out", "what was there")
        for name in ["out", "new"] {
            let run = try await Tool.run(["send", "it", "-o", "disk/\(name)"], in: workspace)
            #expect(run.status == 9)
            #expect(run.errors.contains("disk/\(name): no space left on device"), "\(run.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["out"])
        #expect(workspace.read("disk/out") == Array("what was there".utf8))
    }

    /// A disk of 64 KiB that is unmounted with its owner.
    private final class SmallDisk {
        let path: String

        init(at path: String) throws {
            self.path = path
            _ = try ShellCommand.run("mkdir '\(path)' && mount -t tmpfs -o size=64k reqcli-test '\(path)'")
        }

        deinit {
            // A failure to unmount is ignored: the mount ends with the machine.
            _ = try? ShellCommand.run("umount '\(path)'")
        }
    }
}
