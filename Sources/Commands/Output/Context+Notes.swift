import CommandLineKit
import TerminalText

extension Context {
    /// Something worth knowing that is no problem: one line on stderr.
    func note(_ text: String) {
        let mark = Style.cyan.applied(to: "note:", inColour: isColoured(.error))
        messages.write("\(mark) \(TerminalText.harmless(text))\n")
    }
}
