import ReqcliText

/// String literals of programming languages. All characters except printable ASCII are escaped, so that no string from a file can
/// end a literal, a line or a comment.
enum ScriptText {
    /// The comment at the head of an exported file.
    static let mark = "Written by reqcli export"

    /// A string literal of Python: `'it\'s'`.
    static func python(_ text: String) -> String {
        quoted(text, "'") { scalar in
            scalar > 0xFFFF ? "\\U" + hex(scalar, 8) : "\\u" + hex(scalar, 4)
        }
    }

    /// Bytes of Python: `b'\x00'`.
    static func python(_ bytes: [UInt8]) -> String {
        "b'" + bytes.map { escaped(UInt32($0), "'") ?? "\\x" + hex(UInt32($0), 2) }.joined() + "'"
    }

    /// A string literal of JavaScript: `"a\u2028b"`.
    static func javaScript(_ text: String) -> String {
        quoted(text, "\"") { scalar in
            guard scalar > 0xFFFF else { return "\\u" + hex(scalar, 4) }
            let rest = scalar - 0x10000
            return "\\u" + hex(0xD800 + (rest >> 10), 4) + "\\u" + hex(0xDC00 + (rest & 0x3FF), 4)
        }
    }

    /// The name of a member in an object of JavaScript. A plain `__proto__` would set the prototype.
    static func javaScriptKey(_ name: String) -> String {
        name == "__proto__" ? "[\(javaScript(name))]" : javaScript(name)
    }

    /// A text for a comment of one line.
    static func comment(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            result.unicodeScalars.append(scalar.properties.generalCategory.isPlain ? scalar : " ")
        }
        return result
    }

    private static func quoted(_ text: String, _ quote: String, _ escape: (UInt32) -> String) -> String {
        quote + text.unicodeScalars.map { escaped($0.value, quote) ?? escape($0.value) }.joined() + quote
    }

    /// A printable ASCII character, or a short escape; nil for any other character. The result for `<` is also nil, so that no
    /// string can end an HTML script.
    private static func escaped(_ scalar: UInt32, _ quote: String) -> String? {
        switch scalar {
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x5C: "\\\\"
        case 0x3C: nil
        case 0x20...0x7E:
            Unicode.Scalar(scalar).map { String($0) == quote ? "\\\(quote)" : String($0) }
        default: nil
        }
    }

    static func hex(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Unicode.GeneralCategory {
    /// Whether a character neither ends a line nor changes how other characters are shown.
    fileprivate var isPlain: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

extension String {
    /// Whether the string is one line without spaces at its ends. A file of `name=value` lines can only contain such strings.
    var isOneTrimmedLine: Bool {
        ScriptText.comment(self) == self && !isEmpty && first != " " && last != " "
    }
}
