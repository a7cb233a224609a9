import ASCII
import SourceText

/// The keys that an object with free keys accepts, and which spellings count as the same key.
struct KeyRule: Sendable {
    let pattern: String?
    let identity: @Sendable (String) -> String
    /// The name for a key with the given text; nil if the key is invalid, which `read` has then reported.
    let read: @Sendable (_ text: String, _ key: JSONValue, inout Decoding) -> String?

    static func name(_ role: String) -> KeyRule {
        KeyRule(pattern: Name.pattern, identity: { $0 }) { name, key, decoding in
            if Name.isValid(name) { return name }
            decoding.report(.nameInvalid, Name.complaint(name, role), at: key.place, hint: Name.advice)
            return nil
        }
    }

    /// Any text except an empty one. Keys are sent as they are.
    static func text(_ role: String) -> KeyRule {
        KeyRule(pattern: "^\(PlainName.pattern)+$", identity: { $0 }) { name, key, decoding in
            if !name.isEmpty { return PlainName.read(name, key, in: "the name of \(role)", &decoding) }
            decoding.report(.nameInvalid, "the name of \(role) can't be empty", at: key.place)
            return nil
        }
    }

    /// Header names: tokens (RFC 9110), compared without regard to case.
    static let header = KeyRule(pattern: HeaderName.pattern, identity: { $0.lowercased() }) { name, key, decoding in
        if name.isToken { return name }
        decoding.report(
            .nameInvalid, "\"\(name)\" can't be the name of a header", at: key.place,
            hint: "use letters, digits and !#$%&'*+-.^_`|~")
        return nil
    }
}
