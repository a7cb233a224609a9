import Glibc
import ReqcliBasics
import ReqcliText

/// Access to the terminal: its properties, and questions to the user.
///
/// Tests use ``Terminal/test(width:terminals:answers:)``. Commands never ask the system directly.
package struct Terminal: Sendable {
    package enum Stream: Sendable, CaseIterable {
        case input
        case output
        case error
    }

    /// The result of a question.
    package enum Answer: Equatable, Sendable {
        case line(String)
        /// The input ended: the user typed Ctrl-D, or the input is a file and was read to its end.
        case end
        /// The user typed Ctrl-C at a question with hidden input. The program decides what to do, no signal is sent.
        case interrupted
    }

    package var isTerminal: @Sendable (Stream) -> Bool
    /// The number of columns available for a line of output.
    package var width: @Sendable () -> Int
    /// The number of rows of the screen.
    package var height: @Sendable () -> Int = { 24 }
    /// Writes a question to stderr, because stdout is for results.
    package var write: @Sendable (String) -> Void
    /// Reads one line of input, without its line break.
    package var readLine: @Sendable () -> Answer
    /// Reads one line without showing it. First switches off the echo of the terminal, then calls `ask`, which writes the
    /// question.
    package var readSecret: @Sendable (_ ask: () -> Void) -> Answer

    /// Whether questions can be asked: stdin and stderr are both a terminal.
    package var canAsk: Bool { isTerminal(.input) && isTerminal(.error) }

    package func ask(_ question: String) -> Answer {
        write(TerminalText.harmless(question, keepingLines: true))
        let answer = readLine()
        // Enter was not typed, so the cursor is still on the line of the question.
        if answer == .end { write("\n") }
        return answer
    }

    package func askSecret(_ question: String) -> Answer {
        if let known = memory?.answers.withLock({ $0[question] }) { return known }
        let answer = readSecret { write(TerminalText.harmless(question, keepingLines: true)) }
        // The terminal didn't echo Enter, so the cursor is still on the line of the question.
        write("\n")
        if case .line = answer { memory?.answers.withLock { $0[question] = answer } }
        return answer
    }

    /// The answers to hidden questions that were asked before; nil to ask each time.
    var memory: Memory?

    final class Memory: Sendable {
        let answers = Mutex<[String: Answer]>([:])
    }

    /// A copy of the terminal that asks each hidden question only once. For a command that makes several calls.
    package func rememberingSecrets() -> Terminal {
        var terminal = self
        terminal.memory = Memory()
        return terminal
    }
}

extension Terminal {
    /// The terminal of this process, or of the given descriptors.
    package static func live(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO,
        environment: @escaping @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> Terminal {
        var terminal = Terminal(
            isTerminal: { stream in
                switch stream {
                case .input: isatty(input) == 1
                case .output: isatty(output) == 1
                case .error: isatty(error) == 1
                }
            },
            width: {
                // If the output goes to a pager, stderr may still be the terminal.
                TerminalWidth.chosen(
                    columns: environment("COLUMNS"), window: (window(output) ?? window(error)).map { Int($0.ws_col) })
            },
            // Ignores errors, because the reader of stderr may have closed the pipe.
            write: { try? writeAll($0.utf8, to: error) },
            readLine: { LineReader(descriptor: input).readLine() },
            readSecret: { LineReader(descriptor: input).readSecret(ask: $0) })
        terminal.height = { window(output).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } ?? 24 }
        return terminal
    }

    private static func window(_ descriptor: Int32) -> winsize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return size
    }
}

/// The width to write for.
package enum TerminalWidth {
    package static let fallback = 80

    /// The width from `COLUMNS`, else from the terminal, else 80.
    package static func chosen(columns: String?, window: Int?) -> Int {
        if let columns, let count = Int(columns), count > 0 { return count }
        if let window, window > 0 { return window }
        return fallback
    }
}
