import ReqcliJSONPath
import ReqcliJSONSchema
package import ReqcliText

/// A value that the caller gives: `reqcli send user.get userID=42`.
package struct Parameter: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case string
        case integer
        case number
        case boolean
        case json
        case file
        case list
    }

    /// What the text of a string param is.
    package enum Format: String, CaseIterable, Sendable {
        case dateTime = "date-time"
        case date
    }

    package var kind = Kind.string
    /// Whether the file gives a valid type. Without a valid type, values are not checked.
    private var isKindKnown = false
    package var isRequiredByKey: Bool?
    package var defaultValue: Located<OrderedJSON>?
    package var allowed: [Located<OrderedJSON>]?
    package var pattern: Located<String>?
    package var format: Format?
    /// The JSON Schema that a JSON value must fit.
    package var schema: JSONValue?
    package var minimum: JSONNumber?
    package var maximum: JSONNumber?
    /// The limits for the number of characters of a string.
    package var minimumLength: Int?
    package var maximumLength: Int?
    /// The limits for the number of items of a list.
    package var minimumCount: Int?
    package var maximumCount: Int?
    /// The text between the items of a list, if they are sent as one text.
    package var separator: String?
    package var example: Located<OrderedJSON>?
    package var summary: String?
    package var isSecret = false
    /// Whether callers should stop giving the param.
    package var isDeprecated = false
    /// Whether `check --probe` may change the value of this param.
    package var isProbed = true
    /// The type of a list's items; empty for any other type. It is in an array, because a struct can't contain itself.
    private var itemTypes: [Parameter] = []

    package init() {}

    /// The type of each item of a list.
    package var items: Parameter? {
        itemTypes.first.map { item in
            var item = item
            item.isSecret = isSecret
            return item
        }
    }

    /// The type of one value on the command line. For a list, this is the type of an item.
    package var single: Parameter { items ?? self }

    /// Whether the caller must give a value. If the file doesn't say, the caller must give a value unless there is a default.
    package var isRequired: Bool { isRequiredByKey ?? (defaultValue == nil) }

    static let table = ObjectShape<Parameter>(
        "param", title: "a param", summary: "A value that the caller gives by name.",
        [
            Field("type", Shape<Kind>.word, required: true, "The type that the param's value is converted to.") {
                $0.kind = $1
                $0.isKindKnown = true
            },
            Field("description", .text, "What the param means, for callers.") { $0.summary = $1 },
            Field("required", .boolean, "Whether the caller must give a value; true unless there is a default.") {
                $0.isRequiredByKey = $1
            },
            Field("default", .located(.json), "The value if the caller gives none.") { $0.defaultValue = $1 },
            Field(
                "example", .located(.json), "A sample value. Checks use it if they give no value for a required param."
            ) { $0.example = $1 },
            Field("items", itemsTable.shape, "The type of the items of a list.") { $0.itemTypes = [$1] },
            Field("minItems", .integer(0...Int.max), "The smallest number of items of a list.") {
                $0.minimumCount = $1
            },
            Field("maxItems", .integer(0...Int.max), "The largest number of items of a list.") {
                $0.maximumCount = $1
            },
            Field(
                "join", .text,
                "Sends a list as one value, with this separator between its items. Without a separator, the query item, header, form field or part is repeated."
            ) { $0.separator = $1 },
        ] + constraints + [
            Field("secret", .boolean, "true: never show the value.") { $0.isSecret = $1 },
            Field("deprecated", .boolean, "Whether callers should no longer give the param.") { $0.isDeprecated = $1 },
            Field("probe", .boolean, "false: `check --probe` does not change this param.") { $0.isProbed = $1 },
        ],
        initial: { _ in Parameter() }, check: { $0.verify($1, &$2) })

    private static let itemsTable = ObjectShape<Parameter>(
        "items", title: "\"items\"", summary: "The type of the items of a list, and the rules for each item.",
        [
            Field(
                "type", Shape<Kind>.word(of: [.string, .integer, .number, .boolean, .json]), required: true,
                "The type that each item is converted to."
            ) {
                $0.kind = $1
                $0.isKindKnown = true
            }
        ] + constraints, initial: { _ in Parameter() }, check: { $0.verify($1, &$2) })

    /// The keys that restrict a single value.
    private static let constraints: [Field<Parameter>] = [
        Field(
            "enum", .list(of: .located(.json), expects: "a list of values", isNeverEmpty: true), "The allowed values."
        ) {
            $0.allowed = $1
        },
        Field("pattern", .located(.text), "A regular expression (RFC 9485) that the whole value must match.") {
            $0.pattern = $1
        },
        Field(
            "format", Shape<Format>.word,
            "The format of a string: \"date-time\", such as \"2026-03-01T12:30:00Z\" (RFC 3339), or \"date\", such as \"2026-03-01\"."
        ) { $0.format = $1 },
        Field(
            "schema", .jsonSchema,
            "A JSON Schema for JSON values: the name of a file below schemas/, such as \"user.json\", or the schema itself."
        ) {
            if case .plain(let source) = $1 { $0.schema = source }
        },
        Field("minLength", .integer(0...Int.max), "The smallest number of characters of a string.") {
            $0.minimumLength = $1
        },
        Field("maxLength", .integer(0...Int.max), "The largest number of characters of a string.") {
            $0.maximumLength = $1
        },
        Field("minimum", .number, "The smallest number allowed.") { $0.minimum = $1 },
        Field("maximum", .number, "The largest number allowed.") { $0.maximum = $1 },
    ]

    /// Checks that the keys suit the type, and that the default, the example and the enum are valid values of the param.
    private func verify(_ object: JSONValue, _ decoding: inout Decoding) {
        guard isKindKnown else { return }
        verifyOrder(minimum, maximum, ("minimum", "maximum"), shownBy: \.text, object, &decoding)
        verifyOrder(minimumLength, maximumLength, ("minLength", "maxLength"), shownBy: \.description, object, &decoding)
        verifyOrder(minimumCount, maximumCount, ("minItems", "maxItems"), shownBy: \.description, object, &decoding)
        for rule in Self.suitability where rule.isGiven(self) && !rule.kinds.contains(kind) {
            let belongsToItems = kind == .list && rule.phrase != "lists"
            decoding.report(
                .keyConflict, "\"\(rule.key)\" can only be used for \(rule.phrase); this param takes \(kind.phrase)",
                at: object.placeOfKey(rule.key), hint: belongsToItems ? "put the key into \"items\"" : nil)
        }
        if kind == .list, object["items"] == nil {
            decoding.report(
                .keyMissing, "a list needs \"items\", the type of its items", at: object.headPlace,
                hint: "add \"items\": {\"type\": \"string\"}")
        }
        verifySamples(&decoding)
        if let defaultValue, let placeholder = defaultValue.value.firstPlaceholder {
            decoding.report(
                .placeholderInvalid, "placeholders are not replaced in \"default\"; found \(placeholder)",
                at: defaultValue.place, hint: "write the value itself, or use the variable where the param is used")
        }
    }

    private func verifyOrder<Limit: Comparable>(
        _ least: Limit?, _ most: Limit?, _ keys: (String, String), shownBy text: (Limit) -> String, _ object: JSONValue,
        _ decoding: inout Decoding
    ) {
        guard let least, let most, most < least else { return }
        decoding.report(
            .valueRange, "\"\(keys.1)\" (\(text(most))) is below \"\(keys.0)\" (\(text(least)))",
            at: object.placeOfKey(keys.1))
    }

    /// A key that only some types have.
    private struct Suitability {
        let key: String
        let kinds: [Kind]
        let phrase: String
        let isGiven: @Sendable (Parameter) -> Bool

        static func numbers(_ key: String, _ isGiven: @escaping @Sendable (Parameter) -> Bool) -> Self {
            Self(key: key, kinds: [.integer, .number], phrase: "integers and numbers", isGiven: isGiven)
        }

        static func strings(_ key: String, _ isGiven: @escaping @Sendable (Parameter) -> Bool) -> Self {
            Self(key: key, kinds: [.string], phrase: "strings", isGiven: isGiven)
        }

        static func lists(_ key: String, _ isGiven: @escaping @Sendable (Parameter) -> Bool) -> Self {
            Self(key: key, kinds: [.list], phrase: "lists", isGiven: isGiven)
        }
    }

    private static let suitability: [Suitability] = [
        .numbers("minimum") { $0.minimum != nil }, .numbers("maximum") { $0.maximum != nil },
        .strings("pattern") { $0.pattern != nil }, .strings("format") { $0.format != nil },
        .strings("minLength") { $0.minimumLength != nil }, .strings("maxLength") { $0.maximumLength != nil },
        Suitability(key: "schema", kinds: [.json], phrase: "JSON") { $0.schema != nil },
        .lists("items") { !$0.itemTypes.isEmpty },
        .lists("minItems") { $0.minimumCount != nil }, .lists("maxItems") { $0.maximumCount != nil },
        .lists("join") { $0.separator != nil },
        Suitability(key: "enum", kinds: Kind.allCases.filter { $0 != .list }, phrase: "single values") {
            $0.allowed != nil
        },
    ]

    private func verifySamples(_ decoding: inout Decoding) {
        for (key, sample) in samples {
            if let complaint = valueComplaint(about: sample.value, isMemberOfEnum: key == "enum") {
                decoding.report(
                    .typeMismatch, "\"\(key)\" \(complaint); found \(shown(sample.value))", at: sample.place)
            }
        }
    }
}

