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
    /// The type of an endpoint's body, if the body consists of params and has a schema: its own, or that of the operation in the
    /// description that the endpoint expects. A note reports if its own schema gives no type.
    mutating func body(of endpoint: LocatedEndpoint, named call: String, level: Int) -> CallTypes {
        guard let body = endpoint.definition.request.body?.set, case .json(let template) = body.content else {
            return CallTypes()
        }
        func untyped(_ reason: String) -> CallTypes {
            if let schema = body.schema {
                let message = "the schema of a body gives it no type, because \(reason)"
                self.notes.append(ConversionNote(.lost, message, endpoint.id, at: schema.place))
            }
            return CallTypes()
        }
        guard endpoint.definition.environments.allSatisfy({ $0.value.body == nil }) else {
            return untyped("the body depends on the environment")
        }
        guard let names = template.parameterNames, names.allSatisfy({ endpoint.parameters[named: $0] != nil }) else {
            return untyped("a value in the body is not a whole param")
        }
        var types = CallTypes()
        types.parametersInBody = Set(names).subtracting(endpoint.placeholdersOutsideBody)
        let others = endpoint.parameters.filter { !types.parametersInBody.contains($0.name) }
        guard !others.contains(where: { ParameterCode($0).name == "body" }) else {
            return untyped("a param outside of it has the name body")
        }
        if names.isEmpty { return CallTypes() }
        let (earlierNotes, earlierEnums) = (notes, enums)
        (isForBodies, path, types.lines) = (true, [call], CodeLines(level: level))
        defer { (isForBodies, path) = (false, []) }
        var type = ModelType.anything
        if let schema = body.schema {
            type = self.type(of: schema, at: endpoint.id, "Body", to: &types.lines)
        } else if names.allSatisfy({ endpoint.parameters[named: $0]?.defaultValue == nil }),
            let (schema, context) = describedBody(of: endpoint)
        {
            type = self.type(of: schema, "Body", context, to: &types.lines)
        }
        guard !type.isOpen, !type.isOptional else {
            (notes, enums) = (earlierNotes, earlierEnums)
            return untyped("Swift has no type for it")
        }
        types.body = type.text
        return types
    }

    /// Adds the types of the response and of params.
    mutating func addTypes(of endpoint: LocatedEndpoint, named call: String, level: Int, to types: inout CallTypes) {
        path = [call]
        defer { path = [] }
        if types.body == nil { types.lines = CodeLines(level: level) }
        types.value = response(of: endpoint, to: &types.lines)
        for parameter in endpoint.parameters where !types.parametersInBody.contains(parameter.name) {
            guard parameter.value.kind == .json, let schema = parameter.value.schema else { continue }
            let (notes, enums, lines) = (notes, enums, types.lines)
            let name = SwiftNames.type(parameter.name, role: "Option")
            let type = self.type(of: schema, at: endpoint.id, name, to: &types.lines)
            if type.isOpen || type.isOptional {
                (self.notes, self.enums, types.lines) = (notes, enums, lines)
            } else {
                types.parameters[parameter.name] = type.text
            }
        }
    }

    /// The type of a schema in an endpoint: a schema itself, or the path of a file below `schemas/`.
    mutating func type(
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

extension ValueTemplate {
    /// The names of the placeholders in the value; nil if a placeholder is only a part of a string, or is chosen by a `$switch`.
    fileprivate var parameterNames: [String]? {
        if literal != nil { return [] }
        let names: [[String]?]
        switch self {
        case .text(let text):
            guard case .name(let name)? = text.onlyPlaceholder?.value else { return nil }
            return [name]
        case .object(let members, _): names = members.map(\.value.parameterNames)
        case .list(let elements, _): names = elements.map(\.parameterNames)
        case .choice, .plain, .scalar: return nil
        }
        return names.contains { $0 == nil } ? nil : names.flatMap { $0 ?? [] }
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
