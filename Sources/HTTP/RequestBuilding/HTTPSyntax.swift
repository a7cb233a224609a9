import ReqcliBasics

/// Checks tokens and field values against RFC 9110.
enum HTTPSyntax {
    static func isTokenScalar(_ scalar: Unicode.Scalar) -> Bool {
        UInt8(exactly: scalar.value)?.isTokenByte ?? false
    }

    /// The problem with a header's name; nil if it is valid.
    static func problem(withHeaderName name: String) -> String? {
        if name.isEmpty { return "a header's name can't be empty" }
        // Fast path: checking the bytes is quicker than checking Unicode scalars.
        if name.isToken { return nil }
        guard let bad = name.unicodeScalars.first(where: { !isTokenScalar($0) }) else { return nil }
        return "the header name \(quoted(name)) contains \(Self.name(of: bad)); "
            + "a name is letters, digits and !#$%&'*+-.^_`|~"
    }

    /// The problem with a header's value; nil if it is valid. The message does not contain the value, because it may be a secret.
    static func problem(withHeaderValue value: String) -> String? {
        if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return nil }
        for (offset, scalar) in value.unicodeScalars.enumerated()
        where (scalar < " " && scalar != "\t") || scalar == "\u{7F}" {
            return "the value contains \(name(of: scalar)) at character \(offset + 1), which can't be sent in a header"
        }
        return nil
    }

    /// A scalar's name in a message. The name is readable even if the scalar can't be printed.
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

/// A string of the user as a message shows it: in quotes, with visible names for control characters, and cut if it is long.
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
