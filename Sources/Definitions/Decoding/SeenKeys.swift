import SourceText

/// Notices a key that was there before, also under another spelling.
struct SeenKeys {
    private var first: [String: JSONValue] = [:]

    mutating func isNew(_ member: JSONValue.Member, identity: String, _ decoding: inout Decoding) -> Bool {
        guard let earlier = first[identity] else {
            first[identity] = member.key
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
