import CommandLineKit
import TerminalText

extension Context {
    /// Writes rows to stdout, cut to the terminal if it is one.
    func write(_ columns: Columns) {
        write(columns.lines(width: terminal.isTerminal(.output) ? terminal.width() : nil))
    }

    func write(_ lines: [Styled]) {
        output.write(.lines(lines), inColour: isColoured(.output))
    }
}

/// A text of the user's as one line that a terminal shows and does not obey.
func harmlessLine(_ text: String) -> String {
    TerminalText.harmless(text.split(whereSeparator: \.isNewline).joined(separator: " "))
}
