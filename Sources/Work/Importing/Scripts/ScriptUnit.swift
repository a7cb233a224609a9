import ReqcliBasics
import ReqcliText

/// The conditions and variables of a test in a script, or of a statement outside of tests.
struct ScriptUnit {
    /// The name of the test; nil for a statement outside of tests.
    private(set) var name: String?
    /// The conditions; nil if a part of the unit isn't understood.
    private(set) var conditions: [ExpectDraft.Condition]? = []
    /// The variables that the script sets. The value is nil if it isn't known.
    private(set) var settings: [(name: String, value: ScriptValue?)] = []
    let range: Range<Int>

    /// The parts of the response that the script keeps in variables.
    var captures: [ImportedCapture] {
        settings.compactMap { name, value in value?.captured.map { ImportedCapture(name, $0) } }
    }

    /// The value that an expression such as `res.body.id` refers to; nil if the value isn't known.
    static func value(of text: String, _ dialect: ScriptDialect) -> ScriptValue? {
        // Names of headers may contain a minus, which would be read as an operator.
        if text.hasPrefix("res.headers.") {
            let name = String(text.dropFirst("res.headers.".count))
            return name.isToken ? .header(name) : nil
        }
        let statements = ScriptParser.statements(of: text)
        guard statements.count == 1, case .expression(let expression) = statements[0].kind else { return nil }
        return ScriptScope(dialect).value(expression)
    }

    /// Reads a script. Statements without conditions and variables that only give names to values or print are left out.
    ///
    /// - Parameter newName: The converted name of a variable of the source.
    static func list(
        _ script: String, _ dialect: ScriptDialect, naming newName: (_ name: String) -> String
    ) -> [ScriptUnit] {
        var scope = ScriptScope(dialect)
        return ScriptParser.statements(of: script).compactMap { statement in
            var unit = ScriptUnit(range: statement.range)
            unit.read(statement, &scope)
            if unit.conditions?.isEmpty == true, unit.settings.isEmpty {
                if unit.name == nil { return nil }
                unit.conditions = nil
            }
            unit.conditions = unit.conditions?.map { condition in
                condition.mappingOperation { operation in
                    let operand = operation.operand.mappingTexts { TemplateText.renaming(in: $0, newName) }
                    return ExpectDraft.Operation(operation.name, operand, isNegated: operation.isNegated)
                } ?? condition
            }
            unit.settings = unit.settings.map { name, value in
                guard case .constant(let constant)? = value else { return (newName(name), value) }
                let renamed = constant.mappingTexts { TemplateText.renaming(in: $0, newName) }
                return (newName(name), .constant(renamed))
            }
            return unit
        }
    }

    private mutating func read(_ statement: ScriptStatement, _ scope: inout ScriptScope) {
        switch statement.kind {
        case .assignment(.name(let target), let value):
            scope.names[target] = scope.value(value)
            // Outside of tests, an unknown value matters only if the name is used.
            if name != nil, scope.names[target] == nil { conditions = nil }
        case .assignment(.member(let tests, .string(let title)), let value)
        where name == nil && scope.meaning(tests, "[]") == .test:
            name = title
            add(scope.conditions(of: value))
        case .expression(let expression): read(expression, &scope)
        case .assignment, .unknown: conditions = nil
        }
    }

    private mutating func read(_ expression: ScriptExpression, _ scope: inout ScriptScope) {
        guard case .call(let callee, let arguments) = expression else {
            return add(scope.condition(ofChain: expression).map { [$0] })
        }
        switch (scope.meaning(callee, "()"), arguments.first) {
        case (.ignored, _): break
        case (.test, .string(let title)?) where name == nil && arguments.count == 2:
            name = title
            guard case .function(_, let statements) = arguments[1] else { return add(nil) }
            var inner = scope
            for statement in statements where conditions != nil { read(statement, &inner) }
        case (.set, .string(let variable)?) where arguments.count == 2 && !variable.isEmpty:
            settings.append((variable, scope.value(arguments[1])))
            if settings.last?.value?.captured == nil { conditions = nil }
        case (.assert, let condition?): add(scope.conditions(of: condition))
        default: add(scope.condition(ofChain: expression).map { [$0] })
        }
    }

    private mutating func add(_ found: [ExpectDraft.Condition]?) {
        if let found { conditions?.append(contentsOf: found) } else { conditions = nil }
    }
}
