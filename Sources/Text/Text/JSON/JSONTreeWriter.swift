/// Writes the tree of a `JSONDocument` for a text in another language, such as YAML.
///
/// The values are added in the order of the text. An object's member is a key, then a value.
package struct JSONTreeWriter {
    private let file: SourceFile
    private var tape = JSONTape()
    private var decoded = DecodedTexts()
    private var open: [Int] = []
    /// Whether the last written entry is a key, which needs a value.
    private var keyAwaitsValue = false

    /// - Parameter capacity: The number of words of eight bytes that the tree is likely to take.
    package init(_ file: SourceFile, capacity: Int) {
        self.file = file
        tape.reserve(capacity)
    }

    /// The index of the next entry.
    package var end: Int { tape.end }
    package var depth: Int { open.count }

    package func kind(_ index: Int) -> JSONValue.Kind { tape.kind(index) }

    // MARK: Decoded text

    package var decodedEnd: Int { decoded.bytes.count }

    package mutating func decode(_ byte: UInt8) { decoded.append(byte) }

    package mutating func decode(_ text: some Collection<UInt8>) { decoded.append(contentsOf: text) }

    // MARK: Entries

    /// Adds a scalar.
    ///
    /// - Parameter decoded: The range of the scalar's value among the decoded bytes; nil if the scalar is written as its value,
    ///   perhaps in quotes.
    package mutating func add(_ kind: JSONValue.Kind, _ text: Range<Int>, decoded range: Range<Int>? = nil) {
        countItem()
        append(kind, text, isKey: false, range)
    }

    package mutating func add(key text: Range<Int>, decoded range: Range<Int>? = nil) {
        keyAwaitsValue = true
        append(.string, text, isKey: true, range)
    }

    private mutating func append(_ kind: JSONValue.Kind, _ text: Range<Int>, isKey: Bool, _ range: Range<Int>?) {
        if let range { decoded.add(range, at: tape.end) }
        tape.append(kind, text, isKey: isKey, hasEscapes: range != nil)
    }

    package mutating func open(_ kind: JSONValue.Kind, at start: Int) {
        countItem()
        open.append(tape.open(kind, at: start))
    }

    package mutating func close(at end: Int) {
        if keyAwaitsValue { add(.invalid, end..<end) }
        if let container = open.popLast() { tape.close(container, at: end) }
    }

    private mutating func countItem() {
        keyAwaitsValue = false
        if let container = open.last { tape.countItem(of: container) }
    }

    // MARK: References

    /// Adds a value that is written elsewhere. A scalar is copied; a container becomes a reference to the other container.
    package mutating func add(referenceTo index: Int, at place: Range<Int>) {
        let target = tape.target(index)
        guard tape.kind(target) == .object || tape.kind(target) == .array else {
            return add(tape.kind(target), tape.range(target), decoded: decoded.range(target))
        }
        open(tape.kind(target), at: place.lowerBound)
        if let container = open.last { tape.redirect(container, to: target) }
        close(at: place.upperBound)
    }

    /// Adds a scalar that is written elsewhere as a key.
    package mutating func add(keyAt index: Int) {
        add(key: tape.range(index), decoded: decoded.range(index))
    }

    /// Makes the open object refer to a new object with other members. The members are given by the indices of their keys and
    /// values.
    package mutating func replaceMembers(by members: [(key: Int, value: Int)], at end: Int) {
        guard let container = open.last else { return }
        // Closes the object first, so that it has a range.
        tape.close(container, at: end)
        let target = tape.open(.object, at: tape.range(container).lowerBound)
        open.append(target)
        for member in members {
            add(keyAt: member.key)
            add(referenceTo: member.value, at: tape.range(member.value))
        }
        close(at: end)
        tape.redirect(container, to: target)
    }

    /// The indices of the values in a container, or in the container that it refers to.
    package func children(of index: Int) -> [Int] {
        let container = tape.target(index)
        let keys = tape.kind(container) == .object ? 1 : 0
        // A container that is still open ends with the tape.
        let end = open.contains(container) ? tape.end : tape.next(container)
        var children: [Int] = []
        var child = tape.following(container) + keys
        while child < end {
            children.append(child)
            child = tape.next(child) + keys
        }
        return children
    }

    /// The text of a string or key, as UTF-8.
    package func name(_ index: Int) -> ArraySlice<UInt8> {
        if let range = decoded.range(index) { return decoded.bytes[range] }
        return file.bytes[JSONValue.innerRange(of: tape.range(index), in: file.bytes)]
    }

    // MARK: The end

    /// The finished document. Containers that are still open end with the text.
    package consuming func document(problems: [JSONProblem]) -> JSONDocument {
        while !open.isEmpty { close(at: file.bytes.count) }
        return JSONDocument(file: file, tape: tape, decoded: decoded, problems: problems)
    }
}
