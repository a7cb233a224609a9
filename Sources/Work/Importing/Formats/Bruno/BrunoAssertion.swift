import ReqcliText

/// Converts the lines of `assert`: `res.body.id: eq 7`.
enum BrunoAssertion {
    /// The conditions of a line; nil if any part of the line isn't understood.
    static func conditions(_ subject: String, _ assertion: String) -> [ExpectDraft.Condition]? {
        guard let subject = ScriptUnit.value(of: subject, .bruno) else { return nil }
        let words = assertion.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = words.first else { return nil }
        let operand = words.count > 1 ? words[1].trimmed : ""
        // Without an operator, the values must be equal.
        let operations =
            all.contains(word)
            ? self.operations(word, operand) : [ExpectDraft.Operation("equals", value(assertion))]
        guard let operations else { return nil }
        let conditions = operations.compactMap { subject.condition($0) }
        return conditions.count == operations.count ? conditions : nil
    }

    private static let operators: [String: (name: String, isNegated: Bool)] = [
        "eq": ("equals", false), "neq": ("equals", true), "gt": (">", false), "gte": (">=", false), "lt": ("<", false),
        "lte": ("<=", false), "contains": ("contains", false), "notContains": ("contains", true),
        "startsWith": ("startsWith", false), "endsWith": ("endsWith", false),
    ]
    private static let types = [
        "isNumber": "number", "isString": "string", "isBoolean": "boolean", "isArray": "array",
    ]
    private static let all = Set(operators.keys).union(types.keys).union([
        "in", "notIn", "length", "matches", "notMatches", "between", "isEmpty", "isNotEmpty", "isNull", "isUndefined",
        "isDefined", "isTruthy", "isFalsy", "isJson",
    ])

    private static func operations(_ word: String, _ operand: String) -> [ExpectDraft.Operation]? {
        if let type = types[word] { return [ExpectDraft.Operation("type", .string(type))] }
        if let known = operators[word] {
            let value = value(operand)
            if known.name.hasSuffix("With") { guard case .string = value else { return nil } }
            return [ExpectDraft.Operation(known.name, value, isNegated: known.isNegated)]
        }
        switch word {
        case "in", "notIn":
            let values = list(operand)
            return values.isEmpty ? nil : [ExpectDraft.Operation("in", .array(values), isNegated: word == "notIn")]
        case "length":
            guard let count = Int(operand), count >= 0 else { return nil }
            return [ExpectDraft.Operation("length", .int(count))]
        case "matches", "notMatches":
            let isQuoted = operand.utf8.count > 1 && operand.hasPrefix("/") && operand.hasSuffix("/")
            let pattern = isQuoted ? String(operand.dropFirst().dropLast()) : operand
            guard !pattern.contains("{{"), let spelled = ForeignPattern.spelledOut(pattern) else { return nil }
            return [ExpectDraft.Operation("matches", .literal(spelled), isNegated: word == "notMatches")]
        case "between":
            let bounds = list(operand)
            guard bounds.count == 2, case .number = bounds[0], case .number = bounds[1] else { return nil }
            return [ExpectDraft.Operation(">=", bounds[0]), ExpectDraft.Operation("<=", bounds[1])]
        case "isEmpty": return [ExpectDraft.Operation("empty", true)]
        case "isNotEmpty": return [ExpectDraft.Operation("empty", false)]
        case "isNull": return [ExpectDraft.Operation("equals", .null)]
        case "isUndefined": return [ExpectDraft.Operation("exists", false)]
        case "isDefined": return [ExpectDraft.Operation("exists", true)]
        default: return nil
        }
    }

    private static func list(_ text: String) -> [OrderedJSON] {
        let isQuoted = text.hasPrefix("[") && text.hasSuffix("]")
        let inner = isQuoted ? String(text.dropFirst().dropLast()) : text
        return inner.split(separator: ",").map { value(String($0).trimmed) }
    }

    private static func value(_ text: String) -> OrderedJSON {
        if text == "null" { return .null }
        for quote in ["\"", "'"] where text.utf8.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote) {
            return .string(BrunoNames.template(String(text.dropFirst().dropLast())).text)
        }
        return BrunoNames.value(text)
    }
}
