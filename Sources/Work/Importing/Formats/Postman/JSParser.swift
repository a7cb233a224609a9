/// An expression of a script.
indirect enum JSExpression: Sendable {
    case string(String)
    case number(String)
    case bool(Bool)
    case null
    case regex(String)
    case name(String)
    case array([JSExpression])
    case object([(name: String, value: JSExpression)])
    case member(JSExpression, String)
    case index(JSExpression, JSExpression)
    case call(JSExpression, [JSExpression])
    case function([JSStatement])
    case binary(String, JSExpression, JSExpression)

    /// The names in a chain of members, such as `pm.response.code`; nil for any other expression.
    var dotted: String? {
        switch self {
        case .name(let name): return name
        case .member(let base, let name): return base.dotted.map { "\($0).\(name)" }
        default: return nil
        }
    }
}

/// A statement of a script.
struct JSStatement: Sendable {
    enum Kind: Sendable {
        case declaration(String, JSExpression)
        case assignment(JSExpression, JSExpression)
        case expression(JSExpression)
        /// A statement that this reader doesn't understand.
        case unknown
    }

    let kind: Kind
    let range: Range<Int>
}

/// Reads the statements of a script. An unknown statement is skipped as a whole.
struct JSParser {
    private let tokens: [JSToken]
    private var position = 0
    private var depth = 0

    private struct Unknown: Error {}

    /// The deepest nesting and the longest chain that are read.
    private static let most = 64

    static func statements(of text: String) -> [JSStatement] {
        var parser = JSParser(tokens: JSLexer.tokens(of: text))
        return parser.statements(isBlock: false)
    }

    private init(tokens: [JSToken]) { self.tokens = tokens }

    // MARK: Tokens

    /// The token at the position. The position never moves past the last token, which marks the end.
    private var current: JSToken { tokens[min(position, tokens.count - 1)] }

    private mutating func advance() { position = min(position + 1, tokens.count - 1) }

    private mutating func pass(_ mark: String) -> Bool {
        guard current.isMark(mark) else { return false }
        advance()
        return true
    }

    private mutating func expect(_ mark: String) throws(Unknown) {
        guard pass(mark) else { throw Unknown() }
    }

    private mutating func name() throws(Unknown) -> String {
        guard case .name(let name) = current.kind else { throw Unknown() }
        advance()
        return name
    }

    // MARK: Statements

    private mutating func statements(isBlock: Bool) -> [JSStatement] {
        var statements: [JSStatement] = []
        while current.kind != .end, !(isBlock && current.isMark("}")) {
            if pass(";") { continue }
            let start = position
            let depth = depth
            let lower = current.range.lowerBound
            do throws(Unknown) {
                let kind = try statement()
                guard pass(";") || current.startsLine || current.kind == .end || current.isMark("}") else {
                    throw Unknown()
                }
                statements.append(JSStatement(kind: kind, range: lower..<end(after: start)))
            } catch {
                position = start
                self.depth = depth
                skipStatement()
                statements.append(JSStatement(kind: .unknown, range: lower..<end(after: start)))
            }
        }
        return statements
    }

    private func end(after start: Int) -> Int { tokens[max(start, position - 1)].range.upperBound }

    /// Skips the rest of a statement, which ends after a semicolon, after a block, or at the end of a line.
    private mutating func skipStatement() {
        let start = position
        var open = 0
        while current.kind != .end {
            if case .mark(let mark) = current.kind {
                if "([{".contains(mark) {
                    open += 1
                } else if ")]}".contains(mark) {
                    if open == 0 {
                        // A closing bracket at the top level that closes nothing is skipped.
                        if position == start || mark != "}" { advance() }
                        return
                    }
                    open -= 1
                } else if mark == ";", open == 0 {
                    advance()
                    return
                }
            }
            advance()
            if open == 0, current.startsLine, !continuesStatement { return }
        }
    }

    private var continuesStatement: Bool {
        switch current.kind {
        case .name(let name): ["else", "catch", "finally"].contains(name)
        case .mark(let mark): mark != "}"
        default: false
        }
    }

    private mutating func statement() throws(Unknown) -> JSStatement.Kind {
        if case .name(let word) = current.kind, ["var", "let", "const"].contains(word) {
            advance()
            let name = try name()
            try expect("=")
            return .declaration(name, try expression())
        }
        let expression = try expression()
        if pass("=") { return .assignment(expression, try self.expression()) }
        return .expression(expression)
    }

    // MARK: Expressions

