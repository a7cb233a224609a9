import ReqcliBasics
import ReqcliText

extension PathParser {
    /// Parses one or more selectors between `[` and `]`.
    mutating func bracketed() throws(JSONPathProblem) -> [PathSelector] {
        let start = position
        position += 1
        var selectors: [PathSelector] = []
        repeat {
            skipBlanks()
            selectors.append(try selector(isFirst: selectors.isEmpty))
            skipBlanks()
        } while take(.comma)
        guard take(.closeBracket) else { throw unclosed(start) }
        return selectors
    }

    private mutating func selector(isFirst: Bool) throws(JSONPathProblem) -> PathSelector {
        guard let first = peek() else { throw expectedSelector(isFirst: isFirst) }
        switch first {
        case .quote, .apostrophe: return .name(try string().text)
        case .asterisk:
            position += 1
            return .wildcard
        case .question:
            position += 1
            skipBlanks()
            return .filter(try nested { parser throws(JSONPathProblem) in try parser.condition() })
        case .colon, .minus, .plus, .zero ... .nine: return try indexOrSlice()
        default: throw expectedSelector(isFirst: isFirst)
        }
    }

    private mutating func indexOrSlice() throws(JSONPathProblem) -> PathSelector {
        let start = try integer()
        let end = position
        skipBlanks()
        guard take(.colon) else {
            position = end
            guard let start else { throw expectedSelector(isFirst: true) }
            return .index(start)
        }
        var slice = PathSlice(start: start)
        skipBlanks()
        slice.end = try integer()
        skipBlanks()
        if take(.colon) {
            skipBlanks()
            slice.step = try integer()
        }
        return .slice(slice)
    }

    /// Parses a whole number in the range that every JSON reader handles exactly; nil if there is no number at the current
    /// position.
    private mutating func integer() throws(JSONPathProblem) -> Int? {
        let start = position
        guard let first = peek(), first == .minus || first == .plus || first.isDigit else { return nil }
        position += 1
        while let byte = peek(), byte.isDigit || byte == .point || byte.isNameByte { position += 1 }
        let written = text(start..<position)
        func wrong(_ message: String, hint: String?) -> JSONPathProblem {
            JSONPathProblem(message, start..<position, hint: hint)
        }
        let digits = bytes[(first == .minus ? start + 1 : start)..<position]
        guard first != .plus, !digits.isEmpty, digits.allSatisfy(\.isDigit) else {
            throw wrong(
                "\"\(written)\" is not a whole number",
                hint: digits.contains { !$0.isDigit && $0 != .point && $0 != .plus }
                    ? "put a name in quotes: [\"\(written)\"]"
                    : "write only digits, with - before them to count from the end")
        }
        if digits.first == .zero, digits.count > 1 || first == .minus {
            throw wrong("\"\(written)\" begins with a needless \(first == .minus ? "-0" : "0")", hint: "leave it out")
        }
        let largest = 1 << 53 - 1
        guard let value = Int(written), -largest...largest ~= value else {
            throw wrong("\(written) is too large for an index", hint: "an index is at most \(largest)")
        }
        return value
    }

    private func expectedSelector(isFirst: Bool) -> JSONPathProblem {
        let expected = "expected a name in quotes, an index, a slice, \"*\" or a filter, found \(found)"
        let hint: String? =
            switch peek() {
            case .closeBracket: isFirst ? "write [*] for everything" : "remove the last comma"
            case .comma: "remove the comma"
            case .at, .dollar, .openParenthesis, .exclamation: "a filter begins with \"?\", as in [?@.price < 10]"
            case .some(let byte) where byte.isNameByte: "put a name in quotes: [\"\(word())\"]"
            default: nil
            }
        return problem(expected, hint: hint)
    }

    private func unclosed(_ start: Int) -> JSONPathProblem {
        guard position < bytes.count else {
            return JSONPathProblem("this \"[\" is never closed", start..<start + 1, hint: "add the missing \"]\"")
        }
        let hint: String? =
            switch peek() {
            case .ampersand: "write \"&&\" for \"and\""
            case .bar: "write \"||\" for \"or\""
            case .colon: "a slice has at most three numbers: [start:end:step]"
            case .closeParenthesis: "\")\" has no matching \"(\""
            case .some(let byte) where byte.isNameByte:
                ["and": "write \"&&\" for \"and\"", "or": "write \"||\" for \"or\""][word()]
            default: nil
            }
        return problem("expected \",\" or \"]\", found \(found)", hint: hint)
    }

    /// The bare word at the current position.
    func word() -> String {
        text(position..<(bytes[position...].firstIndex { !$0.isNameByte && $0 != .minus } ?? bytes.count))
    }
}
