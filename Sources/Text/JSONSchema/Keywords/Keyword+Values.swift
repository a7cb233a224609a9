import ReqcliBasics
import ReqcliText

extension Keyword {
    static let values = [
        Keyword("writeOnly", .flag, isOfOpenAPI: true) { value, _ in value.bool == true ? WriteOnly() : nil },
        Keyword("type", until: .draft04) { value, program in TypeSet(value, program.schema, isExact: true) },
        Keyword("type", since: .draft06) { value, program in TypeSet(value, program.schema, isExact: false) }
            .broken { _, _, _ in ["abc", .number("1.5"), true, .null, .object([]), []] },
        Keyword("enum") { value, _ in value.kind == .array ? AllowedValues(Array(value.elements)) : nil }
            .broken { _, _, _ in AllowedValues.others },
        Keyword("const", since: .draft06) { value, _ in AllowedValues([value]) }.broken { _, _, _ in
            AllowedValues.others
        },
    ]
}

/// The schema has `writeOnly`: only requests may have such a value.
struct WriteOnly: Rule {
    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        run.depth == 0 || run.fail(at, value, "no such member, because only requests have it (writeOnly)")
    }
}

/// The types that `type` allows.
struct TypeSet: Rule {
    private let names: [JSONTypeName]
    /// Whether `1.0` is not an integer, as in draft-04.
    private let isExact: Bool
    private let kinds: KindSet
    private let hasInteger: Bool

    init?(_ value: JSONValue, _ schema: SchemaContext, isExact: Bool) {
        let stated = value.kind == .array ? value.elements.map(\.string) : [value.string]
        var names = stated.compactMap { $0.flatMap(JSONTypeName.init) }
        if schema.dialect.hasNullable, schema.isSet("nullable"), !names.contains(.null) { names.append(.null) }
        if names.isEmpty { return nil }
        (self.names, self.isExact) = (names, isExact)
        kinds = KindSet(names.map(\.kinds))
        hasInteger = names.contains(.integer) && !names.contains(.number)
    }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        contains(value) || run.fail(at, value, expected)
    }

    private func contains(_ value: JSONCursor) -> Bool {
        let kind = value.kind
        if kinds.contains(KindSet(kind)) { return true }
        guard hasInteger, kind == .number else { return false }
        let isPlain = value.range.allSatisfy { value.bytes[$0].isDigit || value.bytes[$0] == .minus }
        return isPlain || !isExact && value.value.number?.isInteger == true
    }

    private var expected: String {
        let phrases = names.map(\.phrase)
        return phrases.dropLast().joined(separator: ", ") + (phrases.count > 1 ? " or " : "") + (phrases.last ?? "")
    }
}

extension JSONTypeName {
    fileprivate var kinds: KindSet {
        switch self {
        case .object: .object
        case .array: .array
        case .string: .string
        case .number: .number
        case .integer: []
        case .boolean: [KindSet(.true), KindSet(.false)]
        case .null: KindSet(.null)
        }
    }
}

/// The values that `enum` or `const` allows.
struct AllowedValues: Rule {
    let set: ValueSet

    init(_ values: [JSONValue]) { set = ValueSet(values) }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        set.contains(value.value) || run.fail(at, value, expected)
    }

    /// Values of which one differs from any set of allowed values that is not made to contain them.
    fileprivate static let others: [OrderedJSON] = ["abc", "abcx", .number("1.5")]

    private static let mostShown = 8

    private var expected: String {
        if set.values.count == 1, let value = set.values.first { return value.excerpt }
        let list = set.values.prefix(Self.mostShown).map(\.excerpt).joined(separator: ", ")
        return "one of " + list + (set.values.count > Self.mostShown ? ", …" : "")
    }
}

/// The schema `false`, which no value fits.
struct Never: Rule {
    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        // The keyword of the last step to the schema explains the failure.
        let words = run.report?.path.last.flatMap { step in
            Keyword.all.lazy.filter { $0.names.contains { $0.key == step.keyword } }
                .compactMap { $0.refusal?(step.keyword, step.token) }.first
        }
        return run.fail(at, value, words ?? "nothing: the schema is false")
    }
}
