/// A version of JSON Schema.
package enum Draft: Int, Sendable, CaseIterable, Comparable {
    case draft04
    case draft06
    case draft07
    case draft201909
    case draft202012

    package static func < (one: Draft, other: Draft) -> Bool { one.rawValue < other.rawValue }

    package var name: String {
        switch self {
        case .draft04: "draft-04"
        case .draft06: "draft-06"
        case .draft07: "draft-07"
        case .draft201909: "2019-09"
        case .draft202012: "2020-12"
        }
    }

    /// The URI of the draft's metaschema, which a schema names as `$schema`.
    package var uri: String {
        // Whole strings, because they are compared for each document.
        switch self {
        case .draft04: "http://json-schema.org/draft-04/schema"
        case .draft06: "http://json-schema.org/draft-06/schema"
        case .draft07: "http://json-schema.org/draft-07/schema"
        case .draft201909: "https://json-schema.org/draft/2019-09/schema"
        case .draft202012: "https://json-schema.org/draft/2020-12/schema"
        }
    }

    /// The draft that a `$schema` names, with or without the `#` at its end, and with `http` or `https`.
    init?(uri: String) {
        let plain = uri.hasSuffix("#") ? String(uri.dropLast()) : uri
        let rest = plain.hasPrefix("https:") ? "http:" + plain.dropFirst(6) : plain
        guard let draft = Self.allCases.first(where: { $0.uri == plain || $0.uri == rest }) else { return nil }
        self = draft
    }

    /// The beginning of the URIs of the draft's vocabularies; nil before 2019-09.
    var vocabularies: String? { self < .draft201909 ? nil : "https://json-schema.org/draft/\(name)/vocab/" }
    /// The beginning of the URIs of the vocabularies' metaschemas; nil before 2019-09.
    var metaSchemas: String? { self < .draft201909 ? nil : "https://json-schema.org/draft/\(name)/meta/" }
}
