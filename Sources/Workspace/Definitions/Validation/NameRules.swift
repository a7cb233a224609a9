import ReqcliBasics
import ReqcliText

/// Checks that the endpoints, environments, stub variants and params that definitions name exist. Placeholders have their own
/// rules, because what they can name depends on the place.
enum NameRules {
    static func rule(_ definitionIndex: DefinitionIndex) -> MentionRule {
        let environments = UnknownEnvironments(definitionIndex)
        lazy var variantsOfAll = AllVariantNames(definitionIndex)
        var problems: [Diagnostic?] = []
        return MentionRule { mention, scope in
            switch mention {
            case .environment(let name): problems.append(environments.problem(name))
            case .endpoint(let id): problems.append(definitionIndex.unknownEndpoint(id))
            case .variant(let name, "*"): problems.append(variantsOfAll.unknown(name))
            case .variant(let name, let id):
                let endpoint = endpoint(id, scope, definitionIndex)
                problems.append(endpoint.flatMap { VariantNames($0).unknown(name) })
            case .parameter(let name, let id):
                let endpoint = endpoint(id, scope, definitionIndex)
                problems.append(
                    endpoint?.unknownParameter(name.value)?.diagnostic(.parameterUnknown, at: name.place))
            case .placeholder, .path, .pattern, .schema, .description, .file, .stubFile: break
            }
        } problems: {
            problems.compactMap(\.self)
        }
    }

    /// The endpoint with an id or, without an id, the endpoint that a definition is about.
    private static func endpoint(
        _ id: String?, _ scope: MentionScope, _ definitionIndex: DefinitionIndex
    ) -> LocatedEndpoint? {
        if let id {
            if case .found(let endpoint) = definitionIndex.endpoint(id) { return endpoint }
        } else if case .endpoint(let endpoint) = scope {
            return endpoint
        }
        return nil
    }
}

extension LocatedEndpoint {
    /// The problem with the name of a param; nil if the endpoint has this param.
    package func unknownParameter(_ name: String) -> NotFound? {
        if parameters[named: name] != nil { return nil }
        let names = parameters.map(\.name)
        return NotFound(
            message: "\(id) has no param \"\(name)\"",
            hint: NearNames.question(for: name, among: names)
                ?? (names.isEmpty ? "the endpoint has no params" : "params of the endpoint: \(names.listed)"))
    }
}

extension DefinitionIndex {
    /// The problem with the id of an endpoint; nil if there is such an endpoint, or if it may be in a file that can't be read.
    fileprivate func unknownEndpoint(_ id: Located<String>) -> Diagnostic? {
        guard case .missing = endpoint(id.value) else { return nil }
        return Diagnostic(
            code: .endpointUnknown, "there is no endpoint \"\(id.value)\"", at: id.place,
            hint: endpointIDs.question(for: id.value))
    }
}

/// The variants of an endpoint.
private struct VariantNames {
    private let id: String
    private let known: NameIndex

    init(_ endpoint: LocatedEndpoint) {
        id = endpoint.id
        known = NameIndex(endpoint.definition.stubs?.variants.map(\.name) ?? [])
    }

    func unknown(_ name: Located<String>) -> Diagnostic? {
        if known.contains(name.value) { return nil }
        let list = known.names.isEmpty ? "the endpoint has no stub variants" : "available: \(known.names.listed)"
        return Diagnostic(
            code: .variantUnknown, "\(id) has no stub variant \"\(name.value)\"", at: name.place,
            hint: known.question(for: name.value).map { "\($0) \(list)" } ?? list)
    }
}

/// The variants of all endpoints.
private struct AllVariantNames {
    private let known: NameIndex
    /// Whether all variants are known. False if there are no endpoints yet, or if some endpoints couldn't be read.
    private let isComplete: Bool

    init(_ definitionIndex: DefinitionIndex) {
        known = NameIndex(definitionIndex.soundEndpoints.flatMap { $0.definition.stubs?.variants.map(\.name) ?? [] })
        isComplete = definitionIndex.knowsAllEndpoints && !definitionIndex.soundEndpoints.isEmpty
    }

    func unknown(_ name: Located<String>) -> Diagnostic? {
        if known.contains(name.value) || !isComplete { return nil }
        return Diagnostic(
            code: .variantUnknown, "no endpoint has a stub variant \"\(name.value)\"", at: name.place,
            hint: known.question(for: name.value) ?? (known.names.isEmpty ? nil : "available: \(known.names.listed)"))
    }
}

/// Reports names of environments that don't exist.
private struct UnknownEnvironments {
    private let known: NameIndex
    private let list: String

    init(_ definitionIndex: DefinitionIndex) {
        known = definitionIndex.environmentNames
        list = NotFound.environmentList(known.names)
    }

    func problem(_ name: Located<String>) -> Diagnostic? {
        if known.contains(name.value) { return nil }
        return NotFound.environment(name.value, question: known.question(for: name.value), list: list)
            .diagnostic(.environmentUnknown, at: name.place)
    }
}
