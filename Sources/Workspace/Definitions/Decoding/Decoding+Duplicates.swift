import ReqcliText

/// The keys of an object that were read so far, each with its identity. Two keys with the same identity are duplicates, even if
/// their spelling differs.
struct SeenKeys {
    /// The first keys, which are searched one by one. Most objects have few keys. If they were hashed, `list` of 1,000 endpoints
    /// would take 8 % more instructions.
    private var few: [(identity: String, member: JSONValue.Member)] = []
    private var many: [String: JSONValue.Member] = [:]

    init(in value: JSONValue) { few.reserveCapacity(min(value.count, 16)) }

    /// The earlier member with the same identity; nil if this member is the first.
    mutating func earlier(than member: JSONValue.Member, identity: String) -> JSONValue.Member? {
        if let known = few.first(where: { $0.identity == identity }) { return known.member }
        if few.count < 16 {
            few.append((identity, member))
            return nil
        }
        if let known = many[identity] { return known }
        many[identity] = member
        return nil
    }
}

extension Decoding {
    /// Whether the key is the first one of the object with this identity. A repeated key is reported.
    mutating func isNew(_ member: JSONValue.Member, identity: String, in seen: inout SeenKeys) -> Bool {
        guard let earlier = seen.earlier(than: member, identity: identity) else { return true }
        reportDuplicate(member, of: earlier)
        return false
    }

    mutating func reportDuplicate(_ member: JSONValue.Member, of earlier: JSONValue.Member) {
        let isSpeltAlike = earlier.key.equals(member.name)
        report(
            .keyDuplicate,
            isSpeltAlike
                ? "\"\(member.name)\" is given twice"
                : "\"\(member.name)\" is the same name as \"\(earlier.name)\"", at: member.key.place,
            hint: "keep one of the two", notes: [Diagnostic.Note("first given here", at: earlier.key.place)])
    }
}
