package import ReqcliText

/// Validates `needs`: the endpoints get the params that they require, and there is no cycle.
package enum NeedRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let needy = definitionIndex.endpoints.filter { !$0.needs.isEmpty }
        if needy.isEmpty { return [] }
        let circles = circles(needy)
        return needy.flatMap { endpoint in
            endpoint.needs.flatMap { problems($0.value, definitionIndex) } + endpoint.capturesHandedToNeeds()
                + endpoint.definition.checks.flatMap { endpoint.capturesHandedToNeeds(by: $0) }
        } + (circles.isEmpty ? tooLong(definitionIndex.endpoints) : circles)  // A cycle is also too long.
    }

    private static func problems(_ need: Need, _ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        guard let id = need.endpoint else { return [] }
        guard case .found(let target) = definitionIndex.endpoint(id.value) else { return [] }
        let values = GivenParameters(need.parameters, for: target)
        return values.mismatches() + values.missing(at: id.place)
    }

    private static func circles(_ endpoints: [LocatedEndpoint]) -> [Diagnostic] {
        graph(endpoints).cycles().map { cycle in
            Diagnostic(
                code: .needsCycle, "endpoints need each other in a cycle: \(cycle.description)", at: cycle.place,
                hint: cycle.names.count == 2
                    ? "an endpoint can't need itself; write null to remove a need of the group" : nil)
        }
    }

    /// Reports endpoints whose chain of needed endpoints is too long to run.
    package static func tooLong(_ endpoints: [LocatedEndpoint]) -> [Diagnostic] {
        guard endpoints.count > Limits.chain else { return [] }
        return graph(endpoints).chains(longerThan: Limits.chain).map { chain in
            Diagnostic(
                code: .needsDepth,
                "more than \(Limits.chain) endpoints need each other in a row: \(chain.description)", at: chain.place,
                hint: "remove one of these needs")
        }
    }

    private static func graph(_ endpoints: [LocatedEndpoint]) -> ReferenceGraph {
        ReferenceGraph(endpoints.map { ($0.id, $0.needs.compactMap(\.value.endpoint)) })
    }
}

// The endpoints in `needs` are called before the endpoint that needs them, in no fixed order. So the params of a needed endpoint
// can't use the captures of another needed endpoint.
extension LocatedEndpoint {
    /// Reports captures that are used in `with` of the endpoint's `needs`.
    package func capturesHandedToNeeds() -> [Diagnostic] {
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
            code: .captureTooLate, "the \"with\" of a need can't use \(what): needs don't wait for each other",
            at: place,
            hint: "add the need to the needed endpoint instead", notes: notes)
    }
}

extension Placeholder {
    fileprivate var isCapture: Bool { if case .capture = self { true } else { false } }
}
