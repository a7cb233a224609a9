import ReqcliJSONSchema
import ReqcliText

extension OpenAPIDocument {
    /// All operations below `paths`, in the order of the description.
    package mutating func operations() -> [OpenAPIOperation] { outlines().map { operation($0) } }

    /// The outlines of all operations, without their parameters, bodies and responses. A large description has many operations,
    /// and only few of them are used.
    package mutating func outlines() -> [OpenAPIOutline] {
        var found: [OpenAPIOutline] = []
        guard let paths = resolve(root["paths"]) else { return [] }
        // If a path is there twice, the last one counts.
        let last = Dictionary(paths.members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { $1 })
        for (index, path) in paths.members.enumerated() where !path.name.hasPrefix("x-") && path.name != "$ref" {
            if last[path.name] != index { continue }
            let pointer = "#/paths/" + JSONPointer.escaped(path.name)
            for item in pathItems(path.value) { found += outlines(of: item, path.name, pointer) }
        }
        return found
    }

    /// The object of a path, and the object that its `$ref` leads to. Both may contain operations.
    private mutating func pathItems(_ value: JSONValue) -> [JSONValue] {
        guard value["$ref"] != nil else { return value.kind == .object ? [value] : [] }
        let target = resolve(value)
        return [value] + (target.map { $0.kind == .object ? [$0] : [] } ?? [])
    }

    private mutating func outlines(of item: JSONValue, _ path: String, _ pointer: String) -> [OpenAPIOutline] {
        func outline(_ member: JSONValue.Member, _ method: String, _ pointer: String) -> OpenAPIOutline {
            // An operation may be a reference, although the specification knows none here.
            OpenAPIOutline(
                method: method, path: path, pointer: pointer, place: member.key.place,
                value: resolve(member.value) ?? member.value, item: item)
        }
        var found = item.members.filter { Self.methods.contains($0.name) && $0.value.kind == .object }.map {
            outline($0, $0.name.uppercased(), "\(pointer)/\($0.name)")
        }
        if version >= .v32, let additional = item["additionalOperations"] {
            found += additional.members.filter { $0.value.kind == .object }.map {
                outline($0, $0.name, "\(pointer)/additionalOperations/\(JSONPointer.escaped($0.name))")
            }
        }
        return found
    }

    private mutating func operation(_ outline: OpenAPIOutline) -> OpenAPIOperation {
        let own = parameters(of: outline.value)
        let keys = Set(own.map(ParameterKey.init))
        let all = parameters(of: outline.item).filter { !keys.contains(ParameterKey($0)) } + own
        let fields = all.filter { $0.location == .form }
        return OpenAPIOperation(
            method: outline.method, path: outline.path, pointer: outline.pointer, place: outline.place,
            value: outline.value, parameters: all.filter { $0.location != .form },
            body: body(of: outline.value, sharedBy: outline.item, fields: fields),
            responses: responses(of: outline), servers: outline.servers)
    }

