package import SourceText

/// A JSON value with placeholders in its strings, and with `$switch` where one of several values is picked.
package indirect enum ValueTemplate: Sendable {
    case text(TextTemplate)
    /// A number, true, false or null, as written.
    case scalar(OrderedJSON, at: Place)
    case list([ValueTemplate], at: Place)
    case object([Named<ValueTemplate>], at: Place)
    case choice(Switch)

    /// `{"$switch": "{{ascending}}", "true": "ascending", "false": "descending"}`
    package struct Switch: Sendable {
        package let subject: TextTemplate
        package let cases: [Named<ValueTemplate>]
        /// The value of `"$default"`.
        package let otherwise: ValueTemplate?
        package let place: Place
    }

    package var place: Place {
        switch self {
        case .text(let template): template.place
        case .scalar(_, let place), .list(_, let place), .object(_, let place): place
        case .choice(let choice): choice.place
        }
    }

    /// Every text in it, in the order of the file.
    package var texts: [TextTemplate] {
        switch self {
        case .text(let template): [template]
        case .scalar: []
        case .list(let elements, _): elements.flatMap(\.texts)
        case .object(let members, _): members.flatMap(\.value.texts)
        case .choice(let choice):
            [choice.subject] + choice.cases.flatMap(\.value.texts) + (choice.otherwise?.texts ?? [])
        }
    }

    package var placeholders: [Located<Placeholder>] { texts.flatMap(\.placeholders) }

    /// The template as it was written, on one line.
    package var source: OrderedJSON {
        switch self {
        case .text(let template): .string(template.source)
        case .scalar(let value, _): value
        case .list(let elements, _): .array(elements.map(\.source))
        case .object(let members, _): .object(members.map { OrderedJSON.Member($0.name, $0.value.source) })
        case .choice(let choice):
            .object(
                [OrderedJSON.Member("$switch", .string(choice.subject.source))]
                    + choice.cases.map { OrderedJSON.Member($0.name, $0.value.source) }
                    + (choice.otherwise.map { [OrderedJSON.Member("$default", $0.source)] } ?? []))
        }
    }
}

// MARK: - Reading

extension ValueTemplate {
    /// What a place in the format takes.
    enum Extent {
        /// Any JSON.
        case anything
        /// One text, number or truth value.
        case scalars
    }

    static func decode(_ value: JSONValue, _ extent: Extent, _ decoding: inout Decoding) -> ValueTemplate? {
        switch value.kind {
        case .string: return TextTemplate.decode(value, &decoding).map { .text($0) }
        case .number, .true, .false: return .scalar(OrderedJSON(value), at: value.place)
        case .null where extent == .anything: return .scalar(.null, at: value.place)
        case .array where extent == .anything:
            return .list(value.elements.compactMap { decode($0, extent, &decoding) }, at: value.place)
        case .object where value["$switch"] != nil: return decodeSwitch(value, extent, &decoding)
        case .object where extent == .anything: return decodeObject(value, &decoding)
        case .invalid: return nil
        case .null, .array, .object:
            decoding.mismatch(value, expects: "text, a number, true or false, or a $switch")
            return nil
        }
    }

    private static func decodeObject(_ value: JSONValue, _ decoding: inout Decoding) -> ValueTemplate? {
        var seen = SeenKeys()
        let members = value.members.compactMap { member -> Named<ValueTemplate>? in
            let name = member.name
            guard seen.isNew(member, identity: name, &decoding) else { return nil }
            if let brace = name.utf8.firstOccurrence(of: "{{") {
                decoding.report(
                    .placeholderInvalid, "placeholders are not replaced in keys", at: member.key.place(ofText: brace),
                    hint: "a value can't change which keys there are")
            }
            return decode(member.value, .anything, &decoding).map { Named(name, at: member.key.place, $0) }
        }
        return .object(members, at: value.place)
    }

    private static func decodeSwitch(_ value: JSONValue, _ extent: Extent, _ decoding: inout Decoding) -> ValueTemplate?
    {
        var seen = SeenKeys()
        var subject: TextTemplate?
        var cases: [Named<ValueTemplate>] = []
        var otherwise: ValueTemplate?
        for member in value.members where seen.isNew(member, identity: member.name, &decoding) {
            switch member.name {
            case "$switch":
                subject = decoding.under("$switch") { TextTemplate.decode(member.value, &$0) }
                if let subject, subject.placeholders.isEmpty {
                    decoding.report(
                        .valueInvalid,
                        "\"$switch\" takes a placeholder to decide by; found \(member.value.shortDescription)",
                        at: member.value.place, hint: "write \"{{name}}\"")
                }
            case "$comment": continue
            case "$default": otherwise = decode(member.value, extent, &decoding)
            default:
                if let template = decode(member.value, extent, &decoding) {
                    cases.append(Named(member.name, at: member.key.place, template))
                }
            }
        }
        if cases.isEmpty {
            decoding.report(.keyMissing, "this $switch has no case to pick", at: value.headPlace)
        }
        guard let subject else { return nil }
        return .choice(Switch(subject: subject, cases: cases, otherwise: otherwise, place: value.place))
    }
}

extension Shape where Value == ValueTemplate {
    /// One text, number or truth value, with placeholders or by `$switch`.
    static let scalarValue = Shape(
        expects: "text, a number, true or false, or a $switch", schema: .scalarValue
    ) { value, decoding in
        ValueTemplate.decode(value, .scalars, &decoding)
    }

    /// Any JSON with placeholders.
    static let anyValue = Shape(expects: "any JSON value", schema: .anything) { value, decoding in
        ValueTemplate.decode(value, .anything, &decoding)
    }
}

extension SchemaNode {
    fileprivate static var scalarValue: SchemaNode {
        .named("value") { .either([.text(), .number, .boolean, .choice(SchemaNode.scalarValue)]) }
    }
}

extension String.UTF8View {
    /// Where a text first occurs, in UTF-8 offsets.
    fileprivate func firstOccurrence(of needle: String) -> Range<Int>? {
        let bytes = Array(self)
        let wanted = Array(needle.utf8)
        guard bytes.count >= wanted.count else { return nil }
        return (0...bytes.count - wanted.count).first { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
            .map { $0..<$0 + wanted.count }
    }
}
