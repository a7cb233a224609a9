import SourceText

/// The keys of an object that were read so far. Notices one that was there before, also under another spelling.
struct SeenKeys {
    /// Most objects have a few keys, among which looking is faster than hashing.
    private var few: [(identity: String, member: JSONValue.Member)] = []
    private var many: [String: JSONValue.Member] = [:]

    /// The first member of that identity.
    subscript(identity: String) -> JSONValue.Member? {
        few.first { $0.identity == identity }?.member ?? (many.isEmpty ? nil : many[identity])
    }

    mutating func isNew(_ member: JSONValue.Member, identity: String, _ decoding: inout Decoding) -> Bool {
        guard let earlier = self[identity]?.key else {
            if few.count < 16 { few.append((identity, member)) } else { many[identity] = member }
            return true
        }
        let isSpeltAlike = earlier.equals(member.name)
        decoding.report(
            .keyDuplicate,
            isSpeltAlike
                ? "\"\(member.name)\" is given twice"
                : "\"\(member.name)\" is the same name as \"\(earlier.string ?? "")\"", at: member.key.place,
            hint: "keep one of them", notes: [Diagnostic.Note("it was given first here", at: earlier.place)])
        return false
    }
}
