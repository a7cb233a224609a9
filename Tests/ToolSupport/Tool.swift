import CToolSpawn
import Foundation
import Glibc
import Synchronization
import TestSupport

/// The program as it was built, run as a person or a script runs it: in a process of its own.
package enum Tool {
    /// Beside the tests; `REQCLI` names another build, such as the release one.
    package static let path: String = {
        if let path = ProcessInfo.processInfo.environment["REQCLI"], !path.isEmpty { return path }
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent("reqcli").path
    }()

    /// Where one of the program's three descriptors leads.
    package enum End: Sendable {
        case nowhere
        /// Kept, and part of what the run comes to.
        case kept
        /// A file, a pipe or a terminal of the test, which stays the test's to close.
        case descriptor(Int32)
    }

    /// Runs it to its end.
    package static func run(
        _ arguments: [String], in workspace: ToolWorkspace, environment: [String: String] = [:],
        input: Int32? = nil, output: End = .kept, errors: End = .kept, within limit: Duration = .seconds(60)
    ) async throws -> ToolRun {
        try await start(
            arguments, in: workspace, environment: environment, input: input, output: output, errors: errors
        ).end(within: limit)
    }

    /// Starts it, or another program, for a test that does something while it runs.
    package static func start(
        _ arguments: [String], program: String = path, in workspace: ToolWorkspace,
        environment: [String: String] = [:], input: Int32? = nil, output: End = .kept, errors: End = .kept
    ) throws -> RunningTool {
        try RunningTool(
            program, arguments, folder: workspace.folder,
            environment: workspace.environment.merging(environment) { $1 }, input: input, output: output,
            errors: errors)
    }
}

/// What a run of the program came to.
package struct ToolRun: Sendable {
    /// As a shell shows it: 128 and the signal's number for one that ended it.
    package let status: Int32
    /// The one that ended it; nil if it ended by itself. A shell's loop goes on after a program that caught its Ctrl-C.
    package let signal: RunningTool.Signal?
    package let output: [UInt8]
    package let errors: String
    package let time: Duration
    package let end: ContinuousClock.Instant
    /// What it used of the processors, in all.
    package let processorTime: Duration

    package var outputText: String { String(decoding: output, as: UTF8.self) }
}

/// The program while it runs.
package final class RunningTool: Sendable {
    package let id: Int32
    private let start = ContinuousClock.now
    private let output: KeptOutput?
    private let errors: KeptOutput?
    private let folder: TemporaryFolder

    init(
        _ path: String, _ arguments: [String], folder: TemporaryFolder, environment: [String: String],
        input: Int32?, output: Tool.End, errors: Tool.End
    ) throws {
        self.folder = folder
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        self.output = try KeptOutput(output)
        self.errors = try KeptOutput(errors)
        let descriptors = [
            input ?? null, self.output?.writing ?? output.descriptor ?? null,
            self.errors?.writing ?? errors.descriptor ?? null,
        ]
        var id: pid_t = 0
        let code = CStrings.with([path] + arguments) { arguments in
            CStrings.with(environment.map { "\($0)=\($1)" }) { environment in
                tool_spawn(&id, path, arguments, environment, folder.path, descriptors)
            }
        }
        self.output?.closeWriting()
        self.errors?.closeWriting()
        guard code == 0 else { throw ToolProblem("\(path) can't be started: \(String(cString: strerror(code)))") }
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

    /// Ends it in a way that it can't do anything about.
    package func kill() { Glibc.kill(id, SIGKILL) }

    /// Waits for its end; one that takes longer than the limit is killed, and the run's status is then 137.
    package func end(within limit: Duration = .seconds(60)) async throws -> ToolRun {
        let id = id
        let killer = Task {
            try await Task.sleep(for: limit)
            Glibc.kill(id, SIGKILL)
        }
        defer { killer.cancel() }
        // A thread of its own: waiting in a task would keep others from running.
        let (status, usage, end) = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var status: Int32 = 0
                var usage = rusage()
                while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
                // Here and not after the wait, whose task may have to queue for a thread.
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

/// What a test could not set up.
package struct ToolProblem: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension Tool.End {
    fileprivate var descriptor: Int32? { if case .descriptor(let descriptor) = self { descriptor } else { nil } }
}

extension Duration {
    fileprivate init(_ time: timeval) {
        self = .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }
}

/// A pipe whose other end a thread reads to its end, so that no full pipe holds up the program.
private final class KeptOutput: Sendable {
    let writing: Int32
    private let state = Mutex<(result: [UInt8]?, waiting: CheckedContinuation<[UInt8], Never>?)>((nil, nil))

    init?(_ end: Tool.End) throws {
        guard case .kept = end else { return nil }
        var ends: [Int32] = [0, 0]
        guard tool_pipe(&ends) == 0 else { throw ToolProblem("no pipe: \(String(cString: strerror(errno)))") }
        let reading = ends[0]
        writing = ends[1]
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

    func closeWriting() { close(writing) }

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

/// Reading and making what programs are connected with.
package enum Descriptor {
    /// Everything up to the end, or up to an error, which is how a terminal ends.
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

    /// A pipe's two ends.
    package static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard tool_pipe(&ends) == 0 else { throw ToolProblem("no pipe: \(String(cString: strerror(errno)))") }
        return (ends[0], ends[1])
    }
}

/// Swift strings as the list of C strings that programs are started with.
private enum CStrings {
    static func with<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
