package import ReqcliText

extension JSONShape {
    /// The shape as JSON Schema 2020-12. The schema has no `enum` and no bounds, because samples don't show such rules.
    package var schema: OrderedJSON {
        var members = [OrderedJSON.Member("$schema", "https://json-schema.org/draft/2020-12/schema")]
        members += ShapePart(self, [0]).schema
        return .object(members)
    }
}

extension ShapePart {
    /// The members of the schema. Recursion is safe here, because the JSON reader limits the depth of shapes.
    fileprivate var schema: [OrderedJSON.Member] {
        var members: [OrderedJSON.Member] = []
        let names = JSONShape.Types.names.filter { types.contains($0.type) }.map { type, _, name in
            OrderedJSON.string(type == .number && !hasFractions ? "integer" : name)
        }
        if let only = names.first { members.append(.init("type", names.count == 1 ? only : .array(names))) }
        let known = StringFormats.schemaNames.filter { formats.contains($0.format) }
        if known.count == 1 { members.append(.init("format", .string(known[0].name))) }
        let children = children(isMap: isMap || couldBeMap).list
        var properties: [OrderedJSON.Member] = []
        var required: [OrderedJSON] = []
        for (step, part) in children {
            switch step {
            case .member(let name):
                properties.append(.init(name.text, .object(part.schema)))
                if part.count == objectCount { required.append(.string(name.text)) }
            case .elements: members.append(.init("items", .object(part.schema)))
            case .mapValues: members.append(.init("additionalProperties", .object(part.schema)))
            }
        }
        if !properties.isEmpty { members.append(.init("properties", .object(properties))) }
        if !required.isEmpty { members.append(.init("required", .array(required))) }
        return members
    }
}
