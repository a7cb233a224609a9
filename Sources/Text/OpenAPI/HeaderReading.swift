import ReqcliBasics
package import ReqcliText

/// Converts the string of a header into a value that a schema can check, according to the types that the schema allows.
package struct HeaderReading: Sendable {
    private let types: Set<String>
    private let isJSON: Bool
    private let isExploded: Bool
    /// The types of a list's items. `memberTypes` has the types of an object's members.
    private let itemTypes: Set<String>
    private let memberTypes: [String: Set<String>]

    init(of schema: JSONValue?, isJSON: Bool, isExploded: Bool, _ document: inout OpenAPIDocument) {
        let shape = document.shape(of: schema)
        types = Set(shape.types)
        itemTypes = shape["items"].map { Set(document.shape(of: $0).types) } ?? []
        var members: [String: Set<String>] = [:]
        if types.contains("object") {
            for property in shape.properties { members[property.name] = Set(document.shape(of: property.value).types) }
        }
        memberTypes = members
        (self.isJSON, self.isExploded) = (isJSON, isExploded)
    }

    /// The values that a string may represent, the likeliest first: `5` may be a number or a string.
    package func values(of text: String) -> [JSONValue] {
        let text = String(text.trimmingSpacesAndTabs)
        let json = JSONDocument.read(SourceFile(name: "header", text: text))
        if isJSON { return [json.validRoot].compactMap(\.self) }
        var values: [OrderedJSON] = []
        if types.contains("array") {
            values.append(.array(text.isEmpty ? [] : Self.parts(text).map { Self.scalar($0, itemTypes) }))
        }
        if types.contains("object") { values += [object(text)].compactMap(\.self) }
        values.append(Self.scalar(text, types))
        if types.contains("string") || types.isEmpty { values.append(.string(text)) }
        return values.compactMap { JSONDocument.writing($0, name: "header").root }
    }

    /// Reads an object in the style `simple`: `a,1,b,2`, or exploded `a=1,b=2`.
    private func object(_ text: String) -> OrderedJSON? {
        var members: [OrderedJSON.Member] = []
        let parts = Self.parts(text)
        if isExploded {
            for part in parts {
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard pair.count == 2 else { return nil }
                members.append(.init(pair[0], Self.scalar(pair[1], memberTypes[pair[0]] ?? [])))
            }
        } else {
            guard parts.count.isMultiple(of: 2) else { return nil }
            for index in stride(from: 0, to: parts.count, by: 2) {
                members.append(.init(parts[index], Self.scalar(parts[index + 1], memberTypes[parts[index]] ?? [])))
            }
        }
        return .object(members)
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingSpacesAndTabs) }
    }

    /// A number, a boolean or null if the schema allows it, otherwise the string.
    private static func scalar(_ text: String, _ types: Set<String>) -> OrderedJSON {
        if types.contains("integer") || types.contains("number"), JSONNumber(text) != nil,
            let root = JSONDocument.read(SourceFile(name: "header", text: text)).root, root.kind == .number
        {
            return OrderedJSON(root)
        }
        if types.contains("boolean"), text == "true" || text == "false" { return .bool(text == "true") }
        return types == ["null"] && text == "null" ? .null : .string(text)
    }
}
