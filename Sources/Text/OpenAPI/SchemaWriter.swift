import ReqcliJSONPath
import ReqcliJSONSchema
import ReqcliText

/// Writes one schema of a description as JSON Schema 2020-12.
///
/// The writer leaves out keywords that this dialect lacks, and values that would make the schema invalid.
struct SchemaWriter {
    let version: OpenAPIVersion
    let isForRequests: Bool
    /// The definitions that the schema refers to.
    private(set) var references: [Int] = []
    private(set) var losses: [(Spot, SchemaCatalog.Loss)] = []

    /// Finds the definition that a reference leads to, and returns its index and a new reference to it.
    typealias Follow = (JSONValue) -> (Int, OrderedJSON)?

    init(version: OpenAPIVersion, isForRequests: Bool) {
        self.version = version
        self.isForRequests = isForRequests
    }

    mutating func schema(_ value: JSONValue, _ follow: Follow) -> OrderedJSON {
        if let bool = value.bool { return .bool(bool) }
        guard value.kind == .object else { return .bool(true) }
        var members: [OrderedJSON.Member] = []
        if value["$ref"]?.kind == .string {
            if let (index, text) = follow(value) {
                references.append(index)
                members.append(OrderedJSON.Member("$ref", text))
            }
            // Keywords next to a reference have an effect only from 3.1 on.
            if !version.hasJSONSchema { return .object(members) }
        }
        var keywords = Keywords(value, isNullable: isNullable(value))
        for member in value.members where keywords.isLast(member) {
            if let converted = keyword(member, of: value, &keywords, follow) { members.append(converted) }
        }
        let implied = keywords.impliedMembers
        members = implied + members
        guard keywords.isNullable, !keywords.allowsNull, implied.isEmpty else { return .object(members) }
        if members.isEmpty { return .object([]) }
        return .object(["anyOf": [.object(members), .object(["type": "null"])]])
    }

    private func isNullable(_ value: JSONValue) -> Bool {
        if version.hasJSONSchema { return false }
        return (value["nullable"] ?? value["x-nullable"])?.bool == true
    }

    // MARK: Keywords

    private mutating func keyword(
        _ member: JSONValue.Member, of schema: JSONValue, _ keywords: inout Keywords, _ follow: Follow
    ) -> OrderedJSON.Member? {
        let (name, value) = (member.name, member.value)
        if !keywords.mayHave(name) { return nil }
        func take(_ converted: OrderedJSON?) -> OrderedJSON.Member? { converted.map { OrderedJSON.Member(name, $0) } }
        switch name {
        // Keywords that OpenAPI writes in another way, or that depend on other keywords.
        case "type": return take(keywords.type(value))
        case "enum": return take(keywords.enumeration(value))
        case "items" where value.kind == .array:
            return schemas(value, follow).map { OrderedJSON.Member("prefixItems", $0) }
        case "patternProperties" where !value.memberList.allSatisfy({ isPattern($0.key) }): return nil
        case "minimum", "maximum": return limit(member, of: schema)
        // In OpenAPI 3.0 and earlier, these are flags of the limits.
        case _ where name.hasPrefix("exclusive") && value.bool != nil: return nil
        case "required": return take(required(value, schema))
        case "format": return take(value.string.flatMap { JSONSchema.formats.contains($0) ? .string($0) : nil })
        case "description": return take(value.string.map { .string($0.firstParagraph) })
        case "discriminator":
            return lose(member.key, "a discriminator is not converted", value["propertyName"]?.string)
        case "$dynamicRef", "$recursiveRef": return lose(value, "a dynamic reference is not converted", value.string)
        // References lead to definitions of the catalog.
        case "$ref", "$defs", "definitions": return nil
        default: break
        }
        switch JSONSchema.form(of: name) {
        case .flag: return value.bool == true ? take(.bool(true)) : nil
        case .text: return take(value.string.map { .string($0) })
        case .pattern:
            return value.kind == .string && isPattern(value)
                ? take(value.string.map { .string($0.withoutPatternSlashes) }) : nil
        case .number: return value.kind == .number ? take(OrderedJSON(value)) : lose(value)
        case .positiveNumber:
            return value.number.map { JSONNumber(0) < $0 } == true ? take(OrderedJSON(value)) : lose(value)
        case .count:
            guard let number = value.number, number.isInteger, !number.text.hasPrefix("-") else { return lose(value) }
            return take(OrderedJSON(value))
        case .namesByName: return value.kind == .object ? take(OrderedJSON(value)) : lose(value)
        case .schema: return value.isSchema ? take(self.schema(value, follow)) : lose(value)
        case .schemas: return take(schemas(value, follow))
        case .schemasByName: return value.kind == .object ? take(schemasByName(value, follow)) : lose(value)
        case .special, .schemaOrSchemas:
            return JSONSchema.assertingKeywords.contains(name) ? take(OrderedJSON(value)) : nil
        }
    }

    private mutating func schemasByName(_ value: JSONValue, _ follow: Follow) -> OrderedJSON {
        var all: [OrderedJSON.Member] = []
        for member in value.uniqueMembers {
            // In `dependencies`, a list of names may be in place of a schema.
            let isList = member.value.kind == .array
            all.append(.init(member.name, isList ? OrderedJSON(member.value) : schema(member.value, follow)))
        }
        return .object(all)
    }

