import ReqcliDefinitions
import ReqcliText

/// The conditions of stub variants as expressions over `call` and `request`.
///
/// Strings are compared byte by byte, as reqcli does. Swift's own comparisons work on whole characters: they find neither `e` in a
/// decomposed `é` nor `\n` in `\r\n`.
struct ConditionCode {
    let parameters: [String: ParameterCode]
    /// Whether the body is known without reading a file.
    let hasBody: Bool
    /// The statements that must come before the expressions made since the last call of ``takeStatements()``.
    private var statements: [(inout CodeLines) -> Void] = []
    private var constants = 0

    init(parameters: [String: ParameterCode], hasBody: Bool) {
        self.parameters = parameters
        self.hasBody = hasBody
    }

    mutating func takeStatements() -> [(inout CodeLines) -> Void] {
        defer { statements = [] }
        return statements
    }

    /// The condition as Swift expressions; nil if a part of the condition has no short form in Swift.
    mutating func expressions(_ condition: StubCondition) -> [String]? {
        if !condition.json.isEmpty { return nil }
        var all: [String] = []
        for named in condition.parameters {
            guard let parameter = parameters[named.name], parameter.fallback == nil else { return nil }
            for matcher in named.value.all {
                guard let expression = expression(parameter, matcher) else { return nil }
                all.append(expression)
            }
        }
        for (function, named) in condition.query.map({ ("queryValues", $0) })
            + condition.headers.map({ ("headers.values", $0) })
        {
            let values = "request.\(function)(\(literal(named.name)))"
            guard let expression = expression(values, named.value.all) else { return nil }
            all.append(expression)
        }
        if let body = condition.body {
            guard hasBody else { return nil }
            let name = local("body")
            statements.append { $0.add("let \(name) = request.body?.data ?? Data()") }
            for matcher in body.all {
                guard let expression = comparison(.bytes(name), matcher) else { return nil }
                all.append(expression)
            }
        }
        return all
    }

    // MARK: Values

    /// A condition on a param. A missing param meets only `exists: false`.
    private mutating func expression(_ parameter: ParameterCode, _ matcher: Matcher) -> String? {
        let value = "call.\(SwiftNames.quoted(parameter.name))"
        if let exists = matcher.wantsExistence {
            return parameter.isOptional ? "\(value) \(exists ? "!=" : "==") nil" : nil
        }
        let subject = parameter.isOptional ? "$0" : value
        let text: String?
        switch parameter.kind {
        case .string: text = comparison(.string(subject), matcher)
        case .date: text = comparison(.string("JSONLiteral.date(\(subject)).text"), matcher)
        case .option(isText: true): text = comparison(.string("\(subject).rawValue"), matcher)
        case .option(isText: false):
            text = comparison(subject, matcher, isOrdered: false) { value in
                guard case .number(let number) = value,
                    let option = parameter.option?.cases.first(where: { $0.value == number })
                else { return nil }
                return ".\(SwiftNames.quoted(option.name))"
            }
        case .int:
            text = comparison(subject, matcher) {
                if case .number(let text) = $0 { Int(text)?.swiftLiteral } else { nil }
            }
        case .double:
            text = comparison(subject, matcher) { value in
                guard case .number(let text) = value, let number = Double(text), number.isFinite else { return nil }
                return "\(number)"
            }
        case .bool:
            text = comparison(subject, matcher, isOrdered: false) {
                if case .bool(let value) = $0 { "\(value)" } else { nil }
            }
        case .json, .list: text = nil
        }
        return text.map { parameter.isOptional ? "(\(value).map { \($0) } ?? false)" : $0 }
    }

    /// Conditions on several strings. At least one string has to meet all conditions.
    private mutating func expression(_ values: String, _ matchers: [Matcher]) -> String? {
        if matchers.contains(where: { $0.wantsExistence == false }) { return "\(values).isEmpty" }
        let others = matchers.filter { $0.wantsExistence == nil }
        if others.isEmpty { return "!\(values).isEmpty" }
        if others.count == 1 {
            return comparison(.text("$0"), others[0]).map { "\(values).contains(where: { \($0) })" }
        }
        var all: [String] = []
        for matcher in others {
            guard let comparison = comparison(.text("value"), matcher) else { return nil }
            all.append(comparison)
        }
        let name = local("isMet")
        statements.append { lines in
            lines.closure("let \(name) = \(values).contains", "value") { lines in
                lines.add("let all = [")
                lines.indented { lines in for one in all { lines.add("\(one),") } }
                lines.add("]")
                lines.add("return all.allSatisfy(\\.self)")
            }
        }
        return name
    }

