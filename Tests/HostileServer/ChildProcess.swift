import Glibc

/// A process whose output is read. Foundation's `Process` waits in a run loop, which tests that run in parallel on a
/// few threads don't have; this one just waits.
package final class ChildProcess: Sendable {
    private let id: pid_t
    private let output: Int32

    /// Starts a program that is looked for in PATH, with nothing on stdin and stderr thrown away.
    package init(_ arguments: [String]) throws {
        (id, output) = try Self.spawning.withLock { _ in try Self.spawn(arguments) }
    }

    /// One at a time: a child that inherits the pipe of another before it is marked would hold that open.
    private static let spawning = Locked(())

    private static func spawn(_ arguments: [String]) throws -> (pid_t, Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SetupFailure("no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var id = pid_t()
        let result = posix_spawnp(&id, arguments[0], &actions, nil, &words, environ)
        close(ends[1])
        guard result == 0 else {
            close(ends[0])
            throw SetupFailure("\(arguments[0]): \(String(cString: strerror(result)))")
        }
        return (id, ends[0])
    }

    deinit {
        close(output)
    }

    /// The next bytes of the output; empty at its end.
    package func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return Array(buffer[..<max(0, count)])
        }
    }

    /// Ends the process. It may have been started on a thread that blocks gentler signals, and have inherited that.
    package func terminate() {
        kill(id, SIGKILL)
    }

    /// Waits for the end; 0 if all went well. To be called once.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
