import ASCII
import SourceText

/// Which keys an open object takes, and which of them are the same one.
struct KeyRule: Sendable {
    let pattern: String?
    let identity: @Sendable (String) -> String
    /// The name that a key stands for, which is given with its text; nil if it can't be one, which has then been reported.
    let read: @Sendable (_ text: String, _ key: JSONValue, inout Decoding) -> String?

    static func name(_ role: String) -> KeyRule {
        KeyRule(pattern: Name.pattern, identity: { $0 }) { name, key, decoding in
            if Name.isValid(name) { return name }
            decoding.report(.nameInvalid, Name.complaint(name, role), at: key.place, hint: Name.advice)
            return nil
        }
    }

    /// Any key but an empty one, as it is to be sent.
    static func text(_ role: String) -> KeyRule {
        KeyRule(pattern: "^\(PlainName.pattern)+$", identity: { $0 }) { name, key, decoding in
            if !name.isEmpty { return PlainName.read(name, key, in: "the name of \(role)", &decoding) }
            decoding.report(.nameInvalid, "the name of \(role) can't be empty", at: key.place)
            return nil
        }
    }

    /// Header names compare without regard to case, and must be tokens (RFC 9110).
    static let header = KeyRule(pattern: HeaderName.pattern, identity: { $0.lowercased() }) { name, key, decoding in
        if name.isToken { return name }
        decoding.report(
            .nameInvalid, "\"\(name)\" can't be the name of a header", at: key.place,
            hint: "use letters, digits and !#$%&'*+-.^_`|~")
        return nil
    }
}
