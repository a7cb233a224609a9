import SourceText

/// Collects the parts of one word while a lexer reads it.
struct WordBuilder {
    let file: SourceFile
    /// Where the word begins, with its quotes.
    let start: Int
    private var parts: [ShellWord.Part] = []
    private var bytes: [UInt8] = []
    private var range: Range<Int>?
    /// Where bytes stand that are no UTF-8.
    private(set) var invalid: Place?

    init(_ file: SourceFile, start: Int) {
        self.file = file
        self.start = start
    }

    /// Adds a byte, and the place of what stands for it.
    mutating func append(_ byte: UInt8, from source: Range<Int>) {
        bytes.append(byte)
        range = (range?.lowerBound ?? source.lowerBound)..<source.upperBound
    }

    /// Adds a byte of the source as it is.
    mutating func append(at offset: Int) { append(file.bytes[offset], from: offset..<offset + 1) }

    mutating func append(_ text: some Sequence<UInt8>, from source: Range<Int>) {
        for byte in text { append(byte, from: source) }
    }

    mutating func appendVariable(_ name: String, fallback: String? = nil, from source: Range<Int>) {
        endPart()
        parts.append(ShellWord.Part(.variable(name: name, fallback: fallback), at: Place(file, source)))
    }

    /// Ends the text so far, where a quote begins or ends.
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

/// What the lexers have in common: the source, where they are, and what they found.
struct LexerState {
    let file: SourceFile
    var offset = 0
    var tokens: [ShellToken] = []
    var problems: [Diagnostic] = []

    init(_ file: SourceFile) { self.file = file }

    var end: Int { file.bytes.count }

    /// The byte some steps ahead; nil beyond the end.
    func byte(_ ahead: Int = 0) -> UInt8? {
        let index = offset + ahead
        return index < end ? file.bytes[index] : nil
    }

    func starts(with text: String) -> Bool { file.bytes[offset...].starts(with: text.utf8) }

    /// The length of a line break some steps ahead: 2 for CRLF, 0 if there is none.
    func lineBreak(_ ahead: Int = 0) -> Int {
        switch byte(ahead) {
        case .lineFeed: 1
        case .carriageReturn: byte(ahead + 1) == .lineFeed ? 2 : 0
        default: 0
        }
    }

    mutating func skipLine() {
        while let byte = byte(), byte != .lineFeed { offset += 1 }
    }

    mutating func report(
        _ code: Diagnostic.Code, _ message: String, _ range: Range<Int>, hint: String? = nil,
        severity: Diagnostic.Severity = .error
    ) {
        problems.append(Diagnostic(severity, code: code, message, at: Place(file, range), hint: hint))
    }

    mutating func finish(_ word: inout WordBuilder) -> ShellWord {
        let result = word.word(endingAt: offset)
        if let place = word.invalid {
            report(
                .shellText, "found bytes that are not UTF-8", place.range,
                hint: "write the characters in UTF-8, or as \\u escapes in $'…'")
        }
        return result
    }
}
