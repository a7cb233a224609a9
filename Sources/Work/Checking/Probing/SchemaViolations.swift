import ReqcliJSONSchema
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
            for candidate in JSONSchema.values(breaking: member.name, member.value, insteadOf: value) {
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
}
