import ReqcliBasics

/// One value of a `JSONDocument`: its kind, its content and its position.
package struct JSONValue: Sendable {
    package enum Kind: UInt8, Sendable {
        case object
        case array
        case string
        case number
        case `true`
        case `false`
        case null
        /// Text that is not JSON. The document's problems explain why.
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
    package var hasEscapes: Bool { document.tape.hasEscapes(index) }

    /// The text of the value, exactly as written.
    package var text: String { document.file.text(range) }

    /// The number of elements or members; 0 for a scalar.
    package var count: Int { document.tape.count(index) }
}

// MARK: - Reading

extension JSONValue {
    /// The string with its escapes resolved; nil if the value is not a string.
    package var string: String? {
        guard kind == .string else { return nil }
        let inner = innerRange
        if hasEscapes { return document.decoded?.text(index) ?? JSONStringText.decoded(document.file.bytes, inner) }
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
        kind == .number ? JSONNumber(numberText) : nil
    }

    /// The number as JSON writes it: `31` if a YAML file contains `0x1F`.
    package var numberText: String { hasEscapes ? document.decoded?.text(index) ?? text : text }

    package var isNull: Bool { kind == .null }

    package var elements: Elements { Elements(self, isObject: false) }

    package var members: Members { Members(self) }

    /// The value of a key. If the key occurs twice, the last value is returned.
    package subscript(key: String) -> JSONValue? {
        guard kind == .object else { return nil }
        let tape = document.tape
        let end = tape.next(index)
        var found: Int?
        // Walks along the tape directly, because most members are skipped and never needed as values.
        var position = tape.following(index)
        while position < end {
            if JSONValue(document: document, index: position).equals(key) { found = position + 1 }
            // The value of a member is the entry right after its key.
            position = tape.next(position + 1)
        }
        return found.map { JSONValue(document: document, index: tape.target($0)) }
    }

    /// Whether the value is the string `other`, compared scalar by scalar. Nothing is copied unless the string has escapes.
    package func equals(_ other: String) -> Bool {
        // Not `==`, which treats é as one scalar and é as two scalars as equal.
        guard kind == .string, !hasEscapes else { return string?.utf8.elementsEqual(other.utf8) == true }
        let inner = innerRange
        // Most unequal strings differ in length.
        guard inner.count == other.utf8.count else { return false }
        let bytes = document.file.bytes
        var position = inner.lowerBound
        for byte in other.utf8 {
            if bytes[position] != byte { return false }
            position += 1
        }
        return true
    }

    /// Calls `body` with the bytes of a string without escapes; nil for a string with escapes and for any other kind of value.
    func withPlainBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        guard kind == .string, !hasEscapes else { return nil }
        let inner = innerRange
        return document.file.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[inner])) }
    }

    /// The range between the quotes. For an unquoted key or scalar, the whole range.
    package var innerRange: Range<Int> {
        Self.innerRange(of: range, in: document.file.bytes)
    }

    package static func innerRange(of range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
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
            guard let entry = values.nextEntry() else { return nil }
            // The key of a member is the entry right before its value.
            return Member(key: JSONValue(document: values.document, index: entry - 1), value: values.value(entry))
        }
    }

    /// The values directly inside an array or an object, in the order of the text.
    package struct Elements: Sequence, IteratorProtocol, Sendable {
        fileprivate let document: JSONDocument
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

        package mutating func next() -> JSONValue? { nextEntry().map(value) }

        fileprivate mutating func nextEntry() -> Int? {
            let current = isObject ? index + 1 : index
            guard current < end else { return nil }
            index = document.tape.next(current)
            return current
        }

        fileprivate func value(_ entry: Int) -> JSONValue {
            JSONValue(document: document, index: document.tape.target(entry))
        }
    }
}
