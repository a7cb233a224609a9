/// Which texts a reader takes.
package enum JSONSyntax: Sendable {
    /// RFC 8259 and nothing else.
    case strict
    /// With `//` and `/* */` comments and trailing commas: `.jsonc`.
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
        /// A bare word that is none of JSON's three.
        case word
        /// A number that is none: already reported.
        case invalid
        /// Text that can't start a token.
        case stray
        case end
    }

    let kind: Kind
    let start: Int
    let end: Int
    let hasEscapes: Bool
    /// False for a string that the end of its line cut off.
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
