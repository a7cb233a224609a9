import CommandLineKit
import Definitions
import Glibc

extension Context {
    /// The world of this process.
    package static func live() -> Context {
        // A reader that has gone is told by `write`, not by a signal: the program ends in order, and quietly.
        // A file that grows beyond the process's limit (`ulimit -f`) is an error of `write`, too.
        // Whoever starts another program from here gives it back the defaults.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        return Context(
            world: .live,
            writing: .live,
            currentFolder: {
                guard let path = getcwd(nil, 0) else { return nil }
                defer { free(path) }
                return String(cString: path)
            },
            userID: geteuid(),
            terminal: .live(),
            network: .live,
            output: Output(descriptor: STDOUT_FILENO),
            messages: Output(descriptor: STDERR_FILENO))
    }
}
