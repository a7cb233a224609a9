import ReqcliAssembly
import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// Writes types for the responses that schemas describe.
///
/// Each file below `schemas/`, and each of its `$defs`, becomes a top-level type with the name of the file or the definition. An
/// object inside another schema becomes a nested type. A schema without a matching Swift type gets the type `JSONLiteral`, and a
/// note reports this. Such a schema is called open.
struct ModelWriter {
    let workspace: Workspace
    var notes: [ConversionNote] = []
    /// The code of the top-level types, by name. The types are written in the order of their names.
    var types: [String: CodeLines] = [:]
    var sources: [SourceFile] = []
    /// The descriptions of APIs by their paths.
    var descriptions: [String: Description] = [:]
    /// The names of types, by the place of their schema: a file and a JSON pointer in this file.
    var names: [String: String] = [:]
    /// The types of referenced schemas that don't become a named type, such as lists.
    var others: [String: ModelType] = [:]
    /// The names of the top-level types and of the nested types. No name is in both sets, so no type hides another type.
    var globalNames: Set<String> = []
    var innerNames: Set<String> = []
    /// The names of other types of the code.
    let taken: Set<String>
    /// The types that are being written, from the outside in, with nil for each list or dictionary between them. Only through a
    /// list or a dictionary can a type contain itself.
    var open: [String?] = []
    var documents: [String: JSONValue] = [:]
    var pointers = PointerLookup()
    var enums = EnumTypes()
    /// The whole name of the type that is being written, without its last part.
    var path: [String] = []
    /// Whether the types are for bodies. Such a type doesn't require members that only responses have.
    var isForBodies = false

    /// Makes a writer for the schemas of a workspace.
    ///
    /// - Parameter taken: The names of other types, which a top-level type must not have.
    init(_ workspace: Workspace, taken: Set<String>) {
        self.workspace = workspace
        self.taken = taken
    }

    /// The type of a response; nil if the schema is open.
    ///
    /// - Parameter lines: The types that belong to the call are added here.
    mutating func response(of endpoint: LocatedEndpoint, to lines: inout CodeLines) -> String? {
        let type: ModelType
        let expectation = endpoint.expectation(in: "")
        if expectation?.schema == nil, let described = expectation?.openAPI {
            guard let (schema, context) = schema(of: endpoint, described) else { return nil }
            type = self.type(of: schema, "Response", context, to: &lines)
        } else if let source = endpoint.responseSchema(in: "") {
            type = self.type(of: source, at: endpoint.id, "Response", to: &lines)
        } else {
            return nil
        }
        return type.isOpen ? nil : type.text + (type.isOptional ? "?" : "")
    }

    struct Context {
        /// The path of the file below `schemas/`; empty if the schema comes from an endpoint or from the description of an API.
        let file: String
        let root: JSONValue
        let owner: String
        /// Whether the schema is in an OpenAPI description. If so, references in the schema may only point into the same file.
        var isDescribed = false

        /// A key that identifies the place of a schema.
        func key(_ file: String, _ pointer: String) -> String {
            isDescribed ? "openapi \(owner)#\(pointer)" : "\(file.isEmpty ? owner : file)#\(pointer)"
        }
    }

    struct ModelType {
        var text: String
        var isOptional = false
        var isOpen = false

        static let anything = ModelType(text: "JSONLiteral", isOpen: true)
    }

    mutating func leave(_ what: String, _ context: Context, at place: Place) -> ModelType {
        notes.append(ConversionNote(.lost, "\(what) gets the type JSONLiteral", context.owner, at: place))
        return .anything
    }

    // MARK: Types

