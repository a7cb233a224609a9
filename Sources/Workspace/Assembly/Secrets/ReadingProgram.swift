import CReqcliSystem
import Glibc
import ReqcliBasics

/// A program, such as an editor, that has the terminal until it ends.
package enum ForegroundProgram {
    /// Runs a program and returns its exit status; nil if it can't be started or is ended by a signal.
    package static func run(_ arguments: [String]) -> Int32? {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { (word: String) in strdup(word) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        // Ctrl-C is for the program that has the terminal. Otherwise, the program and the shell would both read from it.
        let handlers = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in handlers { signal(number, handler) } }
        guard reqcli_spawn(&process, ".", words, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return nil } }
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }
}

/// A program, such as a pager, that reads the output of this process and shares its terminal.
package final class ReadingProgram: Sendable {
    private let process: pid_t
    /// The write end of the pipe to the program; nil after it was closed.
    private let input: Mutex<Int32?>

    /// Starts a shell command; nil if it can't be started.
    package init?(shellCommand: String) {
        guard let pipe = ProgramPipe() else { return nil }
        var words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", shellCommand].map { (word: String) in strdup(word) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        guard reqcli_spawn(&process, ".", words, pipe.readEnd, STDOUT_FILENO, STDERR_FILENO) == 0 else { return nil }
        self.process = process
        input = Mutex(fcntl(pipe.writeEnd, F_DUPFD_CLOEXEC, 0))
        pipe.closeWriteEnd()
    }

    /// The descriptor to write to.
    package var descriptor: Int32 { input.withLock(\.self) ?? -1 }

    /// Closes the pipe, and waits until the program ends. A pager ends when the user closes it.
    package func finish() {
        input.withLock { input in
            guard let descriptor = input else { return }
            input = nil
            close(descriptor)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }
}
