import ReqcliBasics
import ReqcliJSONPath
import ReqcliText

/// Finds the meaning of expressions in a test: parts of the response, variables and constants.
struct JSValues {
    enum Subject: Equatable {
        case status, time, body
        case header(String)
        case cookie(String)
        /// A value of the JSON body.
        case json([JSONValue.Step])
        case jsonLength([JSONValue.Step])
        /// A variable of Postman, by its name in Postman.
        case variable(String)
        case constant(OrderedJSON)
    }

    private var names: [String: Subject] = [:]

    /// Gives a name to a value; false for a value that this reader doesn't understand.
    @discardableResult
    mutating func bind(_ name: String, to value: JSExpression) -> Bool {
        names[name] = subject(value)
        return names[name] != nil
    }

    static func path(_ steps: [JSONValue.Step]) -> String {
        // Two opening braces would begin a placeholder, so the first brace is escaped.
        JSONPath.short(steps).replacing("{{", with: #"\u007B{"#)
    }

    func subject(_ expression: JSExpression) -> Subject? {
        if let dotted = expression.dotted, let known = Self.members[dotted] { return known }
        switch expression {
        case .name(let name): return names[name]
        case .call(let callee, let arguments): return callee.dotted.flatMap { result(of: $0, arguments) }
        case .member(let base, let name): return member(base, .key(name))
        case .index(let base, .string(let name)): return member(base, .key(name))
        case .index(let base, .number(let text)):
            return Int(text).flatMap { $0 >= 0 ? member(base, .index($0)) : nil }
        default: return constant(expression).map { .constant($0) }
        }
    }

    /// Chains of members with a fixed meaning.
    private static let members: [String: Subject] = [
        "pm.response.code": .status, "responseCode.code": .status, "pm.response.responseTime": .time,
        "responseTime": .time, "responseBody": .body,
    ]

    private func result(of function: String, _ arguments: [JSExpression]) -> Subject? {
        if arguments.isEmpty {
            switch function {
            case "pm.response.json": return .json([])
            case "pm.response.text": return .body
            default: return nil
            }
        }
        guard arguments.count == 1 else { return nil }
        if function == "JSON.parse" { return subject(arguments[0]) == .body ? .json([]) : nil }
        // Tests use `Object.keys` only to count the members of an object. So the call is read as the object itself.
        if function == "Object.keys", case .json(let steps)? = subject(arguments[0]) { return .json(steps) }
        guard case .string(let name) = arguments[0] else { return nil }
        switch function {
        case "pm.response.headers.get", "postman.getResponseHeader": return name.isToken ? .header(name) : nil
        case "pm.cookies.get": return name.isToken ? .cookie(name) : nil
        case "client.global.get", "pm.environment.get", "pm.variables.get", "pm.collectionVariables.get",
            "pm.globals.get", "pm.baseEnvironment.get",
            "postman.getEnvironmentVariable", "postman.getGlobalVariable":
            return .variable(name)
        default: return nil
        }
    }

    private func member(_ base: JSExpression, _ step: JSONValue.Step) -> Subject? {
        if case .name(let object) = base, case .key(let key) = step, names[object] == nil {
            switch object {
            case "environment", "globals": return .variable(key)
            case "responseHeaders": return key.isToken ? .header(key) : nil
            default: return nil
            }
        }
        guard case .json(let steps)? = subject(base) else { return nil }
        if step == .key("length") { return .jsonLength(steps) }
        return .json(steps + [step])
    }

    /// The value of a constant expression, for an endpoint file; nil if the expression isn't constant.
    func constant(_ expression: JSExpression) -> OrderedJSON? {
        switch expression {
        case .string(let text): return .literal(text)
        case .number(let text): return JSONNumber(text) == nil ? nil : .number(text)
        case .bool(let value): return .bool(value)
        case .null: return .null
        case .array(let elements):
            let values = elements.compactMap { constant($0) }
            return values.count == elements.count ? .array(values) : nil
        case .object(let members):
            let values = members.compactMap { member in
                constant(member.value).map { OrderedJSON.Member(OrderedJSON.literal(member.name).scalarText ?? "", $0) }
            }
            let names = Set(members.map(\.name))
            return values.count == members.count && names.count == members.count && !names.contains("$switch")
                ? .object(values) : nil
        default: return nil
        }
    }

    /// The operand of a comparison.
    func operand(_ expression: JSExpression) -> OrderedJSON? {
        if let constant = constant(expression) { return constant }
        switch expression {
        case .array(let elements):
            let values = elements.compactMap { operand($0) }
            return values.count == elements.count ? .array(values) : nil
        case .object(let members):
            let names = Set(members.map(\.name))
            let values = members.compactMap { member in
                operand(member.value).map { OrderedJSON.Member(OrderedJSON.literal(member.name).scalarText ?? "", $0) }
            }
            return values.count == members.count && names.count == members.count && !names.contains("$switch")
                ? .object(values) : nil
        default: break
        }
        if case .binary("+", let left, let right) = expression {
            guard case .string(let start)? = operand(left), case .string(let end)? = operand(right) else { return nil }
            return .string(start + end)
        }
        if case .call(let callee, let arguments) = expression, callee.dotted == "JSON.parse", arguments.count == 1,
            case .variable? = subject(arguments[0])
        {
            return operand(arguments[0])
        }
        switch subject(expression) {
        case .constant(let value)?: return value
        case .variable(let name)?
        where !name.utf8.contains(where: { $0 <= .space || $0 == .openBrace || $0 == .closeBrace }):
            return .string("{{\(name)}}")
        default: return nil
        }
    }
}
