import CReqcliSystem
import Glibc
import ReqcliBasics

/// A program that reads what this one writes, and shares its terminal: a pager.
package final class ReadingProgram: Sendable {
    private let process: pid_t
    /// Where it reads from; nil when it has been told the end.
    private let input: Mutex<Int32?>

    /// Nil where it can't be started.
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

    /// Tells it the end, and waits until the user has read enough.
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
