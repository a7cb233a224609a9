import CommandLineKit
import TerminalText

extension Context {
    /// Something worth knowing that is no problem: one line on stderr.
    func note(_ text: String) {
        let line = Styled("note:", .cyan) + Styled(" \(TerminalText.harmless(text))\n")
        messages.write(line, inColour: isColoured(.error))
    }
}
