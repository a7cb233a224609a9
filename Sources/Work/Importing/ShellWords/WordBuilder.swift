import ReqcliText

/// Collects the parts of one word while a lexer reads it.
struct WordBuilder {
    let file: SourceFile
    /// The offset where the word begins, with its quotes.
    let start: Int
    private var parts: [ShellWord.Part] = []
    private var bytes: [UInt8] = []
    private var range: Range<Int>?
    /// The place of bytes that aren't UTF-8.
    private(set) var invalid: Place?

    init(_ file: SourceFile, start: Int) {
        self.file = file
        self.start = start
    }

    /// Adds a byte, and its place in the source.
    mutating func append(_ byte: UInt8, from source: Range<Int>) {
        bytes.append(byte)
        range = (range?.lowerBound ?? source.lowerBound)..<source.upperBound
    }

    /// Adds a byte of the source unchanged.
    mutating func append(at offset: Int) { append(file.bytes[offset], from: offset..<offset + 1) }

    mutating func append(_ text: some Sequence<UInt8>, from source: Range<Int>) {
        for byte in text { append(byte, from: source) }
    }

    mutating func appendVariable(_ name: String, fallback: String? = nil, from source: Range<Int>) {
        endPart()
        parts.append(ShellWord.Part(.variable(name: name, fallback: fallback), at: Place(file, source)))
    }

    /// Ends the current part, at the beginning or end of a quote.
    mutating func endPart() {
        guard let range else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        let place = Place(file, range)
        if !text.utf8.elementsEqual(bytes) { invalid = invalid ?? place }
        parts.append(ShellWord.Part(.text(text), at: place))
        (bytes, self.range) = ([], nil)
    }

    mutating func word(endingAt end: Int) -> ShellWord {
        endPart()
        return ShellWord(parts, at: Place(file, start..<end))
    }
}