    private mutating func expression() throws(Unknown) -> JSExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.most else { throw Unknown() }
        return try binary(["||"]) { parser throws(Unknown) in
            try parser.binary(["&&"]) { parser throws(Unknown) in
                try parser.binary(["===", "==", "!==", "!=", "<", "<=", ">", ">="]) { parser throws(Unknown) in
                    try parser.binary(["+"]) { parser throws(Unknown) in try parser.unary() }
                }
            }
        }
    }

    private mutating func binary(
        _ marks: [String], _ operand: (inout JSParser) throws(Unknown) -> JSExpression
    ) throws(Unknown) -> JSExpression {
        var left = try operand(&self)
        var count = 0
        while case .mark(let mark) = current.kind, marks.contains(mark) {
            count += 1
            guard count <= Self.most else { throw Unknown() }
            advance()
            left = .binary(mark, left, try operand(&self))
        }
        return left
    }

    /// An operand with the operators before it. `!x` and `typeof x` are read as calls of functions with these names.
    private mutating func unary() throws(Unknown) -> JSExpression {
        for word in ["!", "typeof"] where current.isMark(word) || current.isName(word) {
            depth += 1
            defer { depth -= 1 }
            guard depth <= Self.most else { throw Unknown() }
            advance()
            return .call(.name(word), [try unary()])
        }
        // With `new`, only regular expressions are understood.
        if current.isName("new") {
            advance()
            guard current.isName("RegExp") else { throw Unknown() }
        }
        return try chain()
    }

    private mutating func chain() throws(Unknown) -> JSExpression {
        var value = try primary()
        for _ in 0..<Self.most {
            if pass(".") {
                value = .member(value, try name())
            } else if pass("[") {
                value = .index(value, try expression())
                try expect("]")
            } else if pass("(") {
                value = .call(value, try list(until: ")"))
            } else {
                return value
            }
        }
        throw Unknown()
    }

    private mutating func list(until mark: String) throws(Unknown) -> [JSExpression] {
        var values: [JSExpression] = []
        while !pass(mark) {
            values.append(try expression())
            if !current.isMark(mark) { try expect(",") }
        }
        return values
    }

    private mutating func primary() throws(Unknown) -> JSExpression {
        let token = current
        switch token.kind {
        case .string(let text):
            advance()
            return .string(text)
        case .number(let text):
            advance()
            return .number(text)
        case .regex(let text):
            advance()
            return .regex(text)
        case .name("function"):
            advance()
            if case .name = current.kind { advance() }
            try expect("(")
            guard try list(until: ")").isEmpty else { throw Unknown() }
            return try block()
        case .name(let word):
            advance()
            if Self.keywords.contains(word) { throw Unknown() }
            switch word {
            case "true", "false": return .bool(word == "true")
            case "null": return .null
            // Scripts of Insomnia have the same functions under another name.
            default: return .name(word == "insomnia" ? "pm" : word)
            }
        case .mark("-"):
            advance()
            guard case .number(let text) = current.kind else { throw Unknown() }
            advance()
            return .number("-" + text)
        case .mark("["):
            advance()
            return .array(try list(until: "]"))
        case .mark("{"): return try object()
        case .mark("("): return try parenthesis()
        default: throw Unknown()
        }
    }

    private static let keywords: Set<String> = [
        "if", "for", "while", "do", "switch", "return", "throw", "try", "new", "typeof", "delete", "void", "in",
        "instanceof", "async", "await", "yield", "class", "import", "export", "with", "break", "continue", "else",
    ]

    /// `(x)` or `() => …`.
    private mutating func parenthesis() throws(Unknown) -> JSExpression {
        try expect("(")
        if pass(")") {
            try expect("=>")
            if current.isMark("{") { return try block() }
            let range = current.range
            return .function([JSStatement(kind: .expression(try expression()), range: range)])
        }
        let inner = try expression()
        try expect(")")
        if case .name = inner, pass("=>") {
            let range = current.range
            return .function([JSStatement(kind: .expression(try expression()), range: range)])
        }
        return inner
    }

    private mutating func block() throws(Unknown) -> JSExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.most else { throw Unknown() }
        try expect("{")
        let statements = statements(isBlock: true)
        try expect("}")
        return .function(statements)
    }

    private mutating func object() throws(Unknown) -> JSExpression {
        try expect("{")
        var members: [(name: String, value: JSExpression)] = []
        while !pass("}") {
            let name: String
            switch current.kind {
            case .name(let text), .string(let text), .number(let text): name = text
            case .mark("["):
                advance()
                guard case .string(let text) = current.kind else { throw Unknown() }
                name = text
                advance()
                guard current.isMark("]") else { throw Unknown() }
            default: throw Unknown()
            }
            advance()
            try expect(":")
            members.append((name, try expression()))
            if !current.isMark("}") { try expect(",") }
        }
        return .object(members)
    }
}
