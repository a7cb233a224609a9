import TerminalText

/// Text for XML and HTML.
enum Markup {
    /// Escapes text for content and quoted attributes: no markup, no characters that XML forbids or a terminal obeys.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in TerminalText.harmless(text, keepingLines: true).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            // Only `]]>` needs this, but it is always valid.
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

    /// Text for an attribute, on one line, because XML readers turn line breaks in attributes into spaces.
    static func attribute(_ text: String) -> String { escaped(TerminalText.harmless(text)) }
}
