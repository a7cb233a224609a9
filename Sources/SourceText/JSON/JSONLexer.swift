/// Cuts a text into JSON's tokens.
///
/// It reads through an unsafe buffer: this loop sees every byte of a response body, and a checked access costs it half of
/// its speed. Every access is guarded by `position < end`, and whoever owns the bytes outlives the lexer.
struct JSONLexer {
    private let base: UnsafeBufferPointer<UInt8>
    private let end: Int
    private(set) var position = 0
    private let syntax: JSONSyntax
    var problems: [JSONProblem] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>, syntax: JSONSyntax) {
        base = bytes
        end = bytes.count
        self.syntax = syntax
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
            report("strings take double quotes, not single ones", start..<token.end, hint: "write \"…\"")
            return token
        case let byte where byte.isWordByte: return word()
        default: return strayText()
        }
    }

    private mutating func single(_ kind: JSONToken.Kind) -> JSONToken {
        position += 1
        return JSONToken(kind, position - 1, position)
    }

    mutating func report(
        _ message: String, _ range: Range<Int>, hint: String? = nil, code: Diagnostic.Code = .jsonSyntax
    ) {
        problems.append(JSONProblem(code, message, at: range, hint: hint))
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: base[range], as: UTF8.self)
    }
}

// MARK: - Blanks and comments

