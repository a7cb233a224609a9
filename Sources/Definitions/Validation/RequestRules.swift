import SourceText

/// What files say in so many words can be sent.
struct RequestRules {
    let grammars: Grammars

    func check(_ census: Census) -> [Diagnostic] {
        let environments = census.environments.flatMap { environment in
            grammars.request(
                Self.anyEndpoint(at: environment.place),
                EnvironmentChain(name: environment.name, layers: [environment]), census.workspace)
        }
        let known = Set(census.environmentNames.names)
        let endpoints = census.endpoints.flatMap { endpoint in
            var names = endpoint.definition.environments.map(\.name)
            // Where it says something for every environment, what it says for none is never sent.
            if known.isEmpty || !known.isSubset(of: names) { names.append("") }
            if let done = census.assembledLayer(of: endpoint) { names.removeAll { $0 == done } }
            return names.map { (endpoint, $0) }
        }.mapInParallel { endpoint, name in
            grammars.request(endpoint, EnvironmentChain(name: name, layers: []), census.workspace)
        }
        return environments + endpoints.joined()
    }

    /// An endpoint of which nothing is known, its body least of all.
    private static func anyEndpoint(at place: Place) -> LocatedEndpoint {
        let text = TextTemplate(pieces: [.placeholder(Located(.generated(.uuid), at: place))], place: place)
        var definition = EndpointDefinition(place: place)
        definition.request.body = Located(.set(Body(content: .text(text), place: place)), at: place)
        return LocatedEndpoint(id: "", definition: definition, defaults: nil, group: nil, file: place.file)
    }
}
