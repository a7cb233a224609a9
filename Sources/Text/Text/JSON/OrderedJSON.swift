/// JSON to be written. Members keep their order, and numbers are written unchanged.
package enum OrderedJSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as written. The caller makes sure that the string is a JSON number.
    case number(String)
    case string(String)
    case array([OrderedJSON])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: OrderedJSON

        package init(_ name: String, _ value: OrderedJSON) {
            self.name = name
            self.value = value
        }
    }

    /// An object of the given members. A member whose value is nil is left out; a member whose value is `.null` is written.
    package static func object(_ members: KeyValuePairs<String, OrderedJSON?>) -> OrderedJSON {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// A string unchanged, or any other value as JSON on one line. A person would type the value in this form.
    package var plainText: String { if case .string(let text) = self { text } else { compact } }

    /// The members, if the value is an object.
    package var objectMembers: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// Changes every string value. Names of members are unchanged.
    package func mappingTexts(_ change: (String) -> String) -> OrderedJSON {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let elements): .array(elements.map { $0.mappingTexts(change) })
        case .object(let members): .object(members.map { Member($0.name, $0.value.mappingTexts(change)) })
        case .null, .bool, .number: self
        }
    }

    /// Parses a JSON text. Returns nil if the text is not valid JSON.
    package init?(parsing text: String) {
        guard let root = JSONDocument.read(SourceFile(name: "value", text: text)).validRoot else { return nil }
        self.init(root)
    }

    /// Copies a value of a document. A place where no JSON could be read becomes null.
    package init(_ value: JSONValue) {
        switch value.kind {
        case .object: self = .object(value.members.map { Member($0.name, OrderedJSON($0.value)) })
        case .array: self = .array(value.elements.map(OrderedJSON.init))
        case .string: self = .string(value.string ?? "")
        case .number: self = .number(value.numberText)
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .null, .invalid: self = .null
        }
    }
}

extension OrderedJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: OrderedJSON...) { self = .array(elements) }

    package static func int(_ value: Int) -> OrderedJSON { .number(String(value)) }
}

// MARK: - Writing

extension OrderedJSON {
    /// The value on one line, without whitespace.
    package var compact: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// The value with one member per line, indented by two spaces per level, without a final line break.
    package var pretty: String { pretty(indent: 0) }

    /// The text as a part of an indented text, at this depth.
    package func pretty(indent: Int) -> String {
        var text = ""
        write(to: &text, indent: indent)
        return text
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): text += JSONStringText.quoted(string)
        case .array(let elements):
            Self.write(elements, between: "[", "]", to: &text, indent: indent) { element, inner, text in
                element.write(to: &text, indent: inner)
            }
        case .object(let members):
            Self.write(members, between: "{", "}", to: &text, indent: indent) { member, inner, text in
                text += JSONStringText.quoted(member.name) + (inner == nil ? ":" : ": ")
                member.value.write(to: &text, indent: inner)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], between opening: String, _ closing: String, to text: inout String, indent: Int?,
        each: (Item, Int?, inout String) -> Void
    ) {
        text += opening
        let inner = indent.map { $0 + 1 }
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: "  ", count: inner) }
            each(item, inner, &text)
        }
        if let indent, !items.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
        text += closing
    }
}

extension OrderedJSON {
    /// All strings in the value, without the names of members.
    package var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        case .null, .bool, .number: []
        }
    }
}