// MARK: - Values

extension Parameter {
    /// The example as values for the command line: one for each item of a list.
    package var exampleValues: [OrderedJSON] {
        if kind == .list, case .array(let elements)? = example?.value { return elements }
        return example.map { [$0.value] } ?? []
    }

    /// The values in the param's own definition (`default`, `example` and `enum`), each with its key.
    var samples: [(key: String, value: Located<OrderedJSON>)] {
        [("default", defaultValue), ("example", example)].compactMap { key, value in value.map { (key, $0) } }
            + (allowed ?? []).map { ("enum", $0) }
    }

    /// A value as messages about this param quote it. If the param takes any JSON, objects are quoted in full.
    package func shown(_ value: OrderedJSON, masking mask: (String) -> String = { $0 }) -> String {
        // The text is masked before it is shortened, because a secret that was cut would not be found.
        switch value {
        case .string(let text): OrderedJSON.string(mask(text)).shortDescription
        case .array where kind != .json && kind != .list, .object where kind != .json: value.shortDescription
        default: mask(value.compact).shortened
        }
    }

    /// The problem with a value, as the rest of a sentence that begins with the param's name; nil if it is valid.
    package func complaint(about value: OrderedJSON) -> String? {
        valueComplaint(about: value) ?? patternComplaint(about: value)
    }

