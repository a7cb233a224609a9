import ReqcliBasics

/// The keys and values of a JSON text in order: one 64-bit word for a key or a scalar, three for a container.
///
/// Entries are small because their size decides how much memory a large text needs: a list of integers has a value every few
/// bytes. For 100 MB of digits, `--select` takes 0.5 GB. With a structure of 40 bytes for each entry, it would take 2.8 GB.
///
/// | bits of the first word | |
/// |---|---|
/// | 0..<32 | the start of the text |
/// | 32..<35 | the kind |
/// | 35 | whether the entry is a key |
/// | 36 | whether the text has escapes, or its value is in `DecodedTexts`; of a container, whether it refers to another |
/// | 37..<64 | the length of the text; unused for a container |
///
/// The second word of a container has the end of its text (0..<32) and the index after its last entry. The third word has its
/// number of items, or the index of the container that it refers to.
struct JSONTape: Sendable {
    private var words: [UInt64] = []
    /// The ends of strings whose length doesn't fit into the word.
    private var longEnds: [Int: Int] = [:]

    static var kindShift: UInt64 { 32 }
    private static let keyFlag: UInt64 = 1 << 35
    static var escapesFlag: UInt64 { 1 << 36 }
    static var lengthShift: UInt64 { 37 }
    static var largestLength: UInt64 { 1 << 27 - 1 }

    var isEmpty: Bool { words.isEmpty }
    /// The index of the next entry to be written.
    var end: Int { words.count }

    // MARK: Reading

    func kind(_ index: Int) -> JSONValue.Kind { Self.kind(words[index]) }

    static func kind(_ word: UInt64) -> JSONValue.Kind {
        JSONValue.Kind(rawValue: UInt8(truncatingIfNeeded: word >> kindShift & 7)) ?? .invalid
    }

    func isKey(_ index: Int) -> Bool { words[index] & Self.keyFlag != 0 }

    func hasEscapes(_ index: Int) -> Bool { words[index] & Self.escapesFlag != 0 }

    func range(_ index: Int) -> Range<Int> {
        let word = words[index]
        let start = Int(UInt32(truncatingIfNeeded: word))
        if Self.isContainer(word) { return start..<Int(UInt32(truncatingIfNeeded: words[index + 1])) }
        let length = word >> Self.lengthShift
        return start..<(length < Self.largestLength ? start + Int(length) : longEnds[index] ?? start)
    }

    /// The number of elements of an array or members of an object; 0 for a scalar.
    func count(_ index: Int) -> Int { Self.isContainer(words[index]) ? Int(words[index + 2]) : 0 }

    /// The index after a key, or after a value and all entries inside this value.
    func next(_ index: Int) -> Int {
        Self.isContainer(words[index]) ? Int(words[index + 1] >> 32) : index + 1
    }

    /// The index of the following entry; for a container, the index of the first entry inside it.
    func following(_ index: Int) -> Int { index + (Self.isContainer(words[index]) ? 3 : 1) }

    static func isContainer(_ word: UInt64) -> Bool {
        word >> kindShift & 7 <= UInt64(JSONValue.Kind.array.rawValue)
    }

    /// The index of the entry that the entry at `index` refers to. Only a container can refer to another container: it is a YAML
    /// alias, or a mapping with merged keys. The entries inside the referring container are then skipped by `next` and never
    /// used.
    func target(_ index: Int) -> Int {
        Self.isRedirect(words[index]) ? Int(words[index + 2]) : index
    }

    static func isRedirect(_ word: UInt64) -> Bool { word & escapesFlag != 0 && isContainer(word) }

    func withWords<Result>(_ body: (UnsafeBufferPointer<UInt64>) -> Result) -> Result {
        words.withUnsafeBufferPointer(body)
    }

    // MARK: Writing

    /// Reserves memory for the entries of a text. The items of a large text are counted first, because an array that grows step
    /// by step takes up to twice the memory that it needs, and three times while it grows. For 100 MB of digits, this would be
    /// 0.7 GB instead of 0.5.
    mutating func reserve(for text: UnsafeBufferPointer<UInt8>) {
        guard text.count > 1 << 20 else { return words.reserveCapacity(min(text.count / 16, 1 << 14)) }
        var most = 1
        for byte in text {
            // With a check for overflow, `--select` in 10 MB of JSON would take 12 % more instructions.
            most &+= byte == .comma || byte == .colon ? 1 : byte == .openBracket || byte == .openBrace ? 3 : 0
        }
        words.reserveCapacity(most)
    }

    mutating func reserve(_ count: Int) { words.reserveCapacity(count) }

    mutating func append(_ kind: JSONValue.Kind, _ text: Range<Int>, isKey: Bool, hasEscapes: Bool) {
        let length = min(UInt64(text.count), Self.largestLength)
        if length == Self.largestLength { longEnds[words.count] = text.upperBound }
        words.append(
            UInt64(text.lowerBound) | UInt64(kind.rawValue) << Self.kindShift | (isKey ? Self.keyFlag : 0)
                | (hasEscapes ? Self.escapesFlag : 0) | length << Self.lengthShift)
    }

    /// Adds the start of a container and returns its index.
    mutating func open(_ kind: JSONValue.Kind, at start: Int) -> Int {
        words.append(UInt64(start) | UInt64(kind.rawValue) << Self.kindShift)
        words.append(0)
        words.append(0)
        return words.count - 3
    }

    mutating func countItem(of container: Int) { words[container + 2] += 1 }

    /// Makes a container that is still open refer to another container.
    mutating func redirect(_ container: Int, to target: Int) {
        words[container] |= Self.escapesFlag
        words[container + 2] = UInt64(target)
    }

    mutating func close(_ container: Int, at end: Int) {
        words[container + 1] = UInt64(end) | UInt64(words.count) << 32
    }
}