    /// The Swift type of a schema. Code for new types is added to `lines`.
    ///
    /// - Parameter isGlobal: Whether the type is a top-level type, not a nested type.
    mutating func type(
        of schema: JSONValue, _ name: String, _ context: Context, isGlobal: Bool = false, to lines: inout CodeLines
    ) -> ModelType {
        guard schema.kind == .object else { return leave("a schema that allows anything", context, at: schema.place) }
        if let text = schema["$ref"]?.string { return reference(text, context, at: schema.place) }
        var kinds: [String] =
            schema["type"].map { type in type.string.map { [$0] } ?? type.elements.compactMap(\.string) } ?? []
        let isOptional = schema.isNullable(in: context)
        kinds.removeAll { $0 == "null" }
        if kinds.isEmpty, schema["properties"] != nil || schema["allOf"] != nil { kinds = ["object"] }
        guard kinds.count == 1, ["anyOf", "oneOf", "not", "if"].allSatisfy({ schema[$0] == nil }) else {
            return leave("a schema of several types", context, at: schema.place)
        }
        if let parts = schema["allOf"] {
            // In OpenAPI 3.0, an `allOf` with a single part is the usual way to add a description to a reference.
            if parts.count == 1, schema["properties"] == nil, let only = parts.elements.first(where: { _ in true }) {
                var type = self.type(of: only, name, context, to: &lines)
                type.isOptional = type.isOptional || isOptional
                return type
            }
            guard let object = merged(schema, context), !object.members.isEmpty else {
                return leave("a schema of several types", context, at: schema.place)
            }
            let own = isGlobal ? name : innerName(name)
            writeObject(schema, object, own, to: &lines)
            return ModelType(text: own, isOptional: isOptional)
        }
        var type: ModelType
        switch kinds[0] {
        case "string":
            if let options = schema.options {
                var option = ParameterCode.OptionType(name: name, cases: ParameterCode.cases(of: options))
                if !isGlobal, let same = enums.global(like: option) {
                    return ModelType(text: same, isOptional: isOptional)
                }
                if !isGlobal { option.name = innerName(name) }
                type = ModelType(text: option.name)
                enums.write(
                    option, documentation: [schema["description"]?.string ?? ""], in: path.joined(separator: "."),
                    to: &lines)
            } else {
                type = ModelType(text: schema["format"]?.string == "date-time" ? "Date" : "String")
            }
        case "integer": type = ModelType(text: "Int")
        case "number": type = ModelType(text: "Double")
        case "boolean": type = ModelType(text: "Bool")
        case "array":
            guard let items = schema["items"], schema["prefixItems"] == nil else {
                return leave("a list without \"items\"", context, at: schema.place)
            }
            let item = inList { $0.type(of: items, "\(name)Item", context, to: &lines) }
            type = ModelType(text: "[\(item.text)\(item.isOptional ? "?" : "")]")
        case "object":
            if schema.hasProperties, let object = merged(schema, context) {
                type = ModelType(text: isGlobal ? name : innerName(name))
                writeObject(schema, object, type.text, to: &lines)
            } else if let values = schema["additionalProperties"], values.kind == .object {
                let value = inList { $0.type(of: values, "\(name)Value", context, to: &lines) }
                type = ModelType(text: "[String: \(value.text)\(value.isOptional ? "?" : "")]")
            } else {
                return leave("an object without \"properties\"", context, at: schema.place)
            }
        default: return leave("a schema of an unknown type", context, at: schema.place)
        }
        type.isOptional = isOptional
        return type
    }

    private mutating func inList(_ type: (inout ModelWriter) -> ModelType) -> ModelType {
        open.append(nil)
        defer { open.removeLast() }
        return type(&self)
    }

    /// The members of an object, and which of them are required.
    fileprivate struct Object {
        var members: [(member: JSONValue.Member, context: Context)] = []
        var required: Set<String> = []
    }

    /// The object with the members of all parts of `allOf`; nil if one of the parts isn't an object.
    private mutating func merged(_ schema: JSONValue, _ context: Context, depth: Int = 0) -> Object? {
        var object = Object()
        object.required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
        var parts: [(JSONValue, Context)] = []
        for part in schema["allOf"]?.elements.map(\.self) ?? [] {
            guard let reference = part["$ref"]?.string else {
                parts.append((part, context))
                continue
            }
            guard let target = target(of: reference, context) else { return nil }
            parts.append((target.schema, target.context))
        }
        for (part, context) in parts {
            let isObject = part["type"].map { $0.string == "object" } ?? true
            guard depth < 8, isObject, ["anyOf", "oneOf", "not", "if", "$ref"].allSatisfy({ part[$0] == nil }),
                let inner = merged(part, context, depth: depth + 1)
            else { return nil }
            object.add(inner)
        }
        var own = Object()
        own.members = schema["properties"]?.members.map { ($0, context) } ?? []
        object.add(own)
        return object
    }

