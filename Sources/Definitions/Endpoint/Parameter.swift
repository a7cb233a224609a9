import IRegexp
package import SourceText

/// A value that the caller gives: `reqcli send user.get userID=42`.
package struct Parameter: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case string
        case integer
        case number
        case boolean
        case json
        case file
    }

    package var kind = Kind.string
    /// Whether the file gives a valid type. Without one, values are not checked.
    private var isKindKnown = false
    package var isRequiredByKey: Bool?
    package var defaultValue: Located<OrderedJSON>?
    package var allowed: [Located<OrderedJSON>]?
    package var pattern: Located<String>?
    package var minimum: JSONNumber?
    package var maximum: JSONNumber?
    package var example: Located<OrderedJSON>?
    package var summary: String?
    package var isSecret = false

    /// Whether the caller must give a value: by default, if there is no default value.
    package var isRequired: Bool { isRequiredByKey ?? (defaultValue == nil) }

    static let table = ObjectShape<Parameter>(
        "param", title: "a param", summary: "A value that the caller gives by name.",
        [
            Field("type", Shape<Kind>.word, required: true, "The type that its text is converted to.") {
                $0.kind = $1
                $0.isKindKnown = true
            },
            Field("description", .text, "What the param means, for callers.") { $0.summary = $1 },
            Field("required", .boolean, "Whether the caller must give it; true unless there is a default.") {
                $0.isRequiredByKey = $1
            },
            Field("default", .located(.json), "The value if the caller gives none.") { $0.defaultValue = $1 },
            Field(
                "example", .located(.json), "A sample value. Checks use it for a required param that they don't give."
            ) { $0.example = $1 },
            Field(
                "enum", .list(of: .located(.json), expects: "a list of values", isNeverEmpty: true),
                "The allowed values."
            ) {
                $0.allowed = $1
            },
            Field("pattern", .located(.text), "A regular expression (RFC 9485) that the whole text must match.") {
                $0.pattern = $1
            },
            Field("minimum", .number, "The smallest number allowed.") { $0.minimum = $1 },
            Field("maximum", .number, "The largest number allowed.") { $0.maximum = $1 },
            Field("secret", .boolean, "Never show the value.") { $0.isSecret = $1 },
        ], initial: { _ in Parameter() }, check: { $0.verify($1, &$2) })

    /// Checks that the default, the example and the enum are valid values of the param.
    private func verify(_ object: JSONValue, _ decoding: inout Decoding) {
        guard isKindKnown else { return }
        if let minimum, let maximum, maximum < minimum {
            decoding.report(
                .valueRange, "\"maximum\" (\(maximum.text)) is below \"minimum\" (\(minimum.text))",
                at: object.placeOfKey("maximum"))
        }
        if kind != .integer, kind != .number {
            for (key, bound) in [("minimum", minimum), ("maximum", maximum)] where bound != nil {
                decoding.report(
                    .keyConflict, "\"\(key)\" is for integers and numbers; this param takes \(kind.phrase)",
                    at: object.placeOfKey(key))
            }
        }
        if pattern != nil, kind != .string {
            decoding.report(
                .keyConflict, "\"pattern\" is for strings; this param takes \(kind.phrase)",
                at: object.placeOfKey("pattern"))
        }
        verifySamples(&decoding)
        if let defaultValue, let placeholder = defaultValue.value.firstPlaceholder {
            decoding.report(
                .placeholderInvalid, "placeholders are not replaced in \"default\"; found \(placeholder)",
                at: defaultValue.place, hint: "use the variable where the param is used, or give the value itself")
        }
    }

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
    /// The values that the param's own file gives, by key.
    var samples: [(key: String, value: Located<OrderedJSON>)] {
        [("default", defaultValue), ("example", example)].compactMap { key, value in value.map { (key, $0) } }
            + (allowed ?? []).map { ("enum", $0) }
    }

    /// A value as messages about this param quote it. If the param takes any JSON, objects are quoted in full.
    package func shown(_ value: OrderedJSON, masking mask: (String) -> String = { $0 }) -> String {
        // Mask before shortening: a secret that was cut is no longer found.
        switch value {
        case .string(let text): OrderedJSON.string(mask(text)).shortDescription
        case .array where kind != .json, .object where kind != .json: value.shortDescription
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
        guard case .number(let text) = value, let number = JSONNumber(text) else { return nil }
        if kind == .integer, Self.plainText(of: number) == nil {
            return "takes a whole number of at most \(Self.mostDigits) digits"
        }
        if let minimum, number < minimum { return "must be at least \(minimum.text)" }
        if let maximum, number > maximum { return "must be at most \(maximum.text)" }
        return nil
    }

    /// The value in its usual form: 1e3 and 42.0 become plain whole numbers, as paths need them.
    package func plain(_ value: OrderedJSON) -> OrderedJSON {
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
        guard let pattern, case .string(let text) = value, let regexp = try? IRegexp(pattern.value),
            !regexp.matches(text)
        else { return nil }
        return "takes text that matches \(OrderedJSON.string(pattern.value).shortDescription)"
    }

    package var patternProblem: Diagnostic? { pattern.flatMap(IRegexp.problem) }

    /// The problem of a value in the param's own file that doesn't match the pattern. `key` names the value.
    package func mismatch(of sample: Located<OrderedJSON>, called key: String) -> Diagnostic? {
        patternComplaint(about: sample.value).map {
            Diagnostic(code: .typeMismatch, "\"\(key)\" \($0); found \(shown(sample.value))", at: sample.place)
        }
    }
}

extension Parameter.Kind {
    /// The name of this kind of value in messages.
    package var phrase: String {
        switch self {
        case .string: "text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .json: "JSON"
        case .file: "the path of a file"
        }
    }

    func accepts(_ value: OrderedJSON) -> Bool {
        switch (self, value) {
        case (.json, _), (.string, .string), (.file, .string), (.boolean, .bool), (.number, .number): true
        case (.integer, .number(let text)): JSONNumber(text)?.isInteger == true
        default: false
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

    /// The first text in the value that begins a placeholder.
    fileprivate var firstPlaceholder: String? {
        switch self {
        case .string(let text): text.contains("{{") ? "\"\(text.shortened)\"" : nil
        case .array(let elements): elements.lazy.compactMap(\.firstPlaceholder).first
        case .object(let members): members.lazy.compactMap(\.value.firstPlaceholder).first
        default: nil
        }
    }
}
