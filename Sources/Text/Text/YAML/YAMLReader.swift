import ReqcliBasics

/// Reads a YAML text from its beginning to its end, without going back, and writes the tree.
///
/// The reader looks at bytes through an unsafe buffer, as the JSON lexer does: every access is guarded by `end`, and the
/// owner of the bytes outlives the reader.
struct YAMLReader {
    /// A problem, already reported, after which nothing else can be understood.
    struct Stop: Error {}

    let bytes: UnsafeBufferPointer<UInt8>
    let end: Int
    let limits: JSONReader.Limits
    var tree: JSONTreeWriter
    private(set) var problems: [JSONProblem] = []

    var position = 0
    /// The offset at which the line of `position` begins.
    var lineStart = 0
    /// The offset at which the first text of that line begins, after whitespace.
    private var textStart = 0
    /// The number of spaces at the start of that line.
    private(set) var indentation = 0
    /// The end of the last text that belongs to a value.
    var lastEnd = 0

    var anchors = YAMLAnchors()
    /// The prefixes that `%TAG` directives define, by handle.
    var tagPrefixes: [String: String] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONReader.Limits, _ tree: JSONTreeWriter) {
        self.bytes = bytes
        self.limits = limits
        self.tree = tree
        end = bytes.count
    }

    mutating func read() {
        // A `Stop` that is thrown has been reported.
        try? readDocument()
        if anchors.isExcess(nodes: anchors.nodes) { reportExcess() }
    }

    // MARK: Bytes

    /// The byte at an offset; after the end 0, which no text has.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { offset < end ? bytes[offset] : 0 }

    @inline(__always)
    var current: UInt8 { byte(position) }

    @inline(__always)
    func isBreak(_ byte: UInt8) -> Bool { byte == .lineFeed || byte == .carriageReturn }

    /// Whether whitespace, a line break or the end of the text is at an offset.
    @inline(__always)
    func isBlank(_ offset: Int) -> Bool {
        let byte = byte(offset)
        return byte == .space || byte == .lineFeed || byte == .tab || byte == .carriageReturn || offset >= end
    }

    var column: Int { position - lineStart }
    var isFirstInLine: Bool { position == textStart }
    /// Whether there is a tab in the whitespace before the line's text.
    var hasTabBefore: Bool { textStart - lineStart != indentation }

    /// Whether `---` or `...` is here, at the start of a line.
    var isAtMarker: Bool {
        guard position == lineStart, position + 2 < end, isBlank(position + 3) else { return false }
        let first = bytes[position]
        return (first == .minus || first == .point) && bytes[position + 1] == first && bytes[position + 2] == first
    }

    /// Whether the document ends here.
    var isAtEnd: Bool { position >= end || isAtMarker }

    /// Whether one of `-`, `?`, `:` is here as an indicator.
    func isIndicator(_ indicator: UInt8) -> Bool { current == indicator && isBlank(position + 1) }

    // MARK: Lines

    /// Passes a line break: LF, CR LF or CR.
    @inline(__always)
    mutating func passBreak() {
        position += current == .carriageReturn && byte(position + 1) == .lineFeed ? 2 : 1
        lineStart = position
    }

    mutating func skipBlanks() {
        while current == .space || current == .tab { position += 1 }
    }

    mutating func skipLine() {
        while position < end, !isBreak(bytes[position]) { position += 1 }
    }

    /// Skips whitespace, comments and line breaks up to the next text.
    mutating func skipToText() {
        var isNewLine = position == lineStart
        if isNewLine { measureIndentation() }
        while position < end {
            switch bytes[position] {
            case .space, .tab: position += 1
            case .lineFeed, .carriageReturn:
                passBreak()
                measureIndentation()
                isNewLine = true
            case UInt8(ascii: "#") where position == lineStart || isBlank(position - 1): skipLine()
            default:
                if isNewLine { textStart = position }
                return
            }
        }
        if isNewLine { textStart = position }
    }

    /// Skips the spaces at the start of a line and counts them.
    private mutating func measureIndentation() {
        while current == .space { position += 1 }
        indentation = position - lineStart
    }

    /// Goes to the first text after line breaks inside a scalar, and returns how many breaks there were. No comment is skipped,
    /// because a scalar can't have one.
    mutating func skipBreaks() -> Int {
        var count = 0
        while position < end, isBreak(bytes[position]) {
            passBreak()
            measureIndentation()
            count += 1
            skipBlanks()
            textStart = position
        }
        return count
    }

    // MARK: Problems

    mutating func report(
        _ message: String, _ range: Range<Int>, hint: String? = nil, code: Diagnostic.Code = .yamlSyntax,
        related: (message: String, range: Range<Int>)? = nil
    ) {
        if problems.count < limits.problems {
            problems.append(JSONProblem(code, message, at: range, hint: hint, related: related))
        }
    }

    /// Reports a problem after which reading ends.
    mutating func stop(
        _ message: String, _ range: Range<Int>? = nil, hint: String? = nil, code: Diagnostic.Code = .yamlSyntax,
        related: (message: String, range: Range<Int>)? = nil
    ) -> Stop {
        report(message, range ?? character, hint: hint, code: code, related: related)
        return Stop()
    }

    /// The character at `position`.
    var character: Range<Int> {
        position..<min(position + (position < end ? max(1, UTF8Sequence.length(in: bytes, at: position)) : 0), end)
    }

    /// The start of a text, short enough for a message.
    func shown(_ range: Range<Int>) -> String {
        let line = bytes[range.lowerBound..<min(range.upperBound, range.lowerBound + 160)].prefix { !isBreak($0) }
        return String(String(decoding: line, as: UTF8.self).prefix(40))
    }
}
