package import ReqcliText

/// The keywords of a schema and their meanings. A dialect is a draft, or a set of vocabularies of a custom metaschema.
struct Dialect: Sendable {
    /// The part of a row that is about one name.
    struct Entry: Sendable {
        /// The row's position in `Keyword.all`.
        let row: Int
        let form: KeywordForm
        /// Whether the keyword can reject a value.
        let asserts: Bool
    }

    let draft: Draft
    /// The URI of the metaschema that schemas of this dialect are checked against.
    let metaSchema: String
    let keywords: [String: Entry]
    /// Whether the metaschema requires that `format` is asserted. The compiler's `FormatUse` then has no effect.
    let assertsFormats: Bool
    /// Whether this is a dialect of OpenAPI, in which a schema describes responses.
    let isOpenAPI: Bool

    static let all: [Draft: Dialect] = Dictionary(
        uniqueKeysWithValues: Draft.allCases.map { ($0, Dialect($0, metaSchema: $0.uri, vocabularies: nil)) })

    /// - Parameter vocabularies: The names of the vocabularies, such as `applicator`; nil for all vocabularies of the draft.
    init(_ draft: Draft, metaSchema: String, vocabularies: Set<String>?, isOpenAPI: Bool = false) {
        self.draft = draft
        self.metaSchema = metaSchema
        self.isOpenAPI = isOpenAPI
        var keywords: [String: Entry] = [:]
        for (row, keyword) in Keyword.all.enumerated()
        where keyword.drafts.contains(draft) && (isOpenAPI || !keyword.isOfOpenAPI)
            && vocabularies?.isDisjoint(with: keyword.vocabularies) != true
        {
            for (name, form) in keyword.names where keywords[name] == nil {
                keywords[name] = Entry(row: row, form: form, asserts: keyword.compile != nil)
            }
        }
        if isOpenAPI, draft == .draft04 { keywords["$schema"] = nil }
        self.keywords = keywords
        assertsFormats = vocabularies?.contains("format-assertion") ?? false
    }

    /// The dialect of the draft that a `$schema` names, or the dialect of OpenAPI; nil for any other URI.
    static func named(_ uri: String) -> Dialect? { Draft(uri: uri).flatMap { all[$0] } ?? openAPI(named: uri) }

    /// Whether `$ref` makes all other keywords of its object ineffective, as in draft-07 and before.
    var isReferenceAlone: Bool { draft <= .draft07 }
    /// The keyword for identifiers. OpenAPI 3.0 has no such keyword.
    var identifier: String? { isOpenAPI && draft == .draft04 ? nil : draft == .draft04 ? "id" : "$id" }
    /// Whether `nullable` next to `type` allows null.
    var hasNullable: Bool { isOpenAPI && draft == .draft04 }
    /// Whether an identifier that is only a fragment is an anchor, as before 2019-09.
    var hasAnchorsInIdentifiers: Bool { draft <= .draft07 }

    /// The schemas directly inside a schema object.
    func subschemas(of schema: JSONValue) -> [JSONValue] {
        guard schema.kind == .object else { return [] }
        var found: [JSONValue] = []
        for member in schema.members {
            guard let keyword = keywords[member.name] else { continue }
            switch keyword.form {
            case .special, .flag, .text, .pattern, .number, .positiveNumber, .count, .namesByName: break
            case .schema: found.append(member.value)
            case .schemas: found += member.value.elements
            case .schemasByName: found += member.value.members.map(\.value)
            case .schemaOrSchemas:
                if member.value.kind == .array { found += member.value.elements } else { found.append(member.value) }
            }
        }
        return found.filter(\.isSchema)
    }
}

extension JSONValue {
    /// Whether the value has the form of a schema.
    package var isSchema: Bool { kind == .object || kind == .true || kind == .false }
}
