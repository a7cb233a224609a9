extension TerminalText {
    /// `text` with everything that a terminal would obey rather than show replaced by something to look at, one
    /// cell for one scalar, so that columns stay where they were.
    ///
    /// ESC becomes `␛`, DEL `␡`; the C1 controls and the marks that turn the direction of text around (they can
    /// make a line read as what it isn't) become `�`. With `keepingLines`, newlines and tabs stay as they are.
    package static func harmless(_ text: some StringProtocol, keepingLines: Bool = false) -> String {
        if isPlain(text, keepingLines: keepingLines) { return String(text) }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if keepingLines, scalar == "\n" {
                // The CR of a CR LF is part of the line's end.
                if shown.last == "\u{240D}" { shown.removeLast() }
                shown.append(scalar)
            } else if keepingLines, scalar == "\t" {
                shown.append(scalar)
            } else {
                shown.append(harmless(scalar))
            }
        }
        return String(shown)
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: "\u{FFFD}"
        default: scalar
        }
    }
}
