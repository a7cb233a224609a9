import ReqcliJSONPath

/// Regular expressions of other tools as RFC 9485 writes them.
package enum ForeignPattern {
    /// The pattern that matches the same texts; nil if there is none.
    package static func spelledOut(_ pattern: String) -> String? {
        if (try? IRegexp(pattern)) != nil { return pattern }
        var writer = Writer()
        for scalar in pattern.unicodeScalars where !writer.add(scalar) { return nil }
        guard writer.state == .plain || writer.state == .quantified, (try? IRegexp(writer.text)) != nil else {
            return nil
        }
        return writer.text
    }

    /// The pattern in a group that is the whole of another one.
    static func inGroup(_ pattern: String) -> String? {
        guard pattern.hasPrefix("("), pattern.hasSuffix(")"), pattern.utf8.count > 2 else { return nil }
        return spelledOut(String(pattern.dropFirst().dropLast()))
    }

    private struct Writer {
        enum State { case plain, quantified, escape, group, groupKind, set, setEscape }

        var text = ""
        var state = State.plain

        /// Fails for what only other dialects have.
        mutating func add(_ scalar: Unicode.Scalar) -> Bool {
            switch state {
            case .escape:
                state = .plain
                return addEscaped(scalar, in: ["d": "[0-9]", "w": "[0-9A-Za-z_]", "s": "[ \\t\\n\\r]"])
            case .setEscape:
                state = .set
                return addEscaped(scalar, in: ["d": "0-9", "w": "0-9A-Za-z_", "s": " \\t\\n\\r"])
            case .set:
                if scalar == "\\" { state = .setEscape } else { text.unicodeScalars.append(scalar) }
                if scalar == "]" { state = .plain }
                return true
            case .group where scalar == "?":
                state = .groupKind
                return true
            case .groupKind:
                state = .plain
                return scalar == ":"
            // How much a repetition takes first doesn't change whether there is a match.
            case .quantified where scalar == "?":
                state = .plain
                return true
            case .plain, .quantified, .group:
                return addPlain(scalar)
            }
        }

        private mutating func addPlain(_ scalar: Unicode.Scalar) -> Bool {
            state = .plain
            switch scalar {
            case "\\":
                state = .escape
                return true
            case "(": state = .group
            case "[": state = .set
            case "*", "+", "?", "}": state = .quantified
            default: break
            }
            text.unicodeScalars.append(scalar)
            return true
        }

        private mutating func addEscaped(_ scalar: Unicode.Scalar, in classes: [Unicode.Scalar: String]) -> Bool {
            if let spelled = classes[scalar] {
                text += spelled
                return true
            }
            if "/\"'#:;,=@%&!~`<>_ -".unicodeScalars.contains(scalar) {
                text += scalar == "-" ? "\\-" : String(scalar)
                return true
            }
            text += "\\" + String(scalar)
            return !"bBDWSAzZkpP0123456789".unicodeScalars.contains(scalar)
        }
    }
}
