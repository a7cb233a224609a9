extension Dialect {
    /// The dialect of OpenAPI 3.0: draft-04 with `nullable`, without identifiers.
    static let openAPI30 = Dialect(.draft04, metaSchema: MetaSchemas.openAPI30, vocabularies: nil, isOpenAPI: true)
    /// The dialect of OpenAPI 3.1 and 3.2: JSON Schema 2020-12, in which `writeOnly` has an effect.
    static let openAPI31 = openAPI(.draft202012)

    private static func openAPI(_ draft: Draft) -> Dialect {
        Dialect(draft, metaSchema: draft.uri, vocabularies: nil, isOpenAPI: true)
    }

    /// The dialect of OpenAPI that a URI names. The newer dialects have a URI for each version and date.
    static func openAPI(named uri: String) -> Dialect? {
        if uri == MetaSchemas.openAPI30 { return openAPI30 }
        let versions = ["3.1", "3.2"].map { "https://spec.openapis.org/oas/\($0)/dialect/" }
        return versions.contains { uri.hasPrefix($0) } ? openAPI31 : nil
    }

    /// The default dialect of a description's schemas, by its URI. `jsonSchemaDialect` may also name a dialect of JSON Schema.
    static func ofDescription(named uri: String) -> Dialect? { openAPI(named: uri) ?? Draft(uri: uri).map(openAPI) }
}
