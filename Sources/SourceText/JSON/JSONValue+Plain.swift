import ASCII

extension JSONValue {
    /// Whether the value means what it looks like: nothing in it is escaped or commented, no two opening braces begin a
    /// placeholder, no key begins with `$`, no key is there twice, and all of it could be read.
    ///
    /// Where that can't be seen at a glance it says no.
    package var isPlain: Bool {
        let tape = document.tape
        let isContainer = kind == .object || kind == .array
        // Between the members of a commented object stands whatever somebody wants to say.
        if isContainer, document.syntax != .strict { return false }
        guard hasPlainBytes else { return false }
        if !isContainer { return kind != .invalid }
        var position = index
        while position < tape.next(index) {
            switch tape.kind(position) {
            case .invalid: return false
            case .object: if !JSONValue(document: document, index: position).hasPlainKeys { return false }
            case .array, .string, .number, .true, .false, .null: break
            }
            position = tape.following(position)
        }
        return true
    }

    private var hasPlainBytes: Bool {
        let bytes = document.file.bytes
        var last: UInt8 = 0
        for position in range {
            let byte = bytes[position]
            if byte == .backslash || byte == .openBrace && last == .openBrace { return false }
            last = byte
        }
        return true
    }

    /// More than that are not looked through for two of one name.
    private static let mostPlainKeys = 16

    private var hasPlainKeys: Bool {
        guard count <= Self.mostPlainKeys else { return false }
        let bytes = document.file.bytes
        var names: [ArraySlice<UInt8>] = []
        names.reserveCapacity(count)
        for member in members {
            let name = bytes[member.key.innerRange]
            if name.first == UInt8(ascii: "$") || names.contains(name) { return false }
            names.append(name)
        }
        return true
    }
}
