import ReqcliBasics

/// Text that consists of pieces, each with its own style. It is laid out and measured as plain text and coloured only when
/// written.
///
/// ```swift
/// let line = Styled("error", [.bold, .red]) + ": unknown key"
/// line.rendered(inColour: colour)
/// ```
package struct Styled: Equatable, Sendable, ExpressibleByStringInterpolation {
    private struct Run: Equatable, Sendable {
        var text: String
        var style: Style
    }

    private var runs: [Run]

    package init(_ text: String, _ style: Style = .plain) {
        runs = text.isEmpty ? [] : [Run(text: text, style: style)]
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }

    /// The text without its styles.
    package var plain: String {
        runs.map(\.text).joined()
    }

    /// The style of the first piece.
    package var style: Style {
        runs.first?.style ?? .plain
    }

    package var width: Int {
        TerminalText.width(of: plain)
    }

    /// The text in a form that is safe for a terminal and for a CI server that reads the output. If colour is on, the text
    /// contains the escape sequences of its styles.
    package func rendered(inColour: Bool) -> String {
        var startsLine = true
        return runs.reduce(into: "") { text, run in
            let harmless = TerminalText.harmless(run.text, keepingLines: true)
            let shown = TerminalText.withoutCommands(harmless, startsLine: &startsLine)
            text += run.style.applied(to: shown, inColour: inColour)
        }
    }

    /// The text, padded with spaces to `width` cells.
    package func padded(to width: Int) -> Styled {
        self + Styled(TerminalText.spaces(width - self.width))
    }

    package static func + (left: Styled, right: Styled) -> Styled {
        var joined = left
        joined.runs += right.runs
        return joined
    }

    /// The lines joined into one text. A line feed follows each line.
    package static func lines(_ lines: [Styled]) -> Styled {
        lines.reduce(into: Styled("")) { text, line in
            text.runs += line.runs
            text.runs.append(Run(text: "\n", style: .plain))
        }
    }

    package static func += (left: inout Styled, right: Styled) {
        left.runs += right.runs
    }
}
