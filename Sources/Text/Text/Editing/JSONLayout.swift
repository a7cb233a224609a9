import ReqcliBasics

/// The whitespace of a JSON text. An object or array whose first item begins on a line of its own gets a line for each item; any
/// other stays on one line. Everything but whitespace stays as it is, comments too.
package struct JSONLayout: Sendable {
    private let unit: String

    /// - Parameter unit: The indentation of a level.
    package init(unit: String) { self.unit = unit }

    /// The changes of whitespace; nil for a text with mistakes.
    package func edits(of document: JSONDocument) -> [TextEdit]? {
        guard document.validRoot != nil else { return nil }
        let bytes = document.file.bytes
        let lineBreak = Self.lineBreak(of: bytes)
        var tokens = LooseTokens(bytes)
        // A byte order mark stays.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { tokens.offset = 3 }
        var edits: [TextEdit] = []
        /// Whether each object or array around the place has a line for each item.
        var spread: [Bool] = []
        var last: LooseTokens.Token?
        while true {
            let start = tokens.offset
            let token = tokens.next()
            let gap = start..<token.range.lowerBound
            let breaks = bytes[gap].count { $0 == .lineFeed }
            let isClose = if case .close = token.kind { true } else { false }
            let isFirst = if case .open? = last?.kind { true } else { false }
            let isSpread = (isClose ? spread.popLast() : spread.last) ?? false
            let line =
                (breaks > 1 && !isFirst && !isClose ? lineBreak : "") + lineBreak
                + String(repeating: unit, count: spread.count { $0 })
            let wanted: String
            switch (last?.kind, token.kind) {
            case (nil, _): wanted = ""
            case (_, .end): wanted = lineBreak
            case (.comment?, _), (_, .comment):
                let isLineComment = last.map { bytes[$0.range].starts(with: [.slash, .slash]) } ?? false
                wanted = breaks > 0 || isLineComment ? line : " "
            case (_, .comma), (_, .colon), (.open?, .close): wanted = ""
            case (.colon?, _): wanted = " "
            case (.open?, _), (_, .close): wanted = isSpread ? line : gap.isEmpty ? "" : " "
            default: wanted = isSpread ? line : " "
            }
            if !bytes[gap].elementsEqual(wanted.utf8) { edits.append(TextEdit(gap, wanted)) }
            switch token.kind {
            case .end: return edits
            case .open:
                let inside = bytes[token.range.upperBound...].prefix { $0.isJSONWhitespace }
                let isEmpty = [.closeBrace, .closeBracket].contains(bytes[token.range.upperBound + inside.count])
                spread.append(inside.contains(.lineFeed) && !isEmpty)
            default: break
            }
            last = token
        }
    }

    private static func lineBreak(of bytes: [UInt8]) -> String {
        guard let first = bytes.firstIndex(of: .lineFeed), first > 0 else { return "\n" }
        return bytes[first - 1] == .carriageReturn ? "\r\n" : "\n"
    }
}
