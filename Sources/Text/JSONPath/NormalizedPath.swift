import ReqcliBasics
package import ReqcliText

extension JSONValue {
    /// The unique path from `root` to this value (RFC 9535, section 2.7): `$['items'][0]['id']`; nil if the value is
    /// not inside `root`.
    package func normalizedPath(in root: JSONValue) -> String? {
        steps(from: root).map { JSONPath.normalized($0) }
    }

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

    /// Whether a key can be written without quotes. Of the RFC's shorthand names, only the ASCII ones can.
    private static func isPlain(_ key: String) -> Bool {
        key.isVariableName
    }

    package static func normalized(_ steps: some Sequence<JSONValue.Step>) -> String {
        steps.reduce(into: "$") { path, step in
            switch step {
            case .index(let index): path += "[\(index)]"
            case .key(let key): path += "['\(JSONStringText.escaped(key, in: .apostrophe))']"
            }
        }
    }
}
