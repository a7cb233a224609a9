import ReqcliBasics
import ReqcliJSONPath
import ReqcliRedaction

/// JSONPaths and regular expressions of other tools, where RFC 9535 and RFC 9485 say the same.
package enum ForeignPath {
    /// The path as `expect` and `capture` have it, if it selects one value at most.
    package static func singular(_ path: String) -> String? {
        let path = path.trimmed
        // A placeholder would begin there.
        if path.contains("{{") || holdsToken(path) { return nil }
        if let known = try? JSONPath(path) { return known.isSingular ? path : nil }
        guard let rewritten = bracketed(path), let known = try? JSONPath(rewritten), known.isSingular else {
            return nil
        }
        return rewritten
    }

    /// Whether a name in a path is a token, which can't be masked there.
    package static func holdsToken(_ path: String) -> Bool {
        LikelySecret.isIn(path) || LikelySecret.isIn(path.replacing(".", with: " "))
    }

    /// `$['user-id'].name` for `$.user-id.name`: names that the RFC wants in brackets.
    private static func bracketed(_ path: String) -> String? {
        guard path.utf8.first == UInt8(ascii: "$") else { return nil }
        var result = "$"
        var rest = Substring(path).utf8.dropFirst()
        while let first = rest.first {
            if first == .openBracket {
                guard let end = rest.firstIndex(of: .closeBracket) else { return nil }
                result += String(Substring(rest[...end]))
                rest = rest[rest.index(after: end)...]
                continue
            }
            guard first == .point else { return nil }
            let name = rest.dropFirst().prefix { $0.isWordByte || $0 == .minus || $0 >= 0x80 }
            guard !name.isEmpty else { return nil }
            let text = String(Substring(name))
            let isPlain = !name.contains(.minus) && !(name.first?.isDigit ?? true)
            result += isPlain ? "." + text : "['\(text)']"
            rest = rest[name.endIndex...]
        }
        return result
    }
}
