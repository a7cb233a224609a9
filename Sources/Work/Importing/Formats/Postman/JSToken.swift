import ReqcliBasics

/// A token of JavaScript. Only the tokens that tests of Postman need are known.
struct JSToken {
    enum Kind: Equatable {
        case name(String)
        case string(String)
        case number(String)
        case regex(String)
        case mark(String)
        /// A token that this reader doesn't know, such as a string with `${…}`.
        case other
        case end
    }

    let kind: Kind
    let range: Range<Int>
    /// Whether there is a line break before the token.
    let startsLine: Bool

    func isMark(_ text: String) -> Bool { kind == .mark(text) }
    func isName(_ text: String) -> Bool { kind == .name(text) }
}

/// Splits a script into tokens. Nothing is ever evaluated.
struct JSLexer {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var tokens: [JSToken] = []

    static func tokens(of text: String) -> [JSToken] {
        var lexer = JSLexer(bytes: Array(text.utf8))
        while lexer.step() {}
        return lexer.tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private mutating func step() -> Bool {
        let startsLine = skipBlanks()
        let start = position
        let kind = next()
        tokens.append(JSToken(kind: kind, range: start..<position, startsLine: startsLine))
        return kind != .end
    }

    /// Skips whitespace and comments.
    ///
    /// - Returns: Whether there was a line break.
    private mutating func skipBlanks() -> Bool {
        var isNewLine = tokens.isEmpty
        while position < bytes.count {
            let current = bytes[position]
            if current == .lineFeed || current == .carriageReturn {
                isNewLine = true
                position += 1
            } else if current <= .space {
                position += 1
            } else if current == 0xC2, byte(position + 1) == 0xA0 {
                position += 2
            } else if current == .slash, byte(position + 1) == .slash {
                while position < bytes.count, bytes[position] != .lineFeed { position += 1 }
            } else if current == .slash, byte(position + 1) == .asterisk {
                position += 2
                while position < bytes.count, !(bytes[position] == .asterisk && byte(position + 1) == .slash) {
                    if bytes[position] == .lineFeed { isNewLine = true }
                    position += 1
                }
                position = min(position + 2, bytes.count)
            } else {
                break
            }
        }
        return isNewLine
    }

    private mutating func next() -> JSToken.Kind {
        guard position < bytes.count else { return .end }
        let first = bytes[position]
        if first.isWordByte, !first.isDigit { return .name(take(while: \.isWordByte)) }
        if first.isDigit || first == .point && byte(position + 1).isDigit {
            let text = take { $0.isWordByte || $0 == .point }
            return Double(text) != nil && !text.hasPrefix("0x") && !text.hasPrefix(".") && !text.hasSuffix(".")
                ? .number(text) : .other
        }
        switch first {
        case .quote, .apostrophe, UInt8(ascii: "`"): return string(first)
        case .slash where !lastIsValue: return regex()
        default: return mark()
        }
    }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isTaken(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private var lastIsValue: Bool {
        switch tokens.last?.kind {
        case .name, .string, .number, .regex, .other: true
        case .mark(let text): text == ")" || text == "]" || text == "}"
        case .end, nil: false
        }
    }

    private mutating func mark() -> JSToken.Kind {
        for length in [3, 2] where position + length <= bytes.count {
            let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
            if Self.marks.contains(text) {
                position += length
                return .mark(text)
            }
        }
        let first = bytes[position]
        position += 1
        return first < 0x80 ? .mark(String(Unicode.Scalar(first))) : .other
    }

    private static let marks: Set<String> = [
        "===", "!==", "...", "==", "!=", "<=", ">=", "=>", "&&", "||", "?.", "??", "++", "--", "+=", "-=",
    ]

    // MARK: Texts

    private mutating func string(_ quote: UInt8) -> JSToken.Kind {
        position += 1
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != quote {
            let current = bytes[position]
            if current == .lineFeed, quote != UInt8(ascii: "`") { return .other }
            if quote == UInt8(ascii: "`"), current == UInt8(ascii: "$"), byte(position + 1) == .openBrace {
                skip(to: quote)
                return .other
            }
            position += 1
            guard current == .backslash else {
                text.append(current)
                continue
            }
            guard escape(&text) else {
                skip(to: quote)
                return .other
            }
        }
        guard position < bytes.count else { return .other }
        position += 1
        return .string(String(decoding: text, as: UTF8.self))
    }

    private mutating func skip(to quote: UInt8) {
        while position < bytes.count, bytes[position] != quote { position += bytes[position] == .backslash ? 2 : 1 }
        position = min(position + 1, bytes.count)
    }

    private mutating func escape(_ text: inout [UInt8]) -> Bool {
        let letter = byte(position)
        position = min(position + 1, bytes.count)
        switch letter {
        case UInt8(ascii: "n"): text.append(.lineFeed)
        case UInt8(ascii: "r"): text.append(.carriageReturn)
        case UInt8(ascii: "t"): text.append(.tab)
        case .backslash, .slash, .quote, .apostrophe, UInt8(ascii: "`"): text.append(letter)
        case UInt8(ascii: "u"):
            guard var code = codeUnit(at: position) else { return false }
            position += 4
            if code & 0xFC00 == 0xD800, byte(position) == .backslash, byte(position + 1) == UInt8(ascii: "u"),
                let low = codeUnit(at: position + 2), low & 0xFC00 == 0xDC00
            {
                code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
                position += 6
            }
            guard let scalar = Unicode.Scalar(code) else { return false }
            text += Array(String(Character(scalar)).utf8)
        default: return false
        }
        return true
    }

    /// The number of four hexadecimal digits.
    private func codeUnit(at start: Int) -> UInt32? {
        let digits = bytes[min(start, bytes.count)..<min(start + 4, bytes.count)].compactMap(\.hexValue)
        return digits.count == 4 ? digits.reduce(0) { $0 << 4 | UInt32($1) } : nil
    }

    private mutating func regex() -> JSToken.Kind {
        let start = position + 1
        var isInClass = false
        position += 1
        while position < bytes.count, bytes[position] != .lineFeed {
            switch bytes[position] {
            case .backslash: position += 1
            case .openBracket: isInClass = true
            case .closeBracket: isInClass = false
            case .slash where !isInClass:
                let text = String(decoding: bytes[start..<position], as: UTF8.self)
                position += 1
                // A regular expression with flags is not read, because flags change its meaning.
                return take(while: \.isWordByte).isEmpty ? .regex(text) : .other
            default: break
            }
            position += 1
        }
        position = min(position, bytes.count)
        return .other
    }
}
