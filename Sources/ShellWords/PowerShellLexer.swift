import ASCII
import SourceText

/// Reads words as PowerShell does.
struct PowerShellLexer {
    private var state: LexerState
    private var isAtStart = true

    static func tokens(of file: SourceFile) -> ([ShellToken], [Diagnostic]) {
        var lexer = PowerShellLexer(state: LexerState(file))
        while let byte = lexer.state.byte() { lexer.readToken(byte) }
        return (lexer.state.tokens, lexer.state.problems)
    }

    private init(state: LexerState) { self.state = state }

    private mutating func readToken(_ byte: UInt8) {
        if state.lineBreak() > 0 { return end(length: state.lineBreak()) }
        let start = state.offset
        if isAtStart, skipPrompt() { return }
        switch byte {
        case .space, .tab, .carriageReturn: state.offset += 1
        case UInt8(ascii: "`") where state.lineBreak(1) > 0: state.offset += 1 + state.lineBreak(1)
        case UInt8(ascii: "#"): state.skipLine()
        case UInt8(ascii: ";"): end(length: 1)
        case UInt8(ascii: "|"): readPipe()
        case UInt8(ascii: "&"):
            // At the start of a command it calls a program by the name that follows.
            if isAtStart { state.offset += 1 } else { end(length: state.byte(1) == byte ? 2 : 1) }
        case UInt8(ascii: ">"): readOutput(from: start)
        case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            refuse(start..<start + 1)
        case UInt8(ascii: "@") where state.byte(1) == .openBrace || state.byte(1) == UInt8(ascii: "("):
            refuse(start..<start + 2, hint: "name the program curl.exe: \"curl\" is Invoke-WebRequest in Windows PowerShell")
        default:
            isAtStart = false
            if byte.isDigit || byte == .asterisk, state.byte(1) == UInt8(ascii: ">") {
                state.offset += 1
                readOutput(from: start)
            } else {
                readWord()
            }
        }
    }

    private mutating func refuse(_ range: Range<Int>, hint: String = "paste only the command itself, with its values") {
        state.report(
            .shellSyntax, "found \"\(state.file.text(range))\"; only simple commands can be read", range, hint: hint)
        state.offset = range.upperBound
    }

    /// Skips `PS C:\folder> ` before a command.
    private mutating func skipPrompt() -> Bool {
        guard state.starts(with: "PS "),
            let end = state.file.bytes[state.offset...].firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == .lineFeed }),
            state.file.bytes[end] == UInt8(ascii: ">")
        else { return false }
        state.offset = end + 1
        return true
    }

    private mutating func end(length: Int) {
        state.tokens.append(.end)
        state.offset += length
        isAtStart = true
    }

    private mutating func readPipe() {
        if state.byte(1) == UInt8(ascii: "|") { return end(length: 2) }
        state.tokens.append(.pipe)
        state.offset += 1
    }

    private mutating func readOutput(from start: Int) {
        state.offset += state.byte(1) == UInt8(ascii: ">") ? 2 : 1
        let hasTarget = state.byte() != UInt8(ascii: "&")
        if !hasTarget { state.offset = min(state.offset + 2, state.end) }
        state.tokens.append(.output(Place(state.file, start..<state.offset), hasTarget: hasTarget))
    }
}

// MARK: Words

extension PowerShellLexer {
    private mutating func readWord() {
        var builder = WordBuilder(state.file, start: state.offset)
        let beginsWithQuote = readQuotes(&builder)
        // A string is a word of its own; what stands behind it begins the next one.
        while !beginsWithQuote, let byte = state.byte(), !endsWord(byte) {
            switch byte {
            case UInt8(ascii: "`"):
                if state.lineBreak(1) > 0 { break }
                readEscape(&builder)
            case UInt8(ascii: "$"): readDollar(&builder)
            default:
                if readQuotes(&builder) { continue }
                builder.append(at: state.offset)
                state.offset += 1
            }
            if byte == UInt8(ascii: "`"), state.lineBreak(1) > 0, state.byte() == byte { break }
        }
        var word = state.finish(&builder)
        if let unescaped = PowerShellLexer.withoutBackslashes(word) { word = unescaped }
        state.tokens.append(.word(word))
    }
}
