import ReqcliBasics
import ReqcliText

/// A token of JavaScript. Only the tokens that scripts of API tools need are known.
struct ScriptToken {
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
struct ScriptLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var tokens: [ScriptToken] = []

    static func tokens(of text: String) -> [ScriptToken] {
        var lexer = ScriptLexer(bytes: Array(text.utf8))
        while lexer.step() != .end {}
        return lexer.tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func step() -> ScriptToken.Kind {
        let startsLine = skipWhitespace()
        let start = position
        let kind = next()
        tokens.append(ScriptToken(kind: kind, range: start..<position, startsLine: startsLine))
        return kind
    }

    private func isAt(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// Skips whitespace and comments.
    ///
    /// - Returns: Whether there was a line break.
    private mutating func skipWhitespace() -> Bool {
        let start = position
        while position < bytes.count {
            if bytes[position] <= .space {
                position += 1
            } else if isAt("\u{A0}") {
                position += 2
            } else if isAt("//") {
                position = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
            } else if isAt("/*") {
                position = bytes[(position + 2)...].firstRange(of: "*/".utf8)?.upperBound ?? bytes.count
            } else {
                break
            }
        }
        return tokens.isEmpty || bytes[start..<position].contains { $0 == .lineFeed || $0 == .carriageReturn }
    }

    private mutating func next() -> ScriptToken.Kind {
        guard position < bytes.count else { return .end }
        let first = bytes[position]
        if first.isDigit {
            let text = take { $0.isWordByte || $0 == .point }
            return JSONNumber(text) == nil ? .other : .number(text)
        }
        if first.isWordByte { return .name(take(while: \.isWordByte)) }
        switch first {
        case .quote, .apostrophe, Self.backtick: return string(first)
        case .slash where !lastIsValue: return regex()
        default: return mark()
        }
    }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
        let taken = bytes[position...].prefix(while: isTaken)
        position = taken.endIndex
        return String(decoding: taken, as: UTF8.self)
    }

    private var lastIsValue: Bool {
        switch tokens.last?.kind {
        case .name, .string, .number, .regex, .other: true
        case .mark(let text): text == ")" || text == "]" || text == "}"
        case .end, nil: false
        }
    }

    private mutating func mark() -> ScriptToken.Kind {
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

    private static let marks: Set = ["===", "!==", "==", "!=", "<=", ">=", "=>", "&&", "||"]
    private static let backtick = UInt8(ascii: "`")

    // MARK: Strings

    private mutating func string(_ quote: UInt8) -> ScriptToken.Kind {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote {
            if bytes[position] == .lineFeed, quote != Self.backtick { return .other }
            position += bytes[position] == .backslash ? 2 : 1
        }
        guard position < bytes.count else {
            position = bytes.count
            return .other
        }
        defer { position += 1 }
        let raw = bytes[start..<position]
        if quote == Self.backtick, raw.firstRange(of: "${".utf8) != nil { return .other }
        return Self.unescaped(raw).map { .string($0) } ?? .other
    }

    /// The text of a string; nil if the string has escapes other than those of JSON and those of quotes.
    private static func unescaped(_ raw: ArraySlice<UInt8>) -> String? {
        guard raw.contains(.backslash) else { return String(decoding: raw, as: UTF8.self) }
        var json = ""
        var scalars = String(decoding: raw, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            if scalar == "\\", let next = scalars.popFirst() {
                json += next == "'" || next == "`" ? "\(next)" : "\\\(next)"
            } else {
                json.append(contentsOf: OrderedJSON.string(String(scalar)).compact.dropFirst().dropLast())
            }
        }
        guard case .string(let text)? = OrderedJSON(parsing: "\"\(json)\"") else { return nil }
        return text
    }

    private mutating func regex() -> ScriptToken.Kind {
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
