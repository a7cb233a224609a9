import ReqcliText

/// A keyword, or several keywords that make one assertion together: their names, the dialects that have them, and their rule.
///
/// This is the only list of keywords. The loader, the compiler, the warnings, the conversion of OpenAPI's schemas and the probes of
/// `check` read it. A new
/// keyword is a row in one of the families, a `Rule` next to it, and a line in the metaschemas.
struct Keyword: Sendable {
    /// Makes the rule for a keyword's value; nil if the value is of a wrong kind, which the metaschema reports.
    typealias Compile = @Sendable (_ value: JSONValue, _ program: inout ProgramBuilder) -> (any Rule)?

    /// The expectation for a value that the schema `false` refuses: `no member "a"`.
    ///
    /// The token is the name or the position of the schema in the keyword's value; nil if the value is the schema.
    typealias Refusal = @Sendable (_ keyword: String, _ token: String?) -> String
    /// Makes values that may break a keyword from a value that fits, the likeliest first.
    typealias Break = @Sendable (_ keyword: String, _ operand: JSONValue, _ value: OrderedJSON) -> [OrderedJSON]

    let names: KeyValuePairs<String, KeywordForm>
    let drafts: ClosedRange<Draft>
    /// Whether only the dialects of OpenAPI have the keyword.
    let isOfOpenAPI: Bool
    /// The kinds of values that the keyword can reject.
    let kinds: KindSet
    /// The vocabularies that define the keyword, from 2019-09 on.
    let vocabularies: [String]
    /// Nil for an annotation, and for a keyword that the loader or the rule of another keyword reads.
    let compile: Compile?
    private(set) var breaking: Break?
    private(set) var refusal: Refusal?

    init(
        _ names: KeyValuePairs<String, KeywordForm>, since first: Draft = .draft04,
        until last: Draft = .draft202012,
        isOfOpenAPI: Bool = false, for kinds: KindSet = .all, in vocabularies: [String] = ["validation"],
        compile: Compile? = nil
    ) {
        self.names = names
        drafts = first...last
        self.isOfOpenAPI = isOfOpenAPI
        self.kinds = kinds
        self.vocabularies = vocabularies
        self.compile = compile
    }

    init(
        _ name: String, _ form: KeywordForm = .special, since first: Draft = .draft04,
        until last: Draft = .draft202012,
        isOfOpenAPI: Bool = false, for kinds: KindSet = .all, in vocabularies: [String] = ["validation"],
        compile: Compile? = nil
    ) {
        self.init(
            [name: form], since: first, until: last, isOfOpenAPI: isOfOpenAPI, for: kinds, in: vocabularies,
            compile: compile)
    }

    /// The keyword with values that may break it.
    func broken(by breaking: @escaping Break) -> Keyword {
        var keyword = self
        keyword.breaking = breaking
        return keyword
    }

    /// The keyword with the words for a value that the schema `false` in its value refuses.
    func refusing(_ refusal: @escaping Refusal) -> Keyword {
        var keyword = self
        keyword.refusal = refusal
        return keyword
    }

    /// All keywords, in the order in which the keywords of a schema are evaluated: cheap keywords first, and keywords that depend on
    /// the results of others last. A keyword whose meaning changed has a row for each meaning.
    static let all =
        values + numbers + counts + strings + objects + arrays + references + combinations + unevaluated + notes
}

/// A set of kinds of values.
struct KindSet: OptionSet, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ kind: JSONValue.Kind) { rawValue = 1 << kind.rawValue }

    static let object = Self(.object)
    static let array = Self(.array)
    static let string = Self(.string)
    static let number = Self(.number)
    static let all = Self(rawValue: .max)
}
