import CReqcliSystem
import CToolSpawn
import Foundation
import Glibc
import ReqcliBasics
import TestSupport

/// The built program, run in its own process as a user or a script runs it.
package enum Tool {
    /// The program next to the tests. `REQCLI` names another build, such as the release build.
    package static let path: String = {
        if let path = ProcessInfo.processInfo.environment["REQCLI"], !path.isEmpty { return path }
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent("reqcli").path
    }()

    /// The path of a program on this machine; nil if it is not installed.
    package static func path(of name: String) -> String? {
        ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The target of one of the program's output descriptors.
    package enum End: Sendable {
        case nowhere
        /// Collected into the result of the run.
        case kept
        /// A file, a pipe or a terminal that belongs to the test, which closes it.
        case descriptor(Int32)
        /// An existing file.
        case file(String)
        /// A pipe without a reader.
        case closedPipe
        /// The program starts without this descriptor.
        case closed
    }

    /// Runs the program to its end, with the workspace's environment variables.
    package static func run(
        _ arguments: [String], in workspace: ToolWorkspace, environment: [String: String] = [:],
        input: Int32? = nil, output: End = .kept, errors: End = .kept, within limit: Duration = .seconds(60)
    ) async throws -> ToolRun {
        try await start(
            arguments, in: workspace, environment: environment, input: input, output: output, errors: errors
        ).end(within: limit)
    }

    /// Starts the program, or another program. For a test that does something while the program runs.
    package static func start(
        _ arguments: [String], program: String = path, in workspace: ToolWorkspace,
        environment: [String: String] = [:], input: Int32? = nil, output: End = .kept, errors: End = .kept
    ) throws -> RunningTool {
        try RunningTool(
            [program] + arguments, folder: workspace.folder.path, owner: workspace.folder,
            environment: workspace.environment.merging(environment) { $1 }, input: input, output: output,
            errors: errors)
    }

    /// Runs the program to its end in any folder, by default this repository. Its environment contains only `variables` and a
    /// PATH.
    ///
    /// - Parameter program: The program to run. Its first word is looked up in PATH. Further words come before
    ///   `arguments`, such as those of a tool that the program runs under.
    package static func run(
        _ arguments: [String], in folder: String = Repository.root, variables: [String: String] = [:],
        output: End = .kept,
        program: [String] = [path], within limit: Duration = .seconds(60)
    ) async throws -> ToolRun {
        try await start(arguments, in: folder, variables: variables, output: output, program: program)
            .end(within: limit)
    }

    package static func run(
        _ arguments: String..., in folder: String = Repository.root, variables: [String: String] = [:],
        output: End = .kept,
        program: [String] = [path], within limit: Duration = .seconds(60)
    ) async throws -> ToolRun {
        try await start(arguments, in: folder, variables: variables, output: output, program: program)
            .end(within: limit)
    }

    package static func start(
        _ arguments: [String], in folder: String = Repository.root, variables: [String: String] = [:],
        output: End = .kept,
        program: [String] = [path]
    ) throws -> RunningTool {
        try RunningTool(
            program + arguments, folder: folder, owner: nil,
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"].merging(variables) { $1 }, input: nil,
            output: output, errors: .kept)
    }
}

/// The parts of a run's result that most tests check.
package struct ToolOutcome: Equatable, Sendable, CustomStringConvertible {
    package let status: Int32
    package let output: String
    package let errors: String

    package init(status: Int32, output: String, errors: String) {
        (self.status, self.output, self.errors) = (status, output, errors)
    }

    package var description: String { "status \(status)\nstdout:\n\(output.prefix(2000))\nstderr:\n\(errors)" }
}

/// The result of a run of the program.
package struct ToolRun: Sendable, CustomStringConvertible {
    /// The exit status; 128 and the signal's number if a signal ended it, as in a shell.
    package let status: Int32
    /// The signal that ended it; nil if it exited. A shell loop continues after a program that handled its Ctrl-C.
    package let signal: RunningTool.Signal?
    package let output: [UInt8]
    package let errors: String
    package let time: Duration
    package let end: ContinuousClock.Instant
    /// The processor time that it used, on all processors.
    package let processorTime: Duration

    /// The note that `send` prints after a response without a body, such as the response of a ``RecordingServer``.
    package static let noBody = "note: 200 OK, no body\n"

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var outcome: ToolOutcome { ToolOutcome(status: status, output: outputText, errors: errors) }
    package var description: String { outcome.description }
}

/// The program while it runs.
package final class RunningTool: Sendable {
    package let id: Int32
    private let start = ContinuousClock.now
    private let output: KeptOutput?
    private let errors: KeptOutput?
    private let owner: TemporaryFolder?

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - owner: A folder that is kept until the program has ended.
    init(
        _ words: [String], folder: String, owner: TemporaryFolder?, environment: [String: String], input: Int32?,
        output: Tool.End,
        errors: Tool.End
    ) throws {
        let (output, errors, null) = (try OutputEnd(output), try OutputEnd(errors), try OutputEnd(.nowhere))
        (self.output, self.errors, self.owner) = (output.kept, errors.kept, owner)
        var id: pid_t = 0
        let code = CStrings.with(words) { words in
            CStrings.with(environment.map { "\($0)=\($1)" }) { environment in
                tool_spawn(
                    &id, words, environment, folder, [input ?? null.descriptor, output.descriptor, errors.descriptor])
            }
        }
        for end in [output, errors, null] { end.close() }
        guard code == 0 else { throw ToolProblem("\(words) can't be started: \(String(cString: strerror(code)))") }
        self.id = id
    }

    package enum Signal: Sendable, CaseIterable {
        case interrupt, terminate, hangUp, quit, alarm, user

        fileprivate var number: Int32 {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .quit: SIGQUIT
            case .alarm: SIGALRM
            case .user: SIGUSR1
            }
        }
    }

    package func send(signal: Signal) { Glibc.kill(id, signal.number) }

    /// Stops the program for a time, as a machine does that is too busy for it.
    package func pause(for time: Duration) async throws {
        Glibc.kill(id, SIGSTOP)
        defer { Glibc.kill(id, SIGCONT) }
        try await Task.sleep(for: time)
    }

    /// Kills the program with a signal that it cannot handle.
    package func kill() { Glibc.kill(id, SIGKILL) }

    /// Waits for the end of the program. If the limit is reached first, the program is killed, and the run's status is 137.
    package func end(within limit: Duration = .seconds(60)) async throws -> ToolRun {
        let id = id
        let killer = Task {
            try await Task.sleep(for: limit)
            Glibc.kill(id, SIGKILL)
        }
        defer { killer.cancel() }
        // A separate thread waits, because a task that waits would block other tasks.
        let (status, usage, end) = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var status: Int32 = 0
                var usage = rusage()
                while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
                // The time is taken here, because the task may have to wait for a thread afterwards.
                continuation.resume(returning: (status, usage, ContinuousClock.now))
            }
        }
        let signal = status & 0x7F
        return ToolRun(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            signal: Signal.allCases.first { $0.number == signal }, output: await output?.bytes() ?? [],
            errors: String(decoding: await errors?.bytes() ?? [], as: UTF8.self), time: end - start, end: end,
            processorTime: Duration(usage.ru_utime) + Duration(usage.ru_stime))
    }
}