    private static let methods: Set<String> = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ]

    // MARK: Parameters

    /// The name and location of a parameter. An operation has at most one parameter for each key.
    private struct ParameterKey: Hashable {
        let name: String
        let location: OpenAPIParameter.Location

        init(_ parameter: OpenAPIParameter) {
            name = parameter.name
            location = parameter.location
        }
    }

    private mutating func parameters(of value: JSONValue) -> [OpenAPIParameter] {
        var found: [OpenAPIParameter] = []
        var indices: [ParameterKey: Int] = [:]
        guard let list = value["parameters"] else { return [] }
        for element in list.elements {
            guard let parameter = resolve(element).flatMap({ parameter($0) }) else { continue }
            let key = ParameterKey(parameter)
            if let index = indices[key] {
                found[index] = parameter
            } else {
                indices[key] = found.count
                found.append(parameter)
            }
        }
        return found
    }

    /// Reads a parameter. Returns nil for any other value, such as a body in Swagger 2.0.
    private mutating func parameter(_ value: JSONValue) -> OpenAPIParameter? {
        guard let name = value["name"]?.string, let word = value["in"]?.string,
            let location = OpenAPIParameter.Location(rawValue: word)
        else { return nil }
        let content = value["content"].flatMap { contents(of: $0).first }
        let (style, isExploded) =
            version == .swagger ? Self.style(ofCollection: value) : Self.style(of: value, location)
        return OpenAPIParameter(
            name: name, location: location, isRequired: value["required"]?.bool == true || location == .path,
            isDeprecated: value["deprecated"]?.bool == true, description: value["description"]?.string,
            schema: version == .swagger ? value : content?.schema ?? value["schema"], style: style,
            isExploded: isExploded, mediaType: content?.mediaType,
            examples: examples(of: value) + (content?.examples ?? []),
            place: value.place)
    }

    private static func style(
        of value: JSONValue, _ location: OpenAPIParameter.Location
    ) -> (OpenAPIParameter.Style, isExploded: Bool) {
        let usual: OpenAPIParameter.Style = location == .path || location == .header ? .simple : .form
        let style = value["style"]?.string.flatMap { OpenAPIParameter.Style(rawValue: $0) } ?? usual
        return (style, value["explode"]?.bool ?? (style == .form || style == .cookie))
    }

    private static func style(ofCollection value: JSONValue) -> (OpenAPIParameter.Style, isExploded: Bool) {
        let isInURL = value["in"]?.string == "path" || value["in"]?.string == "header"
        switch value["collectionFormat"]?.string {
        case "multi": return (.form, true)
        case "ssv": return (.spaceDelimited, false)
        case "tsv": return (.tabDelimited, false)
        case "pipes": return (.pipeDelimited, false)
        default: return (isInURL ? .simple : .form, false)
        }
    }

    // MARK: Bodies

    private mutating func body(
        of operation: JSONValue, sharedBy item: JSONValue, fields: [OpenAPIParameter]
    ) -> OpenAPIBody? {
        guard version == .swagger else {
            guard let stated = operation["requestBody"], let value = resolve(stated) else { return nil }
            return OpenAPIBody(
                isRequired: value["required"]?.bool == true, description: value["description"]?.string,
                contents: value["content"].map { contents(of: $0) } ?? [], place: stated.place)
        }
        let consumed = (operation["consumes"] ?? root["consumes"])?.elements.compactMap(\.string) ?? []
        if let first = fields.first {
            let hasFile = fields.contains { $0.schema?["type"]?.string == "file" }
            let known = consumed.first { $0.hasPrefix("multipart/form-data") || $0.hasSuffix("urlencoded") }
            let type = hasFile ? "multipart/form-data" : known ?? "application/x-www-form-urlencoded"
            return OpenAPIBody(
                isRequired: fields.contains(where: \.isRequired), description: nil,
                contents: [
                    OpenAPIContent(
                        mediaType: type, schema: nil, fields: fields, examples: [], encoding: nil, place: first.place)
                ], place: first.place)
        }
        for holder in [operation, item] {
            guard let list = holder["parameters"] else { continue }
            for element in list.elements {
                guard let value = resolve(element), value["in"]?.string == "body" else { continue }
                return OpenAPIBody(
                    isRequired: value["required"]?.bool == true, description: value["description"]?.string,
                    contents: (consumed.isEmpty ? ["application/json"] : consumed).map {
                        OpenAPIContent(
                            mediaType: $0, schema: value["schema"], fields: [], examples: [], encoding: nil,
                            place: value.place)
                    }, place: value.place)
            }
        }
        return nil
    }

    private mutating func contents(of value: JSONValue) -> [OpenAPIContent] {
        value.members.compactMap { member in
            guard let media = resolve(member.value) else { return nil }
            return OpenAPIContent(
                mediaType: member.name, schema: media["schema"], fields: [], examples: examples(of: media),
                encoding: media["encoding"], place: member.key.place)
        }
    }

    private mutating func examples(of value: JSONValue) -> [OpenAPIExample] {
        var found: [OpenAPIExample] = []
        if let example = value["example"] {
            found.append(OpenAPIExample(name: nil, summary: nil, value: example, place: example.place))
        }
        guard let named = value["examples"] else { return found }
        for member in named.members {
            guard let example = resolve(member.value), example.kind == .object else { continue }
            found.append(
                OpenAPIExample(
                    name: member.name, summary: example["summary"]?.string,
                    value: example["dataValue"] ?? example["value"] ?? example["serializedValue"],
                    place: (example["externalValue"] ?? member.key).place))
        }
        return found
    }

    // MARK: Responses

    package mutating func responses(of outline: OpenAPIOutline) -> [OpenAPIResponse] {
        let operation = outline.value
        guard let stated = resolve(operation["responses"]) else { return [] }
        return stated.members.compactMap { member in
            guard !member.name.hasPrefix("x-"), let value = resolve(member.value), value.kind == .object else {
                return nil
            }
            // In YAML, a status without quotes is a number. `member.name` is its source text.
            return OpenAPIResponse(
                status: member.name, description: value["description"]?.string,
                contents: version == .swagger
                    ? swaggerContents(of: value, operation) : value["content"].map { contents(of: $0) } ?? [],
                headers: value["headers"],
                links: value.members.first { $0.name == "links" && $0.value.count > 0 }?.key, place: member.key.place)
        }
    }

    private func swaggerContents(of response: JSONValue, _ operation: JSONValue) -> [OpenAPIContent] {
        let examples = response["examples"]?.members.map { $0 } ?? []
        guard response["schema"] != nil || !examples.isEmpty else { return [] }
        var types = (operation["produces"] ?? root["produces"])?.elements.compactMap(\.string) ?? []
        if types.isEmpty { types = ["application/json"] }
        types += examples.map(\.name).filter { !types.contains($0) }
        return types.map { type in
            OpenAPIContent(
                mediaType: type, schema: response["schema"], fields: [],
                examples: examples.filter { $0.name == type }.map {
                    OpenAPIExample(name: nil, summary: nil, value: $0.value, place: $0.key.place)
                }, encoding: nil, place: response.place)
        }
    }
}
