import ReqcliDefinitions
import ReqcliText

extension ScriptDialect {
    /// The test scripts of Postman.
    static let postman = ScriptDialect(
        status: "pm.response.code", body: "pm.response.text()", json: "pm.response.json()",
        header: { "pm.response.headers.get(\($0))" }, cookie: { "pm.cookies.get(\($0))" },
        read: { "pm.variables.get(\($0))" }, keep: { "pm.collectionVariables.set(\($0), \($1));" },
        test: { name, assertion in ["pm.test(\(name), () => {", "    \(assertion);", "});"] },
        assertStatuses: { statuses in
            statuses.count == 1 && statuses[0].count == 1
                ? "pm.response.to.have.status(\(statuses[0].lowerBound))"
                : "pm.expect(pm.response.code).to.satisfy((code) => \(statuses.condition(on: "code")))"
        }, assertTime: { "pm.expect(pm.response.responseTime).to.be.at.most(\($0))" },
        assert: { check, subject, operand in
            guard check.operation == .length else {
                return "pm.expect(\(subject))" + assertion(check.operation, check.operand, operand, check.isNegated)
            }
            var (operation, limit) = (Matcher.Operation.equals, check.operand)
            if case .object(let limits) = limit, let first = limits.first {
                (operation, limit) = (Matcher.Operation(rawValue: first.name) ?? .equals, first.value)
            }
            return "pm.expect(Object.keys(\(subject)).length)"
                + assertion(operation, limit, limit.compact, check.isNegated)
        })

    /// The rest of the assertion after `pm.expect(subject)`.
    private static func assertion(
        _ operation: Matcher.Operation, _ operand: OrderedJSON, _ value: String, _ isNegated: Bool
    ) -> String {
        let to = isNegated ? ".to.not" : ".to"
        return switch operation {
        case .equals, .length, .includes, .schema: "\(to).eql(\(value))"
        case .type: operand == "integer" ? "\(to).satisfy(Number.isInteger)" : "\(to).be.a(\(value))"
        case .matches: "\(to).match(new RegExp(\(value), \"u\"))"
        case .contains: "\(to).include(\(value))"
        case .startsWith, .endsWith: "\(to).satisfy((text) => String(text).\(operation.rawValue)(\(value)))"
        case .exists: (operand == true) != isNegated ? ".to.not.be.undefined" : ".to.be.undefined"
        case .empty: (operand == true) != isNegated ? ".to.be.empty" : ".to.not.be.empty"
        case .in: "\(to).be.oneOf(\(value))"
        case .less: "\(to).be.below(\(value))"
        case .lessOrEqual: "\(to).be.at.most(\(value))"
        case .greater: "\(to).be.above(\(value))"
        case .greaterOrEqual: "\(to).be.at.least(\(value))"
        }
    }
}
