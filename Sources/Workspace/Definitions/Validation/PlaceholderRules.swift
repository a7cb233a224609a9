import ReqcliBasics
import ReqcliFunctions
import ReqcliText

/// Checks that every placeholder names something that exists.
enum PlaceholderRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let captures = Captures(definitionIndex)
        let environments = definitionIndex.environments.flatMap { environment in
            Scope.environment(definitionIndex, captures).problems(in: environment.placeholders)
        }
        return environments + definitionIndex.files.flatMap { problems(in: $0, definitionIndex, captures) }
    }

    private static func problems(
        in file: EndpointFile, _ definitionIndex: DefinitionIndex, _ captures: Captures
    ) -> [Diagnostic] {
        let defaults = file.defaults?.placeholders ?? []
        let shared = Set(defaults.map(\.value))
        // If all placeholders of the group are variables and secrets, as in most groups, they are valid for every endpoint.
        let dependsOnEndpoint = !Scope.environment(definitionIndex, captures).problems(in: defaults).isEmpty
        return file.located.flatMap { endpoint -> [Diagnostic] in
            let own = endpoint.definition.placeholders
            // The group's placeholders must be valid for each endpoint that doesn't override them.
            let standing = dependsOnEndpoint ? file.defaults?.placeholders(unlessSaidBy: endpoint.definition) ?? [] : []
            let all = own + standing
            return (all.isEmpty ? [] : Scope.endpoint(endpoint, definitionIndex, captures).problems(in: all))
                + unused(endpoint, own, shared)
        }
    }

    private static func unused(
        _ endpoint: LocatedEndpoint, _ own: [Located<Placeholder>], _ shared: Set<Placeholder>
    ) -> [Diagnostic] {
        endpoint.definition.parameters(unusedBy: Set(own.map(\.value)).union(shared)).map { parameter in
            Diagnostic(
                .warning, code: .parameterUnused, "nothing uses the param \"\(parameter.name)\"",
                at: parameter.namePlace, hint: "use it as {{\(parameter.name)}}, or remove it")
        }
    }
}

extension LocatedEndpoint {
    /// The endpoint's own params that no placeholder of the endpoint or its group uses.
    package var unusedParameters: [Named<Parameter>] {
        definition.parameters(unusedBy: Set((definition.placeholders + (defaults?.placeholders ?? [])).map(\.value)))
    }
}

extension EndpointDefinition {
    fileprivate func parameters(unusedBy placeholders: Set<Placeholder>) -> [Named<Parameter>] {
        takesVariables ? [] : parameters.filter { !placeholders.contains(.name($0.name)) }
    }

    /// Whether a GraphQL document of the endpoint may use any of its params.
    private var takesVariables: Bool {
        flatMapLayers { [$0.body?.set?.content] }.contains {
            if case .graphQL(let operation) = $0 { operation.variables == nil } else { false }
        }
    }
}

/// The names of all captures, by endpoint. They are collected once, and not again for each endpoint that needs the endpoint with the
/// captures.
private struct Captures {
    private let names: [String: Set<String>]
    /// The captures of the aliases of all environments, because the environment of a request is not known here; nil if the
    /// endpoint isn't known.
    private(set) var ofEnvironments: [String: Set<String>?] = [:]

    init(_ definitionIndex: DefinitionIndex) {
        let endpoints = definitionIndex.soundEndpoints.filter { !$0.definition.captures.isEmpty }
        names = Dictionary(
            endpoints.map { ($0.id, Set($0.definition.captures.map(\.name))) }, uniquingKeysWith: { first, _ in first })
        for need in definitionIndex.chains.flatMap(\.needs) {
            let own = captures(of: need, definitionIndex)
            ofEnvironments[need.name] = .some(
                (ofEnvironments[need.name] ?? []).flatMap { known in own.map(known.union) })
        }
    }

    /// The captures of the endpoint that an entry of `needs` names; nil if the endpoint isn't known.
    func captures(of need: Named<Need>, _ definitionIndex: DefinitionIndex) -> Set<String>? {
        guard let id = need.value.endpoint?.value, case .found(let target) = definitionIndex.endpoint(id) else {
            return nil
        }
        return self[target]
    }

    subscript(_ endpoint: LocatedEndpoint) -> Set<String> { names[endpoint.id] ?? [] }
}

/// The names that placeholders can use at one place.
struct Scope {
    private enum Owner { case environment, endpoint, scenario }

    private let owner: Owner
    private let definitionIndex: DefinitionIndex
    /// The params; nil in an environment, because environments have no params.
    private let parameters: [String]?
    private let isParameter: Set<String>
    /// The captures of each alias in `needs`; nil if the endpoint isn't known.
    private let aliases: [String: Set<String>?]

    fileprivate static func environment(_ definitionIndex: DefinitionIndex, _ captures: Captures) -> Scope {
        Scope(.environment, definitionIndex, parameters: nil, aliases: captures.ofEnvironments)
    }

