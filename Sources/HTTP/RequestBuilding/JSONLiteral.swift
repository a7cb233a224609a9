/// A JSON value to send: members keep their order, and numbers keep their text.
///
/// A nil member or element is left out. `.null` is sent as `null`.
///
/// ```swift
/// let age: Int? = nil
/// let user: JSONLiteral = ["name": "Ada", "age": age.map { .number($0) }, "tags": ["a", "b"], "manager": .null]
/// builder.jsonBody(user) // {"name":"Ada","tags":["a","b"],"manager":null}
/// ```
public indirect enum JSONLiteral: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number that is given as a string. The string must be a JSON number.
    case number(text: String)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONLiteral])
    /// An object. Its members are sent in this order.
    case object([Member])

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public let value: JSONLiteral

        /// A member.
        public init(_ name: String, _ value: JSONLiteral) {
            self.name = name
            self.value = value
        }
    }

    /// A whole number.
    public static func number(_ value: Int) -> JSONLiteral { .number(text: String(value)) }

    /// A number. A whole number is sent without a fraction: `1000.0` becomes `1000`. JSON has no infinity and no NaN, so these
    /// values become `null`.
    public static func number(_ value: Double) -> JSONLiteral {
        guard value.isFinite else { return .null }
        return .number(text: Int(exactly: value).map(String.init) ?? "\(value)")
    }
}

extension JSONLiteral: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// `true` or `false`
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array of the elements that are not nil.
    public init(arrayLiteral elements: JSONLiteral?...) { self = .array(elements.compactMap(\.self)) }
    /// An object of the members that are not nil.
    public init(dictionaryLiteral elements: (String, JSONLiteral?)...) {
        self = .object(elements.compactMap { name, value in value.map { Member(name, $0) } })
    }
}

extension JSONLiteral {
    /// The value as text for a header, a query item or a part of a path: a string unchanged, any other value as compact JSON.
    public var text: String { if case .string(let text) = self { text } else { compact } }

    /// The strings for a name that may repeat, such as a query item: one string for each element of an array, or one string for
    /// any other value.
    @_spi(Generated) public var texts: [String] {
        if case .array(let elements) = self { elements.map(\.text) } else { [text] }
    }

    /// The value as JSON on one line, without whitespace.
    public var compact: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): Self.write(string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Writes a string with the escapes that JSON requires.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += #"\""#
            case "\\": text += #"\\"#
            case "\n": text += #"\n"#
            case "\r": text += #"\r"#
            case "\t": text += #"\t"#
            case "\u{8}": text += #"\b"#
            case "\u{C}": text += #"\f"#
            case "\0"..<" ":
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONLiteral: Codable {
    /// Decodes any JSON. The members of an object are sorted by their names, since decoders don't keep their order.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: MemberName.self) {
            let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
            self = .object(try keys.map { Member($0.stringValue, try container.decode(JSONLiteral.self, forKey: $0)) })
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONLiteral] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONLiteral.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: MemberName.self)
            for member in members { try container.encode(member.value, forKey: MemberName(stringValue: member.name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null, .bool, .number, .string:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .number(let text):
                if let whole = Int(text) { try container.encode(whole) } else { try container.encode(Double(text)) }
            default: try container.encodeNil()
            }
        }
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension RequestBuilder {
    /// Sets the body to JSON, with members in the order in which they are written. Nil changes nothing.
    @_spi(Generated) public func body(json: JSONLiteral?, contentType: String = "application/json") -> RequestBuilder {
        guard let json else { return self }
        return textBody(json.compact, contentType: contentType)
    }
}