extension JSONLexer {
    private mutating func skipBlanks() {
        while position < end {
            let byte = base[position]
            if byte.isJSONWhitespace {
                position += 1
            } else if byte == .slash, position + 1 < end,
                base[position + 1] == .slash || base[position + 1] == .asterisk
            {
                skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() {
        let start = position
        let isBlock = base[position + 1] == .asterisk
        position += 2
        var isClosed = !isBlock
        while position < end {
            let byte = base[position]
            if isBlock {
                if byte == .asterisk, position + 1 < end, base[position + 1] == .slash {
                    position += 2
                    isClosed = true
                    break
                }
            } else if byte == .lineFeed {
                break
            }
            if byte >= 0x80 { passNonASCII() } else { position += 1 }
        }
        if !isClosed {
            report("this comment is never closed", start..<start + 2, hint: "close it with */")
        } else if syntax == .strict {
            report(
                "a .json file can't have comments", start..<position,
                hint: "name the file .jsonc, or use a \"$comment\" key")
        }
    }
}

// MARK: - Strings

extension JSONLexer {
    private mutating func string(closedBy delimiter: UInt8) -> JSONToken {
        let start = position
        position += 1
        var hasEscapes = false
        while true {
            skipPlainText()
            guard position < end else { return unclosedString(start, hasEscapes) }
            let byte = base[position]
            if byte == delimiter {
                position += 1
                return JSONToken(.string, start, position, hasEscapes: hasEscapes)
            } else if byte == .backslash {
                hasEscapes = true
                escape()
            } else if byte >= 0x80 {
                passNonASCII()
            } else if byte == .lineFeed || byte == .carriageReturn {
                return unclosedString(start, hasEscapes)
            } else if byte < .space {
                report(
                    "a control character (U+\(hex4(UInt32(byte)))) can't stand in a string as it is",
                    position..<position + 1,
                    hint: "write \(byte == .tab ? "\\t" : "\\u\(hex4(UInt32(byte)))")")
                position += 1
            } else {
                position += 1
            }
        }
    }

    /// Passes eight bytes at a time while none of them is a quote, a backslash, a control character or non-ASCII.
    @inline(__always)
    private mutating func skipPlainText() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        while position + 8 <= end {
            let word = UnsafeRawBufferPointer(base).loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let quotes = word ^ (ones &* UInt64(UInt8.quote))
            let slashes = word ^ (ones &* UInt64(UInt8.backslash))
            // In each of the three terms the lowest high bit that is set marks the first byte of that sort.
            let quoteOrSlash = ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
            let control = (word &- ones &* UInt64(UInt8.space)) & ~word
            let stops = (quoteOrSlash | control | word) & highBits
            if stops != 0 {
                position += stops.trailingZeroBitCount / 8
                return
            }
            position += 8
        }
    }

    private mutating func unclosedString(_ start: Int, _ hasEscapes: Bool) -> JSONToken {
        report("this string is never closed", start..<position, hint: "add the closing \"")
        return JSONToken(.string, start, position, hasEscapes: hasEscapes, isComplete: false)
    }

    private mutating func escape() {
        let start = position
        guard position + 1 < end else {
            position = end
            return
        }
        switch base[position + 1] {
        case .quote, .backslash, .slash, 0x62, 0x66, 0x6E, 0x72, 0x74: position += 2
        case 0x75: unicodeEscape()
        case .lineFeed, .carriageReturn: position += 1
        case let byte:
            position += 1
            if byte >= 0x80 { passNonASCII() } else { position += 1 }
            report(
                "\"\(text(start..<position))\" is not an escape that JSON knows", start..<position,
                hint: "write \\\\ for a backslash")
        }
    }

    private mutating func unicodeEscape() {
        let start = position
        guard let unit = hexUnit(at: start) else {
            position = min(start + 2, end)
            report("\\u takes four hexadecimal digits", start..<position)
            return
        }
        position = start + 6
        switch unit {
        case 0xD800...0xDBFF:
            if let low = hexUnit(at: position), (0xDC00...0xDFFF).contains(low) {
                position += 6
            } else {
                report(
                    "\\u\(hex4(unit)) is half of a surrogate pair; its other half is missing", start..<position,
                    hint: "write the character itself, or both halves")
            }
        case 0xDC00...0xDFFF:
            report(
                "\\u\(hex4(unit)) is the second half of a surrogate pair without the first", start..<position,
                hint: "write the character itself, or both halves")
        default: break
        }
    }

    /// The value of `\uXXXX` at an offset.
    private func hexUnit(at offset: Int) -> UInt32? {
        guard offset + 6 <= end, base[offset] == .backslash, base[offset + 1] == 0x75 else { return nil }
        var unit: UInt32 = 0
        for digit in offset + 2..<offset + 6 {
            guard let value = base[digit].hexValue else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }

    private mutating func passNonASCII() {
        let length = UTF8Sequence.length(in: base, at: position)
        if length == 0, !problems.contains(where: { $0.code == .jsonEncoding }) {
            report(
                "the file is not valid UTF-8 (byte 0x\(String(base[position], radix: 16, uppercase: true)))",
                position..<position + 1, hint: "save the file as UTF-8", code: .jsonEncoding)
        }
        position += max(length, 1)
    }
}

/// Four digits, as Unicode numbers are written.
private func hex4(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

// MARK: - Numbers and words

extension JSONLexer {
    private mutating func number() -> JSONToken {
        let start = position
        if base[position] == .minus { position += 1 }
        var isValid = true
        if position < end, base[position] == .zero {
            position += 1
        } else {
            isValid = digits()
        }
        if isValid, position < end, base[position] == .point {
            position += 1
            isValid = digits()
        }
        if isValid, position < end, base[position] | 0x20 == 0x65 {
            position += 1
            if position < end, base[position] == .plus || base[position] == .minus { position += 1 }
            isValid = digits()
        }
        if isValid, position == end || !base[position].isWordByte && base[position] != .point {
            return JSONToken(.number, start, position)
        }
        return badNumber(start)
    }

    /// Passes a run of digits; false if there is none.
    private mutating func digits() -> Bool {
        let start = position
        while position < end, base[position].isDigit { position += 1 }
        return position > start
    }

    private mutating func badNumber(_ start: Int) -> JSONToken {
        while position < end, base[position].isWordByte || [.point, .plus, .minus].contains(base[position]) {
            position += 1
        }
        let found = text(start..<position)
        let unsigned = found.drop { $0 == "-" || $0 == "+" }
        let hint: String? =
            if unsigned.hasPrefix("0x") {
                "write it in decimal"
            } else if unsigned.hasPrefix("0"), unsigned.dropFirst().first?.isNumber == true {
                "a number has no leading zeros; quote it if it is text"
            } else if unsigned.hasPrefix(".") || unsigned.hasSuffix(".") {
                "write a digit on both sides of the point"
            } else { "quote it if it is text" }
        report("\"\(found.prefix(40))\" is not a number", start..<position, hint: hint)
        return JSONToken(.invalid, start, position)
    }

    private mutating func word() -> JSONToken {
        let start = position
        while position < end, base[position].isWordByte { position += 1 }
        if isWord("true", start) { return JSONToken(.true, start, position) }
        if isWord("false", start) { return JSONToken(.false, start, position) }
        if isWord("null", start) { return JSONToken(.null, start, position) }
        return JSONToken(.word, start, position)
    }

    private func isWord(_ word: StaticString, _ start: Int) -> Bool {
        guard position - start == word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount where base[start + offset] != word.utf8Start[offset] { return false }
        return true
    }

    /// Text that starts no token at all: passed in one go, so that one mistake is one message.
    private mutating func strayText() -> JSONToken {
        let start = position
        if base[start] == .point || base[start] == .plus { return badNumber(start) }
        while position < end, !base[position].isJSONWhitespace, !isStructural(base[position]) { position += 1 }
        return JSONToken(.stray, start, max(position, start + 1))
    }

    private func isStructural(_ byte: UInt8) -> Bool {
        switch byte {
        case .quote, .comma, .colon, .openBrace, .closeBrace, .openBracket, .closeBracket: true
        default: false
        }
    }
}
