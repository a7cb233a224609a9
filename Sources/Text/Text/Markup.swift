/// Text for XML and HTML.
package enum Markup {
    /// Escapes text for content and quoted attributes: the result has no markup and no characters that XML forbids or a terminal
    /// obeys. It also has no `::` and no `##`, because CI servers take these as the start of a command.
    package static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        var previous: Unicode.Scalar?
        for scalar in TerminalText.harmless(text, keepingLines: true).unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case ":" where previous == ":": result += "&#58;"
            case "#" where previous == "#": result += "&#35;"
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            // Must be escaped only in `]]>`, but may always be escaped.
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
    package static func attribute(_ text: String) -> String { escaped(TerminalText.harmless(text)) }
}
