import TerminalText

/// The terminal that a person may sit at: what it is, and questions asked on it.
///
/// A test takes ``Terminal/test(width:terminals:answers:)``; a command never asks the system itself.
package struct Terminal: Sendable {
    package enum Stream: Sendable, CaseIterable {
        case input
        case output
        case error
    }

    /// What came of a question.
    package enum Answer: Equatable, Sendable {
        case line(String)
        /// The input ended, by Ctrl-D or because it is a file.
        case end
        /// Ctrl-C, where it doesn't end the program by itself.
        case interrupted
    }

    package var isTerminal: @Sendable (Stream) -> Bool
    /// The number of columns to write for.
    package var width: @Sendable () -> Int
    /// Writes to the error stream, where questions belong: stdout carries results.
    package var write: @Sendable (String) -> Void
    /// Reads one line of the input, without its end.
    package var readLine: @Sendable () -> Answer
    /// Reads one line without showing it.
    package var readSecret: @Sendable () -> Answer

    /// Whether there is someone to ask: both ends of a conversation are a terminal.
    package var canAsk: Bool { isTerminal(.input) && isTerminal(.error) }

    package func ask(_ question: String) -> Answer {
        write(TerminalText.harmless(question, keepingLines: true))
        let answer = readLine()
        // No Enter was typed, so that the cursor is still behind the question.
        if answer == .end { write("\n") }
        return answer
    }

    package func askSecret(_ question: String) -> Answer {
        write(TerminalText.harmless(question, keepingLines: true))
        let answer = readSecret()
        // The person's own Enter was not shown.
        write("\n")
        return answer
    }
}
