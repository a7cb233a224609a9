import ASCII
import SourceText

/// Reads words as bash and other POSIX shells do.
struct POSIXLexer {
    var state: LexerState
    /// Here-documents whose bodies begin behind the next line break.
    private var hereDocuments: [HereDocument] = []
    /// Whether the commands are copied with a prompt, so that continued lines may begin with `> `.
    private var hasPrompts = false
    private var isAtStart = true

    private struct HereDocument {
        /// Where its token goes.
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
        guard byte == UInt8(ascii: "$") || byte == UInt8(ascii: "%"), state.byte(1)?.isSpaceOrTab == true else { return false }
        (hasPrompts, isAtStart) = (true, false)
        state.offset += 2
        return true
    }

    /// Skips a backslash with the line break behind it.
    private mutating func skipContinuation() -> Bool {
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
                .shellSyntax, "found a redirection of another descriptor than the standard input", start..<state.offset,
                hint: "use \"< file\"")
        } else {
            state.offset += 1
            state.tokens.append(.input(isText: false))
        }
    }
}

// MARK: Here-documents

extension POSIXLexer {
    private mutating func readDelimiter(from start: Int) {
        let removesTabs = state.byte() == .minus
        if removesTabs { state.offset += 1 }
        while state.byte()?.isSpaceOrTab == true { state.offset += 1 }
        let wordStart = state.offset
        readWord()
        let place = Place(state.file, start..<state.offset)
        guard case .word(let word)? = state.tokens.last, wordStart < state.offset, let delimiter = word.text else {
            state.tokens.removeLast()
            return state.report(
                .shellSyntax, "a here-document needs a literal delimiter", place.range, hint: "write <<'END'")
        }
        let isQuoted = !state.file.bytes[word.place.range].elementsEqual(delimiter.utf8)
        state.tokens[state.tokens.count - 1] = .hereDocument(ShellWord([], at: place))
        hereDocuments.append(
            HereDocument(
                token: state.tokens.count - 1, delimiter: Array(delimiter.utf8), isQuoted: isQuoted,
                removesTabs: removesTabs, place: place))
    }

    private mutating func readHereDocuments() {
        for document in hereDocuments { state.tokens[document.token] = .hereDocument(readBody(document)) }
        hereDocuments = []
    }

    private mutating func readBody(_ document: HereDocument) -> ShellWord {
        var builder = WordBuilder(state.file, start: state.offset)
        while state.offset < state.end {
            if document.removesTabs { while state.byte() == .tab { state.offset += 1 } }
            let end = state.file.bytes[state.offset...].firstIndex(of: .lineFeed) ?? state.end
            var line = state.file.bytes[state.offset..<end]
            if line.last == .carriageReturn { line.removeLast() }
            if line.elementsEqual(document.delimiter) {
                let word = state.finish(&builder)
                // The line break behind the delimiter stays: it ended the command before.
                state.offset = end
                return word
            }
            readLine(to: min(end + 1, state.end), isQuoted: document.isQuoted, &builder)
        }
        state.report(
            .shellSyntax, "the here-document ends with the text, without its delimiter", document.place.range,
            hint: "add a line with the delimiter alone", severity: .warning)
        return state.finish(&builder)
    }

    /// Reads a line of a here-document, and the lines that it is continued with.
    private mutating func readLine(to end: Int, isQuoted: Bool, _ builder: inout WordBuilder) {
        var end = end
        while state.offset < end, let byte = state.byte() {
            if isQuoted {
                builder.append(at: state.offset)
                state.offset += 1
                continue
            }
            switch byte {
            case .backslash:
                let isContinued = state.offset + 1 + state.lineBreak(1) >= end
                readEscape(in: "$`\\", &builder)
                if isContinued { end = (state.file.bytes[min(end, state.end)...].firstIndex(of: .lineFeed) ?? state.end - 1) + 1 }
            case UInt8(ascii: "$"): readDollar(isQuoted: true, &builder)
            case UInt8(ascii: "`"): readBackquote()
            default:
                builder.append(at: state.offset)
                state.offset += 1
            }
        }
    }
}

// MARK: Words

