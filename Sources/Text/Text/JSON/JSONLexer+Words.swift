import ReqcliBasics

extension JSONLexer {
    mutating func number() -> JSONToken {
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

    /// Skips digits. Returns false if there are none.
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

    mutating func word() -> JSONToken {
        let start = position
        // Hyphens and points are read as part of the word, so that `Content-Type` without quotes is one mistake and not four.
        while position < end, base[position].isWordByte || base[position] == .minus || base[position] == .point {
            position += 1
        }
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

    /// Reads text that cannot start a token. All of it becomes one token, so that one mistake is reported only once.
    mutating func strayText() -> JSONToken {
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