/// An error in setting up a test.
package struct ToolProblem: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension Duration {
    fileprivate init(_ time: timeval) {
        self = .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }
}

/// One of the output descriptors that a program starts with.
private struct OutputEnd {
    /// The descriptor, or -1 for none.
    let descriptor: Int32
    let kept: KeptOutput?
    /// Whether this value closes the descriptor, and not the test.
    private let isOwned: Bool

    init(_ end: Tool.End) throws {
        var kept: KeptOutput?
        var isOwned = true
        switch end {
        case .nowhere: descriptor = try Descriptor.open("/dev/null", O_RDWR)
        case .file(let path): descriptor = try Descriptor.open(path, O_WRONLY)
        case .kept:
            let output = try KeptOutput()
            (kept, descriptor) = (output, output.writing)
        case .closedPipe:
            let pipe = try Descriptor.pipe()
            Descriptor.close(pipe.reading)
            descriptor = pipe.writing
        case .descriptor(let descriptor):
            self.descriptor = descriptor
            isOwned = false
        case .closed:
            descriptor = -1
            isOwned = false
        }
        (self.kept, self.isOwned) = (kept, isOwned)
    }

    func close() { if isOwned { Descriptor.close(descriptor) } }
}

/// A pipe that a thread reads to its end, so that a full pipe never blocks the program.
private final class KeptOutput: Sendable {
    let writing: Int32
    private let state = Mutex<(result: [UInt8]?, waiting: CheckedContinuation<[UInt8], Never>?)>((nil, nil))

    init() throws {
        let (reading, writing) = try Descriptor.pipe()
        self.writing = writing
        Thread.detachNewThread { [self] in
            let bytes = Descriptor.readAll(reading)
            close(reading)
            let waiting = state.withLock { state in
                state.result = bytes
                return state.waiting
            }
            waiting?.resume(returning: bytes)
        }
    }

    func bytes() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiting = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}

/// Reads and creates the descriptors that connect programs.
package enum Descriptor {
    /// All bytes up to the end or up to an error. Reading from a terminal ends with an error.
    package static func readAll(_ descriptor: Int32) -> [UInt8] {
        var result: [UInt8] = []
        while let chunk = read(descriptor, upTo: 1 << 16) { result += chunk }
        return result
    }

    /// The next bytes; nil at the end.
    package static func read(_ descriptor: Int32, upTo limit: Int) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: limit)
        while true {
            let count = Glibc.read(descriptor, &chunk, limit)
            if count > 0 { return Array(chunk[..<count]) }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    package static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    /// Creates a pipe and returns its two ends.
    package static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard reqcli_pipe(&ends) == 0 else { throw ToolProblem("no pipe: \(String(cString: strerror(errno)))") }
        return (ends[0], ends[1])
    }

    fileprivate static func open(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw ToolProblem("\(path): \(String(cString: strerror(errno)))") }
        return descriptor
    }
}

/// Converts Swift strings to the array of C strings with which a program is started.
private enum CStrings {
    static func with<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
