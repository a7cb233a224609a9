package import ReqcliText

/// Validates `needs`: the endpoints get the params that they require, there is no cycle, and no chain is too long to run.
package enum NeedRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let endpoints = definitionIndex.endpoints
        if endpoints.allSatisfy(\.needs.isEmpty) { return [] }
        return problems(of: endpoints) { id in
            if case .found(let target) = definitionIndex.endpoint(id) { target } else { nil }
        }
            + endpoints.flatMap { endpoint in
                endpoint.definition.checks.flatMap { endpoint.capturesHandedToNeeds(by: $0) }
            }
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
        let graph = ReferenceGraph(endpoints.map { ($0.id, $0.needs.compactMap(\.value.endpoint)) })
        let circles = graph.cycles().map(circle)
        // A chain through a cycle would also be reported as too long.
        return own + (circles.isEmpty ? graph.chains(longerThan: Limits.chain).map(tooLong) : circles)
    }

    private static func problems(_ need: Need, _ find: (String) -> LocatedEndpoint?) -> [Diagnostic] {
        guard let id = need.endpoint, let target = find(id.value) else { return [] }
        let given = GivenParameters(need.parameters, for: target)
        return given.unknown() + given.mismatches() + given.missing(at: id.place)
    }

    private static func circle(_ cycle: ReferenceGraph.Cycle) -> Diagnostic {
        .cycle(
            .needsCycle, "endpoints need each other", cycle.names, at: cycle.place,
            hint: cycle.names.count == 2
                ? "an endpoint can't need itself; write null to remove a need of the group" : nil)
    }

    private static func tooLong(_ chain: (description: String, place: Place?)) -> Diagnostic {
        Diagnostic(
            code: .needsDepth,
            "a chain of needs has more than \(Limits.chain) endpoints: \(chain.description)", at: chain.place,
            hint: "remove one of these needs")
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
    fileprivate var isCapture: Bool { if case .capture = self { true } else { false } }
}
