import ReqcliDefinitions
import ReqcliText

/// The types that the schemas of an endpoint give its call.
struct CallTypes {
    /// The type of the response.
    var value: String?
    /// The type of the whole body, which the call takes in place of `parametersInBody`.
    var body: String?
    var parametersInBody: Set<String> = []
    /// The types of the params that are JSON with a schema.
    var parameters: [String: String] = [:]
    /// The types that belong to the call alone.
    var lines = CodeLines()
}

extension ModelWriter {
    /// The type of an endpoint's body, if the body has a schema with a type and consists of params.
    mutating func body(of endpoint: LocatedEndpoint) -> CallTypes {
        var types = CallTypes()
        guard let body = endpoint.definition.request.body?.set, let schema = body.schema,
            case .json(.object(let members, _)) = body.content,
            endpoint.definition.environments.allSatisfy({ $0.value.body == nil })
        else { return types }
        let others = endpoint.placeholdersOutsideBody
        for member in members {
            if member.value.literal != nil { continue }
            guard case .text(let text) = member.value, case .name(let name)? = text.onlyPlaceholder?.value,
                endpoint.parameters[named: name] != nil
            else { return CallTypes() }
            if !others.contains(name) { types.parametersInBody.insert(name) }
        }
        let visible = endpoint.parameters.filter { !types.parametersInBody.contains($0.name) }
        guard !visible.contains(where: { ParameterCode($0).name == "body" }) else { return CallTypes() }
        isForBodies = true
        defer { isForBodies = false }
        var lines = CodeLines()
        let type = self.type(of: schema, at: endpoint.id, "Body", to: &lines)
        // A type without a name would only repeat the params.
        guard !type.isOpen, !type.isOptional, lines.lines.isEmpty else { return CallTypes() }
        types.body = type.text
        return types
    }

    /// Adds the types of the response and of params.
    mutating func addTypes(of endpoint: LocatedEndpoint, named call: String, level: Int, to types: inout CallTypes) {
        path = [call]
        defer { path = [] }
        types.lines = CodeLines(level: level)
        types.value = response(of: endpoint, to: &types.lines)
        for parameter in endpoint.parameters where !types.parametersInBody.contains(parameter.name) {
            guard parameter.value.kind == .json, let schema = parameter.value.schema else { continue }
            let (notes, lines) = (notes, types.lines)
            let name = SwiftNames.type(parameter.name, role: "Option")
            let type = self.type(of: schema, at: endpoint.id, name, to: &types.lines)
            if type.isOpen || type.isOptional {
                (self.notes, types.lines) = (notes, lines)
            } else {
                types.parameters[parameter.name] = type.text
            }
        }
    }

    /// The type of a schema in an endpoint: a schema itself, or the path of a file below `schemas/`.
    private mutating func type(
        of schema: JSONValue, at owner: String, _ name: String, to lines: inout CodeLines
    ) -> ModelType {
        let context = Context(file: "", root: schema, owner: owner)
        return schema.string.map { reference($0, context, at: schema.place) }
            ?? self.type(of: schema, name, context, to: &lines)
    }

    /// Whether only responses have a member with this schema.
    mutating func isReadOnly(_ schema: JSONValue, _ context: Context, depth: Int = 0) -> Bool {
        if schema["readOnly"]?.bool == true { return true }
        guard depth < 8 else { return false }
        let parts = [schema].filter { $0["$ref"] != nil } + (schema["allOf"]?.elements.map(\.self) ?? [])
        return parts.contains { part in
            guard let text = part["$ref"]?.string else { return isReadOnly(part, context, depth: depth + 1) }
            return target(of: text, context).map { isReadOnly($0.schema, $0.context, depth: depth + 1) } ?? false
        }
    }
}

extension LocatedEndpoint {
    /// The names of params and variables that the request has outside of its body.
    fileprivate var placeholdersOutsideBody: Set<String> {
        let layers = [definition.request] + definition.environments.map(\.value)
        let placeholders =
            (defaults?.layer.placeholders ?? [])
            + layers.flatMap { $0.layer.placeholders + ($0.path?.set?.placeholders ?? []) }
        return Set(placeholders.compactMap { if case .name(let name) = $0.value { name } else { nil } })
    }
}
