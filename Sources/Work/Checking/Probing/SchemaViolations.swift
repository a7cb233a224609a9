import ReqcliText

/// Values that break a JSON Schema. Each value breaks one keyword of the schema itself, or of the schema of a member or an item.
struct SchemaViolations {
    /// The schema that the `$ref` of a schema leads to; nil without a reference.
    let target: (JSONValue) -> JSONValue?
    /// The problem with a value; nil if it fits.
    let complaint: (OrderedJSON) -> String?

    struct Violation {
        /// The path to the broken keyword in the schema: `properties.id.minimum`, `properties.id.$ref.minimum`.
        let keyword: String
        let value: OrderedJSON
        let complaint: String
    }

    private static let levels = 2
    /// The most references that are followed one after the other.
    private static let mostReferences = 16
    /// The maximum length of a string or a list that is sent. A server may refuse a longer one only because of its size.
    private static let mostAdded = 1000

    /// All violations that can be made from a valid value.
    ///
    /// - Parameter valid: A value that fits the schema.
    func all(of valid: OrderedJSON, _ schema: JSONValue) -> [Violation] {
        guard complaint(valid) == nil else { return [] }
        return level(Self.levels, schema, "", valid) { $0 }
    }

    /// The violations at one level of the value.
    ///
    /// - Parameter whole: Puts a value of this level into the whole value that is sent.
    private func level(
        _ number: Int, _ schema: JSONValue, _ path: String, _ value: OrderedJSON,
        whole: (OrderedJSON) -> OrderedJSON
    ) -> [Violation] {
        chain(of: schema).flatMap { way, schema in
            let path = path + way
            return keywords(schema, path, value, whole: whole)
                + (number == 1 ? [] : inner(number, schema, path, value, whole: whole))
        }
    }

    /// A schema and the schemas that its `$ref` leads to, one after the other, with the path to each. If the references form a
    /// cycle, each schema is listed once.
    private func chain(of schema: JSONValue) -> [(way: String, schema: JSONValue)] {
        var chain = [(way: "", schema: schema)]
        while let last = chain.last, chain.count <= Self.mostReferences, let next = target(last.schema),
            !chain.contains(where: { $0.schema.place == next.place })
        {
            chain.append((last.way + "$ref.", next))
        }
        return chain
    }

    private func keywords(
        _ schema: JSONValue, _ path: String, _ value: OrderedJSON, whole: (OrderedJSON) -> OrderedJSON
    ) -> [Violation] {
        schema.members.compactMap { member in
            for candidate in Self.candidates(for: member.name, member.value, value) {
                let sent = whole(candidate)
                guard let complaint = complaint(sent) else { continue }
                return Violation(keyword: path + member.name, value: sent, complaint: complaint)
            }
            return nil
        }
    }

    private func inner(
        _ number: Int, _ schema: JSONValue, _ path: String, _ value: OrderedJSON, whole: (OrderedJSON) -> OrderedJSON
    ) -> [Violation] {
        var violations: [Violation] = []
        if case .object(let members) = value, let properties = schema["properties"], properties.kind == .object {
            for (index, member) in members.enumerated() {
                guard let inner = properties[member.name] else { continue }
                violations += level(number - 1, inner, "\(path)properties.\(member.name).", member.value) { changed in
                    var members = members
                    members[index] = OrderedJSON.Member(member.name, changed)
                    return whole(.object(members))
                }
            }
        }
        if case .array(let elements) = value, let first = elements.first, let inner = schema["items"] {
            violations += level(number - 1, inner, path + "items.", first) {
                whole(.array([$0] + elements.dropFirst()))
            }
        }
        return violations
    }

    /// Values that may break a keyword, the likeliest first.
    private static func candidates(
        for keyword: String, _ operand: JSONValue, _ value: OrderedJSON
    ) -> [OrderedJSON] {
        switch (keyword, value) {
        case ("type", _): [.string("abc"), .number("1.5"), .bool(true), .null, .object([]), .array([])]
        case ("enum", _), ("const", _): [.string("abc"), .string("abcx"), .number("1.5")]
        case ("minimum", .number): [operand.number?.moved(by: -1)].compactMap(\.self)
        case ("maximum", .number): [operand.number?.moved(by: 1)].compactMap(\.self)
        case ("exclusiveMinimum", .number), ("exclusiveMaximum", .number):
            [operand.number?.moved(by: 0)].compactMap(\.self)
        case ("multipleOf", .number(let text)):
            [JSONNumber(text)?.moved(by: 1), .number("0.5")].compactMap(\.self)
        case ("minLength", .string(let text)), ("maxLength", .string(let text)), ("pattern", .string(let text)):
            texts(for: keyword, operand, text)
        case (_, .array(let elements)): lists(for: keyword, operand, elements)
        case (_, .object(let members)): objects(for: keyword, operand, members)
        default: []
        }
    }

    private static func texts(for keyword: String, _ operand: JSONValue, _ text: String) -> [OrderedJSON] {
        if keyword == "pattern" {
            return ["~", "a", "0", "-"].map { .string(String(repeating: $0, count: max(text.count, 1))) }
        }
        guard let limit = operand.number?.int else { return [] }
        if keyword == "minLength" { return limit > 0 ? [.string(String(text.prefix(limit - 1)))] : [] }
        guard (0..<mostAdded).contains(limit) else { return [] }
        return [.string(text + String(repeating: text.last ?? "a", count: max(0, limit + 1 - text.count)))]
    }

    private static func lists(for keyword: String, _ operand: JSONValue, _ elements: [OrderedJSON]) -> [OrderedJSON] {
        let limit = operand.number?.int ?? 0
        switch keyword {
        case "minItems": return limit > 0 ? [.array(Array(elements.prefix(limit - 1)))] : []
        case "maxItems":
            guard (0..<mostAdded).contains(limit) else { return [] }
            let more = repeatElement(elements.last ?? .null, count: max(0, limit + 1 - elements.count))
            return [.array(elements + more)]
        case "uniqueItems": return [.array(elements.prefix(1) + elements)]
        default: return []
        }
    }

    private static func objects(
        for keyword: String, _ operand: JSONValue, _ members: [OrderedJSON.Member]
    ) -> [OrderedJSON] {
        let limit = operand.number?.int ?? 0
        switch keyword {
        case "required":
            let names = operand.kind == .array ? operand.elements.compactMap(\.string) : []
            return names.map { name in .object(members.filter { $0.name != name }) }
        case "additionalProperties", "unevaluatedProperties", "propertyNames":
            return [.object(members + [OrderedJSON.Member("reqcli-probe", .int(1))])]
        case "minProperties": return limit > 0 ? [.object(Array(members.prefix(limit - 1)))] : []
        case "maxProperties":
            guard (0..<mostAdded).contains(limit) else { return [] }
            let more = (0..<max(0, limit + 1 - members.count)).map { OrderedJSON.Member("reqcli-probe-\($0)", .int(1)) }
            return [.object(members + more)]
        default: return []
        }
    }
}
