import ReqcliJSONPath
import ReqcliText

/// A `format` of the specification: its name, and the values that have it.
struct Format: Rule {
    let name: String
    /// The name of the format in messages, such as "a date".
    private let phrase: String
    let kinds: KindSet
    private let accepts: @Sendable (JSONCursor) -> Bool

    static let all = [
        Format("date-time", "a date-time, such as \"2026-03-01T12:30:00Z\"", DateTimeText.isDateTime),
        Format("date", "a date, such as \"2026-03-01\"", pattern: FormatPattern.date),
        Format("time", "a time, such as \"12:30:00Z\"", DateTimeText.isTime),
        Format("duration", "a duration, such as \"P1DT12H\"", pattern: FormatPattern.duration),
        Format("email", "an email address") { MailAddress.isValid($0, isInternational: false) },
        Format("idn-email", "an email address (idn-email)") { MailAddress.isValid($0, isInternational: true) },
        Format("hostname", "a hostname") { DomainName.isValid($0, isInternational: false) },
        Format("idn-hostname", "a hostname (idn-hostname)") { DomainName.isValid($0, isInternational: true) },
        Format("ipv4", "an IPv4 address", pattern: FormatPattern.ipv4),
        Format("ipv6", "an IPv6 address", pattern: FormatPattern.ipv6),
        Format("uri", "a URI, such as \"https://example.com/\"", pattern: FormatPattern.uri),
        Format("uri-reference", "a URI or a relative reference (uri-reference)", pattern: FormatPattern.uriReference),
        Format("iri", "an IRI, such as \"https://example.com/é\"", pattern: FormatPattern.iri),
        Format("iri-reference", "an IRI or a relative reference (iri-reference)", pattern: FormatPattern.iriReference),
        Format("uuid", "a UUID", pattern: FormatPattern.uuid),
        Format("uri-template", "a URI template, such as \"/users/{id}\"", pattern: FormatPattern.uriTemplate),
        Format("json-pointer", "a JSON pointer, such as \"/items/0\"", pattern: FormatPattern.jsonPointer),
        Format(
            "relative-json-pointer", "a relative JSON pointer, such as \"1/name\"",
            pattern: FormatPattern.relativeJSONPointer),
        Format("regex", "a regular expression") { (try? Pattern($0)) != nil },
        // Formats of OpenAPI's registry, for the range of an integer.
        Format("int32", "an integer of 32 bits", below: "2147483648"),
        Format("int64", "an integer of 64 bits", below: "9223372036854775808"),
    ]

    static func named(_ name: String) -> Format? { all.first { $0.name == name } }

    func holds(_ value: JSONCursor, _ at: At, _ run: inout SchemaEvaluator) -> Bool {
        !kinds.contains(KindSet(value.kind)) || accepts(value) || run.fail(at, value, phrase)
    }

    private init(_ name: String, _ phrase: String, _ isValid: @escaping @Sendable (String) -> Bool) {
        (self.name, self.phrase, kinds) = (name, phrase, .string)
        accepts = { isValid($0.string) }
    }

    /// - Parameter pattern: The pattern for the whole string. It is compiled when it is first used.
    private init(_ name: String, _ phrase: String, pattern: @escaping @autoclosure @Sendable () -> IRegexp?) {
        (self.name, self.phrase, kinds) = (name, phrase, .string)
        accepts = { text in
            var steps = Int.max
            return pattern()?.run(on: text, isAnchored: true, steps: &steps) ?? false
        }
    }

    private init(_ name: String, _ phrase: String, below limit: String) {
        (self.name, self.phrase, kinds) = (name, phrase, .number)
        accepts = { text in
            guard let number = text.value.number, number.isInteger else { return false }
            guard let limit = JSONNumber(limit), let least = JSONNumber("-" + limit.text) else { return true }
            return number < limit && !(number < least)
        }
    }
}

extension IRegexp {
    /// Matches a string of a document, as `run(on:isAnchored:steps:)` does.
    func run(on text: JSONCursor, isAnchored: Bool, steps: inout Int) -> Bool? {
        guard let bytes = text.plainBytes else { return run(on: text.string, isAnchored: isAnchored, steps: &steps) }
        return run(onUTF8: bytes, isAnchored: isAnchored, steps: &steps)
    }
}
