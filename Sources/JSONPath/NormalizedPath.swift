package import SourceText

extension JSONValue {
    /// The one path that leads from `root` to this value and no other (RFC 9535, section 2.7): `$['items'][0]['id']`; nil
    /// if it is not inside `root`.
    package func normalizedPath(in root: JSONValue) -> String? {
        steps(from: root).map { JSONPath.normalized($0) }
    }
}

extension JSONPath {
    package static func normalized(_ steps: some Sequence<JSONValue.Step>) -> String {
        steps.reduce(into: "$") { path, step in
            switch step {
            case .index(let index): path += "[\(index)]"
            case .key(let key): path += "['\(escaped(key))']"
            }
        }
    }

    private static func escaped(_ key: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in key.unicodeScalars {
            switch scalar {
            case "'", "\\": text.append(contentsOf: ["\\", scalar])
            case "\u{08}": text.append(contentsOf: "\\b".unicodeScalars)
            case "\t": text.append(contentsOf: "\\t".unicodeScalars)
            case "\n": text.append(contentsOf: "\\n".unicodeScalars)
            case "\u{0C}": text.append(contentsOf: "\\f".unicodeScalars)
            case "\r": text.append(contentsOf: "\\r".unicodeScalars)
            case "\u{00}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text.append(contentsOf: "\\u00\(digits.count < 2 ? "0" : "")\(digits)".unicodeScalars)
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
