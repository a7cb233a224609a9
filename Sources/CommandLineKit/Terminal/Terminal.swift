import TerminalText

/// The terminal: its properties, and questions asked on it.
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
        /// The input ended, by Ctrl-D or because it is a file.
        case end
        /// Ctrl-C was typed and doesn't end the program by itself.
        case interrupted
    }

    package var isTerminal: @Sendable (Stream) -> Bool
    /// The number of columns to write.
    package var width: @Sendable () -> Int
    /// Writes a question to stderr, because stdout is for results.
    package var write: @Sendable (String) -> Void
    /// Reads one line of input, without its line break.
    package var readLine: @Sendable () -> Answer
    /// Reads one line without showing it.
    package var readSecret: @Sendable () -> Answer

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
        write(TerminalText.harmless(question, keepingLines: true))
        let answer = readSecret()
        // The terminal didn't show the Enter.
        write("\n")
        return answer
    }
}
