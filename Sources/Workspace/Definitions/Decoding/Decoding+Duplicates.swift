import ReqcliText

/// The keys of an object that were read so far, each with its identity: a key may be repeated in another spelling.
struct SeenKeys {
    /// The first keys, found one by one: most objects have few, and hashing them would cost 5 % in the benchmark list-1000.
    private var few: [(identity: String, member: JSONValue.Member)] = []
    private var many: [String: JSONValue.Member] = [:]

    init(in value: JSONValue) { few.reserveCapacity(min(value.count, 16)) }

    /// The member that has this identity already; nil if the new one is the first.
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
    /// Whether no key of the object had this identity before; a repeated one is reported.
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
            hint: "keep one of them", notes: [Diagnostic.Note("it was given first here", at: earlier.key.place)])
    }
}