extension POSIXLexer {
    private mutating func readWord() {
        var builder = WordBuilder(state.file, start: state.offset)
        var braces: (open: Int, isExpanded: Bool)?
        if state.byte() == UInt8(ascii: "~") { readTilde(&builder) }
        words: while let byte = state.byte() {
            if skipContinuation() { continue }
            switch byte {
            case .space, .tab, .lineFeed, UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"):
                break words
            case .carriageReturn where state.lineBreak() > 0: break words
            case .backslash: readEscape(in: nil, &builder)
            case .apostrophe: readSingleQuotes(&builder)
            case .quote: readDoubleQuotes(&builder)
            case UInt8(ascii: "$"): readDollar(isQuoted: false, &builder)
            case UInt8(ascii: "`"): readBackquote()
            default:
                switch byte {
                case .openBrace: braces = (state.offset, false)
                case .comma: braces?.isExpanded = true
                case .point where state.byte(1) == .point: braces?.isExpanded = true
                case .closeBrace: warnOfBraces(&braces)
                default: break
                }
                builder.append(at: state.offset)
                state.offset += 1
            }
        }
        state.tokens.append(.word(state.finish(&builder)))
    }

    private mutating func warnOfBraces(_ braces: inout (open: Int, isExpanded: Bool)?) {
        guard let open = braces, open.isExpanded else { return }
        state.report(
            .shellSyntax, "bash makes several words of these braces; they are read as they are written",
            open.open..<state.offset + 1, hint: "put quotes around the word", severity: .warning)
        braces = nil
    }

    /// Reads `~` before a slash, or alone, as the variable that a shell replaces it with.
    private mutating func readTilde(_ builder: inout WordBuilder) {
        switch state.byte(1) {
        case nil, .slash, .space, .tab, .lineFeed, .carriageReturn, UInt8(ascii: ";"):
            builder.appendVariable("HOME", from: state.offset..<state.offset + 1)
            state.offset += 1
        default: break
        }
    }

    /// Reads a backslash and the byte behind it.
    ///
    /// - Parameter escaped: The bytes that lose the backslash; nil for all.
    private mutating func readEscape(in escaped: String?, _ builder: inout WordBuilder) {
        if skipContinuation() { return }
        let start = state.offset
        guard let next = state.byte(1), escaped?.utf8.contains(next) ?? true else {
            builder.append(at: start)
            state.offset += 1
            return
        }
        builder.append(next, from: start..<start + 2)
        state.offset += 2
    }

    private mutating func readSingleQuotes(_ builder: inout WordBuilder) {
        let start = state.offset
        builder.endPart()
        state.offset += 1
        while let byte = state.byte(), byte != .apostrophe {
            builder.append(at: state.offset)
            state.offset += 1
        }
        close(quote: start, &builder)
    }

    private mutating func readDoubleQuotes(_ builder: inout WordBuilder) {
        let start = state.offset
        builder.endPart()
        state.offset += 1
        while let byte = state.byte(), byte != .quote {
            switch byte {
            case .backslash: readEscape(in: "$`\"\\", &builder)
            case UInt8(ascii: "$"): readDollar(isQuoted: true, &builder)
            case UInt8(ascii: "`"): readBackquote()
            default:
                builder.append(at: state.offset)
                state.offset += 1
            }
        }
        close(quote: start, &builder)
    }

    private mutating func close(quote start: Int, _ builder: inout WordBuilder) {
        builder.endPart()
        if state.offset < state.end {
            state.offset += 1
        } else {
            state.report(
                .shellQuote, "this quote is never closed", start..<start + 1,
                hint: "copy the whole command; a quote inside of '…' is written '\\''")
        }
    }

    /// Reads `$'…'`.
    private mutating func readANSIQuotes(_ builder: inout WordBuilder) {
        let start = state.offset
        builder.endPart()
        state.offset += 2
        var isCut = false
        while let byte = state.byte(), byte != .apostrophe {
            if byte == .backslash, state.offset + 1 < state.end {
                let (bytes, length) = ANSIEscape.read(state.file.bytes[(state.offset + 1)...], style: .quotes)
                let source = state.offset..<state.offset + 1 + length
                // bash ends the text at a NUL.
                if bytes == [0] { isCut = true }
                if !isCut { builder.append(bytes, from: source) }
                state.offset = source.upperBound
            } else {
                if !isCut { builder.append(at: state.offset) }
                state.offset += 1
            }
        }
        close(quote: start, &builder)
    }
}

// MARK: Expansions

