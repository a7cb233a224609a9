import ReqcliJSONPath

/// Converts regular expressions of other tools to I-Regexps (RFC 9485). The expressions are similar to regular expressions of
/// ECMA-262.
package enum ForeignPattern {
    /// The pattern for the format `uuid` of JSON Schema.
    static let uuid = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

    /// The I-Regexp that matches the same strings; nil if there is no such I-Regexp.
    package static func spelledOut(_ pattern: String) -> String? {
        if (try? IRegexp(pattern)) != nil { return pattern }
        return translated(pattern).flatMap { (try? IRegexp($0)) == nil ? nil : $0 }
    }

    /// The converted pattern inside a group, if the group is the whole pattern; else nil.
    static func inGroup(_ pattern: String) -> String? {
        guard pattern.hasPrefix("("), pattern.hasSuffix(")"), pattern.utf8.count > 2 else { return nil }
        return spelledOut(String(pattern.dropFirst().dropLast()))
    }

    /// Converts a pattern of a description, which may match any part of a string, to a pattern that matches the whole string. The
    /// result is nil for an invalid pattern, and for a pattern that an I-Regexp can't express, such as a pattern with lookaround.
    static func whole(_ pattern: String) -> String? {
        guard var text = translated(pattern), (try? IRegexp(ecma: pattern)) != nil else { return nil }
        if hasChoice(text) {
            text = ".*(\(text)).*"
        } else {
            text = text.hasPrefix("^") ? String(text.dropFirst()) : ".*" + text
            text = text.hasSuffix("$") && !text.hasSuffix("\\$") ? String(text.dropLast()) : text + ".*"
        }
        // Two wildcards in a row mean the same as one wildcard.
        while text.contains(".*.*") { text = text.replacing(".*.*", with: ".*") }
        guard (try? IRegexp(text)) != nil else { return nil }
        return text
    }

    /// Whether the outermost level has alternatives: `^a$|^b$`. If so, each anchor belongs to one alternative.
    private static func hasChoice(_ text: String) -> Bool {
        var depth = 0
        var isInClass = false
        var isEscaped = false
        for character in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch character {
            case "\\": isEscaped = true
            case "[": isInClass = true
            case "]": isInClass = false
            case "(" where !isInClass: depth += 1
            case ")" where !isInClass: depth -= 1
            case "|" where !isInClass && depth == 0: return true
            default: break
            }
        }
        return false
    }

    private static let kept = Set("()*+-.?[\\]^nrt{|}pP".unicodeScalars)
    private static let classes: [Unicode.Scalar: String] = ["d": "0-9", "w": "A-Za-z0-9_", "s": " \\t\\n\\r"]

    /// The pattern in the syntax of an I-Regexp; nil if an I-Regexp can't express the pattern.
    private static func translated(_ pattern: String) -> String? {
        var result = ""
        var isInClass = false
        var scalars = Array(pattern.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\":
                guard let next = scalars.popFirst() else { return nil }
                if let ranges = classes[next] {
                    result += isInClass ? ranges : "[\(ranges)]"
                } else if let ranges = classes[Unicode.Scalar(next.value + 0x20) ?? next], next.properties.isUppercase {
                    if isInClass { return nil }
                    result += "[^\(ranges)]"
                } else if kept.contains(next) {
                    result += "\\" + String(next)
                } else if next.properties.isAlphabetic || next.properties.numericType != nil {
                    guard next == "u",
                        let code = UInt32(String(String.UnicodeScalarView(scalars.prefix(4))), radix: 16),
                        let character = Unicode.Scalar(code), !kept.contains(character), scalars.count >= 4
                    else { return nil }
                    scalars = scalars.dropFirst(4)
                    result.unicodeScalars.append(character)
                } else {
                    // An escaped `$` is written as a class, since a plain `$` is the end of the string.
                    result += next == "$" && !isInClass ? "[$]" : String(next)
                }
            case "[" where isInClass: result += "\\["
            case "[":
                isInClass = true
                result += "["
            case "]":
                isInClass = false
                result += "]"
            case "(" where !isInClass && scalars.first == "?":
                guard scalars.dropFirst().first == ":" else { return nil }
                scalars = scalars.dropFirst(2)
                result += "("
            case "?" where !isInClass && "*+?}".contains(result.last ?? "a") && !result.hasSuffix("\\}"):
                // For a whole string, it makes no difference whether a repetition is lazy or greedy.
                continue
            case "$" where isInClass: result += "$"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