    /// A comparison of a value that isn't a string.
    private mutating func comparison(
        _ subject: String, _ matcher: Matcher, isOrdered: Bool = true, _ literal: (OrderedJSON) -> String?
    ) -> String? {
        guard let operand = matcher.operand.literal else { return nil }
        var expression: String?
        switch matcher.operation {
        case .equals: expression = literal(operand).map { "\(subject) == \($0)" }
        case .in:
            guard case .array(let elements) = operand else { return nil }
            let values = elements.compactMap(literal)
            if values.count == elements.count { expression = "\(list(values)).contains(\(subject))" }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            if isOrdered { expression = literal(operand).map { "\(subject) \(matcher.operation.rawValue) \($0)" } }
        default: return nil
        }
        return expression.map { matcher.isNegated ? "!(\($0))" : $0 }
    }

    // MARK: Texts

    private enum Subject {
        /// A JSON string. Such a string never equals a number.
        case string(String)
        /// A string outside JSON. Such a string may equal a number.
        case text(String)
        case bytes(String)

        var bytes: String {
            switch self {
            case .string(let text), .text(let text): "\(text).utf8"
            case .bytes(let bytes): bytes
            }
        }

        /// The number of characters as reqcli counts them.
        var length: String {
            switch self {
            case .string(let text), .text(let text): "\(text).unicodeScalars.count"
            case .bytes(let bytes): "String(decoding: \(bytes), as: UTF8.self).unicodeScalars.count"
            }
        }
    }

    private mutating func comparison(_ subject: Subject, _ matcher: Matcher) -> String? {
        guard let operand = matcher.operand.literal else { return nil }
        let expression: String?
        switch (matcher.operation, operand) {
        case (.equals, .string(let text)): expression = equality(subject, text)
        case (.equals, .number(let number)):
            guard case .text(let text) = subject, let value = Double(number), value.isFinite else { return nil }
            expression = "Double(\(text)) == \(value)"
        case (.equals, .bool), (.equals, .null):
            guard case .text = subject else { return nil }
            expression = equality(subject, operand.plainText)
        case (.in, .array(let elements)):
            var values: [String] = []
            for element in elements {
                guard case .string(let text) = element else { return nil }
                values.append("Array(\(literal(text)).utf8)")
            }
            expression = "\(list(values)).contains(Array(\(subject.bytes)))"
        case (.contains, .string(let text)) where !text.isEmpty:
            expression = "\(subject.bytes).contains(\(literal(text)).utf8)"
        case (.startsWith, .string(let text)) where !text.isEmpty:
            expression = "\(subject.bytes).starts(with: \(literal(text)).utf8)"
        case (.endsWith, .string(let text)) where !text.isEmpty:
            expression = "\(subject.bytes).suffix(\(text.utf8.count)).elementsEqual(\(literal(text)).utf8)"
        case (.empty, .bool(let isEmpty)): expression = (isEmpty ? "" : "!") + "\(subject.bytes).isEmpty"
        case (.length, .number(let length)):
            expression = Int(length).map { "\(subject.length) == \($0.swiftLiteral)" }
        default: expression = nil
        }
        return expression.map { matcher.isNegated ? "!(\($0))" : $0 }
    }

    private mutating func equality(_ subject: Subject, _ text: String) -> String {
        // Compares an ASCII string directly. Other strings can have several forms that Swift treats as equal.
        switch subject {
        case .string(let subject) where text.utf8.allSatisfy({ $0 < 0x80 }),
            .text(let subject) where text.utf8.allSatisfy({ $0 < 0x80 }):
            return "\(subject) == \(literal(text))"
        default: break
        }
        return "\(subject.bytes).elementsEqual(\(literal(text)).utf8)"
    }

    // MARK: Constants

    private mutating func local(_ base: String) -> String {
        constants += 1
        return "\(base)\(constants)"
    }

    private func literal(_ text: String) -> String { SwiftText.literal(text) }

    private func list(_ values: [String]) -> String { "[\(values.joined(separator: ", "))]" }
}

extension Matcher {
    /// For the operator `exists`, whether the value has to exist; nil for other operators.
    fileprivate var wantsExistence: Bool? {
        guard operation == .exists, case .bool(let exists)? = operand.literal else { return nil }
        return exists != isNegated
    }
}
