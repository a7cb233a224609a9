import Definitions
import SourceText

/// The conditions of a stub variant as an expression over `call` and `request`; nil if Swift has no short form of one.
struct ConditionCode {
    let parameters: [String: ParameterCode]

    func expressions(_ condition: StubCondition) -> [String]? {
        if !condition.json.isEmpty || condition.body != nil { return nil }
        var all: [String] = []
        for named in condition.parameters {
            guard let parameter = parameters[named.name], parameter.fallback == nil else { return nil }
            for matcher in named.value.all {
                guard let expression = expression(parameter, matcher) else { return nil }
                all.append(expression)
            }
        }
        let texts =
            condition.query.map { ("request.queryValues(\(SwiftText.literal($0.name)))", $0.value) }
            + condition.headers.map { ("request.headers.values(\(SwiftText.literal($0.name)))", $0.value) }
        for (values, matchers) in texts {
            guard let expression = expression(values, matchers.all) else { return nil }
            all.append(expression)
        }
        return all
    }

    /// A condition on a param. One that is missing meets none.
    private func expression(_ parameter: ParameterCode, _ matcher: Matcher) -> String? {
        let value = "call.\(SwiftNames.quoted(parameter.name))"
        if matcher.operation == .exists {
            guard parameter.isOptional, case .bool(let exists)? = matcher.operand.literal else { return nil }
            return "\(value) \(exists == matcher.isNegated ? "==" : "!=") nil"
        }
        let subject = parameter.isOptional ? "$0" : value
        let text: String?
        switch parameter.kind {
        case .string:
            text = comparison(subject, matcher) {
                if case .string(let text) = $0 { SwiftText.literal(text) } else { nil }
            }
        case .option(let isText):
            text = comparison("\(subject).rawValue", matcher, isOrdered: false) { value in
                if case .string = value, !isText { return nil }
                return SwiftText.literal(value.scalarText)
            }
        case .int: text = comparison(subject, matcher) { Int($0.scalarText)?.swiftLiteral }
        case .double: text = comparison(subject, matcher) { Double($0.scalarText).map { "\($0)" } }
        case .bool:
            text = comparison(subject, matcher, isOrdered: false) {
                if case .bool(let value) = $0 { "\(value)" } else { nil }
            }
        case .json, .list: text = nil
        }
        return text.map { parameter.isOptional ? "(\(value).map { \($0) } ?? false)" : $0 }
    }

    /// Conditions on texts, one of which has to meet them all.
    private func expression(_ values: String, _ matchers: [Matcher]) -> String? {
        if matchers.count == 1, matchers[0].operation == .exists, case .bool(let exists)? = matchers[0].operand.literal
        {
            return (exists == matchers[0].isNegated ? "" : "!") + "\(values).isEmpty"
        }
        let all = matchers.compactMap { matcher in
            comparison("$0", matcher, isOrdered: false) { SwiftText.literal($0.scalarText) }
        }
        return all.count == matchers.count ? "\(values).contains(where: { \(all.joined(separator: " && ")) })" : nil
    }

    private func comparison(
        _ subject: String, _ matcher: Matcher, isOrdered: Bool = true, _ literal: (OrderedJSON) -> String?
    ) -> String? {
        guard let operand = matcher.operand.literal else { return nil }
        let isText = if case .string = operand { true } else { false }
        var expression: String?
        switch matcher.operation {
        case .equals: expression = literal(operand).map { "\(subject) == \($0)" }
        case .in:
            guard case .array(let elements) = operand else { return nil }
            let values = elements.compactMap(literal)
            if values.count == elements.count {
                expression = "[\(values.joined(separator: ", "))].contains(\(subject))"
            }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            if isOrdered, !isText {
                expression = literal(operand).map { "\(subject) \(matcher.operation.rawValue) \($0)" }
            }
        case .contains: if isText { expression = literal(operand).map { "\(subject).contains(\($0))" } }
        case .startsWith: if isText { expression = literal(operand).map { "\(subject).hasPrefix(\($0))" } }
        case .endsWith: if isText { expression = literal(operand).map { "\(subject).hasSuffix(\($0))" } }
        default: return nil
        }
        // A longer text would need a constant of its own.
        guard let expression, expression.count <= 60 else { return nil }
        return Optional(expression).map { matcher.isNegated ? "!(\($0))" : $0 }
    }
}
