import ReqcliBasics

extension JSONReader {
    mutating func key(_ token: JSONToken) -> Int? {
        switch token.kind {
        case .string:
            isExcused = !token.isComplete
            expectation = .colon
            return add(key: token)
        case .invalid:
            expectation = .colon
            return add(key: token)
        case .word, .true, .false, .null, .number:
            lexer.report("a key needs double quotes", token.range, hint: "write \"\(shown(token))\"")
            expectation = .colon
            return add(key: token)
        case .closeBrace, .closeBracket:
            if expectation == .key, syntax == .strict || token.kind == .closeBracket { reportTrailingComma() }
            return close(token)
        case .comma:
            let found = expectation == .firstKey ? "\",\"" : "a second comma"
            lexer.report("expected a key, found \(found)", token.range, hint: "remove it")
            return nil
        default:
            lexer.report("expected a key in double quotes, found \"\(shown(token))\"", token.range)
            expectation = .stopped
            return nil
        }
    }

    mutating func colon(_ token: JSONToken) -> Int? {
        let isExcused = isExcused
        self.isExcused = false
        expectation = .value
        if token.kind == .colon { return nil }
        if token.kind == .stray {
            lexer.report("expected a colon, found \"\(shown(token))\"", token.range, hint: "write \":\" here")
            return nil
        }
        held = token
        if isExcused {
            self.isExcused = true
            expectation = .comma
            return missing(at: lastEnd)
        }
        if token.kind == .comma || token.kind == .closeBrace || token.kind == .closeBracket {
            lexer.report("this key has no value", lastEnd..<lastEnd, hint: "write \":\" and a value after the key")
            expectation = .comma
            return missing(at: lastEnd)
        }
        lexer.report("a colon is missing before this value", lastEnd..<lastEnd, hint: "write \":\" here")
        return nil
    }

    mutating func comma(_ token: JSONToken) -> Int? {
        switch token.kind {
        case .comma:
            expectNextItem()
            lastEnd = token.end
        case .closeBrace, .closeBracket: return close(token)
        case .stray, .colon:
            lexer.report("expected a comma, found \"\(shown(token))\"", token.range)
            isExcused = true
        default:
            if !isExcused { lexer.report("a comma is missing here", lastEnd..<lastEnd, hint: "write \",\" here") }
            expectNextItem()
            held = token
        }
        return nil
    }

    @inline(__always)
    mutating func expectNextItem() {
        isExcused = false
        expectation = containers.last?.isObject == true ? .key : .value
    }

    mutating func close(_ token: JSONToken) -> Int? {
        guard let container = containers.last else { return nil }
        let isBrace = token.kind == .closeBrace
        guard container.isObject == isBrace else { return closeMismatched(container, token) }
        isExcused = false
        return close(at: token.end)
    }

    /// Handles a closing bracket of the wrong kind. If the bracket matches an outer container, the inner container was never
    /// closed. Otherwise, the bracket is superfluous.
    private mutating func closeMismatched(_ container: Container, _ token: JSONToken) -> Int? {
        let isBrace = token.kind == .closeBrace
        lexer.report(
            "expected \"\(container.isObject ? "}" : "]")\", found \"\(isBrace ? "}" : "]")\"", token.range,
            related: ("the bracket opened here is still open", container.start..<container.start + 1))
        guard containers.contains(where: { $0.isObject == isBrace }) else { return nil }
        held = token
        return close(at: token.start)
    }

    mutating func reportTrailingComma() {
        let comma = max(lastEnd - 1, 0)
        lexer.report("JSON has no trailing commas", comma..<lastEnd, hint: "remove the last comma")
    }

    mutating func endOfText(_ token: JSONToken) -> Int? {
        if let container = containers.last {
            lexer.report(
                "this \"\(container.isObject ? "{" : "[")\" is never closed", container.start..<container.start + 1,
                hint: "add the missing \"\(container.isObject ? "}" : "]")\"")
        } else if expectation == .value {
            lexer.report("the text is empty; expected a JSON value", 0..<0)
        }
        expectation = .stopped
        return nil
    }
}
