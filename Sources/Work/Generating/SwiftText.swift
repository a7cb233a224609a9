import ReqcliText

/// Writes strings from the workspace's files as Swift literals and comments. No string can end its literal or comment.
///
/// Some characters end a line, are not shown, or change how other characters are shown. Such characters are escaped in literals
/// and left out of comments.
enum SwiftText {
    /// A string literal on one line: `"it's"`, or `#"{"a":1}"#` for a text with quotes.
    static func literal(_ text: String) -> String {
        let marks = marks(for: text)
        return "\(marks)\"\(escaped(text, marks))\"\(marks)"
    }

    /// A multiline string literal; the first line is the opening quotes. A line break in the text is a line break in the literal.
    static func lines(of text: String) -> [String] {
        let marks = marks(for: text)
        var lines = [""]
        for scalar in text.unicodeScalars {
            if scalar == "\n" { lines.append("") } else { lines[lines.count - 1] += escaped(scalar, marks) }
        }
        // A space at the end of a line would be invisible.
        return ["\(marks)\"\"\""] + lines.map { $0.last == " " ? "\($0.dropLast())\\\(marks)u{20}" : $0 } + [
            "\"\"\"\(marks)"
        ]
    }

    /// The content of a literal, between its quotes, for a string in which values are interpolated.
    static func interpolated(_ text: String) -> String { escaped(text, "") }

    /// The lines of a comment, without the slashes. No word is broken, so a line with a long word is longer than the width.
    static func comment(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            var line = ""
            for word in words(of: paragraph) {
                if !line.isEmpty, line.count + word.count + 1 > width {
                    lines.append(line)
                    line = ""
                }
                line += line.isEmpty ? String(word) : " \(word)"
            }
            lines.append(line)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The text as a comment of one line, without the slashes.
    static func oneLine(_ text: String) -> String { comment(text, width: .max).joined(separator: " ") }

    private static func words(of text: Substring) -> [Substring] {
        var plain = ""
        for scalar in text.unicodeScalars { plain.unicodeScalars.append(scalar.isShown ? scalar : " ") }
        return plain.split(separator: " ")
    }

    /// The number signs around a raw literal, so that no quote and no backslash in the text needs an escape. Empty if the text
    /// has no quote and no backslash.
    private static func marks(for text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else { return "" }
        var longest = 0
        var count = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): count = 1
            case UInt8(ascii: "#") where count > 0: count += 1
            default: count = 0
            }
            longest = max(longest, count)
        }
        return String(repeating: "#", count: longest)
    }

    private static func escaped(_ text: String, _ marks: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += escaped($1, marks) }
    }

    private static func escaped(_ scalar: Unicode.Scalar, _ marks: String) -> String {
        switch scalar {
        case "\n": "\\\(marks)n"
        case "\r": "\\\(marks)r"
        case "\t": "\\\(marks)t"
        case "\"", "\\": marks.isEmpty ? "\\\(scalar)" : String(scalar)
        case " ": " "
        default: scalar.isShown ? String(scalar) : "\\\(marks)u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is visible by itself and doesn't change how other characters are shown.
    fileprivate var isShown: Bool {
        if isASCII { return (0x20...0x7E).contains(value) }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
            .unassigned,
            .nonspacingMark, .enclosingMark, .spacingMark:
            false
        default: true
        }
    }
}

extension Duration {
    /// The duration in the largest unit in which it is whole: `.milliseconds(800)`.
    var swiftLiteral: String {
        let nanoseconds = components.attoseconds / 1_000_000_000
        if nanoseconds == 0 { return ".seconds(\(Int(components.seconds).swiftLiteral))" }
        let all = Int(components.seconds) * 1_000_000_000 + Int(nanoseconds)
        if all % 1_000_000 == 0 { return ".milliseconds(\((all / 1_000_000).swiftLiteral))" }
        return ".nanoseconds(\(all.swiftLiteral))"
    }
}

extension Int {
    /// The number as Swift's formatter writes it: `1_000_000`.
    var swiftLiteral: String {
        let digits = String(magnitude)
        guard digits.count >= 7 else { return String(self) }
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += "_" }
            result.append(digit)
        }
        return self < 0 ? "-\(result)" : result
    }
}
