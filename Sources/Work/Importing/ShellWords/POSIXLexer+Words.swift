import ReqcliBasics
import ReqcliText

extension POSIXLexer {
    mutating func readWord() {
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
            .shellSyntax, "bash expands these braces to several words; reqcli reads them unchanged",
            open.open..<state.offset + 1, hint: "put quotes around the word", severity: .warning)
        braces = nil
    }

    /// Reads `~`, alone or before a slash, as the variable `HOME`. A shell replaces the `~` by the value of this variable.
    private mutating func readTilde(_ builder: inout WordBuilder) {
        switch state.byte(1) {
        case nil, .slash, .space, .tab, .lineFeed, .carriageReturn, UInt8(ascii: ";"):
            builder.appendVariable("HOME", from: state.offset..<state.offset + 1)
            state.offset += 1
        default: break
        }
    }

    /// Reads a backslash and the byte after it.
    ///
    /// - Parameter escaped: The bytes before which the backslash is removed; nil for all bytes.
    mutating func readEscape(in escaped: String?, _ builder: inout WordBuilder) {
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

    mutating func readDoubleQuotes(_ builder: inout WordBuilder) {
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
    mutating func readANSIQuotes(_ builder: inout WordBuilder) {
        let start = state.offset
        builder.endPart()
        state.offset += 2
        var isCut = false
        while let byte = state.byte(), byte != .apostrophe {
            if byte == .backslash, state.offset + 1 < state.end {
                let (bytes, length) = ANSIEscape.read(state.file.bytes[(state.offset + 1)...], style: .quotes)
                let source = state.offset..<state.offset + 1 + length
                // In bash, a NUL ends the text.
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
