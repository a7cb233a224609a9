import ReqcliBasics

extension YAMLReader {
    /// Reads a scalar without quotes, on one line or several lines. All lines after the first must be indented further than the
    /// column of the parent.
    mutating func plain(below parent: Int, inFlow: Bool) throws(Stop) -> YAMLNode {
        try checkPlainStart(inFlow: inFlow)
        let start = position
        var textEnd = plainLine(inFlow: inFlow)
        var decodedStart: Int?
        while position < end, isBreak(bytes[position]) {
            let breaks = skipBreaks()
            guard continues(below: parent, inFlow: inFlow) else { break }
            if decodedStart == nil {
                decodedStart = tree.decodedEnd
                tree.decode(bytes[start..<textEnd])
            }
            decodeFolded(breaks)
            let line = position
            textEnd = plainLine(inFlow: inFlow)
            tree.decode(bytes[line..<textEnd])
        }
        return YAMLNode(.plain, start..<textEnd, decoded: decodedStart.map { $0..<tree.decodedEnd })
    }

    /// Adds the value of line breaks between two lines of a scalar. A single line break becomes a space. Of several line breaks,
    /// the first one is dropped.
    mutating func decodeFolded(_ breaks: Int) {
        if breaks == 1 { return tree.decode(.space) }
        for _ in 1..<max(breaks, 1) { tree.decode(.lineFeed) }
    }

    private mutating func checkPlainStart(inFlow: Bool) throws(Stop) {
        let next = byte(position + 1)
        switch current {
        case .minus, UInt8(ascii: "?"), .colon:
            if isBlank(position + 1) || inFlow && Self.isFlowIndicator(next) {
                throw stop("\"\(shown(character))\" is not allowed here", hint: "put text in quotes")
            }
            // In YAML 1.2 this is text. Other readers treat it as a key, or as the value of a missing key.
            if inFlow, current != .minus, next == .quote || next == .apostrophe {
                throw stop(
                    "text inside brackets can't begin with \(shown(position..<position + 2))",
                    hint: "write a space before the quote, or put the text in quotes", code: .yamlUnsupported)
            }
        case .comma, .openBracket, .closeBracket, .openBrace, .closeBrace, UInt8(ascii: "#"), UInt8(ascii: "&"),
            .asterisk, UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: ">"), .quote, .apostrophe,
            UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
            throw stop("text can't begin with \"\(shown(character))\"", hint: "put the text in quotes")
        default: break
        }
    }

    /// Skips the text of one line and the whitespace after it. Returns the end of the text.
    private mutating func plainLine(inFlow: Bool) -> Int {
        let start = position
        var textEnd = position
        while position < end {
            switch bytes[position] {
            case .space, .tab:
                position += 1
                continue
            case .lineFeed, .carriageReturn: return textEnd
            case UInt8(ascii: "#"): if position > start, isBlank(position - 1) { return textEnd }
            case .colon:
                if isBlank(position + 1) || inFlow && Self.isFlowIndicator(byte(position + 1)) { return textEnd }
            case .comma, .openBracket, .closeBracket, .openBrace, .closeBrace: if inFlow { return textEnd }
            default: break
            }
            position += 1
            textEnd = position
        }
        return textEnd
    }

    /// Whether the text of a new line continues the scalar above.
    private func continues(below parent: Int, inFlow: Bool) -> Bool {
        guard !isAtEnd, indentation > parent, current != UInt8(ascii: "#") else { return false }
        guard inFlow else { return true }
        return !Self.isFlowIndicator(current)
            && !(current == .colon && (isBlank(position + 1) || Self.isFlowIndicator(byte(position + 1))))
    }
}
