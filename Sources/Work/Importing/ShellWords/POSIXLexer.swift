import ReqcliBasics
import ReqcliText

/// Reads words as bash and other POSIX shells do.
struct POSIXLexer {
    var state: LexerState
    /// Here-documents whose bodies begin after the next line break.
    var hereDocuments: [HereDocument] = []
    /// Whether the commands were copied with a prompt. If so, continued lines may begin with `> `.
    private var hasPrompts = false
    private var isAtStart = true

    struct HereDocument {
        /// The index of the here-document's token.
        let token: Int
        let delimiter: [UInt8]
        let isQuoted: Bool
        let removesTabs: Bool
        let place: Place
    }

    init(_ file: SourceFile) { state = LexerState(file) }

    static func tokens(of file: SourceFile) -> ([ShellToken], [Diagnostic]) {
        var lexer = POSIXLexer(file)
        while let byte = lexer.state.byte() { lexer.readToken(byte) }
        lexer.readHereDocuments()
        return (lexer.state.tokens, lexer.state.problems)
    }

    private mutating func readToken(_ byte: UInt8) {
        if isAtStart, skipPrompt(byte) { return }
        if skipContinuation() { return }
        if state.lineBreak() > 0 { return endLine() }
        switch byte {
        case .space, .tab, .carriageReturn: state.offset += 1
        case UInt8(ascii: "#"): state.skipLine()
        case UInt8(ascii: ";"): end(length: 1)
        case UInt8(ascii: "&"): readAmpersand()
        case UInt8(ascii: "|"): state.byte(1) == byte ? end(length: 2) : pipe()
        case UInt8(ascii: "<"): readInput(descriptor: 0)
        case UInt8(ascii: ">"): readOutput(from: state.offset)
        case UInt8(ascii: "("), UInt8(ascii: ")"):
            state.report(
                .shellSyntax, "found \"\(byte == UInt8(ascii: "(") ? "(" : ")")\" outside of quotes",
                state.offset..<state.offset + 1, hint: "put quotes around the word, or paste only the command itself")
            state.offset += 1
        default:
            isAtStart = false
            if !readDescriptor() { readWord() }
        }
    }

    /// Skips `$ ` or `% ` before a command.
    private mutating func skipPrompt(_ byte: UInt8) -> Bool {
        guard byte == UInt8(ascii: "$") || byte == UInt8(ascii: "%"), state.byte(1)?.isSpaceOrTab == true else {
            return false
        }
        (hasPrompts, isAtStart) = (true, false)
        state.offset += 2
        return true
    }

    /// Skips a backslash with the line break after it.
    mutating func skipContinuation() -> Bool {
        guard state.byte() == .backslash else { return false }
        let length = state.lineBreak(1)
        guard length > 0 else { return false }
        state.offset += 1 + length
        if hasPrompts, state.starts(with: "> ") { state.offset += 2 }
        return true
    }

    private mutating func endLine() {
        end(length: state.lineBreak())
        readHereDocuments()
    }

    private mutating func end(length: Int) {
        state.tokens.append(.end)
        state.offset += length
        isAtStart = true
    }

    private mutating func pipe() {
        state.tokens.append(.pipe)
        state.offset += state.byte(1) == UInt8(ascii: "&") ? 2 : 1
    }

    private mutating func readAmpersand() {
        let start = state.offset
        if state.byte(1) == UInt8(ascii: ">") {
            state.offset += 1
            return readOutput(from: start)
        }
        let isAnd = state.byte(1) == UInt8(ascii: "&")
        let isGlued = start > 0 && !state.file.bytes[start - 1].isJSONWhitespace && state.byte(1)?.isWordByte == true
        if !isAnd, isGlued {
            state.report(
                .shellSyntax, "the shell ends the command at this \"&\"", start..<start + 1,
                hint: "put quotes around the URL", severity: .warning)
        }
        end(length: isAnd ? 2 : 1)
    }

    /// Reads `2>` and the like; false if digits are the beginning of a word.
    private mutating func readDescriptor() -> Bool {
        var digits = 0
        while digits < 3, state.byte(digits)?.isDigit == true { digits += 1 }
        guard digits > 0, let sign = state.byte(digits) else { return false }
        let start = state.offset
        if sign == UInt8(ascii: ">") {
            state.offset += digits
            readOutput(from: start)
        } else if sign == UInt8(ascii: "<") {
            let isStandardInput = digits == 1 && state.byte() == .zero
            state.offset += digits
            readInput(descriptor: isStandardInput ? 0 : 1)
        } else {
            return false
        }
        return true
    }

    private mutating func readOutput(from start: Int) {
        state.offset += 1
        if state.byte() == UInt8(ascii: "(") { return refuseSubstitution(from: state.offset - 1) }
        if state.byte() == UInt8(ascii: ">") || state.byte() == UInt8(ascii: "|") { state.offset += 1 }
        var hasTarget = true
        if state.byte() == UInt8(ascii: "&") {
            state.offset += 1
            if state.byte()?.isDigit == true || state.byte() == .minus {
                hasTarget = false
                state.offset += 1
            }
        }
        state.tokens.append(.output(Place(state.file, start..<state.offset), hasTarget: hasTarget))
    }

    private mutating func readInput(descriptor: Int) {
        let start = state.offset
        if state.starts(with: "<(") {
            state.offset += 1
            return refuseSubstitution(from: start)
        }
        if state.starts(with: "<<<") {
            state.offset += 3
            state.tokens.append(.input(isText: true))
        } else if state.starts(with: "<<") {
            state.offset += 2
            readDelimiter(from: start)
        } else if state.starts(with: "<&") || state.starts(with: "<>") || descriptor != 0 {
            state.offset += 1
            state.report(
                .shellSyntax, "found a redirection of a descriptor other than standard input", start..<state.offset,
                hint: "use \"< file\"")
        } else {
            state.offset += 1
            state.tokens.append(.input(isText: false))
        }
    }
}