extension POSIXLexer {
    private mutating func readDollar(isQuoted: Bool, _ builder: inout WordBuilder) {
        let start = state.offset
        switch state.byte(1) {
        case .apostrophe? where !isQuoted: readANSIQuotes(&builder)
        case .quote? where !isQuoted:
            state.offset += 1
            readDoubleQuotes(&builder)
        case UInt8(ascii: "("):
            state.offset += 1
            refuseSubstitution(from: start)
        case .openBrace: readBraces(&builder)
        case let byte? where byte.isLetter || byte == UInt8(ascii: "_"):
            state.offset += 1
            let name = readName()
            builder.appendVariable(name, from: start..<state.offset)
        case let byte? where byte.isDigit || "@*#?$!-".utf8.contains(byte):
            state.offset += 2
            state.report(
                .shellVariable, "found \"\(state.file.text(start..<state.offset))\", which only a running shell knows",
                start..<state.offset, hint: "write the value, or \\$ for a dollar sign")
        default:
            builder.append(at: start)
            state.offset += 1
        }
    }

    private mutating func readName() -> String {
        let start = state.offset
        while let byte = state.byte(), byte.isAlphanumeric || byte == UInt8(ascii: "_") { state.offset += 1 }
        return state.file.text(start..<state.offset)
    }

    /// Reads `${NAME}`, `${NAME:-text}` and `${NAME:?message}`.
    private mutating func readBraces(_ builder: inout WordBuilder) {
        let start = state.offset
        state.offset += 2
        let name = readName()
        let rest = state.offset
        var (depth, isPlain) = (1, true)
        while let byte = state.byte() {
            switch byte {
            case .openBrace: (depth, isPlain) = (depth + 1, false)
            case .closeBrace: depth -= 1
            case .backslash:
                isPlain = false
                state.offset = min(state.offset + 1, state.end - 1)
            case .apostrophe, .quote, UInt8(ascii: "$"), UInt8(ascii: "`"): isPlain = false
            default: break
            }
            if depth == 0 { break }
            state.offset += 1
        }
        let content = state.file.text(rest..<state.offset)
        state.offset = min(state.offset + 1, state.end)
        let fallback = content.drop { $0 == ":" }
        let isColon = fallback.count + 1 >= content.count
        switch fallback.first {
        case nil where content.isEmpty && !name.isEmpty && depth == 0:
            builder.appendVariable(name, from: start..<state.offset)
        case "-" where isColon && isPlain && !name.isEmpty && depth == 0:
            builder.appendVariable(name, fallback: String(fallback.dropFirst()), from: start..<state.offset)
        case "?" where isColon && !name.isEmpty && depth == 0:
            builder.appendVariable(name, from: start..<state.offset)
        default:
            state.report(
                .shellVariable, "found an expansion that only a running shell can do", start..<state.offset,
                hint: "write the value, ${NAME} or ${NAME:-default}")
        }
    }

    private mutating func readBackquote() {
        let start = state.offset
        state.offset += 1
        while let byte = state.byte(), byte != UInt8(ascii: "`") { state.offset += byte == .backslash ? 2 : 1 }
        state.offset = min(state.offset + 1, state.end)
        reportSubstitution(start..<state.offset)
    }

    /// Skips a substitution, from the bracket that the lexer is at to the one that closes it.
    private mutating func refuseSubstitution(from start: Int) {
        // The brackets and quotes that are open.
        var open: [UInt8] = []
        while let byte = state.byte() {
            let isInQuotes = open.last == .quote
            switch byte {
            case .backslash: state.offset += 1
            case .apostrophe where !isInQuotes:
                state.offset = state.file.bytes[min(state.offset + 1, state.end)...].firstIndex(of: .apostrophe) ?? state.end
            case .quote: if isInQuotes { open.removeLast() } else { open.append(.quote) }
            case UInt8(ascii: "(") where !isInQuotes || state.file.bytes[state.offset - 1] == UInt8(ascii: "$"):
                open.append(byte)
            case UInt8(ascii: ")") where !isInQuotes: open.removeLast()
            default: break
            }
            state.offset += 1
            if open.isEmpty { break }
        }
        state.offset = min(state.offset, state.end)
        reportSubstitution(start..<state.offset)
    }

    private mutating func reportSubstitution(_ range: Range<Int>) {
        state.report(
            .shellSubstitution, "found the output of a command, and no command is run", range,
            hint: "write the value in its place, or a variable such as $NAME")
    }
}
