/// The dialect of JSON that a reader accepts.
package enum JSONSyntax: Sendable {
    /// JSON exactly as in RFC 8259.
    case strict
    /// JSON with `//` and `/* */` comments and trailing commas, as in `.jsonc` files.
    case commented
}

struct JSONToken {
    enum Kind: UInt8 {
        case openBrace
        case closeBrace
        case openBracket
        case closeBracket
        case colon
        case comma
        case string
        case number
        case `true`
        case `false`
        case null
        /// A bare word other than `true`, `false` and `null`.
        case word
        /// An invalid number, which is already reported.
        case invalid
        /// Characters that cannot start a token.
        case stray
        case end
    }

    let kind: Kind
    let start: Int
    let end: Int
    let hasEscapes: Bool
    /// False for a string that ends at the end of its line, without a closing quote.
    let isComplete: Bool

    @inline(__always)
    init(_ kind: Kind, _ start: Int, _ end: Int, hasEscapes: Bool = false, isComplete: Bool = true) {
        self.kind = kind
        self.start = start
        self.end = end
        self.hasEscapes = hasEscapes
        self.isComplete = isComplete
    }

    var range: Range<Int> { start..<end }
}
