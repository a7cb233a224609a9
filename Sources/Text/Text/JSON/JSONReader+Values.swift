import ReqcliBasics

extension JSONReader {
    mutating func value(_ token: JSONToken) -> Int? {
        switch token.kind {
        case .string:
            // The missing comma is probably inside the string that was never closed.
            isExcused = !token.isComplete
            return scalar(.string, token)
        case .number: return scalar(.number, token)
        case .true: return scalar(.true, token)
        case .false: return scalar(.false, token)
        case .null: return scalar(.null, token)
        case .openBrace: return container(token, isObject: true)
        case .openBracket: return container(token, isObject: false)
        case .invalid: return scalar(.invalid, token)
        case .word:
            lexer.report("\"\(shown(token))\" is not a JSON value", token.range, hint: wordHint(token))
            return scalar(.invalid, token)
        case .stray:
            lexer.report("\"\(shown(token))\" can't start a value", token.range)
            return scalar(.invalid, token)
        case .comma, .colon, .closeBrace, .closeBracket, .end: return missingValue(token)
        }
    }

    @inline(__always)
    private mutating func scalar(_ kind: JSONValue.Kind, _ token: JSONToken) -> Int {
        afterValue()
        return add(kind, token)
    }

    private mutating func container(_ token: JSONToken, isObject: Bool) -> Int? {
        guard containers.count < limits.depth else {
            lexer.report("the nesting is deeper than \(limits.depth) levels", token.range, code: .jsonDepth)
            expectation = .stopped
            return nil
        }
        expectation = isObject ? .firstKey : .firstElement
        return open(token, isObject: isObject)
    }

    private mutating func missingValue(_ token: JSONToken) -> Int? {
        guard let container = containers.last else {
            lexer.report("expected a value, found \"\(shown(token))\"", token.range)
            expectation = .stopped
            return nil
        }
        if !container.isObject, token.kind == .closeBrace || token.kind == .closeBracket {
            // The previous token may be the opening bracket or a comma. After the opening bracket, the array is empty. After a
            // comma, this is a trailing comma.
            let closes = token.kind == .closeBracket || containers.contains(where: \.isObject)
            if closes, expectation == .value, syntax == .strict { reportTrailingComma() }
            return close(token)
        }
        lexer.report("expected a value, found \"\(shown(token))\"", token.range)
        guard container.isObject, token.kind != .colon else { return nil }
        held = token
        expectation = .comma
        return missing(at: token.start)
    }

    private func wordHint(_ token: JSONToken) -> String {
        let word = shown(token)
        if let first = word.unicodeScalars.first, "“”„‘’«»".unicodeScalars.contains(first) {
            return "use straight double quotes"
        }
        switch word.lowercased() {
        case "true", "yes", "on": return "did you mean true?"
        case "false", "no", "off": return "did you mean false?"
        case "none", "nil", "undefined", "null": return "did you mean null?"
        case "nan", "infinity", "inf": return "JSON has no such number"
        default: return "put text in double quotes"
        }
    }

    func shown(_ token: JSONToken) -> String {
        // 160 bytes are enough for 40 characters. The limit is necessary because a message must not quote a megabyte.
        String(lexer.text(token.start..<min(token.end, token.start + 160)).prefix(40))
    }
}
