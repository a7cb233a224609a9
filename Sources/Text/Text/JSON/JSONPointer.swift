/// JSON pointers (RFC 6901).
package enum JSONPointer {
    package static func text(_ steps: [JSONValue.Step]) -> String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += "/" + escaped(key)
            case .index(let index): text += "/\(index)"
            }
        }
    }

    package static func escaped(_ token: String) -> String {
        // `replacing` takes a hundred times as long as this look, and most tokens need none.
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
        return token.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    package static func unescaped(_ token: some StringProtocol) -> String {
        String(token).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}
