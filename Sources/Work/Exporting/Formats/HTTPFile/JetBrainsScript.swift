import ReqcliDefinitions
import ReqcliText

extension ScriptDialect {
    /// The response handlers of JetBrains.
    static let jetBrains = ScriptDialect(
        status: "response.status", body: "response.body", json: "response.body",
        header: { "response.headers.valueOf(\($0))" }, cookie: { _ in "undefined" },
        read: { "client.global.get(\($0))" }, keep: { inHandler("client.global.set(\($0), \($1));") },
        test: { name, condition in [inHandler("client.test(\(name), () => { client.assert(\(condition)); });")] },
        assertStatuses: { $0.condition(on: "response.status") }, assertTime: { _ in "true" },
        assert: { check, subject, operand in
            let isThere = (check.operand == true) != check.isNegated
            let missing = if case .header = check.subject { "null" } else { "undefined" }
            let condition =
                switch check.operation {
                case .exists: "\(subject) \(isThere ? "!==" : "===") \(missing)"
                case .equals: "JSON.stringify(\(subject)) === JSON.stringify(\(operand))"
                case .type: typeCheck(subject, check.operand.plainText)
                case .matches: "new RegExp(\(operand), \"u\").test(\(subject))"
                case .contains: "\(subject).includes(\(operand))"
                case .startsWith, .endsWith: "\(subject).\(check.operation.rawValue)(\(operand))"
                case .less, .lessOrEqual, .greater, .greaterOrEqual:
                    "\(subject) \(check.operation.rawValue) \(operand)"
                case .includes, .schema, .length, .empty, .in: "true"
                }
            return check.isNegated && check.operation != .exists ? "!(\(condition))" : condition
        })

    /// A line of a handler, which `%}` would end.
    private static func inHandler(_ line: String) -> String { line.replacing("%}", with: "%\\u007d") }

    private static func typeCheck(_ subject: String, _ type: String) -> String {
        switch type {
        case "integer": "Number.isInteger(\(subject))"
        case "array": "Array.isArray(\(subject))"
        case "object": "(typeof \(subject) === \"object\" && \(subject) !== null && !Array.isArray(\(subject)))"
        default: "typeof \(subject) === \(ScriptText.javaScript(type))"
        }
    }
}
