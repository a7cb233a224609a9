package import ReqcliText

/// The form of a keyword's value.
package enum KeywordForm: Sendable {
    /// A value without schemas that only the rule of the keyword knows.
    case special
    /// True or false; only true has an effect.
    case flag
    case text
    case pattern
    case number
    /// A number greater than 0.
    case positiveNumber
    /// A whole number that is not negative.
    case count
    /// An object of lists of names.
    case namesByName
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

    package static func form(of keyword: String) -> KeywordForm { keywords[keyword]?.form ?? .special }

    /// Values that may break a keyword, the likeliest first; empty if the keyword has no effect on the value.
    ///
    /// - Parameter value: A value that fits.
    package static func values(
        breaking keyword: String, _ operand: JSONValue, insteadOf value: OrderedJSON
    ) -> [OrderedJSON] {
        guard let row = keywords[keyword].map({ Keyword.all[$0.row] }), row.kinds.contains(value.kind) else {
            return []
        }
        return row.breaking?(keyword, operand, value) ?? []
    }
}

extension OrderedJSON {
    fileprivate var kind: KindSet {
        switch self {
        case .null: KindSet(.null)
        case .bool(let value): KindSet(value ? .true : .false)
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}
