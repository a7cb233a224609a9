import SourceText

/// Checks the JSON Schemas that expectations name, each once.
enum SchemaRules {
    static func check(_ census: Census) -> [Diagnostic] {
        var seen: Set<String> = []
        return
            (census.files.compactMap { $0.defaults?.expectation?.value.value }
            + census.endpoints.flatMap { endpoint in
                endpoint.definition.flatMapLayers { $0.expectation?.value.value.map { [$0] } ?? [] }
                    + endpoint.definition.checks.compactMap(\.expectation)
            })
            .flatMap(\.schemas)
            .filter { seen.insert("\($0.place.file.name) \($0.kind == .string ? $0.text : "\($0.range)")").inserted }
            .flatMap { census.workspace.schemas.findings($0) }
    }
}

extension Expectation {
    /// The schemas of all conditions.
    fileprivate var schemas: [JSONValue] {
        let matchers = [schema].compactMap(\.self) + json.flatMap(\.value.all)
        return matchers.compactMap { matcher in
            guard matcher.operation == .schema, case .plain(let source) = matcher.operand else { return nil }
            return source
        } + (events?.all.flatMap(\.schemas) ?? [])
    }
}
