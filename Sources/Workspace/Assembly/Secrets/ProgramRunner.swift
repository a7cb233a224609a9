import CReqcliSystem
import Glibc
import ReqcliBasics
import ReqcliDefinitions
import RequestBuilding

/// Runs a program and returns its output. The program has no shell and no standard input, and its time and output are limited.
/// The program may ask the user at the terminal.
package enum ProgramRunner {
    private static let largestOutput = 1 << 20
    /// The time between SIGTERM and SIGKILL, in which a program can clean up.
    private static let grace = Duration.milliseconds(500)

    /// - Parameter folder: The folder in which the program runs.
    package static func run(_ arguments: [String], in folder: String, timeout: Duration) -> ProgramOutcome {
        guard let output = ProgramPipe(), let errors = ProgramPipe() else { return .notStarted(errorText(errno)) }
        let started = start(arguments, in: folder, output: output, errors: errors)
        output.closeWriteEnd()
        errors.closeWriteEnd()
        guard case .started(let process) = started else {
            guard case .failed(let code) = started else { return .notStarted("it could not be started") }
            return .notStarted(code == ENOENT ? "there is no such program" : errorText(code))
        }
        let deadline = ContinuousClock.now + timeout
        var printed = Collected(output)
        var complained = Collected(errors)
        let isWhole = collect(&printed, &complained, until: deadline)
        guard isWhole, let status = wait(for: process, until: deadline) else {
            end(process)
            return isWhole || ContinuousClock.now >= deadline ? .timedOut : .notStarted("it printed more than 1 MiB")
        }
        if status == 0 { return .printed(printed.bytes) }
        return .failed(status: status, message: firstLine(complained.bytes))
    }

    // MARK: Starting

    private enum Start {
        case started(pid_t)
        case failed(Int32)
    }

    private static func start(_ arguments: [String], in folder: String, output: ProgramPipe, errors: ProgramPipe)
        -> Start
    {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = reqcli_spawn(&process, folder, words, -1, output.writeEnd, errors.writeEnd)
        return code == 0 ? .started(process) : .failed(code)
    }

    // MARK: Listening

    private struct Collected {
        let pipe: ProgramPipe
        var bytes: [UInt8] = []
        var isAtEnd = false

        init(_ pipe: ProgramPipe) { self.pipe = pipe }

        /// Reads the bytes that are available now.
        mutating func read() {
            var chunk = [UInt8](repeating: 0, count: 16384)
            let count = Glibc.read(pipe.readEnd, &chunk, chunk.count)
            if count > 0 { bytes += chunk[..<count] } else if count == 0 || errno != EINTR { isAtEnd = true }
        }
    }

    /// Reads both pipes to their ends; false if the time or the output limit was exceeded first.
    private static func collect(
        _ output: inout Collected, _ errors: inout Collected, until deadline: ContinuousClock.Instant
    ) -> Bool {
        while !output.isAtEnd || !errors.isAtEnd {
            let left = deadline - .now
            guard left > .zero, output.bytes.count <= largestOutput, errors.bytes.count <= largestOutput else {
                return false
            }
            var events = [
                pollfd(fd: output.isAtEnd ? -1 : output.pipe.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.isAtEnd ? -1 : errors.pipe.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let milliseconds = Int32(min(left.seconds * 1000 + 1, 3_600_000))
            guard poll(&events, 2, milliseconds) > 0 else { continue }
            if events[0].revents != 0 { output.read() }
            if events[1].revents != 0 { errors.read() }
        }
        return true
    }

    /// The exit status of a program; nil if it still runs at the deadline. For a program that was killed, the status is 128 plus
    /// the number of the signal, as in a shell.
    private static func wait(for process: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F) }
            if ended < 0, errno != EINTR { return 127 }
            if ContinuousClock.now >= deadline { return nil }
            poll(nil, 0, 2)  // The output has ended, so the program will end soon: 2 ms is short enough.
        }
    }

    /// Ends the program with SIGTERM and, if it still runs after that, with SIGKILL. Processes that the program has started are
    /// not ended, but their output is no longer read.
    private static func end(_ process: pid_t) {
        kill(process, SIGTERM)
        // A stopped program receives SIGTERM only when it continues.
        kill(process, SIGCONT)
        if wait(for: process, until: .now + grace) != nil { return }
        kill(process, SIGKILL)
        var ignored: Int32 = 0
        waitpid(process, &ignored, 0)
    }

    private static func firstLine(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.split(whereSeparator: \.isNewline).first?.prefix(200) ?? "")
    }

    private static func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// A pipe that closes its ends when the object is released.
final class ProgramPipe {
    let readEnd: Int32
    let writeEnd: Int32
    private var isWriteEndOpen = true

    init?() {
        var ends: [Int32] = [-1, -1]
        guard reqcli_pipe(&ends) == 0 else { return nil }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    func closeWriteEnd() {
        if isWriteEndOpen { close(writeEnd) }
        isWriteEndOpen = false
    }

    deinit {
        closeWriteEnd()
        close(readEnd)
    }
}
