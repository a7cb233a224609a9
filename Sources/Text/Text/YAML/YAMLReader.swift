import ReqcliBasics

/// Reads a YAML text from beginning to end, without going back, and writes the tree.
///
/// The reader accesses bytes through an unsafe buffer, like the JSON lexer. Every access is checked against `end`, and the owner
/// of the bytes outlives the reader.
struct YAMLReader {
    /// An error that is thrown after a reported problem, if nothing after this problem can be understood.
    struct Stop: Error {}

    let bytes: UnsafeBufferPointer<UInt8>
    let end: Int
    let limits: JSONReader.Limits
    var tree: JSONTreeWriter
    private(set) var problems: [JSONProblem] = []

    var position = 0
    /// The offset at which the line of `position` begins.
    var lineStart = 0
    /// The offset of the first text on the current line, after whitespace.
    private var textStart = 0
    /// The number of spaces at the start of the current line.
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
        // A thrown `Stop` was already reported as a problem.
        try? readDocument()
        if anchors.isExcess(nodes: anchors.nodes) { reportExcess() }
    }

    // MARK: Bytes

    /// The byte at an offset. At and after the end it is 0, a byte that no YAML text contains.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { offset < end ? bytes[offset] : 0 }

    @inline(__always)
    var current: UInt8 { byte(position) }

    @inline(__always)
    func isBreak(_ byte: UInt8) -> Bool { byte == .lineFeed || byte == .carriageReturn }

    /// Whether there is whitespace or a line break at an offset, or the text ends there.
    @inline(__always)
    func isBlank(_ offset: Int) -> Bool {
        let byte = byte(offset)
        return byte == .space || byte == .lineFeed || byte == .tab || byte == .carriageReturn || offset >= end
    }

    var column: Int { position - lineStart }
    var isFirstInLine: Bool { position == textStart }
    /// Whether there is a tab in the whitespace before the line's text.
    var hasTabBefore: Bool { textStart - lineStart != indentation }

    /// Whether the reader is at `---` or `...` at the start of a line.
    var isAtMarker: Bool {
        guard position == lineStart, position + 2 < end, isBlank(position + 3) else { return false }
        let first = bytes[position]
        return (first == .minus || first == .point) && bytes[position + 1] == first && bytes[position + 2] == first
    }

    /// Whether the document ends at the current position.
    var isAtEnd: Bool { position >= end || isAtMarker }

    /// Whether the given character (`-`, `?` or `:`) is next and is an indicator.
    func isIndicator(_ indicator: UInt8) -> Bool { current == indicator && isBlank(position + 1) }

    // MARK: Lines

    /// Skips a line break: LF, CR LF or CR.
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

    /// Skips line breaks inside a scalar up to the next text, and returns the number of line breaks. Comments are not skipped,
    /// because a scalar can't contain a comment.
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

    /// The range of the character at `position`.
    var character: Range<Int> {
        position..<min(position + (position < end ? max(1, UTF8Sequence.length(in: bytes, at: position)) : 0), end)
    }

    /// The beginning of a range's text, short enough for a message.
    func shown(_ range: Range<Int>) -> String {
        let line = bytes[range.lowerBound..<min(range.upperBound, range.lowerBound + 160)].prefix { !isBreak($0) }
        return String(String(decoding: line, as: UTF8.self).prefix(40))
    }
}
