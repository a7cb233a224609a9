package import SourceText

extension JSONValue {
    /// The unique path from `root` to this value (RFC 9535, section 2.7): `$['items'][0]['id']`; nil if the value is
    /// not inside `root`.
    package func normalizedPath(in root: JSONValue) -> String? {
        steps(from: root).map { JSONPath.normalized($0) }
    }
}

extension JSONValue {
    /// The path in short form, `$.items[0].id`, with quotes only around keys that need them.
    package func shortPath(in root: JSONValue) -> String? {
        steps(from: root).map { JSONPath.short($0) }
    }
}

extension JSONPath {
    package static func short(_ steps: some Sequence<JSONValue.Step>) -> String {
        steps.reduce(into: "$") { path, step in
            if case .key(let key) = step, isPlain(key) {
                path += "." + key
            } else {
                path += normalized(CollectionOfOne(step)).dropFirst()
            }
        }
    }

    /// Whether a key can be written without quotes: the ASCII part of the RFC's shorthand names.
    private static func isPlain(_ key: String) -> Bool {
        guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return key.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
        }
    }

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
