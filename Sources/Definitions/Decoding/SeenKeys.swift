import SourceText

/// Notices a key that was there before, also under another spelling.
struct SeenKeys {
    /// Most objects have a few keys, among which looking is faster than hashing.
    private var few: [(identity: String, key: JSONValue)] = []
    private var many: [String: JSONValue] = [:]

    mutating func isNew(_ member: JSONValue.Member, identity: String, _ decoding: inout Decoding) -> Bool {
        guard let earlier = earlier(identity) else {
            if few.count < 16 { few.append((identity, member.key)) } else { many[identity] = member.key }
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

    private func earlier(_ identity: String) -> JSONValue? {
        few.first { $0.identity == identity }?.key ?? (many.isEmpty ? nil : many[identity])
    }
}
