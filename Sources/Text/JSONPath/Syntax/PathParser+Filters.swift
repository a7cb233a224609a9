import ReqcliText

extension PathParser {
    /// Parses the condition of a filter: comparisons and tests joined by `||`, `&&` and `!`.
    mutating func condition() throws(JSONPathProblem) -> PathCondition {
        var parts = [try conjunction()]
        while takeOperator(.bar) { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(JSONPathProblem) -> PathCondition {
        var parts = [try basicCondition()]
        while takeOperator(.ampersand) { parts.append(try basicCondition()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Takes `||` or `&&` and the whitespace around it. Takes nothing if the operator is not next.
    private mutating func takeOperator(_ byte: UInt8) -> Bool {
        let start = position
        skipBlanks()
        guard peek() == byte, peek(1) == byte else {
            position = start
            return false
        }
        position += 2
        skipBlanks()
        return true
    }

    private mutating func basicCondition() throws(JSONPathProblem) -> PathCondition {
        if peek() == .exclamation { return .not(try negated()) }
        if peek() == .openParenthesis { return try parenthesized() }
        let left = try operand()
        guard let comparison = try comparisonOperator() else { return test(left) }
        let right = try operand()
        return .comparison(comparable(left), comparison, comparable(right))
    }

    private mutating func negated() throws(JSONPathProblem) -> PathCondition {
        let start = position
        position += 1
        skipBlanks()
        if peek() == .openParenthesis { return try parenthesized() }
        let operand = try operand()
        let end = position
        if try comparisonOperator() != nil {
            throw JSONPathProblem(
                "\"!\" applies to a condition in parentheses, not to a comparison", start..<end,
                hint: "write !( … ), or use the opposite operator")
        }
        position = end
        return test(operand)
    }

    private mutating func parenthesized() throws(JSONPathProblem) -> PathCondition {
        let start = position
        position += 1
        skipBlanks()
        let inner = try nested { parser throws(JSONPathProblem) in try parser.condition() }
        skipBlanks()
        guard take(.closeParenthesis) else {
            throw position < bytes.count
                ? problem("expected \")\", found \(found)")
                : JSONPathProblem("this \"(\" is never closed", start..<start + 1, hint: "add the missing \")\"")
        }
        let end = position
        if try comparisonOperator() != nil {
            throw JSONPathProblem(
                "a condition can't be compared", start..<end, hint: "put parentheses around the whole comparison")
        }
        position = end
        return inner
    }

    /// Takes a comparison operator and the whitespace around it.
    private mutating func comparisonOperator() throws(JSONPathProblem) -> PathComparison? {
        let end = position
        skipBlanks()
        let start = position
        while let byte = peek(), [.equals, .less, .greater, .exclamation, 0x7E].contains(byte), position < start + 3 {
            position += 1
        }
        guard position > start else {
            position = end
            return nil
        }
        // `==!@.a` is also a mistake, but in this case the problem is reported at the `!`.
        for length in [2, 1] where position - start >= length {
            if let comparison = PathComparison(rawValue: text(start..<start + length)), position - start <= length {
                skipBlanks()
                return comparison
            }
        }
        let written = text(start..<position)
        let hints = [
            "=": "write ==", "===": "write ==", "!==": "write !=", "<>": "write !=",
            "=~": "write match(…, '…') or search(…, '…')",
        ]
        throw JSONPathProblem(
            "\"\(written)\" is not a comparison operator", start..<position,
            hint: hints[written] ?? "write ==, !=, <, <=, > or >=")
    }
}

// MARK: - Types

extension PathParser {
    /// Checks an operand that is not part of a comparison. The operand must be a condition.
    private mutating func test(_ operand: ParsedOperand) -> PathCondition {
        switch operand.kind {
        case .query(let query): return .exists(query)
        case .condition(let condition): return condition
        case .call(let function, _):
            mistake(
                "\(function.rawValue)() gives a value, not true or false", operand.range,
                hint: "compare the value, as in \(function.rawValue)(…) > 0")
        case .literal:
            mistake(
                "a literal alone is not a condition", operand.range,
                hint: "compare the literal with something, as in @.name == …"
            )
        }
        return .any([])
    }

    /// Checks an operand of a comparison. The operand must be a single value.
    private mutating func comparable(_ operand: ParsedOperand) -> PathOperand {
        switch operand.kind {
        case .literal(let value, _), .call(_, let value): return value
        case .query(let query):
            if query.isSingular { return .query(query) }
            mistake(
                "this path can select several nodes; a comparison takes one", operand.range,
                hint: "use only names and indexes, or count(…), or value(…)")
        case .condition:
            mistake(
                "match() and search() are true or false already; they can't be compared", operand.range,
                hint: "write match(…) alone, or !match(…)")
        }
        return .null
    }

    /// Reports a type error. Parsing continues.
    mutating func mistake(_ message: String, _ range: Range<Int>, hint: String? = nil) {
        problems.append(JSONPathProblem(message, range, hint: hint, code: .jsonPathType))
    }
}
