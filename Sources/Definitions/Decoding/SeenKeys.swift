import SourceText

/// The keys of an object that were read so far. Finds a repeated key even if it is spelled differently.
struct SeenKeys {
    /// Most objects have few keys, for which a linear search is faster than hashing.
    private var few: [(identity: String, member: JSONValue.Member)] = []
    private var many: [String: JSONValue.Member] = [:]

    init(in value: JSONValue) { few.reserveCapacity(min(value.count, 16)) }

    mutating func isNew(_ member: JSONValue.Member, identity: String, _ decoding: inout Decoding) -> Bool {
        guard let index = few.firstIndex(where: { $0.identity == identity }) else {
            if few.count < 16 {
                few.append((identity, member))
                return true
            }
            guard let earlier = many[identity] else {
                many[identity] = member
                return true
            }
            decoding.reportDuplicate(member, of: earlier)
            return false
        }
        decoding.reportDuplicate(member, of: few[index].member)
        return false
    }
}

extension Decoding {
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
