import ReqcliBasics

extension JSONValue {
    /// Whether the value can be used exactly as written: it has no escapes, comments, `{{`, keys that begin with `$`, duplicate
    /// keys or syntax errors.
    ///
    /// Also false if a quick check cannot decide. Such a value is kept as it is, without a template for each element: with the
    /// templates, `list` takes 78 MB instead of 24 if a body of 2 MB is a list of digits.
    package var isPlain: Bool {
        if document.decoded != nil { return false }
        let tape = document.tape
        let isContainer = kind == .object || kind == .array
        // In a commented document, there may be comments between the members.
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

    /// The number of keys up to which an object is checked for duplicates.
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
