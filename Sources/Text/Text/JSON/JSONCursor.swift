import ReqcliBasics

/// A value of a document, without a counted reference to the document. It is for code that visits every value of a large text.
/// With `JSONValue` instead, the evaluation of a schema takes 15 % longer.
///
/// A cursor must not leave `JSONValue.withCursor`.
package struct JSONCursor {
    private let words: UnsafePointer<UInt64>
    private let document: Unmanaged<JSONDocument>
    /// Two indices in one word, because an evaluation has many cursors on the stack. The lower half is the index of the value.
    /// The upper half is the index of the entry that refers to the value. The two are nearly always equal.
    private let indices: UInt64
    /// The bytes of the whole document.
    package let bytes: UnsafePointer<UInt8>

    init(
        _ words: UnsafePointer<UInt64>, _ document: Unmanaged<JSONDocument>, _ entry: Int, _ bytes: UnsafePointer<UInt8>
    ) {
        (self.words, self.document, self.bytes) = (words, document, bytes)
        let index = JSONTape.isRedirect(words[entry]) ? words[entry + 2] : UInt64(entry)
        indices = UInt64(entry) << 32 | index
    }

    var index: Int { Int(UInt32(truncatingIfNeeded: indices)) }

    func at(_ entry: Int) -> JSONCursor { JSONCursor(words, document, entry, bytes) }

    /// The value as a `JSONValue`, which may be kept.
    package var value: JSONValue { JSONValue(document: document.takeUnretainedValue(), index: index) }

    package var kind: JSONValue.Kind { JSONTape.kind(words[index]) }
    package var hasEscapes: Bool { words[index] & JSONTape.escapesFlag != 0 }

    /// The number of elements or members; 0 for a scalar.
    package var count: Int { JSONTape.isContainer(words[index]) ? Int(words[index + 2]) : 0 }

    package var range: Range<Int> {
        let word = words[index]
        let start = Int(UInt32(truncatingIfNeeded: word))
        if JSONTape.isContainer(word) { return start..<Int(UInt32(truncatingIfNeeded: words[index + 1])) }
        let length = word >> JSONTape.lengthShift
        return length < JSONTape.largestLength ? start..<start + Int(length) : value.range
    }

    /// The values directly inside this value: an array's elements, or an object's member values. A scalar has no values inside.
    package var children: Children { Children(self) }

    package struct Children: Sequence, IteratorProtocol {
        private let parent: JSONCursor
        /// 1 for an object, because each of its values comes after a key; otherwise 0.
        private let keys: Int
        private let end: Int
        private var index: Int

        init(_ parent: JSONCursor) {
            self.parent = parent
            let word = parent.words[parent.index]
            keys = JSONTape.kind(word) == .object ? 1 : 0
            index = parent.index + 3
            end = JSONTape.isContainer(word) ? Int(parent.words[parent.index + 1] >> 32) : index
        }

        package mutating func next() -> JSONCursor? {
            let current = index + keys
            guard current < end else { return nil }
            index = JSONTape.isContainer(parent.words[current]) ? Int(parent.words[current + 1] >> 32) : current + 1
            return parent.at(current)
        }
    }

    /// The key of a member's value.
    package var key: JSONCursor { at(max(Int(indices >> 32) - 1, 0)) }

    /// The bytes of a string without escapes; nil for a string with escapes.
    package var plainBytes: UnsafeBufferPointer<UInt8>? {
        if hasEscapes { return nil }
        let range = range
        // A string without quotes, as in YAML.
        guard range.count > 1, bytes[range.lowerBound] == .quote || bytes[range.lowerBound] == .apostrophe else {
            return UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
        }
        return UnsafeBufferPointer(start: bytes + range.lowerBound + 1, count: range.count - 2)
    }
}

extension JSONValue {
    /// Calls `body` with the value as a cursor.
    package func withCursor<Result>(_ body: (JSONCursor) -> Result) -> Result? {
        withExtendedLifetime(document) {
            document.file.bytes.withUnsafeBufferPointer { bytes in
                document.tape.withWords { words in
                    guard let bytes = bytes.baseAddress, let words = words.baseAddress else { return nil }
                    return body(JSONCursor(words, .passUnretained(document), index, bytes))
                }
            }
        }
    }
}
