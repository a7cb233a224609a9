package import ReqcliText

/// Validates `needs`: the endpoints get the params that they require, there is no cycle, and no chain is too long to run.
package enum NeedRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        func find(_ id: String) -> LocatedEndpoint? {
            if case .found(let target) = definitionIndex.endpoint(id) { target } else { nil }
        }
        let endpoints = definitionIndex.endpoints
        let own =
            endpoints.allSatisfy(\.needs.isEmpty)
            ? []
            : problems(of: endpoints, find)
                + endpoints.flatMap { endpoint in
                    endpoint.definition.checks.flatMap { endpoint.capturesHandedToNeeds(by: $0) }
                }
        let shared = definitionIndex.chains.filter { !$0.needs.isEmpty }.flatMap { chain in
            chain.needs.flatMap { problems($0.value, find) } + chain.credentialsOfNeeds(find)
                + ways(
                    among: endpoints.map { $0.inside(chain) },
                    hint: "write null for the environment's alias in \"needs\" of one of them")
        }
        return own + shared
    }

    /// The problems of the needs of some endpoints, except for ids that no endpoint has.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints and the endpoints that they need, each once, in the order of the files.
    ///   - find: Finds an endpoint by its id.
    package static func problems(of endpoints: [LocatedEndpoint], _ find: (String) -> LocatedEndpoint?) -> [Diagnostic]
    {
        let own = endpoints.flatMap { endpoint in
            endpoint.needs.flatMap { problems($0.value, find) } + endpoint.capturesHandedToNeeds()
        }
        return own + ways(among: endpoints)
    }

    /// The problems with the ways from endpoints to the endpoints that they need: circles, or chains that are too long.
    private static func ways(among endpoints: [LocatedEndpoint], hint: String? = nil) -> [Diagnostic] {
        let graph = ReferenceGraph(endpoints.map { ($0.id, $0.needs.compactMap(\.value.endpoint)) })
        let circles = graph.cycles().map { circle($0, hint: hint) }
        // A chain through a cycle would also be reported as too long.
        return circles.isEmpty ? graph.chains(longerThan: Limits.chain).map(tooLong) : circles
    }

    private static func problems(_ need: Need, _ find: (String) -> LocatedEndpoint?) -> [Diagnostic] {
        guard let id = need.endpoint, let target = find(id.value) else { return [] }
        let given = GivenParameters(need.parameters, for: target)
        return given.unknown() + given.mismatches() + given.missing(at: id.place)
    }

    private static func circle(_ cycle: ReferenceGraph.Cycle, hint: String?) -> Diagnostic {
        .cycle(
            .needsCycle, "endpoints need each other", cycle.names, at: cycle.place,
            hint: cycle.names.count == 2
                ? "an endpoint can't need itself; write null to remove a need of the group"
                : hint)
    }

    private static func tooLong(_ chain: (description: String, place: Place?)) -> Diagnostic {
        Diagnostic(
            code: .needsDepth,
            "a chain of needs has more than \(Limits.chain) endpoints: \(chain.description)", at: chain.place,
            hint: "remove one of these needs")
    }
}

extension EnvironmentChain {
    /// Reports that an endpoint which the environment needs has the environment's `auth`, although that contains its captures.
    fileprivate func credentialsOfNeeds(_ find: (String) -> LocatedEndpoint?) -> [Diagnostic] {
        var credentials = RequestLayer()
        credentials.auth = layers.last { $0.layer.auth != nil }?.layer.auth
        let placeholders = credentials.placeholders
        let aliases = Set(needs.map(\.name))
        return needs.compactMap { need in
            guard let id = need.value.endpoint, let target = find(id.value),
                target.layers(in: name).allSatisfy({ $0.auth == nil }),
                let use = placeholders.first(where: { $0.value.captureAlias.map(aliases.contains) ?? false })
            else { return nil }
            return Diagnostic(
                code: .captureTooLate,
                "\(own: id.value) has no value for \"{{\(own: use.value.text)}}\", because it is called first",
                at: id.place, hint: "write \"auth\": null in \(id.value), or the credentials of the login",
                notes: [Diagnostic.Note("the capture is used here", at: use.place)])
        }
    }
}

// The endpoints in `needs` are called before the endpoint that needs them, in no fixed order. So the params of a needed endpoint
// can't use the captures of another needed endpoint.
extension LocatedEndpoint {
    /// Reports captures that are used in `with` of the endpoint's `needs`.
    fileprivate func capturesHandedToNeeds() -> [Diagnostic] {
        placeholdersOfNeeds.compactMap { placeholder in
            guard case .capture(let alias, let name) = placeholder.value, needs[named: alias] != nil else { return nil }
            return tooLate("the capture \"\(alias).\(name)\"", at: placeholder.place)
        }
    }

    /// Reports params that are used in `with` of the endpoint's `needs` although a check takes their values from captures.
    package func capturesHandedToNeeds(by check: NamedCheck) -> [Diagnostic] {
        placeholdersOfNeeds.compactMap { placeholder in
            guard case .name(let name) = placeholder.value, let given = check.parameters[named: name],
                let source = given.placeholders.first(where: { $0.value.isCapture })
            else { return nil }
            let check = check.name.map { "the check \"\($0.value)\"" } ?? "a check"
            return tooLate(
                "\"\(name)\", which \(check) sets to a capture", at: placeholder.place,
                notes: [Diagnostic.Note("the capture is used here", at: source.place)])
        }
    }

    private var placeholdersOfNeeds: [Located<Placeholder>] {
        needs.flatMap(\.value.parameters).flatMap(\.value.placeholders)
    }

    private func tooLate(_ what: String, at place: Place, notes: [Diagnostic.Note] = []) -> Diagnostic {
        Diagnostic(
            code: .captureTooLate, "the \"with\" of a need can't use \(what): needs are called in no fixed order",
            at: place,
            hint: "add the need to the needed endpoint instead", notes: notes)
    }
}

extension Placeholder {
    fileprivate var isCapture: Bool { captureAlias != nil }

    /// The alias of a capture; nil for another placeholder.
    fileprivate var captureAlias: String? { if case .capture(let alias, _) = self { alias } else { nil } }
}
