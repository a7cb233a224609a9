import ReqcliBasics
import ReqcliJSONSchema
package import ReqcliText

/// The schemas of a description as JSON Schema 2020-12. They are in one file, with a definition for each schema that is referred
/// to.
///
/// No schema is copied into another one, so schemas that refer to each other in a circle need no special case.
package struct SchemaCatalog {
    /// A part of a schema that could not be converted to JSON Schema.
    package struct Loss: Sendable {
        package let message: String
        package let detail: String?
        package let place: Place
    }

    /// The direction of the messages that a schema describes. A response may leave out members that only requests have, and a
    /// request may leave out members that only responses have.
    package enum Purpose: Sendable {
        case request, response
    }

    private struct Definition {
        let name: String
        let schema: JSONValue
        var converted: OrderedJSON?
        /// The definitions that this definition refers to.
        var references: [Int] = []
        var isForRequests = false
    }

    /// The name of the file that the definitions are written to: `shop.json`.
    private let fileName: String
    private var definitions: [Definition] = []
    private var indices: [Spot: Int] = [:]
    private var names = UniqueNames()
    /// The definitions of schemas that are too long to be written in place. They are made in addition to the definitions that
    /// references lead to.
    private var titled: [Spot: Int] = [:]
    private var losses: [Loss] = []
    /// The places of the losses that are recorded already, because a schema may be met several times.
    private var lossKeys: Set<Spot> = []
    /// Definitions that are to be converted.
    private var pending: [Int] = []

    package init(fileName: String) { self.fileName = fileName }

    /// Converts a schema that is used outside of the file. Returns nil for a schema that accepts everything.
    ///
    /// - Parameter title: The name of the definition that the schema gets if it is too long to be written in place.
    package mutating func schema(
        _ value: JSONValue, _ purpose: Purpose, title: String, in document: inout OpenAPIDocument
    ) -> OrderedJSON? {
        var visited: Set<Spot> = []
        if acceptsEverything(value, &visited, &document) { return nil }
        if value["$ref"] != nil, value.count == 1 || !document.version.hasJSONSchema,
            let target = document.resolve(value)
        {
            let index = definition(of: target, named: Self.name(of: value))
            if purpose == .request { definitions[index].isForRequests = true }
            return .string(reference(to: index))
        }
        var writer = SchemaWriter(version: document.version, isForRequests: purpose == .request)
        let converted = write(value, &writer, &document, prefix: "\(fileName)#/$defs/")
        if purpose == .request { for index in writer.references { definitions[index].isForRequests = true } }
        let text = converted.compact
        if text.utf8.count <= Self.longestInPlace, !text.contains("{{") { return converted }
        let index = titled[Spot(value)] ?? definition(of: value, named: title)
        titled[Spot(value)] = index
        if purpose == .request { definitions[index].isForRequests = true }
        return .string(reference(to: index))
    }

    /// The longest schema that is written where it is used, in bytes.
    private static let longestInPlace = 400

    private func reference(to index: Int) -> String { "\(fileName)#/$defs/\(definitions[index].name)" }

    /// The content of the file; nil if there are no definitions.
    package mutating func file(in document: inout OpenAPIDocument) -> OrderedJSON? {
        while let index = pending.popLast() { convert(index, &document) }
        var open = definitions.indices.filter { definitions[$0].isForRequests }
        while let index = open.popLast() {
            for next in definitions[index].references where !definitions[next].isForRequests {
                definitions[next].isForRequests = true
                open.append(next)
            }
        }
        for index in definitions.indices where definitions[index].isForRequests { convert(index, &document) }
        if definitions.isEmpty { return nil }
        let members = definitions.map { OrderedJSON.Member($0.name, $0.converted ?? .bool(true)) }
        return .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": .object(members.sorted { $0.name < $1.name }),
        ])
    }

    /// Returns the losses since the last call.
    package mutating func takeLosses() -> [Loss] {
        defer { losses = [] }
        return losses
    }

    // MARK: Definitions

    private mutating func convert(_ index: Int, _ document: inout OpenAPIDocument) {
        var writer = SchemaWriter(version: document.version, isForRequests: definitions[index].isForRequests)
        let converted = write(definitions[index].schema, &writer, &document, prefix: "#/$defs/")
        definitions[index].converted = converted
        definitions[index].references = writer.references
    }

    private mutating func write(
        _ value: JSONValue, _ writer: inout SchemaWriter, _ document: inout OpenAPIDocument,
        prefix: String
    ) -> OrderedJSON {
        var catalog = self
        // The catalog is swapped and not copied, because the definitions are changed while a schema is written.
        self = SchemaCatalog(fileName: fileName)
        defer { self = catalog }
        let converted = writer.schema(value) { reference in
            guard let target = document.resolve(reference), target.isSchema else { return nil }
            let index = catalog.definition(of: target, named: Self.name(of: reference))
            return (index, .string(prefix + catalog.definitions[index].name))
        }
        for (key, loss) in writer.losses where catalog.lossKeys.insert(key).inserted { catalog.losses.append(loss) }
        return converted
    }

    private mutating func definition(of target: JSONValue, named wanted: String) -> Int {
        if let known = indices[Spot(target)] { return known }
        var stem = String(decoding: wanted.utf8.map { Self.isNameByte($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        if stem.isEmpty { stem = "schema" }
        let name = names.take(stem)
        let index = definitions.count
        definitions.append(Definition(name: name, schema: target))
        indices[Spot(target)] = index
        pending.append(index)
        return index
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "_-.".utf8.contains(byte)
    }

    /// The last part of a reference: the name of the schema, or the name of the schema's file.
    private static func name(of reference: JSONValue) -> String {
        let text = reference["$ref"]?.string ?? ""
        let last = text.split(separator: "/").last.map(String.init) ?? ""
        let words = last.split(separator: "#").first.map(String.init) ?? ""
        for suffix in [".json", ".yaml", ".yml"] where words.hasSuffix(suffix) {
            return String(words.dropLast(suffix.utf8.count))
        }
        return words.replacing("~1", with: "_").replacing("~0", with: "_")
    }

    // MARK: Schemas that accept everything

    private func acceptsEverything(
        _ value: JSONValue, _ visited: inout Set<Spot>, _ document: inout OpenAPIDocument
    ) -> Bool {
        if value.bool == true { return true }
        guard value.kind == .object, visited.count < 100, let target = document.resolve(value), target.kind == .object
        else { return value.kind != .false }
        guard visited.insert(Spot(target)).inserted else { return true }
        let isReference = value["$ref"] != nil && document.version.hasJSONSchema
        for member in isReference ? Array(value.members) + Array(target.members) : Array(target.members) {
            switch member.name {
            case "allOf":
                guard member.value.elementList.allSatisfy({ acceptsEverything($0, &visited, &document) }) else {
                    return false
                }
            case "anyOf":
                let list = member.value.elementList
                guard list.isEmpty || list.contains(where: { acceptsEverything($0, &visited, &document) }) else {
                    return false
                }
            case "oneOf": if !member.value.elementList.isEmpty { return false }
            case "$ref": continue
            default: if JSONSchema.assertingKeywords.contains(member.name) { return false }
            }
        }
        return true
    }
}