    /// A list of schemas; nil for an empty list, which JSON Schema doesn't allow.
    private mutating func schemas(_ value: JSONValue, _ follow: Follow) -> OrderedJSON? {
        var all: [OrderedJSON] = []
        for element in value.elementList where element.isSchema { all.append(schema(element, follow)) }
        return all.isEmpty ? nil : .array(all)
    }

    /// Converts a limit. In OpenAPI 3.0 and earlier, a flag next to a limit says that the value must not be equal to it.
    private mutating func limit(_ member: JSONValue.Member, of schema: JSONValue) -> OrderedJSON.Member? {
        guard member.value.kind == .number else { return lose(member.value) }
        let exclusive = member.name == "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
        let isExclusive = schema[exclusive]?.bool == true
        return OrderedJSON.Member(isExclusive ? exclusive : member.name, OrderedJSON(member.value))
    }

    /// The required members, without write-only members, because responses lack these. In schemas for requests, read-only members
    /// are left out as well, because requests lack these.
    private func required(_ value: JSONValue, _ schema: JSONValue) -> OrderedJSON? {
        guard value.kind == .array else { return nil }
        var names: Set<String> = []
        // Collects only the marked names, because an object may have many members.
        var marked: Set<String> = []
        if let properties = schema["properties"] {
            for property in properties.members {
                let isMarked =
                    property.value["writeOnly"]?.bool == true
                    || isForRequests && property.value["readOnly"]?.bool == true
                if isMarked { marked.insert(property.name) }
            }
        }
        let kept = value.elements.compactMap(\.string).filter { !marked.contains($0) && names.insert($0).inserted }
        return kept.isEmpty ? nil : .array(kept.map { .string($0) })
    }

    private mutating func isPattern(_ value: JSONValue) -> Bool {
        if let text = value.string?.withoutPatternSlashes, (try? IRegexp(ecma: text)) != nil { return true }
        _ = lose(value, "a pattern with lookahead, lookbehind or mistakes is not converted", value.string)
        return false
    }

    private mutating func lose(
        _ value: JSONValue, _ message: String = "a keyword of a schema has a wrong value", _ detail: String? = nil
    ) -> OrderedJSON.Member? {
        losses.append((Spot(value), SchemaCatalog.Loss(message: message, detail: detail, place: value.place)))
        return nil
    }
}

/// The keywords of one schema that depend on each other: its types and whether it allows null.
private struct Keywords {
    private let schema: JSONValue
    let isNullable: Bool
    private var hasType = false
    private var hasEnumeration = false
    private let lastKeys: Set<Spot>?

    init(_ schema: JSONValue, isNullable: Bool) {
        self.schema = schema
        self.isNullable = isNullable
        lastKeys = schema.repeatedKey == nil ? nil : schema.lastKeys
    }

    /// Whether a member is the last one with its key. If a key occurs twice, only the last member has an effect.
    func isLast(_ member: JSONValue.Member) -> Bool { lastKeys?.contains(Spot(member.key)) ?? true }

    /// Whether a keyword can have an effect on values of the types that the schema states.
    func mayHave(_ keyword: String) -> Bool {
        guard JSONSchema.objectKeywords.contains(keyword), let type = schema["type"] else { return true }
        let names = type.string.map { [$0] } ?? type.elementList.compactMap(\.string)
        return names.isEmpty || names.contains("object") || !names.allSatisfy { JSONTypeName(rawValue: $0) != nil }
    }

    /// Whether the schema's null, if it is nullable, was already added to a type or an enumeration.
    var allowsNull: Bool { hasType || hasEnumeration }

    mutating func type(_ value: JSONValue) -> OrderedJSON? {
        var names: [String] = []
        for name in value.string.map({ [$0] }) ?? value.elementList.compactMap(\.string)
        where JSONTypeName(rawValue: name) != nil && !names.contains(name) {
            names.append(name)
        }
        if names.isEmpty { return nil }
        hasType = true
        if isNullable, !names.contains("null") { names.append("null") }
        return names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })
    }

    mutating func enumeration(_ value: JSONValue) -> OrderedJSON? {
        var values = value.elementList.map { OrderedJSON($0) }
        if values.isEmpty { return nil }
        hasEnumeration = true
        if isNullable, !values.contains(.null) { values.append(.null) }
        return .array(values)
    }

    /// The type that follows from keywords for members or items, if the schema states no type.
    var impliedMembers: [OrderedJSON.Member] {
        if hasType || hasEnumeration || schema["const"] != nil { return [] }
        let isObject = schema["properties"]?.kind == .object || schema["additionalProperties"] != nil
        let type = isObject ? "object" : schema["items"] != nil ? "array" : nil
        guard let type else { return [] }
        return [OrderedJSON.Member("type", isNullable ? [.string(type), "null"] : .string(type))]
    }
}

extension JSONValue {
    fileprivate var lastKeys: Set<Spot> {
        Set(Dictionary(members.map { ($0.name, Spot($0.key)) }, uniquingKeysWith: { $1 }).values)
    }

    /// The members that have an effect: of several members with the same key, only the last one.
    fileprivate var uniqueMembers: [Member] {
        guard repeatedKey != nil else { return Array(members) }
        let keys = lastKeys
        return members.filter { keys.contains(Spot($0.key)) }
    }
}

extension String {
    /// The pattern without the slashes of a JavaScript literal, `/^a$/`. Many descriptions have these slashes by mistake.
    package var withoutPatternSlashes: String {
        guard utf8.count > 3, hasPrefix("/^") || hasPrefix("/(?"), hasSuffix("/") else { return self }
        return String(dropFirst().dropLast())
    }
}
