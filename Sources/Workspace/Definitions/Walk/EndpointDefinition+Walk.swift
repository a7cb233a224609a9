import ReqcliText

extension EndpointDefinition: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        request.walk(visit)
        for parameter in parameters { parameter.value.walk(visit) }
        for need in needs { need.value.walk(visit) }
        for capture in captures { capture.value.walk(visit) }
        pages?.walk(visit)
        let files = Set(parameters.filter { $0.value.kind == .file }.map(\.name))
        for check in checks {
            check.parameters.walk(paramsOf: nil, visit)
            for given in check.parameters where files.contains(given.name) {
                for path in given.value.texts { visit(.file(path)) }
            }
            check.expectation?.walk(visit)
        }
        if let schema = response?.schema { visit(.schema(schema)) }
        stubs?.walk(visit)
        for environment in environments {
            visit(.environment(Located(environment.name, at: environment.namePlace)))
            environment.value.walk(visit)
        }
    }
}

extension GroupDefaults: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        layer.walk(visit)
        for parameter in parameters { parameter.value.walk(visit) }
        for need in needs { need.value.walk(visit) }
        expectation?.set?.walk(visit)
    }

    /// Visits the mentions in these defaults that an endpoint doesn't override.
    private func walk(unlessSaidBy endpoint: EndpointDefinition, _ visit: (Mention) -> Void) {
        layer.walk(
            unlessSaidBy: endpoint.request.layer, hasBody: endpoint.request.body?.set != nil, visit)
        let otherNeeds = endpoint.removedNeeds.union(endpoint.needs.map(\.name))
        for need in needs where !otherNeeds.contains(need.name) { need.value.walk(visit) }
        if endpoint.request.expectation == nil { expectation?.set?.walk(visit) }
    }

    /// The placeholders in these defaults that an endpoint doesn't override.
    func placeholders(unlessSaidBy endpoint: EndpointDefinition) -> [Located<Placeholder>] {
        Mention.placeholders { walk(unlessSaidBy: endpoint, $0) }
    }
}

extension Parameter: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        if let pattern = single.pattern { visit(.pattern(pattern)) }
        if let schema = single.schema { visit(.schema(schema)) }
        if kind == .file, let path = defaultValue, case .string(let text) = path.value {
            visit(.file(TextTemplate(literal: text, at: path.place)))
        }
    }
}

extension Need: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        guard let endpoint else { return }
        visit(.endpoint(endpoint))
        parameters.walk(paramsOf: endpoint.value, visit)
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

extension Stubs: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        if let defaultVariant { visit(.variant(defaultVariant, of: nil)) }
        for variant in variants.map(\.value) {
            for name in variant.references { visit(.variant(name, of: nil)) }
            for written in variant.withWrittenSteps {
                if case .file(let path) = written.body { visit(.stubFile(path)) }
            }
            for path in (variant.drift?.ignored ?? []) + (variant.drift?.maps ?? []) { visit(.path(path)) }
            variant.condition?.walk { mention in
                // Placeholders in conditions on requests are reported when the file is read.
                if case .placeholder = mention { return }
                visit(mention)
            }
        }
    }
}

extension EnvironmentDefinition: Walkable {
    package func walk(_ visit: (Mention) -> Void) {
        for name in extends { visit(.environment(name)) }
        layer.walk(visit)
        for need in needs { need.value.set?.walk(visit) }
        expectation?.set?.walk(visit)
        for variable in variables { variable.value.set?.walk(visit) }
        for secret in secrets {
            if case .command(_, _, let json?)? = secret.value.set { visit(.path(json)) }
        }
        for stub in stubs?.set ?? [] {
            guard let name = stub.value.set else { continue }
            if stub.name != "*" { visit(.endpoint(Located(stub.name, at: stub.namePlace))) }
            visit(.variant(Located(name, at: stub.value.place), of: stub.name))
        }
    }
}
