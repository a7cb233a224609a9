/// The part of a keyword's value that contains schemas.
package enum KeywordContents: Sendable {
    case nothing
    case schema
    case schemas
    case schemasByName
    case schemaOrSchemas
}

/// The keywords of JSON Schema 2020-12, for code that converts schemas.
extension JSONSchema {
    private static let keywords = Dialect.all[.draft202012]?.keywords ?? [:]

    /// The keywords that can reject a value.
    package static let assertingKeywords: Set<String> = Set(keywords.filter(\.value.asserts).keys)

    /// The keywords that can reject only objects.
    package static let objectKeywords: Set<String> = assertingKeywords.filter {
        keywords[$0].map { Keyword.all[$0.row].kinds } == .object
    }

    package static func contents(of keyword: String) -> KeywordContents { keywords[keyword]?.contents ?? .nothing }
}
