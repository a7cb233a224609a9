import ReqcliText

extension KeywordAssertion {
    /// The message that says what the rule expects, and what was found instead.
    ///
    /// - Parameter step: The last step to the schema. If the schema is `false`, this step's keyword explains the failure.
    func message(for value: JSONValue, below step: EvaluationReport.PathStep?) -> EvaluationReport.Message {
        EvaluationReport.Message(expected: expectation(below: step), found: finding(value))
    }

    private func expectation(below step: EvaluationReport.PathStep?) -> String {
        switch rule {
        case .never: Self.never(below: step)
        case .writeOnly: "no such member, because only requests have it (writeOnly)"
        case .types(let types): Self.list(types.names.map(\.phrase), last: " or ")
        case .oneOf(let values): Self.values(values.values)
        case .bound(let bound): bound.phrase
        case .multiple(let divisor): "a multiple of \(divisor.text)"
        case .length(let limit): "text of \(limit.phrase("character"))"
        case .items(let limit): limit.phrase("item")
        case .members(let limit): limit.phrase("member")
        case .pattern(let pattern): "text that matches /\(pattern.text)/"
        case .format(let format): format.phrase
        case .not: "a value that doesn't match the schema in \"not\""
        case .any, .one: "a value that matches a schema of \"\(keyword)\""
        case .required, .dependentRequired, .unique, .properties, .names, .elements, .contains, .reference,
            .dynamicReference, .all, .condition, .dependentSchemas, .unevaluatedItems, .unevaluatedProperties:
            "a value that matches \"\(keyword)\""
        }
    }

    private func finding(_ value: JSONValue) -> String {
        switch rule {
        case .items: Self.counted(value.count, "item")
        case .members: Self.counted(value.count, "member")
        default: value.excerpt
        }
    }

    private static func never(below step: EvaluationReport.PathStep?) -> String {
        switch (step?.keyword, step?.token) {
        case ("additionalProperties", _), ("unevaluatedProperties", _):
            "only members that the schema names (\(step?.keyword ?? ""))"
        case ("properties", let name?): "no member \(JSONStringText.quoted(name))"
        case ("patternProperties", let pattern?): "no member whose name matches /\(pattern)/"
        case ("additionalItems", _), ("unevaluatedItems", _): "no further items (\(step?.keyword ?? ""))"
        case ("items", nil): "no further items (items)"
        case ("items", let position?), ("prefixItems", let position?): "no item at position \(position)"
        case ("propertyNames", _): "no members (propertyNames)"
        default: "nothing: the schema is false"
        }
    }

    private static let mostValues = 8

    private static func values(_ values: [JSONValue]) -> String {
        if values.count == 1, let value = values.first { return value.excerpt }
        let list = values.prefix(mostValues).map(\.excerpt).joined(separator: ", ")
        return "one of " + list + (values.count > mostValues ? ", …" : "")
    }

    private static func list(_ phrases: [String], last separator: String) -> String {
        guard let last = phrases.last, phrases.count > 1 else { return phrases.first ?? "nothing" }
        return phrases.dropLast().joined(separator: ", ") + separator + last
    }

    fileprivate static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}

extension EvaluationReport.Message {
    /// The message with a remark added to the expectation.
    func adding(_ remark: String?) -> Self {
        remark.map { Self(expected: "\(expected) (\($0))", found: found) } ?? self
    }

    static func missing(_ name: String, because other: String? = nil) -> Self {
        let reason = other.map { ", because \(JSONStringText.quoted($0)) is present" } ?? ""
        return Self(expected: "a member \(JSONStringText.quoted(name))\(reason)", found: "no member with this name")
    }

    static func contains(_ rule: ContainsRule, _ count: Int, of all: Int) -> Self {
        let limit =
            if count < rule.least { Limit(isMinimum: true, count: rule.least) } else {
                Limit(isMinimum: false, count: rule.most ?? 0)
            }
        return Self(
            expected: "\(limit.phrase("item")) that match\(limit.count == 1 ? "es" : "") \"contains\"",
            found: "\(count) of \(KeywordAssertion.counted(all, "item"))")
    }

    static func several(_ positions: [Int]) -> Self {
        let list = positions.prefix(5).map(String.init).joined(separator: ", ")
        return Self(
            expected: "a value that matches exactly one schema of \"oneOf\"",
            found: "a value that matches the schemas at \(list)\(positions.count > 5 ? ", …" : "")")
    }

    static func repeated(_ first: Int, _ element: JSONValue) -> Self {
        Self(expected: "an item that occurs only once (uniqueItems)", found: "\(element.excerpt), as at [\(first)]")
    }
}

extension JSONValue {
    /// The value for a message: a short value as it is written, a large value by its kind.
    var excerpt: String {
        let most = 80
        switch kind {
        case .object where range.count > most: return "an object with \(KeywordAssertion.counted(count, "member"))"
        case .array where range.count > most: return "an array with \(KeywordAssertion.counted(count, "item"))"
        case .string where range.count > most:
            return JSONStringText.quoted(String((string ?? "").prefix(most))) + "…"
        case .object, .array:
            return OrderedJSON(self).compact
        // YAML can write a string without double quotes, so the string is quoted here.
        case .string where !text.hasPrefix("\""): return JSONStringText.quoted(string ?? "")
        default: return range.count > most ? text.prefix(most) + "…" : text
        }
    }
}

extension Bound {
    fileprivate var phrase: String {
        switch kind {
        case .least: "a number of at least \(number.text)"
        case .most: "a number of at most \(number.text)"
        case .above: "a number above \(number.text)"
        case .below: "a number below \(number.text)"
        }
    }
}

extension Limit {
    fileprivate func phrase(_ noun: String) -> String {
        "at \(isMinimum ? "least" : "most") \(KeywordAssertion.counted(count, noun))"
    }
}
