import ReqcliBasics
import ReqcliText

/// Reads words with the rules of cmd.exe, and then with the rules of the C library in the program that cmd.exe starts. cmd.exe
/// handles carets and the ends of commands; the C library splits the words. The commands that browsers copy have escapes of both
/// kinds.
struct CmdLexer {
    private var state: LexerState
    /// The bytes that cmd.exe passes to the program of this command.
    private var line: [PassedByte] = []
    /// Whether cmd.exe is inside quotes, where a caret is an ordinary character.
    private var isQuoted = false
    /// The end of quoted text in which carets are read as escapes, although cmd.exe wouldn't do so. Chromium wrote such commands
    /// for some years.
    private var endOfEscapedQuotes = 0

    static func tokens(of file: SourceFile) -> ([ShellToken], [Diagnostic]) {
        var lexer = CmdLexer(state: LexerState(file))
        lexer.skipPrompt()
        while let byte = lexer.state.byte() { lexer.read(byte) }
        lexer.endLine()
        return (lexer.state.tokens, lexer.state.problems)
    }

    private init(state: LexerState) { self.state = state }

    private mutating func read(_ byte: UInt8) {
        let start = state.offset
        let lineBreak = state.lineBreak()
        if lineBreak > 0 {
            endLine()
            state.offset += lineBreak
            return skipPrompt()
        }
        switch byte {
        case UInt8(ascii: "^") where !isQuoted || start < endOfEscapedQuotes: readCaret()
        case UInt8(ascii: "%"): readPercent()
        case UInt8(ascii: "!"): readExclamation()
        case UInt8(ascii: "&") where !isQuoted, UInt8(ascii: "|") where !isQuoted: readOperator(byte)
        case UInt8(ascii: "<") where !isQuoted, UInt8(ascii: ">") where !isQuoted: readRedirection(byte, from: start)
        default:
            if byte == .quote {
                isQuoted.toggle()
                endOfEscapedQuotes = isQuoted ? endOfQuotesWithCarets() ?? 0 : 0
            }
            if byte.isDigit, !isQuoted, state.byte(1) == UInt8(ascii: ">"), line.last?.byte.isSpaceOrTab ?? true {
                state.offset += 1
                return readRedirection(UInt8(ascii: ">"), from: start)
            }
            pass(byte, start..<start + 1)
        }
    }

    private mutating func readOperator(_ byte: UInt8) {
        endWords()
        let isDouble = state.byte(1) == byte
        state.tokens.append(byte == UInt8(ascii: "|") && !isDouble ? .pipe : .end)
        state.offset += isDouble ? 2 : 1
    }

    private mutating func readRedirection(_ byte: UInt8, from start: Int) {
        endWords()
        state.offset += state.byte(1) == byte ? 2 : 1
        guard byte == UInt8(ascii: ">") else { return state.tokens.append(.input(isText: false)) }
        let hasTarget = state.byte() != UInt8(ascii: "&")
        if !hasTarget { state.offset = min(state.offset + 2, state.end) }
        state.tokens.append(.output(Place(state.file, start..<state.offset), hasTarget: hasTarget))
    }

    private mutating func endLine() {
        if let open = endWords() {
            state.report(
                .shellQuote, "this quote is not closed on its line", open,
                hint: "cmd.exe needs \"^\" at the end of a line that continues")
        }
        state.tokens.append(.end)
        (isQuoted, endOfEscapedQuotes) = (false, 0)
    }

    /// Splits the passed bytes into words.
    ///
    /// - Returns: The place of a quote that isn't closed; nil if all quotes are closed.
    @discardableResult
    private mutating func endWords() -> Range<Int>? {
        defer { line = [] }
        let (words, open) = WindowsArguments.split(line, of: state.file)
        for var word in words { state.tokens.append(.word(state.finish(&word.builder, at: word.end))) }
        return open
    }

    /// Skips `C:\folder>` before a command.
    private mutating func skipPrompt() {
        guard state.byte()?.isLetter == true, state.byte(1) == .colon, state.byte(2) == .backslash else { return }
        let rest = state.file.bytes[state.offset...]
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == .quote || $0 == .lineFeed }),
            rest[end] == UInt8(ascii: ">")
        else { return }
        state.offset = end + 1
    }

    private mutating func pass(_ byte: UInt8, _ source: Range<Int>) {
        line.append(PassedByte(byte: byte, variable: nil, source: source))
        state.offset = source.upperBound
    }
}

