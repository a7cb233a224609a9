import SourceText

/// Which keys an open object takes, and which of them are the same one.
struct KeyRule: Sendable {
    let pattern: String?
    let identity: @Sendable (String) -> String
    let accepts: @Sendable (JSONValue.Member, inout Decoding) -> Bool

    static func name(_ role: String) -> KeyRule {
        KeyRule(pattern: Name.pattern, identity: { $0 }) { member, decoding in
            if Name.isValid(member.name) { return true }
            decoding.report(.nameInvalid, Name.complaint(member.name, role), at: member.key.place, hint: Name.advice)
            return false
        }
    }

    /// Any key but an empty one.
    static func text(_ role: String) -> KeyRule {
        KeyRule(pattern: "^.+$", identity: { $0 }) { member, decoding in
            if !member.name.isEmpty { return true }
            decoding.report(.nameInvalid, "the name of \(role) can't be empty", at: member.key.place)
            return false
        }
    }

    /// Header names compare without regard to case, and must be tokens (RFC 9110).
    static let header = KeyRule(pattern: HeaderName.pattern, identity: { $0.lowercased() }) { member, decoding in
        if HeaderName.isValid(member.name) { return true }
        decoding.report(
            .nameInvalid, "\"\(member.name)\" can't be the name of a header", at: member.key.place,
            hint: "use letters, digits and !#$%&'*+-.^_`|~")
        return false
    }
}