    /// - Parameters:
    ///   - parameters: The scenario's params, and the element of a loop.
    ///   - steps: The captures of earlier steps, and the members of the element; nil if they aren't known.
    static func step(_ definitionIndex: DefinitionIndex, parameters: [String], steps: [String: Set<String>?]) -> Scope {
        Scope(.scenario, definitionIndex, parameters: parameters, aliases: steps)
    }

    fileprivate static func endpoint(
        _ endpoint: LocatedEndpoint, _ definitionIndex: DefinitionIndex, _ captures: Captures
    )
        -> Scope
    {
        var aliases = captures.ofEnvironments
        for need in endpoint.needs { aliases[need.name] = .some(captures.captures(of: need, definitionIndex)) }
        return Scope(
            .endpoint, definitionIndex, parameters: endpoint.parameters.map(\.name), aliases: aliases)
    }

    private init(
        _ owner: Owner, _ definitionIndex: DefinitionIndex, parameters: [String]?, aliases: [String: Set<String>?]
    ) {
        self.owner = owner
        self.definitionIndex = definitionIndex
        self.parameters = parameters
        isParameter = Set(parameters ?? [])
        self.aliases = aliases
    }

    func problems(in placeholders: [Located<Placeholder>]) -> [Diagnostic] {
        placeholders.compactMap { placeholder in
            switch placeholder.value {
            // The names in a placeholder with functions are placeholders themselves.
            case .generated, .processVariable, .computed: nil
            case .name(let name): unknownName(name, placeholder.place)
            case .secret(let name): unknownSecret(name, placeholder.place)
            case .capture(let alias, let name): unknownCapture(alias, name, placeholder.place)
            }
        }
    }

    private func unknownName(_ name: String, _ place: Place) -> Diagnostic? {
        if isParameter.contains(name) || definitionIndex.variables.contains(name)
            || !definitionIndex.knowsAllEnvironments || RequestWord.isOne(name)
        {
            return nil
        }
        if name == Placeholder.index {
            return Diagnostic(
                code: .valueUnresolved, "\"{{\(name)}}\" has a value only in a step with \"forEach\"", at: place)
        }
        let question =
            definitionIndex.secrets.contains(name)
            ? "did you mean {{secret.\(name)}}?"
            : NearNames.question(for: name, among: parameters ?? []) ?? definitionIndex.variables.question(for: name)
        guard parameters != nil else {
            return Diagnostic(
                code: .valueUnresolved, "\"{{\(name)}}\" is not a variable of any environment", at: place,
                hint: question ?? "declare it in \"variables\"; params exist only in their endpoint")
        }
        return Diagnostic(
            code: .valueUnresolved, "\"{{\(name)}}\" is neither a param nor a variable of any environment", at: place,
            hint: question ?? "declare it in \"params\", or in an environment's \"variables\"")
    }

    private func unknownSecret(_ name: String, _ place: Place) -> Diagnostic? {
        if definitionIndex.secrets.contains(name) || !definitionIndex.knowsAllEnvironments { return nil }
        return Diagnostic(
            code: .secretUnknown, "no environment has a secret \"\(name)\"", at: place,
            hint: definitionIndex.secrets.question(for: name) ?? "add it to \"secrets\"")
    }

    private func unknownCapture(_ alias: String, _ name: String, _ place: Place) -> Diagnostic? {
        guard let captures = aliases[alias] else {
            guard parameters != nil else {
                return Diagnostic(
                    code: .captureUnknown,
                    "\"{{\(alias).\(name)}}\" is a capture, but no environment has the alias \"\(alias)\" in \"needs\"",
                    at: place,
                    hint: NearNames.question(for: alias, among: aliases.keys.sorted() + ["secret"])
                        ?? "add \"needs\": {\"\(alias)\": \"the.endpoint\"}")
            }
            if owner == .scenario {
                return Diagnostic(
                    code: .captureUnknown, "no earlier step is called \"\(alias)\"", at: place,
                    hint: NearNames.question(for: alias, among: aliases.keys.sorted() + ["secret"])
                        ?? "a step can use captures of earlier steps: {{name.capture}}")
            }
            return Diagnostic(
                code: .captureUnknown, "\"\(alias)\" is not an alias in \"needs\"", at: place,
                hint: NearNames.question(for: alias, among: aliases.keys.sorted() + ["secret"])
                    ?? "add \"needs\": {\"\(alias)\": \"the.endpoint\"}")
        }
        guard let captures, !captures.contains(name) else { return nil }
        if owner == .scenario {
            return Diagnostic(
                code: .captureUnknown, "the step \"\(alias)\" has no capture \"\(name)\"", at: place,
                hint: NearNames.question(for: name, among: captures.sorted())
                    ?? "add it to the \"capture\" of the step or of its endpoint")
        }
        return Diagnostic(
            code: .captureUnknown, "the endpoint of \"\(alias)\" has no capture \"\(name)\"", at: place,
            hint: NearNames.question(for: name, among: captures.sorted())
                ?? "add it to the \"capture\" of that endpoint")
    }
}
