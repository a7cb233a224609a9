import ReqcliText

/// Checks the JSON Schemas of expectations, stub conditions and params, each schema only once. Also checks the values in the
/// definitions of params.
enum SchemaRules {
    static func check(_ definitionIndex: DefinitionIndex) -> [Diagnostic] {
        let schemas = definitionIndex.workspace.schemas
        let defaults = definitionIndex.files.compactMap(\.defaults)
        var parameters = defaults.flatMap(\.parameters).map(\.value)
        parameters += definitionIndex.endpointsAndScenarios.flatMap { $0.definition.parameters.map(\.value) }
        var expectations = defaults.compactMap { $0.expectation?.set }
        for endpoint in definitionIndex.endpointsAndScenarios.map(\.definition) {
            expectations += endpoint.flatMapLayers { $0.expectation?.set.map { [$0] } ?? [] }
            expectations += endpoint.checks.compactMap(\.expectation)
        }
        let conditions = definitionIndex.endpoints.flatMap {
            $0.definition.stubs?.variants.compactMap(\.value.condition) ?? []
        }
        let sources =
            expectations.flatMap(\.schemas) + conditions.flatMap { $0.all.flatMap(\.all).schemas }
            + parameters.compactMap(\.single.schema)
        var seen: Set<String> = []
        let once = sources.filter { source in
            // All references to the same file are the same schema.
            seen.insert(source.kind == .string ? source.text : "\(source.place.file.name) \(source.range)").inserted
        }
        schemas.prepare(once)
        return once.flatMap { schemas.findings($0) } + parameters.flatMap { samples(of: $0, schemas) }
    }

    private static func samples(of parameter: Parameter, _ schemas: SchemaStore) -> [Diagnostic] {
        guard parameter.single.schema != nil else { return [] }
        return parameter.samples.compactMap { parameter.mismatch(of: $1, called: $0, schemas) }
    }
}

extension Expectation {
    /// The schemas of all conditions.
    fileprivate var schemas: [JSONValue] {
        let conditions = json + (snapshot?.match ?? [])
        return ([schema].compactMap(\.self) + conditions.flatMap(\.value.all)).schemas
            + (events?.all.flatMap(\.schemas) ?? [])
    }
}

extension [Matcher] {
    fileprivate var schemas: [JSONValue] {
        compactMap { matcher in
            guard matcher.operation == .schema, case .plain(let source) = matcher.operand else { return nil }
            return source
        }
    }
}