    /// Checks everything except the pattern, which the decoder doesn't check.
    private func valueComplaint(about value: OrderedJSON, isMemberOfEnum: Bool = false) -> String? {
        guard kind.accepts(value) else { return "takes \(kind.phrase)" }
        if let allowed, !isMemberOfEnum, !allowed.contains(where: { $0.value.isEquivalent(to: value) }) {
            return "takes one of " + allowed.map { shown($0.value) }.joined(separator: ", ")
        }
        switch value {
        case .number(let text): return JSONNumber(text).flatMap(complaint)
        case .string(let text) where kind == .string:
            if let format, !format.accepts(text) { return "takes \(format.phrase)" }
            return Self.complaint(about: text.unicodeScalars.count, minimumLength, maximumLength, "character")
        case .array(let elements) where kind == .list:
            return Self.complaint(about: elements.count, minimumCount, maximumCount, "item")
                ?? itemComplaint(in: value) { $0.valueComplaint(about: $1) }
        default: return nil
        }
    }

    private static func complaint(about count: Int, _ minimum: Int?, _ maximum: Int?, _ unit: String) -> String? {
        func counted(_ count: Int) -> String { count == 1 ? "1 \(unit)" : "\(count) \(unit)s" }
        if let minimum, count < minimum { return "must have at least \(counted(minimum))" }
        if let maximum, count > maximum { return "must have at most \(counted(maximum))" }
        return nil
    }

    /// The problem with the first wrong item of a list.
    private func itemComplaint(
        in value: OrderedJSON, _ complaint: (Parameter, OrderedJSON) -> String?
    ) -> String? {
        guard kind == .list, let items, case .array(let elements) = value else { return nil }
        for (index, element) in elements.enumerated() {
            if let problem = complaint(items, element) { return "is wrong at item \(index + 1), which \(problem)" }
        }
        return nil
    }

