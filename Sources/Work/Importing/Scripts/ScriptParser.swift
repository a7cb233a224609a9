/// Reads the statements of a script. An unknown statement is skipped as a whole.
struct ScriptParser {
    private let tokens: [ScriptToken]
    private var position = 0
    private var depth = 0

    private struct Unknown: Error {}

    /// The deepest nesting and the longest chain that are read.
    private static let most = 64

    static func statements(of text: String) -> [ScriptStatement] {
        var parser = ScriptParser(tokens: ScriptLexer.tokens(of: text))
        return parser.statements(isBlock: false)
    }

    private init(tokens: [ScriptToken]) { self.tokens = tokens }

    // MARK: Tokens

    /// The token at the position. The position never moves past the last token, which marks the end.
    private var current: ScriptToken { tokens[min(position, tokens.count - 1)] }

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

    private mutating func statements(isBlock: Bool) -> [ScriptStatement] {
        var statements: [ScriptStatement] = []
        while current.kind != .end, !(isBlock && current.isMark("}")) {
            if pass(";") { continue }
            let start = position
            var kind = ScriptStatement.Kind.unknown
            do throws(Unknown) {
                let read = try statement()
                guard pass(";") || current.startsLine || current.kind == .end || current.isMark("}") else {
                    throw Unknown()
                }
                kind = read
            } catch {
                position = start
                skipStatement()
            }
            let end = tokens[max(start, position - 1)].range.upperBound
            statements.append(ScriptStatement(kind: kind, range: tokens[start].range.lowerBound..<end))
        }
        return statements
    }

    /// Skips the rest of a statement, which ends after a semicolon, after a block, or at the end of a line.
    private mutating func skipStatement() {
        let start = position
        var open = 0
        repeat {
            switch current.kind {
            case .mark("("), .mark("["), .mark("{"): open += 1
            case .mark(")"), .mark("]"), .mark("}"):
                if open == 0 {
                    // A closing bracket at the top level that closes nothing is skipped.
                    if position == start || !current.isMark("}") { advance() }
                    return
                }
                open -= 1
            case .mark(";") where open == 0: return advance()
            default: break
            }
            advance()
        } while current.kind != .end && (open > 0 || !current.startsLine || continuesStatement)
    }

    private var continuesStatement: Bool {
        switch current.kind {
        case .name(let name): ["else", "catch", "finally"].contains(name)
        case .mark(let mark): mark != "}"
        default: false
        }
    }

    private mutating func statement() throws(Unknown) -> ScriptStatement.Kind {
        if ["var", "let", "const"].contains(where: { current.isName($0) }) {
            advance()
            let name = try name()
            try expect("=")
            return .assignment(.name(name), try expression())
        }
        let expression = try expression()
        return pass("=") ? .assignment(expression, try self.expression()) : .expression(expression)
    }

    // MARK: Expressions

    /// The binary operators. Those of a later level bind more tightly.
    private static let operators: [Set<String>] = [
        ["||"], ["&&"], ["===", "==", "!==", "!=", "<", "<=", ">", ">="], ["+"],
    ]

    private mutating func expression(_ level: Int = 0) throws(Unknown) -> ScriptExpression {
        guard level < Self.operators.count else { return try unary() }
        var left = try expression(level + 1)
        var count = 0
        while case .mark(let mark) = current.kind, Self.operators[level].contains(mark) {
            count += 1
            guard count <= Self.most else { throw Unknown() }
            advance()
            left = .binary(mark, left, try expression(level + 1))
        }
        return left
    }

    /// An operand with the operators before it. Every nested expression and block is inside of an operand.
    private mutating func unary() throws(Unknown) -> ScriptExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.most else { throw Unknown() }
        for word in ["!", "typeof"] where current.isMark(word) || current.isName(word) {
            advance()
            return .call(.name(word), [try unary()])
        }
        var value = current.isName("new") ? try made() : try primary()
        for _ in 0..<Self.most {
            if pass(".") {
                value = .member(value, .string(try name()))
            } else if pass("[") {
                value = .member(value, try expression())
                try expect("]")
            } else if pass("(") {
                value = .call(value, try list(until: ")"))
            } else {
                return value
            }
        }
        throw Unknown()
    }

    /// `new Date()`, `new RegExp("x")` or `new RegExp("x", "u")`. Other flags change the meaning of the pattern.
    private mutating func made() throws(Unknown) -> ScriptExpression {
        advance()
        let type = try name()
        if type == "Date", pass("("), pass(")") { return .call(.name("new Date"), []) }
        guard type == "RegExp", pass("("), case .string(let pattern) = current.kind else { throw Unknown() }
        advance()
        if pass(",") {
            guard current.kind == .string("u") else { throw Unknown() }
            advance()
        }
        try expect(")")
        return .regex(pattern)
    }

    private mutating func list(until mark: String) throws(Unknown) -> [ScriptExpression] {
        var values: [ScriptExpression] = []
        while !pass(mark) {
            values.append(try expression())
            if !current.isMark(mark) { try expect(",") }
        }
        return values
    }

    private mutating func primary() throws(Unknown) -> ScriptExpression {
        let token = current
        advance()
        switch token.kind {
        case .string(let text): return .string(text)
        case .number(let text): return .number(text)
        case .regex(let text): return .regex(text)
        case .name("function"):
            if case .name = current.kind { advance() }
            try expect("(")
            return try function(list(until: ")"))
        case .name(let word) where !Self.keywords.contains(word): return .name(word)
        case .mark("-"):
            guard case .number(let text) = current.kind else { throw Unknown() }
            advance()
            return .number("-" + text)
        case .mark("["): return .array(try list(until: "]"))
        case .mark("{"): return try object()
        case .mark("("):
            let inner = try list(until: ")")
            if pass("=>") { return try function(inner) }
            guard inner.count == 1 else { throw Unknown() }
            return inner[0]
        default: throw Unknown()
        }
    }

    private static let keywords: Set<String> = [
        "if", "for", "while", "do", "switch", "return", "throw", "try", "new", "typeof", "delete", "void", "in",
        "instanceof", "async", "await", "yield", "class", "import", "export", "with", "break", "continue", "else",
    ]

    /// The rest of a function after its parameters: a block or, in `(x) => x === 1`, an expression.
    private mutating func function(_ parameters: [ScriptExpression]) throws(Unknown) -> ScriptExpression {
        let names = parameters.compactMap(\.dotted)
        guard names.count == parameters.count else { throw Unknown() }
        guard pass("{") else {
            let range = current.range
            return .function(names, [ScriptStatement(kind: .expression(try expression()), range: range)])
        }
        let statements = statements(isBlock: true)
        try expect("}")
        return .function(names, statements)
    }

    private mutating func object() throws(Unknown) -> ScriptExpression {
        var members: [(name: String, value: ScriptExpression)] = []
        while !pass("}") {
            let isComputed = pass("[")
            switch current.kind {
            case .name(let name) where !isComputed, .number(let name) where !isComputed, .string(let name):
                advance()
                if isComputed { try expect("]") }
                try expect(":")
                members.append((name, try expression()))
            default: throw Unknown()
            }
            if !current.isMark("}") { try expect(",") }
        }
        return .object(members)
    }
}
