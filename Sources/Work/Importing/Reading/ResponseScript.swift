import ReqcliBasics
import ReqcliText

/// Reads the tests and captures in a script that checks a response. The type is for tools other than Postman.
struct ResponseScript {
    enum Dialect { case jetBrains, bruno }

    /// The conditions and captures of one test, or of a statement outside of tests.
    struct Unit {
        var name: String?
        /// The conditions; nil if a part of the unit isn't understood.
        var conditions: [ExpectDraft.Condition]?
        var captures: [ImportedCapture] = []
        var range: Range<Int>
    }

    private(set) var units: [Unit] = []

    /// The part of a response that an expression refers to.
    static func subject(of text: String, _ dialect: Dialect) -> JSValues.Subject? {
        // Names of headers may contain a minus, which would be read as an operator.
        for prefix in ["res.headers.", "response.headers."] where text.hasPrefix(prefix) {
            let name = String(text.dropFirst(prefix.count))
            return name.isToken ? .header(name) : nil
        }
        let statements = JSParser.statements(of: text)
        guard statements.count == 1, case .expression(let expression) = statements[0].kind else { return nil }
        let script = ResponseScript("", dialect)
        return script.values.subject(script.translated(expression))
    }

    private let dialect: Dialect
    private var values = JSValues()

    init(_ text: String, _ dialect: Dialect) {
        self.dialect = dialect
        for statement in JSParser.statements(of: text) {
            var unit = Unit(conditions: [], range: statement.range)
            if case .expression(.call(let callee, let arguments)) = statement.kind, arguments.count == 2,
                callee.dotted == (dialect == .bruno ? "test" : "client.test"), case .string(let name) = arguments[0],
                case .function(let statements) = arguments[1]
            {
                let outer = values
                unit.name = name
                for inner in statements { add(inner, to: &unit) }
                values = outer
            } else {
                add(statement, to: &unit)
            }
            if unit.conditions == nil || unit.conditions?.isEmpty == false || !unit.captures.isEmpty {
                units.append(unit)
            }
        }
    }

    private mutating func add(_ statement: JSStatement, to unit: inout Unit) {
        switch statement.kind {
        case .declaration(let name, let value):
            // A name with an unknown value is ignored here. An unknown value matters only if the name is used.
            values.bind(name, to: translated(value))
        case .expression(let expression):
            guard let found = meaning(of: expression) else {
                unit.conditions = nil
                return
            }
            unit.conditions?.append(contentsOf: found.conditions)
            unit.captures += found.captures
        case .assignment, .unknown: unit.conditions = nil
        }
    }

    private func meaning(
        of expression: JSExpression
    ) -> (conditions: [ExpectDraft.Condition], captures: [ImportedCapture])? {
        guard case .call(let callee, let arguments) = expression else { return nil }
        switch callee.dotted {
        case "client.log", "console.log", "console.info", "console.warn", "console.error": return ([], [])
        case "client.assert" where (1...2).contains(arguments.count):
            return JSAssertions.legacy(translated(arguments[0]), values).map { ($0, []) }
        case "client.global.set", "bru.setVar", "bru.setEnvVar", "bru.setGlobalEnvVar":
            guard arguments.count == 2, case .string(let name) = arguments[0],
                let source = values.captured(by: translated(arguments[1]))
            else { return nil }
            return ([], [ImportedCapture(ParamNames.clean(name), source)])
        default: return JSAssertions.statement(translated(expression), values).map { ($0, []) }
        }
    }

    // MARK: Names

    private static let response = JSExpression.member(.name("pm"), "response")
    private static let json = JSExpression.call(.member(response, "json"), [])
    private static let code = JSExpression.member(response, "code")
    private static let time = JSExpression.member(response, "responseTime")
    private static let header = JSExpression.member(.member(response, "headers"), "get")

    private var members: [String: JSExpression] {
        switch dialect {
        case .jetBrains: ["response.status": Self.code, "response.body": Self.json]
        case .bruno: ["res.status": Self.code, "res.body": Self.json, "res.responseTime": Self.time]
        }
    }

    private var functions: [String: JSExpression] {
        switch dialect {
        case .jetBrains: ["response.headers.valueOf": Self.header]
        case .bruno: ["res.getHeader": Self.header, "expect": .member(.name("pm"), "expect")]
        }
    }

    private static let getters = ["res.getStatus": code, "res.getBody": json, "res.getResponseTime": time]

    /// The expression with each name replaced by the equivalent name of Postman.
    private func translated(_ expression: JSExpression) -> JSExpression {
        if let dotted = expression.dotted, let known = members[dotted] { return known }
        switch expression {
        case .member(let base, let name): return .member(translated(base), name)
        case .index(let base, let index):
            if case .member(.name("res"), "headers") = base, dialect == .bruno, case .string = index {
                return .call(Self.header, [index])
            }
            return .index(translated(base), index)
        case .binary(let mark, let left, let right): return .binary(mark, translated(left), translated(right))
        case .call(let callee, let arguments):
            if dialect == .bruno, arguments.isEmpty, let getter = callee.dotted.flatMap({ Self.getters[$0] }) {
                return getter
            }
            let function = callee.dotted.flatMap { functions[$0] } ?? translated(callee)
            return .call(function, arguments.map { translated($0) })
        default: return expression
        }
    }
}
