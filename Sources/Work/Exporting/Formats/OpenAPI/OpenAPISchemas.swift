import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// The schemas of a description: the schemas of params, and one component for each file below `schemas/`.
struct OpenAPISchemas {
    private let workspace: Workspace
    private(set) var all: [OrderedJSON.Member] = []
    private var names = UniqueNames(separator: "_")
    private(set) var notes: [ConversionNote] = []
    /// The files below `schemas/` that became components, by their paths.
    private(set) var files: [OrderedJSON.Member] = []
    /// The component of each file, by its path below `schemas/`.
    private var components: [String: String] = [:]

    init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    // MARK: Params

    mutating func schema(of parameter: Parameter) -> OrderedJSON {
        var members: [OrderedJSON.Member] = []
        func add(_ name: String, _ value: OrderedJSON?) {
            if let value { members.append(OrderedJSON.Member(name, value)) }
        }
        switch parameter.kind {
        case .string, .integer, .number, .boolean: add("type", .string(parameter.kind.rawValue))
        case .file:
            add("type", "string")
            add("contentMediaType", "application/octet-stream")
        case .list:
            add("type", "array")
            add("items", parameter.items.map { schema(of: $0) })
        case .json:
            if let source = parameter.schema, case .object(let own) = schema(source, called: "param") { members = own }
        }
        add("enum", parameter.allowed.map { .array($0.map(\.value)) })
        add("pattern", parameter.pattern.map { .string("^(?:\($0.value))$") })
        add("format", parameter.format.map { .string($0.rawValue) })
        add("minimum", parameter.minimum.map { .number($0.text) })
        add("maximum", parameter.maximum.map { .number($0.text) })
        add("minLength", parameter.minimumLength.map { .int($0) })
        add("maxLength", parameter.maximumLength.map { .int($0) })
        add("minItems", parameter.minimumCount.map { .int($0) })
        add("maxItems", parameter.maximumCount.map { .int($0) })
        add("default", parameter.isSecret ? nil : parameter.defaultValue?.value)
        return .object(members)
    }

    // MARK: JSON Schema

    /// A schema from an endpoint file: a schema written in place, or a reference to the component of a schema file.
    ///
    /// - Parameter name: If a schema in place refers to itself, it becomes a component with this name.
    mutating func schema(_ source: JSONValue, called name: String) -> OrderedJSON {
        guard source.kind == .object else { return reference(source.string ?? "", from: "", at: source.place) }
        guard source.hasLocalReferences else { return converted(source, file: "", component: nil) }
        let component = freeName(name)
        let index = all.count
        all.append(OrderedJSON.Member(component, .null))
        all[index] = OrderedJSON.Member(component, converted(source, file: "", component: component))
        return .object(["$ref": .string("#/components/schemas/\(component)")])
    }

    /// A reference to a file below `schemas/`. The reference is relative to another file below `schemas/`.
    private mutating func reference(_ text: String, from file: String, at place: Place) -> OrderedJSON {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let fragment = parts.count > 1 ? parts[1] : ""
        guard fragment.isEmpty || fragment.hasPrefix("/") else {
            notes.append(ConversionNote(.lost, "references to an anchor are not converted", text, at: place))
            return .object([])
        }
        let path = FilePath.tidy(FilePath.join(FilePath.parent("/" + file), parts[0]))
        guard let component = component(of: String(path.drop { $0 == "/" }), at: place) else { return .object([]) }
        return .object(["$ref": .string("#/components/schemas/\(component)\(fragment)")])
    }

    private mutating func component(of path: String, at place: Place) -> String? {
        if let known = components[path] { return known }
        let file = workspace.path("\(SchemaStore.folder)/\(path)")
        guard let bytes = try? workspace.files.read(file, Workspace.largestFile),
            let root = JSONDocument.read(
                SourceFile(name: workspace.shown("\(SchemaStore.folder)/\(path)"), bytes: bytes)
            ).root
        else {
            notes.append(ConversionNote(.lost, "a schema can't be read", path, at: place))
            return nil
        }
        let name = freeName(path.hasSuffix(".json") ? String(path.dropLast(5)) : path)
        components[path] = name
        files.append(OrderedJSON.Member(path, OrderedJSON(root)))
        let index = all.count
        all.append(OrderedJSON.Member(name, .null))
        all[index] = OrderedJSON.Member(name, converted(root, file: path, component: name))
        return name
    }

    private mutating func freeName(_ text: String) -> String {
        let bytes = text.utf8.map { $0.isAlphanumeric || [0x2D, 0x2E, 0x5F].contains($0) ? $0 : UInt8(ascii: "_") }
        return names.take(String(decoding: bytes, as: UTF8.self))
    }

    /// A copy of the schema in which references point to components.
    private mutating func converted(_ schema: JSONValue, file: String, component: String?) -> OrderedJSON {
        switch schema.kind {
        case .object:
            var members: [OrderedJSON.Member] = []
            for member in schema.members {
                let value = member.value
                switch member.name {
                case "$ref" where value.kind == .string:
                    let text = value.string ?? ""
                    if let component, text == "#" || text.hasPrefix("#/") {
                        members.append(
                            .init("$ref", .string("#/components/schemas/\(component)\(text.dropFirst())")))
                    } else if text.hasPrefix("http:") || text.hasPrefix("https:") {
                        members.append(.init("$ref", .string(text)))
                    } else if case .object(let own) = reference(text, from: file, at: value.place) {
                        members += own
                    }
                // With an `$id`, the references in the schema would be resolved against another base. So it is left out.
                case "$id", "$schema": break
                case "const", "enum", "default", "example", "examples":
                    members.append(.init(member.name, OrderedJSON(value)))
                default:
                    members.append(.init(member.name, converted(value, file: file, component: component)))
                }
            }
            return .object(members)
        case .array: return .array(schema.elements.map { converted($0, file: file, component: component) })
        default: return OrderedJSON(schema)
        }
    }
}

extension JSONValue {
    /// Whether the schema contains a `$ref` to a part of itself.
    fileprivate var hasLocalReferences: Bool {
        descendants.contains { value in
            value.kind == .object && value["$ref"]?.string?.hasPrefix("#") == true
        } || (kind == .object && self["$ref"]?.string?.hasPrefix("#") == true)
    }
}
