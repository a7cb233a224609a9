import CommandLineKit
import Foundation
import Glibc
import ReqcliBasics
import ReqcliText

/// The run of a watched command that was started last.
final class LatestRun: Sendable {
    private struct State {
        var process: pid_t?
        var status = ExitStatus.success
    }

    private let state = Mutex(State())

    /// The status of the run. If it has not ended yet, the status of the run before it.
    var status: ExitStatus { state.withLock(\.status) }

    /// Starts this program with other words, without standard input, in a separate process group. Ctrl-C then reaches only the
    /// watching process, which passes the signal on to the run.
    ///
    /// - Parameter mayFindNothing: Whether the status 2, for a run that has nothing to do, leaves `status` unchanged.
    func start(_ words: [String], telling ends: Pipe, mayFindNothing: Bool) throws(SystemError) {
        let process = try OwnProgram.spawn(words)
        state.withLock { $0.process = process }
        Task(executorPreference: globalConcurrentExecutor) {
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0, errno == EINTR {}
            self.state.withLock { state in
                guard state.process == process else { return }
                state.process = nil
                let isSignal = raw & 0x7F != 0
                let status = isSignal ? ExitStatus(signal: raw & 0x7F) : ExitStatus((raw >> 8) & 0xFF, "")
                if status.code != ExitStatus.usage.code || !mayFindNothing { state.status = status }
            }
            ends.tell()
        }
    }

    /// The time in milliseconds that a run may take to clean up after its scenarios: a bit longer than the run's own limit.
    private static let timeToCleanUp = 11_000

    /// Ends the run and waits until its process has ended. Returns false if there is no run. A second signal ends a run that
    /// takes too long after the first.
    @discardableResult
    func giveUp() -> Bool {
        guard let process = state.withLock({ state in state.process.take() }) else { return false }
        kill(process, SIGINT)
        var end = siginfo_t()
        for _ in 0..<Self.timeToCleanUp / 5 {
            end.si_signo = 0
            let result = waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT | WNOHANG)
            // With WNOHANG, `si_signo` is 0 while the process is still running.
            if result < 0 && errno != EINTR || end.si_signo != 0 { return true }
            usleep(5000)
        }
        kill(process, SIGTERM)
        while waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return true
    }
}

/// A pipe through which one thread tells another thread that something happened.
struct Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    func close() { for end in [reading, writing] { Glibc.close(end) } }

    func tell() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    func drain() {
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
    }
}

/// Single keys from the terminal, without Enter and without echo.
final class TerminalKeys: Sendable {
    private let saved: termios

    /// Nil if standard input is not a terminal, or if this process is in the terminal's background, where reading would stop it.
    /// For a terminal that doesn't control this process, `tcgetpgrp` returns -1; such a terminal stops no process.
    init?(_ terminal: Terminal) {
        var settings = termios()
        guard terminal.isTerminal(.input), [-1, getpgrp()].contains(tcgetpgrp(STDIN_FILENO)),
            tcgetattr(STDIN_FILENO, &settings) == 0
        else { return nil }
        saved = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// The next key; nil at the end of the input.
    func next() -> Character? {
        var byte: UInt8 = 0
        return read(STDIN_FILENO, &byte, 1) == 1 ? Character(Unicode.Scalar(byte)) : nil
    }

    func restore() {
        var settings = saved
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}

/// A file with the report of the last run, from which the next run learns which cases failed. Only its owner can read the file.
struct TemporaryReport: Sendable {
    private let folder: String
    var path: String { folder + "/report.json" }

    init(_ context: Context) throws(SystemError) {
        var template = Array("\(context.setVariable("TMPDIR") ?? "/var/tmp")/reqcli-watch.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError() }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() {
        unlink(path)
        rmdir(folder)
    }
}