    /// A name for a nested type. The name differs from the names of all top-level types, so it hides none of them.
    private mutating func innerName(_ base: String) -> String {
        let name = Self.free(base) { globalNames.contains($0) }
        innerNames.insert(name)
        return name
    }

    /// The name itself if it is free, else the name with the first number that makes it free.
    static func free(_ base: String, unless isTaken: (String) -> Bool) -> String {
        if !isTaken(base) { return base }
        var number = 2
        while isTaken("\(base)\(number)") { number += 1 }
        return "\(base)\(number)"
    }

    private struct Property {
        let name: String
        let source: String
        let type: String
        let isOptional: Bool
        let documentation: String

        var declaration: String { "\(SwiftNames.quoted(name)): \(type)\(isOptional ? "?" : "")" }
    }

    private mutating func writeObject(
        _ schema: JSONValue, _ object: Object, _ name: String, to lines: inout CodeLines
    ) {
        path.append(name)
        defer { path.removeLast() }
        var inner = CodeLines(level: lines.level + 1)
        var properties: [Property] = []
        var names = UniqueNames(separator: "")
        for (member, context) in object.members {
            let own = names.take(SwiftNames.value(member.name, role: "value", taken: ["hashValue", "init"]))
            let typeName = SwiftNames.type(own, role: "Model")
            let type = self.type(
                of: member.value, typeName == name ? "\(typeName)Model" : typeName, context, to: &inner)
            let isOptional =
                type.isOptional || !object.required.contains(member.name)
                || isForBodies && isReadOnly(member.value, context)
            properties.append(
                Property(
                    name: own, source: member.name, type: type.text, isOptional: isOptional,
                    documentation: member.value["description"]?.string ?? ""))
        }
        lines.add()
        let text = schema["description"]?.string ?? schema["title"]?.string ?? ""
        lines.document([SwiftText.oneLine(text).isEmpty ? "An object of the schema." : text])
        lines.block("public struct \(name): Codable, Hashable, Sendable") { lines in
            for property in properties {
                let text = property.documentation
                lines.document([SwiftText.oneLine(text).isEmpty ? "The member `\(property.source)`." : text])
                lines.add("public var \(property.declaration)")
            }
            lines.add()
            lines.document(["An object with these members."])
            let parameters = properties.map { $0.declaration + ($0.isOptional ? " = nil" : "") }
            lines.function("public init", parameters, "") { lines in
                for property in properties {
                    let name = SwiftNames.quoted(property.name)
                    lines.add("self.\(name) = \(name)")
                }
            }
            if properties.contains(where: { $0.name != $0.source }) {
                lines.add()
                lines.block("private enum CodingKeys: String, CodingKey") { lines in
                    for property in properties {
                        let isSame = property.name == property.source
                        lines.add(
                            "case \(SwiftNames.quoted(property.name))"
                                + (isSame ? "" : " = \(SwiftText.literal(property.source))"))
                    }
                }
            }
            lines.append(inner)
        }
    }

    /// The generated file with the top-level types; nil if there are no such types.
    func file(of module: String, start: CodeLines) -> GeneratedFile? {
        if types.isEmpty { return nil }
        var lines = start
        if types.values.contains(where: \.hasDates) { lines.add("public import Foundation") }
        // An open schema has the type `JSONLiteral`, which needs this import.
        if types.values.contains(where: { $0.lines.contains { $0.contains("JSONLiteral") } }) {
            lines.add("public import RequestBuilding")
        }
        if lines.lines.last?.isEmpty == false { lines.add() }
        for (index, type) in types.sorted(by: { $0.key < $1.key }).enumerated() {
            let body = type.value.lines.drop { $0.isEmpty }
            if index > 0 { lines.add() }
            for line in body { lines.add(line) }
        }
        return GeneratedFile(path: "\(module)/Models.swift", text: lines.text)
    }
}

extension ModelWriter.Object {
    /// Adds the members of another object. They replace members with the same name.
    fileprivate mutating func add(_ other: Self) {
        required.formUnion(other.required)
        for one in other.members {
            if let index = members.firstIndex(where: { $0.member.name == one.member.name }) {
                members[index] = one
            } else {
                members.append(one)
            }
        }
    }
}
