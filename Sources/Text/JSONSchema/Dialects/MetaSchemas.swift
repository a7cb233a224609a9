import ReqcliText

/// The metaschemas of the dialects, which the build embeds from `MetaSchemas/*.json`: without titles, descriptions and defaults. The
/// file of a draft with vocabularies has their metaschemas in `$defs`.
///
/// A schema may refer to a metaschema, and each schema is checked against the metaschema of its dialect.
enum MetaSchemas {
    /// The URI of the dialect of OpenAPI 3.0.
    ///
    /// Its metaschema follows JSON Schema in two points: lists of names may be empty, and `type` may be a list. Many descriptions
    /// use this.
    static let openAPI30 = "https://spec.openapis.org/oas/3.0/dialect"

    static func contains(_ uri: String) -> Bool { bytes(at: uri) != nil }

    /// The file with the metaschema that has this URI. The file's name is the URI of the schema at its root.
    static func file(with uri: String) -> SourceFile? {
        let draft = Draft.allCases.first { draft in draft.metaSchemas.map { uri.hasPrefix($0) } ?? false }
        let root = draft?.uri ?? uri
        return bytes(at: root).map { SourceFile(name: root, bytes: $0) }
    }

    private static func bytes(at uri: String) -> [UInt8]? {
        if uri == openAPI30 { return PackageResources.openapi_3_0_json }
        return switch Draft.allCases.first(where: { $0.uri == uri }) {
        case .draft04: PackageResources.draft_04_json
        case .draft06: PackageResources.draft_06_json
        case .draft07: PackageResources.draft_07_json
        case .draft201909: PackageResources.draft_2019_09_json
        case .draft202012: PackageResources.draft_2020_12_json
        case nil: nil
        }
    }
}