    private func complaint(about number: JSONNumber) -> String? {
        if kind == .integer, Self.plainText(of: number) == nil {
            return "takes a whole number of at most \(Self.mostDigits) digits"
        }
        if let minimum, number < minimum { return "must be at least \(minimum.text)" }
        if let maximum, number > maximum { return "must be at most \(maximum.text)" }
        return nil
    }

    /// The value in its usual form: 1e3 and 42.0 become plain whole numbers, as paths need them.
    package func plain(_ value: OrderedJSON) -> OrderedJSON {
        if let items, case .array(let elements) = value { return .array(elements.map(items.plain)) }
        guard kind == .integer, case .number(let text) = value, let number = JSONNumber(text),
            let plain = Self.plainText(of: number)
        else { return value }
        return .number(plain)
    }

    /// The maximum number of digits to write for a number with an exponent.
    private static let mostDigits = 1000

    private static func plainText(of number: JSONNumber) -> String? {
        number.plainText(upTo: max(mostDigits, number.text.utf8.count))
    }

    /// The problem if a text doesn't match the pattern completely; nil for an invalid pattern, which is reported
    /// elsewhere.
    private func patternComplaint(about value: OrderedJSON) -> String? {
        if kind == .list { return itemComplaint(in: value) { $0.patternComplaint(about: $1) } }
        guard let pattern, case .string(let text) = value, let regexp = try? IRegexp(pattern.value),
            !regexp.matches(text)
        else { return nil }
        return "takes text that matches \(OrderedJSON.string(pattern.value).shortDescription)"
    }

    /// The problem with a value that doesn't fit the schema, in the same form as from `complaint(about:)`. Nil if the value fits,
    /// or if the schema is invalid.
    package func schemaComplaint(about value: OrderedJSON, _ schemas: SchemaStore) -> String? {
        if kind == .list { return itemComplaint(in: value) { $0.schemaComplaint(about: $1, schemas) } }
        guard let schema, let compiled = schemas.schema(schema).value,
            let root = JSONDocument.writing(value, name: "value").root,
            let failure = compiled.failures(of: root)?.shown.first
        else { return nil }
        let path = failure.value.shortPath(in: root) ?? "$"
        return "must match its schema, which at \(path) expects \(failure.expected)"
    }

    /// The problem of a value in the param's own definition that doesn't fit the schema.
    package func mismatch(
        of sample: Located<OrderedJSON>, called key: String, _ schemas: SchemaStore
    ) -> Diagnostic? {
        schemaComplaint(about: sample.value, schemas).map {
            Diagnostic(code: .typeMismatch, "\"\(key)\" \($0); found \(shown(sample.value))", at: sample.place)
        }
    }

    /// The first mistake in the schema.
    package func schemaProblem(_ schemas: SchemaStore) -> Diagnostic? {
        guard let schema = single.schema else { return nil }
        let read = schemas.schema(schema)
        return read.value == nil ? read.diagnostics.first { $0.severity == .error } : nil
    }

    package var patternProblem: Diagnostic? { single.pattern.flatMap(IRegexp.problem) }

    /// The problem of a value in the param's own definition that doesn't match the pattern. `key` names the value.
    package func mismatch(of sample: Located<OrderedJSON>, called key: String) -> Diagnostic? {
        patternComplaint(about: sample.value).map {
            Diagnostic(code: .typeMismatch, "\"\(key)\" \($0); found \(shown(sample.value))", at: sample.place)
        }
    }
}

extension OrderedJSON {
    /// The value as messages quote it.
    package var shortDescription: String {
        switch self {
        case .array: "an array"
        case .object: "an object"
        default: compact.shortened
        }
    }

    /// The first string in the value in which a placeholder begins.
    fileprivate var firstPlaceholder: String? {
        switch self {
        case .string(let text): text.contains("{{") ? "\"\(text.shortened)\"" : nil
        case .array(let elements): elements.lazy.compactMap(\.firstPlaceholder).first
        case .object(let members): members.lazy.compactMap(\.value.firstPlaceholder).first
        default: nil
        }
    }
}
