import ReqcliBasics
import ReqcliText

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
            // At the start of a command, `&` calls the program with the name that follows.
            if isAtStart { state.offset += 1 } else { end(length: state.byte(1) == byte ? 2 : 1) }
        case UInt8(ascii: ">"): readOutput(from: start)
        case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            refuse(start..<start + 1)
        case UInt8(ascii: "@") where state.byte(1) == .openBrace || state.byte(1) == UInt8(ascii: "("):
            refuse(
                start..<start + 2,
                hint: "name the program curl.exe: \"curl\" is Invoke-WebRequest in Windows PowerShell")
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
            let end = state.file.bytes[state.offset...].firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == .lineFeed }
            ),
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
        // A string at the start is a whole word. Characters right after the string begin the next word.
        if !readString(&builder) {
            while let byte = state.byte(), !endsWord(byte) {
                if readString(&builder) { continue }
                readByte(byte, &builder)
            }
        }
        let word = state.finish(&builder)
        if word.text == "--%" {
            state.report(
                .shellSyntax, "found --%: PowerShell reads the words after it as cmd.exe does", word.place.range,
                hint: "remove it, and pass --shell cmd")
            return
        }
        state.tokens.append(.word(unescapingQuotes(word)))
    }

    private func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case .space, .tab, .lineFeed, .carriageReturn: true
        case UInt8(ascii: "`"): state.lineBreak(1) > 0
        default: ";|&<>(){}".utf8.contains(byte)
        }
    }

    /// Removes the backslashes before quotes, if each quote in the word has one. Such a word is written for Windows PowerShell,
    /// which drops a quote inside an argument unless a backslash precedes it.
    private func unescapingQuotes(_ word: ShellWord) -> ShellWord {
        let parts = word.parts.map { part in
            guard case .text(let text) = part.content else { return part }
            let unescaped = text.split(separator: #"\""#, omittingEmptySubsequences: false)
            let isEscaped = unescaped.allSatisfy { !$0.utf8.contains(.quote) }
            return isEscaped ? ShellWord.Part(.text(unescaped.joined(separator: "\"")), at: part.place) : part
        }
        return ShellWord(parts, at: word.place)
    }

    private mutating func readByte(_ byte: UInt8, _ builder: inout WordBuilder) {
        switch byte {
        case UInt8(ascii: "`"): readEscape(&builder)
        case UInt8(ascii: "$"): readDollar(&builder)
        default:
            builder.append(at: state.offset)
            state.offset += 1
        }
    }

    /// A quote at a distance from the current position. PowerShell treats curly quotes like straight ones.
    private func quote(_ ahead: Int = 0) -> (isDouble: Bool, length: Int)? {
        switch state.byte(ahead) {
        case .apostrophe: return (false, 1)
        case .quote: return (true, 1)
        case 0xE2 where state.byte(ahead + 1) == 0x80:
            switch state.byte(ahead + 2) {
            case 0x98, 0x99, 0x9A, 0x9B: return (false, 3)
            case 0x9C, 0x9D, 0x9E: return (true, 3)
            default: return nil
            }
        default: return nil
        }
    }

    /// Reads a string or a here-string; false if there is no string.
    private mutating func readString(_ builder: inout WordBuilder) -> Bool {
        let start = state.offset
        if state.byte() == UInt8(ascii: "@"), let quote = quote(1), state.lineBreak(1 + quote.length) > 0 {
            builder.endPart()
            state.offset += 1 + quote.length + state.lineBreak(1 + quote.length)
            readHereString(isDouble: quote.isDouble, from: start, &builder)
            return true
        }
        guard let (isDouble, length) = quote() else { return false }
        builder.endPart()
        state.offset += length
        while let byte = state.byte() {
            if let next = quote(), next.isDouble == isDouble {
                let second = quote(next.length)
                guard let second, second.isDouble == isDouble else { break }
                for offset in state.offset..<state.offset + next.length { builder.append(at: offset) }
                state.offset += next.length + second.length
            } else if isDouble {
                readByte(byte, &builder)
            } else {
                builder.append(at: state.offset)
                state.offset += 1
            }
        }
        close(quote()?.length ?? 0, from: start, &builder)
        return true
    }

    /// Reads to a line that begins with `'@`. The line breaks before and after the text aren't part of the text.
    private mutating func readHereString(isDouble: Bool, from start: Int, _ builder: inout WordBuilder) {
        while let byte = state.byte() {
            let lineBreak = state.offset > start + 2 ? state.lineBreak() : 0
            if lineBreak > 0, let quote = quote(lineBreak), state.byte(lineBreak + quote.length) == UInt8(ascii: "@") {
                return close(lineBreak + quote.length + 1, from: start, &builder)
            }
            if isDouble {
                readByte(byte, &builder)
            } else {
                builder.append(at: state.offset)
                state.offset += 1
            }
        }
        close(0, from: start, &builder)
    }

    private mutating func close(_ length: Int, from start: Int, _ builder: inout WordBuilder) {
        builder.endPart()
        state.offset += length
        if length == 0 {
            state.report(
                .shellQuote, "this quote is never closed", start..<start + 1,
                hint: "copy the whole command; inside '…', write each quote twice")
        }
    }

    private mutating func readEscape(_ builder: inout WordBuilder) {
        let start = state.offset
        guard let byte = state.byte(1) else {
            state.offset += 1
            return
        }
        state.offset += 2
        if byte == UInt8(ascii: "u"), state.byte() == .openBrace {
            let digits = state.file.bytes[(state.offset + 1)...].prefix(6).prefix { $0.hexValue != nil }
            let value = digits.reduce(0) { $0 << 4 | UInt32($1.hexValue ?? 0) }
            if let scalar = Unicode.Scalar(value), state.byte(digits.count + 1) == .closeBrace, !digits.isEmpty {
                state.offset += digits.count + 2
                return builder.append(String(Character(scalar)).utf8, from: start..<state.offset)
            }
        }
        builder.append(Self.escapes[byte] ?? byte, from: start..<state.offset)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "0"): 0, UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "e"): 0x1B,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): .lineFeed, UInt8(ascii: "r"): .carriageReturn,
        UInt8(ascii: "t"): .tab, UInt8(ascii: "v"): 0x0B,
    ]

    /// Reads `$NAME`, `$env:NAME`, `${NAME}` and `${env:NAME}`.
    private mutating func readDollar(_ builder: inout WordBuilder) {
        let start = state.offset
        if state.byte(1) == UInt8(ascii: "(") {
            state.offset += 1
            state.skipBrackets(escape: UInt8(ascii: "`"))
            return state.reportSubstitution(start..<state.offset)
        }
        let isInBraces = state.byte(1) == .openBrace
        state.offset += isInBraces ? 2 : 1
        if state.file.bytes[state.offset...].prefix(4).map(\.lowercased).elementsEqual("env:".utf8) {
            state.offset += 4
        }
        let name = state.readName()
        if isInBraces, !name.isEmpty, state.byte() == .closeBrace {
            state.offset += 1
        } else if isInBraces {
            return state.report(
                .shellVariable, "found an expansion that needs a running PowerShell", start..<state.offset,
                hint: "write the value, or ${env:NAME}")
        }
        if name.isEmpty {
            state.offset = start + 1
            builder.append(at: start)
        } else {
            builder.appendVariable(name, from: start..<state.offset)
        }
    }
}
