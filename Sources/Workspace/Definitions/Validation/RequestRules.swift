package import ReqcliText

/// Finds requests that can't be sent, as far as this is known from the files alone.
package struct RequestRules {
    /// Finds problems because of which no request of an endpoint can be sent in an environment, whatever the values of the
    /// placeholders are.
    package typealias Judge = @Sendable (LocatedEndpoint, EnvironmentChain, Workspace) -> [Diagnostic]

    let judge: Judge

    func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let environments = definitionIndex.environments.flatMap { environment in
            judge(
                Self.anyEndpoint(at: environment.place),
                EnvironmentChain(name: environment.name, layers: [environment]), definitionIndex.workspace)
        }
        let known = Set(definitionIndex.environmentNames.names)
        let endpoints = definitionIndex.endpoints.flatMap { endpoint in
            Self.layers(of: endpoint, among: known, definitionIndex).map { (endpoint, $0) }
        }.mapInParallel { endpoint, name in
            judge(endpoint, EnvironmentChain(name: name, layers: []), definitionIndex.workspace)
        }
        return environments + endpoints.joined()
    }

    /// The environments for which an endpoint is checked. "" stands for all environments for which the endpoint has no part.
    private static func layers(
        of endpoint: LocatedEndpoint, among known: Set<String>, _ definitionIndex: DefinitionIndex
    )
        -> [String]
    {
        let own = endpoint.definition.environments.map(\.name)
        let assembled = definitionIndex.assembledLayer(of: endpoint)
        if own.isEmpty, assembled != nil { return [] }
        // If the endpoint has a part for every environment, its request is never sent without such a part.
        let isNeverAlone = !known.isEmpty && known.isSubset(of: own)
        return ((isNeverAlone ? [] : [""]) + own).filter { $0 != assembled }
    }

    /// A minimal endpoint with an unknown body, to check an environment on its own.
    private static func anyEndpoint(at place: Place) -> LocatedEndpoint {
        let text = TextTemplate(pieces: [.placeholder(Located(.generated(.uuid), at: place))], place: place)
        var definition = EndpointDefinition(place: place)
        definition.request.body = Setting(Body(content: .text(text), place: place), at: place)
        return LocatedEndpoint(id: "", definition: definition, defaults: nil, group: nil, file: place.file)
    }
}
