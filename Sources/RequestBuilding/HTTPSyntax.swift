/// What RFC 9110 allows in a token and in a field value.
package enum HTTPSyntax {
    static func isTokenScalar(_ scalar: Unicode.Scalar) -> Bool {
        UInt8(exactly: scalar.value).map(isTokenByte) ?? false
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// What is wrong with a header's name, or nil.
    static func problem(withHeaderName name: String) -> String? {
        if name.isEmpty { return "a header's name can't be empty" }
        // The bytes first, which are the scalars of all that is allowed, and sooner looked at.
        if name.utf8.allSatisfy(isTokenByte) { return nil }
        guard let bad = name.unicodeScalars.first(where: { !isTokenScalar($0) }) else { return nil }
        return "the header name \(quoted(name)) contains \(Self.name(of: bad)); "
            + "a name is letters, digits and !#$%&'*+-.^_`|~"
    }

    /// What is wrong with a header's value, or nil. The value itself is not repeated: it may be a secret.
    static func problem(withHeaderValue value: String) -> String? {
        if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return nil }
        for (offset, scalar) in value.unicodeScalars.enumerated()
        where (scalar < " " && scalar != "\t") || scalar == "\u{7F}" {
            return "the value contains \(name(of: scalar)) at character \(offset + 1), which can't be sent in a header"
        }
        return nil
    }

    /// The value without the blanks around it, which HTTP doesn't count as part of it.
    package static func trimmingBlanks(_ value: String) -> String {
        func isText(_ byte: UInt8) -> Bool { byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        let bytes = value.utf8
        // As nearly all of them are.
        if let first = bytes.first, let last = bytes.last, isText(first), isText(last) { return value }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText)
        else { return "" }
        return String(value[first...last])
    }

    /// A scalar's name in a message, readable even where it can't be printed.
    static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\r": return "CR"
        case "\n": return "LF"
        case "\0": return "NUL"
        case " ": return "a space"
        case "\t": return "a tab"
        case "!"..."~": return "\"\(scalar)\""
        default:
            let hex = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        }
    }
}

/// A user's text in a message: quoted, control characters visible, cut where it is long.
func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars.prefix(80) {
        switch scalar {
        case "\"": result += "\\\""
        case "\0"..<" ", "\u{7F}": result += "<\(HTTPSyntax.name(of: scalar))>"
        default: result.unicodeScalars.append(scalar)
        }
    }
    if text.unicodeScalars.count > 80 { result += "…" }
    return result + "\""
}
