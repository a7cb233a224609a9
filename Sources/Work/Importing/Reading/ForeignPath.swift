import ReqcliBasics
import ReqcliJSONPath
import ReqcliRedaction

/// Converts JSONPaths of other tools to RFC 9535.
package enum ForeignPath {
    /// The path for `expect` and `capture`; nil if it may select several values or can't be converted.
    package static func singular(_ path: String) -> String? {
        let path = path.trimmed
        // Two braces would begin a placeholder.
        if path.contains("{{") || holdsToken(path) { return nil }
        if let known = try? JSONPath(path) { return known.isSingular ? path : nil }
        guard let rewritten = bracketed(path), let known = try? JSONPath(rewritten), known.isSingular else {
            return nil
        }
        return rewritten
    }

    /// Whether a path contains a secret token. A token can't be masked in a path.
    package static func holdsToken(_ path: String) -> Bool {
        LikelySecret.isIn(path) || LikelySecret.isIn(path.replacing(".", with: " "))
    }

    /// The path with names in brackets where the RFC requires them: `$['user-id'].name` for `$.user-id.name`.
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
