import ReqcliBasics

/// The tokens of a JSON text that may be broken anywhere. Comments are tokens; words and numbers aren't checked.
struct LooseTokens {
    struct Token {
        enum Kind { case text, open(isObject: Bool), close, comma, colon, comment, end }

        let kind: Kind
        let range: Range<Int>
    }

    private let bytes: [UInt8]
    var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next token; a token of the kind `end` after the last.
    mutating func next() -> Token {
        while offset < bytes.count, bytes[offset].isJSONWhitespace { offset += 1 }
        let start = offset
        guard start < bytes.count else { return Token(kind: .end, range: start..<start) }
        let kind: Token.Kind
        offset += 1
        switch bytes[start] {
        case .openBrace: kind = .open(isObject: true)
        case .openBracket: kind = .open(isObject: false)
        case .closeBrace, .closeBracket: kind = .close
        case .comma: kind = .comma
        case .colon: kind = .colon
        case .quote:
            kind = .text
            while offset < bytes.count, bytes[offset] != .lineFeed, bytes[offset] != .carriageReturn {
                offset += 1
                if bytes[offset - 1] == .quote { break }
                if bytes[offset - 1] == .backslash, offset < bytes.count { offset += 1 }
            }
        case .slash where offset < bytes.count && bytes[offset] == .slash:
            kind = .comment
            while offset < bytes.count, bytes[offset] != .lineFeed { offset += 1 }
        case .slash where offset < bytes.count && bytes[offset] == .asterisk:
            kind = .comment
            offset += 1
            while offset < bytes.count, bytes[offset - 1] != .asterisk || bytes[offset] != .slash {
                offset += 1
            }
            offset = min(offset + 1, bytes.count)
        default:
            kind = .text
            while offset < bytes.count, !Self.ends(bytes[offset]) { offset += 1 }
        }
        return Token(kind: kind, range: start..<offset)
    }

    private static func ends(_ byte: UInt8) -> Bool {
        byte.isJSONWhitespace
            || [.openBrace, .closeBrace, .openBracket, .closeBracket, .comma, .colon, .quote].contains(byte)
    }
}
