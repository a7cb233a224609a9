package import ReqcliText

/// The combined requirements of a schema for a value: the schema's own keywords, and the keywords of other schemas that the value
/// must match, too.
package struct SchemaShape: Sendable {
    /// The allowed types, except null. Empty if every type is allowed.
    package private(set) var types: [String] = []
    package private(set) var isNullable = false
    /// The members of an object, without duplicates.
    package private(set) var properties: [JSONValue.Member] = []
    package private(set) var required: Set<String> = []
    /// The schemas of which the value must match one; empty if there are no alternatives.
    package private(set) var alternatives: [JSONValue] = []
    private var facets: [String: JSONValue] = [:]
    private var propertyIndices: [String: Int] = [:]

    /// The shape of a schema without keywords.
    package init() {}

    /// The value of a keyword that has no property above. If several schemas have the keyword, the value in the outermost schema
    /// is returned.
    package subscript(keyword: String) -> JSONValue? { facets[keyword] }

    /// The only type; nil if there are several types, or no type is known.
    package var type: String? {
        if types.count == 1 { return types[0] }
        if types.count == 2, types.contains("integer"), types.contains("number") { return "number" }
        return nil
    }

    package var isReadOnly: Bool { facets["readOnly"]?.bool == true }
    package var isWriteOnly: Bool { facets["writeOnly"]?.bool == true }

    /// Whether the value is a file: raw bytes, not JSON.
    package var isBinary: Bool {
        let type = self.type ?? "string"
        return type == "file" || type == "string" && facets["format"]?.string == "binary"
            || type == "string" && facets["contentMediaType"] != nil && facets["contentEncoding"] == nil
    }

    /// The allowed values; nil if every value is allowed.
    package var allowed: [JSONValue]? {
        if let constant = facets["const"] { return [constant] }
        return facets["enum"].map { Array($0.elements) }
    }

    /// The example in the description.
    package var example: JSONValue? { facets["example"] ?? facets["examples"]?.elements.first { _ in true } }

    fileprivate mutating func take(_ schema: JSONValue) {
        var hasType = false
        for member in schema.members {
            switch member.name {
            case "type":
                let all = member.value.string.map { [$0] } ?? member.value.elements.compactMap(\.string)
                hasType = true
                if all.contains("null") { isNullable = true }
                if types.isEmpty { types = all.filter { $0 != "null" } }
            case "nullable", "x-nullable": if member.value.bool == true { isNullable = true }
            case "required": for name in member.value.elements { name.string.map { _ = required.insert($0) } }
            case "properties":
                for property in member.value.members where propertyIndices[property.name] == nil {
                    propertyIndices[property.name] = properties.count
                    properties.append(property)
                }
            case "allOf", "anyOf", "oneOf", "$ref": break
            default: if facets[member.name] == nil { facets[member.name] = member.value }
            }
        }
        guard !hasType, types.isEmpty else { return }
        if schema["properties"] != nil { types = ["object"] } else if schema["items"] != nil { types = ["array"] }
    }

    fileprivate mutating func takeTypes(of branches: [SchemaShape]) {
        var all: [String] = []
        for type in branches.flatMap(\.types) where !all.contains(type) { all.append(type) }
        if types.isEmpty { types = all }
    }

    fileprivate mutating func setNullable() { isNullable = true }
    fileprivate mutating func setAlternatives(_ values: [JSONValue]) { alternatives = alternatives + values }
}

extension OpenAPIDocument {
    /// The maximum depth to which nested schemas are followed.
    private static let deepest = 64

    /// The shape of a schema, with references followed.
    package mutating func shape(of schema: JSONValue?) -> SchemaShape {
        var shape = SchemaShape()
        var visited: Set<Spot> = []
        if let schema { add(schema, to: &shape, &visited, depth: 0) }
        return shape
    }

    private mutating func add(_ schema: JSONValue, to shape: inout SchemaShape, _ visited: inout Set<Spot>, depth: Int)
    {
        guard depth < Self.deepest, let target = resolve(schema), target.kind == .object,
            visited.insert(Spot(target)).inserted
        else { return }
        // From 3.1 on, keywords next to a reference have an effect, too.
        if schema["$ref"] != nil, version.hasJSONSchema { shape.take(schema) }
        shape.take(target)
        for part in target["allOf"]?.elementList ?? [] { add(part, to: &shape, &visited, depth: depth + 1) }
        for keyword in ["oneOf", "anyOf"] {
            guard let list = target[keyword]?.elementList, !list.isEmpty else { continue }
            let branches = list.filter { !isNull($0) }
            if branches.count < list.count { shape.setNullable() }
            if branches.count == 1 {
                add(branches[0], to: &shape, &visited, depth: depth + 1)
                continue
            }
            shape.setAlternatives(branches)
            var types: [SchemaShape] = []
            for branch in branches.prefix(20) {
                var inner = SchemaShape()
                var met = visited
                add(branch, to: &inner, &met, depth: max(depth + 1, Self.deepest - 2))
                types.append(inner)
            }
            shape.takeTypes(of: types)
        }
    }

    private mutating func isNull(_ schema: JSONValue) -> Bool {
        guard let target = resolve(schema), let type = target["type"] else { return false }
        return type.string == "null"
    }
}

extension JSONValue {
    package var elementList: [JSONValue] { kind == .array ? Array(elements) : [] }

    package var memberList: [Members.Element] { kind == .object ? Array(members) : [] }
}
