import ReqcliBasics
import ReqcliText

/// The common state of the lexers: the source, the position, the tokens and the problems.
struct LexerState {
    let file: SourceFile
    var offset = 0
    var tokens: [ShellToken] = []
    var problems: [Diagnostic] = []

    init(_ file: SourceFile) { self.file = file }

    var end: Int { file.bytes.count }

    /// The byte at a distance from the current position; nil beyond the end.
    func byte(_ ahead: Int = 0) -> UInt8? {
        let index = offset + ahead
        return index < end ? file.bytes[index] : nil
    }

    func starts(with text: String) -> Bool { file.bytes[offset...].starts(with: text.utf8) }

    /// The length of a line break at a distance from the current position: 2 for CRLF, 0 if there is no line break.
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

    /// The finished word. Without `end`, the word ends at the current position.
    mutating func finish(_ word: inout WordBuilder, at end: Int? = nil) -> ShellWord {
        let result = word.word(endingAt: end ?? offset)
        if let place = word.invalid {
            report(
                .shellText, "found bytes that are not UTF-8", place.range,
                hint: "write the characters in UTF-8, or as \\u escapes in $'…'")
        }
        return result
    }

    mutating func readName() -> String {
        let start = offset
        while let byte = byte(), byte.isAlphanumeric || byte == UInt8(ascii: "_") { offset += 1 }
        return file.text(start..<offset)
    }

    /// Skips from the opening bracket at the current position to the matching closing bracket.
    mutating func skipBrackets(escape: UInt8) {
        // The brackets and quotes that are open.
        var open: [UInt8] = []
        while let byte = byte() {
            let isInQuotes = open.last == .quote
            switch byte {
            case escape: offset += 1
            case .apostrophe where !isInQuotes:
                offset = file.bytes[min(offset + 1, end)...].firstIndex(of: .apostrophe) ?? end
            case .quote: if isInQuotes { open.removeLast() } else { open.append(.quote) }
            case UInt8(ascii: "(") where !isInQuotes || file.bytes[offset - 1] == UInt8(ascii: "$"): open.append(byte)
            case UInt8(ascii: ")") where !isInQuotes: open.removeLast()
            default: break
            }
            offset += 1
            if open.isEmpty { break }
        }
        offset = min(offset, end)
    }

    mutating func reportSubstitution(_ range: Range<Int>) {
        report(
            .shellSubstitution, "found the output of a command, but reqcli runs no commands", range,
            hint: "write the value instead, or a variable such as $NAME")
    }
}
