import Foundation
import Glibc
import ReqcliBasics
import ReqcliText

/// This program, started again with other words.
enum OwnProgram {
    /// Starts the program without standard input, in a separate process group.
    ///
    /// - Parameters:
    ///   - streams: Descriptors of this process, and the descriptors that they become in the other process.
    ///   - variables: The variables that the other process doesn't get.
    static func spawn(
        _ words: [String], writing streams: [(from: Int32, to: Int32)] = [], without variables: [String] = []
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for (from, to) in streams { posix_spawn_file_actions_adddup2(&actions, from, to) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var arguments = ([CommandLine.arguments.first ?? Program.name] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var passed: [UnsafeMutablePointer<CChar>?] = []
        var index = 0
        while let entry = environ[index] {
            index += 1
            let isLeftOut = variables.contains { strncmp(entry, $0 + "=", $0.utf8.count + 1) == 0 }
            if !isLeftOut { passed.append(entry) }
        }
        passed.append(nil)
        var process: pid_t = 0
        let code = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, &passed)
        if code != 0 { throw SystemError(code) }
        return process
    }
}
