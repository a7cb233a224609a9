import ReqcliBasics
import ReqcliDefinitions
import ReqcliJSONPath
import ReqcliText

/// The names that a statement of a script can use: those of the tool, and those that the script has given to values.
struct ScriptScope {
    let dialect: ScriptDialect
    var names: [String: ScriptValue] = ["true": .constant(true), "false": .constant(false), "null": .constant(.null)]

    init(_ dialect: ScriptDialect) { self.dialect = dialect }

    /// The meaning that the tool gives to an expression followed by a suffix such as `()`.
    func meaning(_ expression: ScriptExpression, _ suffix: String = "") -> ScriptDialect.Meaning? {
        guard let dotted = expression.dotted, names[String(dotted.prefix { $0 != "." })] == nil else { return nil }
        return dialect.meanings[dotted + suffix]
    }

    /// The value of an expression; nil if the value isn't known.
    func value(_ expression: ScriptExpression) -> ScriptValue? {
        if case .value(let value)? = meaning(expression) { return value }
        if let content = computed(expression) { return .constant(.string("{{\(content)}}")) }
        switch expression {
        case .name(let name): return names[name]
        case .call(let callee, let arguments):
            if let source = expression.argument(of: "JSON.parse") { return value(source) == .text ? .json([]) : nil }
            if arguments.isEmpty, case .value(let value)? = meaning(callee, "()") { return value }
            guard arguments.count == 1, case .string(let name) = arguments[0] else { return nil }
            return meaning(callee, "()")?.value(named: name)
        // `(header.match(pattern) || [])[0]`
        case .member(.binary("||", .call(.member(let base, .string("match")), let arguments), .array), .number("0")):
            guard case .header(let name)? = value(base), case .regex(let pattern)? = arguments.first,
                (try? IRegexp(pattern)) != nil
            else { return nil }
            return .match(header: name, pattern: pattern)
        case .member(let base, .string(let key)):
            if let value = meaning(base, "[]")?.value(named: key) { return value }
            let isLength = key == "length"
            guard case .json(let steps)? = value(isLength ? base.argument(of: "Object.keys") ?? base : base) else {
                return nil
            }
            return isLength ? .jsonLength(steps) : .json(steps + [.key(key)])
        case .member(let base, .number(let text)):
            guard let index = Int(text), index >= 0, case .json(let steps)? = value(base) else { return nil }
            return .json(steps + [.index(index)])
        case .string, .number, .array, .object, .binary("+", _, _):
            return operand(expression).map { .constant($0) }
        case .member, .function, .regex, .binary: return nil
        }
    }

    /// The operand of a comparison, as an endpoint file writes it: a constant, which may have placeholders for variables.
    func operand(_ expression: ScriptExpression) -> OrderedJSON? {
        switch expression {
        case .string(let text): return .literal(text)
        case .number(let text): return .number(text)
        case .array(let elements):
            let values = elements.compactMap { operand($0) }
            return values.count == elements.count ? .array(values) : nil
        case .object(let members):
            let values = members.compactMap { member in
                operand(member.value).map { OrderedJSON.Member(TextTemplate.escaped(member.name), $0) }
            }
            let names = Set(members.map(\.name))
            return values.count == members.count && names.count == members.count && !names.contains("$switch")
                ? .object(values) : nil
        case .binary("+", let left, let right):
            guard case .string(let start)? = operand(left), case .string(let end)? = operand(right) else { return nil }
            return .string(start + end)
        case .binary, .function, .regex: return nil
        case .name, .member, .call:
            if let source = expression.argument(of: "JSON.parse"), case .variable? = value(source) {
                return operand(source)
            }
            switch value(expression) {
            case .constant(let value)?: return value
            case .variable(let name)?
            where !name.utf8.contains(where: { $0 <= .space || $0 == .openBrace || $0 == .closeBrace }):
                return .string("{{\(name)}}")
            default: return nil
            }
        }
    }
}
