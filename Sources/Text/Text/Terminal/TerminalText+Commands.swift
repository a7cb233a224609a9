extension TerminalText {
    /// The text without commands that a CI server would obey in the output of a job. Each command is changed so that it looks the
    /// same but is not a command.
    ///
    /// GitHub obeys `::name::` at the start of a line, also after whitespace; GitHub, Azure and TeamCity obey `##[`, `##vso[` and
    /// `##teamcity[`, some of them anywhere in a line. Commands of other servers begin with a control character, which
    /// ``harmless(_:keepingLines:)`` replaces.
    ///
    /// - Parameter startsLine: Before the call, whether only whitespace precedes the text on its line. After the call, whether
    ///   only whitespace precedes the next text.
    static func withoutCommands(_ text: String, startsLine: inout Bool) -> String {
        guard mayHoldCommand(text) else {
            startsLine = endsBlank(text, startsLine)
            return text
        }
        var shown = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            shown.append(scalar)
            if scalar == ":", startsLine, rest.first == ":", rest.dropFirst().first.map(isLetter) == true {
                rest.removeFirst()
                shown.append("\u{2236}")
            } else if scalar == "#", rest.first == "#", rest.dropFirst().drop(while: isLetter).first == "[" {
                rest.removeFirst()
                shown.append("\u{266F}")
            }
            startsLine = scalar == "\n" || startsLine && scalar.properties.isWhitespace
        }
        return String(shown)
    }

    /// The line without commands for a CI server. Each command is changed so that it only looks like a command.
    package static func withoutCommands(_ line: String) -> String {
        var startsLine = true
        return withoutCommands(line, startsLine: &startsLine)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && scalar.properties.isAlphabetic }

    private static func mayHoldCommand(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable(mayHoldCommand) ?? mayHoldCommand(text.utf8)
    }

    private static func mayHoldCommand(_ bytes: some Sequence<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == previous, byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#") { return true }
            previous = byte
        }
        return false
    }

    /// Whether only whitespace follows the last line feed of a text without commands.
    private static func endsBlank(_ text: String, _ startsLine: Bool) -> Bool {
        // Nearly every text ends with a visible ASCII character, which needs no look-up in Unicode's tables.
        if let last = text.utf8.last, (UInt8(ascii: "!")...UInt8(ascii: "~")).contains(last) { return false }
        for scalar in text.unicodeScalars.reversed() {
            if scalar == "\n" { return true }
            if !scalar.properties.isWhitespace { return false }
        }
        return startsLine
    }
}
