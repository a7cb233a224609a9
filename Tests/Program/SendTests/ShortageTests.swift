import Foundation
import Glibc
import HostileServing
import Testing
import ToolSupport

/// With too few system resources the program prints one line and ends. It never hangs or crashes.
@Suite(.serialized) struct ShortageTests {
    private static let commands = [["send", "it"], ["check"]]

    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, body: "ok") }
        }
    }

    private static func workspace(_ server: HostileServer) throws -> ToolWorkspace {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/", "expect": { "status": 200 } }"#)
        // Readable for programs of other users.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: workspace.path("."))
        return workspace
    }

    /// Runs the program under another one that limits its resources.
    private func run(
        _ command: [String], under limiter: [String], in workspace: ToolWorkspace, environment: [String: String] = [:]
    ) async throws -> ToolRun {
        // The workspace is named, because one that belongs to another user is rejected if it is only found.
        let words = Array(limiter.dropFirst()) + [Tool.path, "-C", "."] + command
        return try await Tool.start(words, program: limiter[0], in: workspace, environment: environment)
            .end(within: .seconds(20))
    }

    @Test("too few file descriptors are an error that names the number needed", arguments: commands, 4...9)
    func descriptors(command: [String], count: Int) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await run(
            command, under: ["/usr/bin/prlimit", "--nofile=\(count):\(count)"], in: Self.workspace(server))
        #expect(run.status == 6, "\(run.errors)")
        #expect(
            run.errors
                == "error: a request takes 12 file descriptors, but only \(count - 3) are free: raise the limit (ulimit -n)\n"
        )
        #expect(run.output.isEmpty && server.requests.isEmpty)
    }

    @Test(
        "the number of descriptors in the message is enough, and a soft limit is raised", arguments: commands,
        ["15:15", "5:64"])
    func enoughDescriptors(command: [String], limit: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await run(command, under: ["/usr/bin/prlimit", "--nofile=\(limit)"], in: Self.workspace(server))
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors) \(run.outputText)")
    }

    @Test(
        "commands of every kind do what they can with few descriptors, or say that there are too few",
        arguments: [
            ["validate"], ["list"], ["check", "--stub"], ["send", "it", "--stub"],
            ["serve", "--port", "0", "--", "true"],
            ["send", "it", "--stub", "--watch"],
        ])
    func everyCommand(_ command: [String]) async throws {
        var files = ["reqcli.json": "{}", "environments/development.json": #"{"baseURL": "http://127.0.0.1:9"}"#]
        // So many that they are read in parallel.
        for number in 0..<12 { files["endpoints/e\(number).json"] = #"{"path": "/"}"# }
        files["endpoints/it.json"] = #"{"path": "/", "expect": {"status": 200}, "stubs": {"variants": {"a": {}}}}"#
        let workspace = try ToolWorkspace(files)
        for count in 4...24 {
            // A watching command is ended by its own clock, with 124.
            let limiter = ["/usr/bin/prlimit", "--nofile=\(count):\(count)", "timeout", "-s", "INT", "1"]
            let run = try await run(
                command, under: command.last == "--watch" ? limiter : Array(limiter.prefix(2)), in: workspace)
            #expect([0, 1, 2, 3, 6, 9, 124].contains(run.status), "\(count): \(run.status) \(run.errors)")
            if run.status == 2 { #expect(run.errors.contains("raise the limit (ulimit -n)"), "\(run.errors)") }
        }
    }

    /// Delays the last system call in which libdispatch opens a descriptor.
    private static let delay =
        ["strace", "-f", "-e", "trace=openat,timerfd_create"]
        + ["-e", "inject=timerfd_create:delay_enter=50000"]

    @Test(
        "libdispatch has its descriptors before others are counted, as the count uses up all",
        .enabled(
            if: (try? ShellCommand.run(delay.joined(separator: " ") + " -o /dev/null true")) != nil,
            "needs strace, and leave to trace"))
    func countedAfterDispatch() async throws {
        var files = ["reqcli.json": "{}"]
        for number in 0..<12 { files["endpoints/e\(number).json"] = #"{"path": "/"}"# }
        let workspace = try ToolWorkspace(files)
        let limiter = Self.delay + ["-o", workspace.path("trace"), "/usr/bin/prlimit", "--nofile=10:10"]
        let run = try await run(["validate"], under: ["/usr/bin/env"] + limiter, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        let trace = try #require(workspace.read("trace"))
        let calls = String(decoding: trace, as: UTF8.self).split(separator: "\n")
        let opened = try #require(calls.lastIndex { $0.contains("timerfd_create") && $0.contains("(DELAYED)") })
        let counted = try #require(calls.lastIndex { $0.contains("/dev/null") })
        #expect(opened < counted)
        #expect(calls[opened...].contains { $0.contains("EMFILE") })
    }

    /// Runs a program as a user with no other processes, limited to this many processes and threads. Only root can
    /// change the user.
    private static func asNobodyElse(processes: Int) -> [String] {
        [
            "/usr/bin/setpriv", "--reuid=54321", "--clear-groups", "/usr/bin/prlimit",
            "--nproc=\(processes):\(processes)",
        ]
    }

    /// Whether another user can start the program.
    private static let canBecomeAnother: Bool = {
        let words = asNobodyElse(processes: 64) + [Tool.path, "--version"]
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        return (try? ShellCommand.run(line)).map { !$0.isEmpty } ?? false
    }()

    @Test(
        "too few threads are one error", .enabled(if: canBecomeAnother, "limiting another user's processes needs root"),
        arguments: commands, [1, 2, 3, 4, 5, 6])
    func threads(command: [String], count: Int) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await run(command, under: Self.asNobodyElse(processes: count), in: Self.workspace(server))
        #expect(run.status == 6, "\(run.errors)")
        #expect(
            run.errors.hasPrefix("error: sending takes ")
                && run.errors.contains(" threads, but the system allows fewer: "))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test(
        "commands that send nothing need no extra threads, however many files there are",
        .enabled(if: canBecomeAnother, "limiting another user's processes needs root"),
        arguments: [["validate"], ["list"], ["render", "it"], ["check", "--list"]])
    func noThreads(command: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        for number in 0..<40 { try workspace.write("endpoints/more\(number).json", #"{ "path": "/" }"#) }
        let run = try await run(command, under: Self.asNobodyElse(processes: 1), in: workspace)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("little memory causes no crash", arguments: commands, [64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512])
    func addressSpace(command: [String], mebibytes: Int) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let run = try await run(
            command, under: ["/usr/bin/prlimit", "--as=\(mebibytes << 20)"], in: Self.workspace(server))
        // A dynamically linked program needs more than that to load.
        if run.status == 127, run.errors.contains("error while loading shared libraries") { return }
        #expect([0, 6].contains(run.status), "\(run.errors)")
        if run.status == 6, command[0] == "send" {
            #expect(run.errors.hasPrefix("error: ") && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    /// A folder with an invalid file named like libcurl, which the dynamic linker finds first.
    private static func withoutLibcurl(_ workspace: ToolWorkspace) throws -> [String: String] {
        try workspace.write("libraries/libcurl.so.4", "")
        return ["LD_LIBRARY_PATH": workspace.path("libraries")]
    }

    /// Whether libcurl is loaded on first use, as in the release build.
    private static let loadsLibcurlLate: Bool = {
        guard let workspace = try? ToolWorkspace([:]), let variables = try? withoutLibcurl(workspace) else {
            return false
        }
        let line = variables.map { "\($0)='\($1)'" }.joined() + " '\(Tool.path)' --version"
        return (try? ShellCommand.run(line)).map { !$0.isEmpty } ?? false
    }()

    @Test(
        "a missing libcurl is an error without a stack trace",
        .enabled(if: loadsLibcurlLate, "this build is linked with libcurl; REQCLI=PATH names the release one"),
        arguments: commands)
    func noLibcurl(command: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let run = try await Tool.run(command, in: workspace, environment: Self.withoutLibcurl(workspace))
        #expect(run.status == 6)
        let told = run.errors + run.outputText
        #expect(told.contains("libcurl can't be loaded ("), "\(told)")
        #expect(!told.contains("Fatal error") && !told.contains("stack trace"), "\(told)")
        if command[0] == "send" { #expect(run.errors.split(separator: "\n").count == 1) }
    }
}
