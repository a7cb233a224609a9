import Foundation
import Glibc

/// A process whose output is read. All calls block. Foundation's `Process` isn't used, because it waits in a run loop, which
/// parallel tests on a few threads do not have.
package final class ChildProcess: Sendable {
    private let id: pid_t
    private let output: Int32
    /// The write end of the process's standard input. It stays open as long as this object exists.
    private let input: Int32

    /// Starts a program found in PATH and discards its stderr.
    package init(_ arguments: [String]) throws {
        (id, output, input) = try Self.spawning.withLock { _ in try Self.spawn(arguments) }
    }

    /// Starts a server that ends when this object is released or when the test's process ends. A shell waits for the end of its
    /// standard input, which this object keeps open, and then ends the server.
    package convenience init(server arguments: [String]) throws {
        try self.init(["/bin/sh", "-c", "\"$@\" & read -r _; kill -9 $!", "sh"] + arguments)
    }

    deinit {
        close(output)
        close(input)
    }

    /// A lock, so that processes start one at a time. Otherwise, a child could inherit another child's pipe before the pipe is
    /// marked as close-on-exec, and keep it open.
    private static let spawning = Locked(())

    private static func spawn(_ arguments: [String]) throws -> (id: pid_t, output: Int32, input: Int32) {
        var output: [Int32] = [0, 0]
        var input: [Int32] = [0, 0]
        guard pipe(&output) == 0, pipe(&input) == 0 else { throw SetupFailure("no pipe") }
        for end in output + input { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input[0], 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var id = pid_t()
        let result = posix_spawnp(&id, arguments[0], &actions, nil, &words, environ)
        close(output[1])
        close(input[0])
        guard result == 0 else {
            close(output[0])
            close(input[1])
            throw SetupFailure("\(arguments[0]): \(String(cString: strerror(result)))")
        }
        return (id, output[0], input[1])
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

    /// Waits for the end and returns the status, 0 on success. Call it once, and not for a server.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
