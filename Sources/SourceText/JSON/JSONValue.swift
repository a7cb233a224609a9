import ASCII

/// One value of a `JSONDocument`: what it is, what it says, and where it stands.
package struct JSONValue: Sendable {
    package enum Kind: UInt8, Sendable {
        case object
        case array
        case string
        case number
        case `true`
        case `false`
        case null
        /// Something stood here that is not JSON; the document's problems say what.
        case invalid
    }

    package struct Member: Sendable {
        package let key: JSONValue
        package let value: JSONValue

        package var name: String { key.string ?? "" }
    }

    let document: JSONDocument
    let index: Int

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    package var kind: Kind { document.tape.kind(index) }
    package var range: Range<Int> { document.tape.range(index) }
    package var place: Place { Place(document.file, range) }
    var hasEscapes: Bool { document.tape.hasEscapes(index) }

    /// The value's text, exactly as it was written.
    package var text: String { document.file.text(range) }

    /// How many elements or members there are; 0 for a scalar.
    package var count: Int { document.tape.count(index) }
}

// MARK: - Reading

extension JSONValue {
    /// The text of a string, its escapes resolved; nil for any other kind.
    package var string: String? {
        guard kind == .string else { return nil }
        let inner = innerRange
        if hasEscapes { return JSONStringText.decoded(document.file.bytes, inner) }
        return document.file.bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[inner]), as: UTF8.self)
        }
    }

    package var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    package var number: JSONNumber? {
        kind == .number ? JSONNumber(text) : nil
    }

    package var isNull: Bool { kind == .null }

    package var elements: Elements { Elements(self, isObject: false) }

    package var members: Members { Members(self) }

    /// The value of a key, the last one if the key is there twice.
    package subscript(key: String) -> JSONValue? {
        guard kind == .object else { return nil }
        let tape = document.tape
        let end = tape.next(index)
        var found: Int?
        // Along the tape: most members are passed, and none of them is needed as a value.
        var position = tape.following(index)
        while position < end {
            if JSONValue(document: document, index: position).equals(key) { found = position + 1 }
            // A member's value is the entry right behind its key.
            position = tape.next(position + 1)
        }
        return found.map { JSONValue(document: document, index: $0) }
    }

    /// Whether a string says `other`, scalar by scalar; without a copy where it has no escapes.
    package func equals(_ other: String) -> Bool {
        // Not `==`, to which an é in one scalar and one in two are equal.
        guard kind == .string, !hasEscapes else { return string?.utf8.elementsEqual(other.utf8) == true }
        let inner = innerRange
        // Most of those that differ have another length.
        guard inner.count == other.utf8.count else { return false }
        let bytes = document.file.bytes
        var position = inner.lowerBound
        for byte in other.utf8 {
            if bytes[position] != byte { return false }
            position += 1
        }
        return true
    }

    /// The bytes of a string's text where they are those of the file: nil for one with escapes, and for any other kind.
    func withPlainBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        guard kind == .string, !hasEscapes else { return nil }
        let inner = innerRange
        return document.file.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[inner])) }
    }

    /// What stands between the quotes. A key that somebody forgot to quote is all of it.
    package var innerRange: Range<Int> {
        let bytes = document.file.bytes
        let range = range
        guard !range.isEmpty else { return range }
        let first = bytes[range.lowerBound]
        guard first == .quote || first == .apostrophe else { return range }
        let hasEnd = range.count > 1 && bytes[range.upperBound - 1] == first
        return range.lowerBound + 1..<(hasEnd ? range.upperBound - 1 : range.upperBound)
    }

    /// The members of an object, in the order of the text.
    package struct Members: Sequence, IteratorProtocol, Sendable {
        private var values: Elements

        init(_ value: JSONValue) { values = Elements(value, isObject: true) }

        package mutating func next() -> Member? {
            guard let value = values.next() else { return nil }
            // A member's key is the entry right before its value.
            return Member(key: JSONValue(document: value.document, index: value.index - 1), value: value)
        }
    }

    /// The values directly inside an array or an object, in the order of the text.
    package struct Elements: Sequence, IteratorProtocol, Sendable {
        private let document: JSONDocument
        private let isObject: Bool
        private var index: Int
        private let end: Int

        init(_ value: JSONValue, isObject: Bool) {
            document = value.document
            self.isObject = isObject
            let holdsIt = value.kind == (isObject ? .object : .array)
            index = document.tape.following(value.index)
            end = holdsIt ? document.tape.next(value.index) : index
        }

        package mutating func next() -> JSONValue? {
            let current = isObject ? index + 1 : index
            guard current < end else { return nil }
            let value = JSONValue(document: document, index: current)
            index = document.tape.next(current)
            return value
        }
    }
}
