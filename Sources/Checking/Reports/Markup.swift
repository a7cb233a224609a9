import TerminalText

/// Text inside XML and HTML.
enum Markup {
    /// Harmless as content and inside quotes: no markup, no character that XML forbids, none that a terminal would obey.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in TerminalText.harmless(text, keepingLines: true).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            // Alone it would be fine, behind ]] it is not.
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case _ where scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value):
                result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// On one line: an XML reader would make a space of each line break anyway.
    static func attribute(_ text: String) -> String { escaped(TerminalText.harmless(text)) }
}
