import ReqcliBasics

/// Splits a text into JSON tokens.
///
/// The lexer reads through an unsafe buffer: this loop sees every byte of a response body, and checked accesses would
/// halve its speed. Every access is guarded by `position < end`, and the owner of the bytes outlives the lexer.
struct JSONLexer {
    let base: UnsafeBufferPointer<UInt8>
    let end: Int
    var position = 0
    let syntax: JSONSyntax
    private(set) var problems: [JSONProblem] = []
    private let problemLimit: Int
    /// Whether invalid UTF-8 was reported. The wrong encoding of a file is one mistake, so it is not reported for each é.
    private var hasReportedEncoding = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, syntax: JSONSyntax, problemLimit: Int) {
        base = bytes
        end = bytes.count
        self.syntax = syntax
        self.problemLimit = problemLimit
        skipByteOrderMark()
    }

    mutating func nextToken() -> JSONToken {
        skipBlanks()
        guard position < end else { return JSONToken(.end, position, position) }
        let start = position
        switch base[start] {
        case .quote: return string(closedBy: .quote)
        case .comma: return single(.comma)
        case .colon: return single(.colon)
        case .openBrace: return single(.openBrace)
        case .closeBrace: return single(.closeBrace)
        case .openBracket: return single(.openBracket)
        case .closeBracket: return single(.closeBracket)
        case .minus, .zero ... .nine: return number()
        case .apostrophe:
            let token = string(closedBy: .apostrophe)
            report("strings need double quotes, not single quotes", start..<token.end, hint: "write \"…\"")
            return token
        case let byte where byte.isWordByte: return word()
        default: return strayText()
        }
    }

    /// Skips whitespace, and then the given byte if it comes next. Returns whether the byte was skipped.
    @inline(__always)
    mutating func pass(_ byte: UInt8) -> Bool {
        // Most colons and commas follow the previous token directly, without whitespace.
        if position < end, base[position] != byte { skipBlanks() }
        guard position < end, base[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func single(_ kind: JSONToken.Kind) -> JSONToken {
        position += 1
        return JSONToken(kind, position - 1, position)
    }

    /// Adds a problem, unless the limit is reached.
    mutating func report(
        _ message: String, _ range: Range<Int>, hint: String? = nil, code: Diagnostic.Code = .jsonSyntax,
        related: (message: String, range: Range<Int>)? = nil
    ) {
        if !hasEnough { problems.append(JSONProblem(code, message, at: range, hint: hint, related: related)) }
    }

    var hasEnough: Bool { problems.count >= problemLimit }

    func text(_ range: Range<Int>) -> String {
        String(decoding: base[range], as: UTF8.self)
    }

    /// Skips one character that is not ASCII, or one invalid byte.
    mutating func passNonASCII() {
        let length = UTF8Sequence.length(in: base, at: position)
        if length == 0, !hasReportedEncoding {
            hasReportedEncoding = true
            report(
                "the file is not valid UTF-8 (byte 0x\(String(base[position], radix: 16, uppercase: true)))",
                position..<position + 1, hint: "save the file as UTF-8", code: .jsonEncoding)
        }
        position += max(length, 1)
    }
}

/// A number as four hexadecimal digits, as in `U+00A0`.
func hex4(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
