import CommandLineKit
import Foundation
import Glibc
import ReqcliAssembly
import ReqcliBasics
import ReqcliText

/// The command after `--`, which runs with the server's URL.
final class ServedProgram: Sendable {
    private let process: pid_t

    /// Starts the program in this process group, so that Ctrl-C reaches it, too.
    ///
    /// - Parameters:
    ///   - variables: Variables for the program, in addition to those of this process.
    ///   - hasInput: Whether the program reads standard input.
    ///   - hasOutput: Whether the program may write to standard output. If not, its output goes to standard error.
    init(
        _ words: [String], _ variables: [String: String], hasInput: Bool, hasOutput: Bool
    ) throws(Failure) {
        let others = ProcessInfo.processInfo.environment.filter { variables[$0.key] == nil }
        let settings = others.merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }.sorted()
        var environment = settings.map { strdup($0) } + [nil]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for text in environment + arguments { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if !hasInput { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) }
        if !hasOutput { posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores some signals, but the program must not ignore them.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let code = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else {
            let reason = code == ENOENT ? "there is no such program" : String(cString: strerror(code))
            throw Failure(.usage, code: .usageInvalid, "cannot run \(words[0].quoted): \(reason)")
        }
        self.process = process
    }

    /// Once the program has ended, calls a function with its exit status.
    func whenEnded(_ body: @escaping @Sendable (ExitStatus) -> Void) {
        Thread.detachNewThread { [process] in
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0, errno == EINTR {}
            let signal = raw & 0x7F
            body(signal == 0 ? ExitStatus(raw >> 8 & 0xFF, "") : ExitStatus(signal: signal))
        }
    }

    /// Ends the program with a signal. If it is still running after `grace`, SIGKILL ends the program and all programs that it
    /// has started. Returns its exit status.
    func end(by signal: Int32, within grace: Duration, _ ends: ServeEnds) async -> ExitStatus {
        kill(process, signal)
        let limit = Task { [process] in
            try await Task.sleep(for: grace)
            // Lists the descendants before the kill, because afterwards they are no longer descendants of the program.
            for each in [process] + Self.descendants(of: process) { kill(each, SIGKILL) }
        }
        defer { limit.cancel() }
        while true {
            if case .programEnded(let status) = await ends.next() { return status }
        }
    }

    /// The processes that a process has started, directly or indirectly. They have no process group of their own that could be
    /// ended at once, because Ctrl-C would not reach such a group.
    private static func descendants(of process: pid_t) -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let children = threads.flatMap { thread in
            let list = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
        return children + children.flatMap(descendants)
    }
}
