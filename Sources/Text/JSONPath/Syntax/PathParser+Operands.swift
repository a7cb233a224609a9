import ReqcliBasics
import ReqcliText

/// A part of a filter: a side of a comparison, a test or an argument. The parser decides later which of the three it is.
struct ParsedOperand {
    enum Kind {
        case literal(PathOperand, PathString?)
        case query(PathQuery)
        case call(PathFunction, PathOperand)
        case condition(PathCondition)
    }

    let kind: Kind
    let range: Range<Int>
}

extension PathParser {
    mutating func operand() throws(JSONPathProblem) -> ParsedOperand {
        let start = position
        let kind = try operandKind()
        return ParsedOperand(kind: kind, range: start..<position)
    }

    private mutating func operandKind() throws(JSONPathProblem) -> ParsedOperand.Kind {
        switch peek() {
        case .dollar, .at:
            return .query(try nested { parser throws(JSONPathProblem) in try parser.query() })
        case .quote, .apostrophe:
            let string = try string()
            return .literal(.string(string.text), string)
        case .some(.minus), .some(.plus), .some(.point), .some(.zero ... .nine):
            return .literal(.number(try number()), nil)
        case .some(let byte) where byte.isNameByte: return try wordOrCall()
        default:
            throw problem("expected a path, a literal or a function, found \(found)", hint: operandHint())
        }
    }

    private func operandHint() -> String? {
        switch peek() {
        case .openParenthesis: "a condition can't be compared; put parentheses around the whole comparison"
        case .exclamation: "\"!\" applies to a condition, not to a value"
        case .openBracket, .openBrace: "a comparison takes strings, numbers, true, false and null"
        default: nil
        }
    }

    private mutating func wordOrCall() throws(JSONPathProblem) -> ParsedOperand.Kind {
        let start = position
        let word = word()
        position += word.utf8.count
        if peek() == .openParenthesis { return try call(word, start) }
        switch word {
        case "true": return .literal(.bool(true), nil)
        case "false": return .literal(.bool(false), nil)
        case "null": return .literal(.null, nil)
        default: break
        }
        let range = start..<position
        skipBlanks()
        if PathFunction(rawValue: word) != nil, peek() == .openParenthesis {
            throw JSONPathProblem(
                "whitespace between \(word) and \"(\"", range.upperBound..<position, hint: "remove the whitespace")
        }
        let hint =
            switch word.lowercased() {
            case "true", "false", "null": "write \(word.lowercased())"
            case "not": "write \"!\" for \"not\""
            default: "write @.\(word) for a member, '\(word)' for text"
            }
        throw JSONPathProblem("\"\(word)\" is not a value", range, hint: hint)
    }
}

// MARK: - Functions

extension PathParser {
    private mutating func call(_ name: String, _ start: Int) throws(JSONPathProblem) -> ParsedOperand.Kind {
        let nameRange = start..<position
        guard let function = PathFunction(rawValue: name) else {
            throw JSONPathProblem(
                "there is no function \"\(name)\"", nameRange, hint: "available: \(PathFunction.list)")
        }
        let arguments = try nested { parser throws(JSONPathProblem) in try parser.arguments() }
        let expected = function.parameters.count
        guard arguments.count == expected else {
            mistake(
                "\(name)() takes \(expected == 1 ? "one argument" : "two arguments"), found \(arguments.count)",
                start..<position)
            return function.isCondition ? .condition(.any([])) : .call(function, .null)
        }
        switch function {
        case .length: return .call(.length, .length(value(arguments[0], of: function)))
        case .count: return nodes(arguments[0], of: function).map { .call(.count, .count($0)) } ?? .call(.count, .null)
        case .value: return nodes(arguments[0], of: function).map { .call(.value, .value($0)) } ?? .call(.value, .null)
        case .match, .search:
            let text = value(arguments[0], of: function)
            return .condition(.pattern(text, pattern(arguments[1], of: function), isWhole: function == .match))
        }
    }

    private mutating func arguments() throws(JSONPathProblem) -> [ParsedOperand] {
        let start = position
        position += 1
        skipBlanks()
        var arguments: [ParsedOperand] = []
        if take(.closeParenthesis) { return arguments }
        while true {
            arguments.append(try argument())
            skipBlanks()
            if take(.closeParenthesis) { return arguments }
            guard take(.comma) else {
                throw position < bytes.count
                    ? problem("expected \",\" or \")\", found \(found)")
                    : JSONPathProblem("this \"(\" is never closed", start..<start + 1, hint: "add the missing \")\"")
            }
            skipBlanks()
        }
    }

    /// Parses an operand or a whole condition. No function takes a condition, but the parser accepts it in order to report a type
    /// error.
    private mutating func argument() throws(JSONPathProblem) -> ParsedOperand {
        let start = position
        if peek() != .exclamation, peek() != .openParenthesis {
            let operand = try operand()
            let end = position
            skipBlanks()
            if peek() == .comma || peek() == .closeParenthesis || peek() == nil {
                position = end
                return operand
            }
            position = start
        }
        let condition = try condition()
        return ParsedOperand(kind: .condition(condition), range: start..<position)
    }

    private mutating func value(_ argument: ParsedOperand, of function: PathFunction) -> PathOperand {
        switch argument.kind {
        case .literal(let value, _), .call(_, let value): return value
        case .query(let query) where query.isSingular: return .query(query)
        case .query:
            mistake(
                "\(function.rawValue)() takes one value; this path can select several nodes", argument.range,
                hint: "use only names and indexes, or value(…)")
        case .condition:
            mistake("\(function.rawValue)() takes a value, not a condition", argument.range)
        }
        return .null
    }

    private mutating func nodes(_ argument: ParsedOperand, of function: PathFunction) -> PathQuery? {
        if case .query(let query) = argument.kind { return query }
        mistake(
            "\(function.rawValue)() takes a path", argument.range,
            hint: "write a path, as in \(function.rawValue)(@.items[*])")
        return nil
    }

    private mutating func pattern(_ argument: ParsedOperand, of function: PathFunction) -> PathPattern {
        guard case .literal(.string(let pattern), let source?) = argument.kind else {
            return .operand(value(argument, of: function))
        }
        do throws(IRegexpProblem) {
            return .literal(try IRegexp(pattern))
        } catch {
            // The RFC says that an invalid pattern matches nothing. A check of the selected nodes would then have nothing to
            // check, so an error is safer.
            problems.append(
                JSONPathProblem(
                    error.message, source.source(of: error.range), hint: error.hint, code: .jsonPathPattern))
            return .operand(.null)
        }
    }
}
