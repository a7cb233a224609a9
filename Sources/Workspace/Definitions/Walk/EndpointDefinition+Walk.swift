import ReqcliText

extension Parameter: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        if let pattern = single.pattern { visit(.pattern(pattern)) }
        if let schema = single.schema { visit(.schema(schema)) }
    }
}

extension Capture: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        if case .json(let path) = source { visit(.path(path)) }
        if let match { visit(.pattern(match)) }
    }
}

extension Pages: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        if let items { visit(.path(items)) }
        switch next {
        case .url(let path), .cursor(let path, _): visit(.path(path))
        case .link, .count, nil: break
        }
    }
}

extension StubDrift: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        for path in ignored + maps { visit(.path(path)) }
    }
}

extension EndpointDefinition {
    /// Visits the mentions outside the layers of the request, and the expectations of the layers.
    func walkOutsideRequest(_ visit: (Mention) -> Void) {
        for parameter in parameters { parameter.value.walk(visit) }
        request.expectation?.set?.walk(visit)
        for environment in environments { environment.value.expectation?.set?.walk(visit) }
        for capture in captures { capture.value.walk(visit) }
        pages?.walk(visit)
        for check in checks { check.expectation?.walk(visit) }
        for variant in stubs?.variants ?? [] {
            variant.value.drift?.walk(visit)
            variant.value.condition?.walk(visit)
        }
    }
}

extension GroupDefaults {
    /// Visits the mentions outside the layer of the request.
    func walkOutsideRequest(_ visit: (Mention) -> Void) {
        for parameter in parameters { parameter.value.walk(visit) }
        expectation?.set?.walk(visit)
    }
}

extension DefinitionIndex {
    /// Visits the mentions in params, expectations, captures, pages and stubs of all files to validate.
    func walkOutsideRequests(_ visit: (Mention) -> Void) {
        for file in files { file.defaults?.walkOutsideRequest(visit) }
        for endpoint in endpointsAndScenarios { endpoint.definition.walkOutsideRequest(visit) }
    }

    /// The params of all files to validate.
    var parameters: [Parameter] {
        (files.compactMap(\.defaults).flatMap(\.parameters) + endpointsAndScenarios.flatMap(\.definition.parameters))
            .map(\.value)
    }
}
