import ReqcliText

/// Checks the JSON Schemas of expectations, stub conditions and params, each schema only once. Also checks the values in the
/// definitions of params.
enum SchemaRules {
    static func rule(_ definitionIndex: DefinitionIndex) -> MentionRule {
        let schemas = definitionIndex.workspace.schemas
        var once: [JSONValue] = []
        var seen: Set<String> = []
        return MentionRule { mention, _ in
            guard case .schema(let source) = mention else { return }
            // All references to the same file are the same schema.
            let name = source.kind == .string ? source.text : "\(source.place.file.name) \(source.range)"
            if seen.insert(name).inserted { once.append(source) }
        } problems: {
            schemas.prepare(once)
            return once.flatMap { schemas.findings($0) }
                + definitionIndex.parameters.flatMap { samples(of: $0, schemas) }
        }
    }

    private static func samples(of parameter: Parameter, _ schemas: SchemaStore) -> [Diagnostic] {
        guard parameter.single.schema != nil else { return [] }
        return parameter.samples.compactMap { parameter.mismatch(of: $1, called: $0, schemas) }
    }
}
