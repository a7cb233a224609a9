import ReqcliBasics
import ReqcliText

/// Parses the grammar of RFC 9535 and checks its types. The parser accepts whitespace inside the brackets of a compared path (`@[
/// 'a' ] == 1`). The grammar forbids whitespace there, but allows it everywhere else.
///
/// A syntax error is thrown, because the rest of the path can't be understood. Type errors are collected.
struct PathParser {
    let bytes: [UInt8]
    var position = 0
    var problems: [JSONPathProblem] = []
    private var depth = 0
    private var slots = 0

    /// The maximum depth of nested filters, parentheses and arguments. Parser and evaluator use recursion for each
    /// level.
    static let deepest = 64

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Parses a whole path: `$` and its segments, with nothing before or after.
    mutating func wholePath() throws(JSONPathProblem) -> PathQuery {
        guard let first = peek() else { throw problem("the path is empty", hint: "write \"$\" for the whole document") }
        if first.isJSONWhitespace {
            skipBlanks()
            throw JSONPathProblem(
                "a path begins with \"$\", not with whitespace", 0..<position, hint: "remove the whitespace")
        }
        guard first == .dollar else { throw missingRoot(first) }
        let query = try query()
        if position < bytes.count { throw trailingText() }
        return query
    }

    /// Parses a query from its `$` or `@` to its last segment.
    mutating func query() throws(JSONPathProblem) -> PathQuery {
        let isAbsolute = peek() == .dollar
        position += 1
        var segments: [PathSegment] = []
        while true {
            let end = position
            skipBlanks()
            guard let segment = try segment() else {
                // The whitespace is not part of the path.
                position = end
                break
            }
            segments.append(segment)
        }
        slots += 1
        return PathQuery(isAbsolute: isAbsolute, segments: segments, slot: slots)
    }

    private mutating func segment() throws(JSONPathProblem) -> PathSegment? {
        switch peek() {
        case .openBracket: return PathSegment(isDescendant: false, selectors: try bracketed())
        case .point:
            let start = position
            position += 1
            let isDescendant = take(.point)
            if isDescendant, peek() == .openBracket {
                return PathSegment(isDescendant: true, selectors: try bracketed())
            }
            return PathSegment(isDescendant: isDescendant, selectors: [try shorthand(start)])
        default: return nil
        }
    }

    /// Parses the `*` or the name after a point.
    private mutating func shorthand(_ start: Int) throws(JSONPathProblem) -> PathSelector {
        if take(.asterisk) { return .wildcard }
        let nameStart = position
        while let byte = peek(), byte.isNameByte, position > nameStart || !byte.isDigit { position += 1 }
        guard position > nameStart else { throw missingName(start) }
        return .name(text(nameStart..<position))
    }

    /// Runs a part of the parser one level deeper.
    mutating func nested<Result>(
        _ parse: (inout PathParser) throws(JSONPathProblem) -> Result
    ) throws(JSONPathProblem) -> Result {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.deepest { throw problem("the path nests deeper than \(Self.deepest) levels") }
        return try parse(&self)
    }
}

// MARK: - Error messages

extension PathParser {
    private func missingRoot(_ first: UInt8) -> JSONPathProblem {
        // In jq, `[]` stands for all elements.
        let rest = text(0..<min(bytes.count, 60)).replacing("[]", with: "[*]").replacing(".[", with: "[")
        let hint: String? =
            switch first {
            case .point, .openBracket: "write $\(rest)"
            case .at: "\"@\" is the current node inside a filter; write $\(rest.dropFirst())"
            case _ where first.isNameByte && !first.isDigit: "write $.\(rest)"
            default: nil
            }
        return JSONPathProblem("a path begins with \"$\"", characterRange(at: 0), hint: hint)
    }

    private func missingName(_ start: Int) -> JSONPathProblem {
        let points = text(start..<position)
        let hint: String? =
            switch peek() {
            case .some(let byte) where byte.isDigit:
                "write [\(digits())] for an element, or [\"\(digits())\"] for a name that begins with a digit"
            case .some(let byte) where byte.isJSONWhitespace: "remove the whitespace"
            case .point: "\"..\" looks into every level; \"...\" has no meaning"
            case .quote, .apostrophe: "write \(points == ".." ? ".." : "")[\(character() ?? "")…\(character() ?? "")]"
            default: nil
            }
        guard let found = character() else {
            return problem("expected a name or \"*\" after \"\(points)\", found the end of the path", hint: hint)
        }
        return problem("expected a name or \"*\" after \"\(points)\", found \"\(found)\"", hint: hint)
    }

    private func trailingText() -> JSONPathProblem {
        if bytes[position...].allSatisfy(\.isJSONWhitespace) {
            return JSONPathProblem(
                "the path ends with whitespace", position..<bytes.count, hint: "remove the whitespace")
        }
        let found = character() ?? ""
        // If this character comes after a name character, it was probably meant to be part of the name.
        if position > 0, bytes[position - 1].isNameByte, !found.allSatisfy(\.isWhitespace), found != "(" {
            return problem(
                "\"\(found)\" is not allowed in a name without quotes", hint: "put the name in [\"…\"]")
        }
        return problem("expected \".\", \"[\" or the end of the path, found \"\(found)\"")
    }

    private func digits() -> String {
        text(position..<(bytes[position...].firstIndex { !$0.isDigit } ?? bytes.count))
    }
}
