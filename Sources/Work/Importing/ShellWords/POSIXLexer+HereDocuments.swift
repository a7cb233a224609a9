import ReqcliBasics
import ReqcliText

extension POSIXLexer {
    mutating func readDelimiter(from start: Int) {
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

    mutating func readHereDocuments() {
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
                // The line break after the delimiter isn't skipped, because it ends the command before the here-document.
                state.offset = end
                return word
            }
            readLine(to: min(end + 1, state.end), isQuoted: document.isQuoted, &builder)
        }
        state.report(
            .shellSyntax, "the here-document has no closing delimiter", document.place.range,
            hint: "add a line that contains only the delimiter", severity: .warning)
        return state.finish(&builder)
    }

    /// Reads a line of a here-document, and the lines that continue this line.
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
                if isContinued {
                    end = (state.file.bytes[min(end, state.end)...].firstIndex(of: .lineFeed) ?? state.end - 1) + 1
                }
            case UInt8(ascii: "$"): readDollar(isQuoted: true, &builder)
            case UInt8(ascii: "`"): readBackquote()
            default:
                builder.append(at: state.offset)
                state.offset += 1
            }
        }
    }
}
