import ReqcliBasics
import ReqcliText

extension POSIXLexer {
    mutating func readDollar(isQuoted: Bool, _ builder: inout WordBuilder) {
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
            let name = state.readName()
            builder.appendVariable(name, from: start..<state.offset)
        case let byte? where byte.isDigit || "@*#?$!-".utf8.contains(byte):
            state.offset += 2
            state.report(
                .shellVariable,
                "found \"\(state.file.text(start..<state.offset))\"; only a running shell knows its value",
                start..<state.offset, hint: "write the value, or \\$ for a dollar sign")
        default:
            builder.append(at: start)
            state.offset += 1
        }
    }

    /// Reads `${NAME}`, `${NAME:-text}` and `${NAME:?message}`.
    private mutating func readBraces(_ builder: inout WordBuilder) {
        let start = state.offset
        state.offset += 2
        let name = state.readName()
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
                .shellVariable, "found an expansion that needs a running shell", start..<state.offset,
                hint: "write the value, ${NAME} or ${NAME:-default}")
        }
    }

    mutating func readBackquote() {
        let start = state.offset
        state.offset += 1
        while let byte = state.byte(), byte != UInt8(ascii: "`") { state.offset += byte == .backslash ? 2 : 1 }
        state.offset = min(state.offset + 1, state.end)
        state.reportSubstitution(start..<state.offset)
    }

    mutating func refuseSubstitution(from start: Int) {
        state.skipBrackets(escape: .backslash)
        state.reportSubstitution(start..<state.offset)
    }
}
