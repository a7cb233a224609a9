/// Functions for text on a terminal, measured in cells rather than characters.
package enum TerminalText {
    /// The number of cells that `text` takes, not counting control characters (see ``harmless(_:keepingLines:)``).
    package static func width(of text: some StringProtocol) -> Int {
        if isPlain(text) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// Whether the text is only printable ASCII, like most texts. Then every character takes one cell and is harmless.
    ///
    /// - Parameter keepingLines: Whether line feeds and tabs count as printable.
    static func isPlain(_ text: some StringProtocol, keepingLines: Bool = false) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            0x20 <= byte && byte < 0x7F || keepingLines && (byte == 0x0A || byte == 0x09)
        }
        // Reads the bytes directly if possible: reading through the protocol, `help` takes 16 % more instructions.
        return text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPlain) } ?? text.utf8.allSatisfy(isPlain)
    }

    /// The number of cells that one character takes: 0, 1 or 2, except in stacked scripts.
    package static func width(of character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        let scalars = character.unicodeScalars
        // An emoji sequence (joined, with a skin tone, a flag, a keycap) is drawn as one picture.
        if isEmoji(scalars) { return 2 }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first else { return false }
        let isFlag = isRegionalIndicator(first) && scalars.count > 1
        let isAskedFor = first.properties.isEmoji && scalars.contains("\u{FE0F}")
        return isFlag || isAskedFor || first.properties.isEmojiPresentation && !isRegionalIndicator(first)
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x00AD: return 1  // The soft hyphen: terminals draw it.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0  // Hangul vowels and finals, drawn into the syllable's cell.
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if scalar.properties.isDefaultIgnorableCodePoint { return 0 }
        return isWide(scalar) ? 2 : 1
    }
}