// MARK: Carets and variables

extension CmdLexer {
    private mutating func readCaret() {
        let start = state.offset
        let length = state.lineBreak(1)
        if length > 0 { return readContinuation(from: start, to: start + 1 + length) }
        guard let byte = state.byte(1) else {
            state.offset += 1
            return
        }
        pass(byte, start..<start + 2)
    }

    private mutating func readContinuation(from start: Int, to next: Int) {
        state.offset = next
        if start > 0, state.file.bytes[start - 1] == .quote {
            // Early versions of Chromium wrote line breaks between two quoted parts: `"one"^`, then the line break, then `"two"`.
            var breaks = 1
            while state.lineBreak() > 0 {
                state.offset += state.lineBreak()
                breaks += 1
            }
            let source = start..<state.offset
            if state.byte() == .quote {
                for _ in 0..<breaks { pass(.lineFeed, source) }
                return
            }
            state.offset = next
        }
        // The caret removes the first line break and escapes the second line break.
        if state.lineBreak() > 0 { pass(.lineFeed, start..<next + state.lineBreak()) }
    }

    /// Reads `%NAME%`, or a percent sign.
    private mutating func readPercent() {
        let start = state.offset
        let name = state.file.bytes[(start + 1)...].prefix(100).prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
        let close = start + 1 + name.count
        let text = String(decoding: name, as: UTF8.self)
        guard text.isVariableName, close < state.end, state.file.bytes[close] == UInt8(ascii: "%"),
            !isEncoded(name, before: close)
        else { return pass(UInt8(ascii: "%"), start..<start + 1) }
        line.append(PassedByte(byte: UInt8(ascii: "x"), variable: text, source: start..<close + 1))
        state.offset = close + 1
    }

    /// Reads an exclamation mark. In a batch file, a name between two exclamation marks is either a variable or text. Which one
    /// is only known when the file runs.
    private mutating func readExclamation() {
        let start = state.offset
        let name = state.file.bytes[(start + 1)...].prefix(100).prefix { byte in
            (0x41...0x5A).contains(byte) || byte.isDigit || byte == UInt8(ascii: "_")
        }
        let close = start + 1 + name.count
        let isVariable = String(decoding: name, as: UTF8.self).isVariableName
        pass(UInt8(ascii: "!"), start..<start + 1)
        guard isVariable, close < state.end, state.file.bytes[close] == UInt8(ascii: "!") else { return }
        let text = String(decoding: name, as: UTF8.self)
        state.report(
            .shellVariable, "found !\(text)!: only cmd.exe knows whether this is a variable or plain text",
            start..<close + 1,
            hint: "write %\(text)% for the variable, or write the value")
    }

    /// Whether a name is the rest of a percent-encoded byte, as in `%E3%81`.
    private func isEncoded(_ name: ArraySlice<UInt8>, before close: Int) -> Bool {
        guard name.count >= 2, name.prefix(2).allSatisfy({ $0.hexValue != nil }) else { return false }
        let next = state.file.bytes[(close + 1)...].prefix(2)
        return name.count == 2 || next.count == 2 && next.allSatisfy { $0.hexValue != nil }
    }

    /// The end of the quoted text that begins here, if everything in it is escaped by carets as in old commands of Chromium; else
    /// nil. cmd.exe itself doesn't treat carets in quotes as escapes.
    private func endOfQuotesWithCarets() -> Int? {
        var (offset, hasCaret) = (state.offset + 1, false)
        while offset < state.end {
            let byte = state.file.bytes[offset]
            if byte == .quote { return hasCaret ? offset : nil }
            if byte == UInt8(ascii: "^"), offset + 1 < state.end {
                // A letter has a caret only after a percent sign, so that the name isn't read as a variable.
                let isNeeded =
                    !isPlain(state.file.bytes[offset + 1]) || state.file.bytes[offset - 1] == UInt8(ascii: "%")
                guard isNeeded else { return nil }
                hasCaret = true
                offset += 2
            } else if isPlain(byte) || 0x80...0xBF ~= byte {
                offset += 1
            } else {
                return nil
            }
        }
        return nil
    }

    /// Whether Chromium writes a byte without a caret.
    private func isPlain(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte.isSpaceOrTab || "_-:=+~'/.',?;()*`&".utf8.contains(byte)
    }
}
