import ReqcliText

/// A `format` of the specification.
enum Format: String, Sendable, CaseIterable {
    case dateTime = "date-time"
    case date
    case time
    case duration
    case email
    case idnEmail = "idn-email"
    case hostname
    case idnHostname = "idn-hostname"
    case ipv4
    case ipv6
    case uri
    case uriReference = "uri-reference"
    case iri
    case iriReference = "iri-reference"
    case uuid
    case uriTemplate = "uri-template"
    case jsonPointer = "json-pointer"
    case relativeJSONPointer = "relative-json-pointer"
    case regex
    /// Formats of OpenAPI's registry, for the range of an integer.
    case int32
    case int64

    /// Whether the format is about numbers.
    var isNumeric: Bool { self == .int32 || self == .int64 }

    func matches(_ number: JSONNumber) -> Bool {
        guard number.isInteger else { return false }
        let most = self == .int32 ? "2147483648" : "9223372036854775808"
        guard let limit = JSONNumber(most), let least = JSONNumber("-" + most) else { return true }
        return number < limit && !(number < least)
    }

    func matches(_ text: String) -> Bool {
        switch self {
        case .dateTime: DateTimeText.isDateTime(text)
        case .date: DateTimeText.isDate(text)
        case .time: DateTimeText.isTime(text)
        case .duration: DateTimeText.isDuration(text)
        case .email: MailAddress.isValid(text, isInternational: false)
        case .idnEmail: MailAddress.isValid(text, isInternational: true)
        case .hostname: DomainName.isValid(text, isInternational: false)
        case .idnHostname: DomainName.isValid(text, isInternational: true)
        case .ipv4: IPAddress.isVersion4(text)
        case .ipv6: IPAddress.isVersion6(text)
        case .uri: URIText.isValid(text, isInternational: false, isReference: false)
        case .uriReference: URIText.isValid(text, isInternational: false, isReference: true)
        case .iri: URIText.isValid(text, isInternational: true, isReference: false)
        case .iriReference: URIText.isValid(text, isInternational: true, isReference: true)
        case .uuid: PlainFormats.isUUID(text)
        case .uriTemplate: URITemplate.isValid(text)
        case .jsonPointer: PlainFormats.isJSONPointer(text)
        case .relativeJSONPointer: PlainFormats.isRelativeJSONPointer(text)
        case .regex: (try? Pattern(text)) != nil
        case .int32, .int64: true
        }
    }

    /// The name of the format in messages, such as "a date".
    var phrase: String {
        switch self {
        case .dateTime: "a date-time, such as \"2026-03-01T12:30:00Z\""
        case .date: "a date, such as \"2026-03-01\""
        case .time: "a time, such as \"12:30:00Z\""
        case .duration: "a duration, such as \"P1DT12H\""
        case .email: "an email address"
        case .idnEmail: "an email address (idn-email)"
        case .hostname: "a hostname"
        case .idnHostname: "a hostname (idn-hostname)"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address"
        case .uri: "a URI, such as \"https://example.com/\""
        case .uriReference: "a URI or a relative reference (uri-reference)"
        case .iri: "an IRI, such as \"https://example.com/é\""
        case .iriReference: "an IRI or a relative reference (iri-reference)"
        case .uuid: "a UUID"
        case .uriTemplate: "a URI template, such as \"/users/{id}\""
        case .jsonPointer: "a JSON pointer, such as \"/items/0\""
        case .relativeJSONPointer: "a relative JSON pointer, such as \"1/name\""
        case .regex: "a regular expression"
        case .int32: "an integer of 32 bits"
        case .int64: "an integer of 64 bits"
        }
    }
}
