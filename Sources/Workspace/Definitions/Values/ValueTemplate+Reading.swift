import ReqcliBasics
import ReqcliText

extension ValueTemplate {
    /// The values that a place in the format accepts.
    enum Extent {
        /// Any JSON.
        case anything
        /// A text, a number, true or false.
        case scalars
    }

    /// - Parameter isInside: Whether the value is inside another value that is not plain. Only the outermost value is checked for
    ///   being plain, so that the levels of a deep value are not checked again and again.
    static func decode(
        _ value: JSONValue, _ extent: Extent, isInside: Bool = false, _ decoding: inout Decoding
    ) -> ValueTemplate? {
        switch value.kind {
        case .number, .true, .false: return .plain(value)
        case .string where value.isPlain: return .plain(value)
        case .string: return TextTemplate.decode(value, &decoding).map { .text($0) }
        case .null where extent == .anything: return .plain(value)
        case .array where extent == .anything && !isInside && value.isPlain: return .plain(value)
        case .object where extent == .anything && !isInside && value.isPlain: return .plain(value)
        case .array where extent == .anything:
            return .list(value.elements.compactMap { decode($0, extent, isInside: true, &decoding) }, at: value.place)
        case .object where value["$switch"] != nil: return decodeSwitch(value, extent, &decoding)
        case .object where extent == .anything: return decodeObject(value, &decoding)
        case .invalid: return nil
        case .null, .array, .object:
            decoding.mismatch(value, expects: "text, a number, true or false, or a $switch")
            return nil
        }
    }

    private static func decodeObject(_ value: JSONValue, _ decoding: inout Decoding) -> ValueTemplate? {
        var seen = SeenKeys(in: value)
        let members = value.members.compactMap { member -> Named<ValueTemplate>? in
            let name = PlainName.read(member.key, in: "keys", &decoding)
            guard decoding.isNew(member, identity: name, in: &seen) else { return nil }
            return decode(member.value, .anything, isInside: true, &decoding).map {
                Named(name, at: member.key.place, $0)
            }
        }
        return .object(members, at: value.place)
    }

    private static func decodeSwitch(_ value: JSONValue, _ extent: Extent, _ decoding: inout Decoding) -> ValueTemplate?
    {
        var seen = SeenKeys(in: value)
        var subject: TextTemplate?
        var cases: [Named<ValueTemplate>] = []
        var otherwise: ValueTemplate?
        for member in value.members where decoding.isNew(member, identity: member.name, in: &seen) {
            switch member.name {
            case "$switch":
                subject = decoding.under("$switch") { TextTemplate.decode(member.value, &$0) }
                if let subject, subject.placeholders.isEmpty {
                    decoding.report(
                        .valueInvalid,
                        "\"$switch\" takes a placeholder, whose value selects the case; found \(member.value.shortDescription)",
                        at: member.value.place, hint: "write \"{{name}}\"")
                }
            case "$default": otherwise = decode(member.value, extent, isInside: true, &decoding)
            case let name where ObjectSchema.isMetadataKey(name): continue
            case let name where name.hasPrefix("$"):
                let known = ["$switch", "$default"]
                decoding.report(
                    .keyUnknown, "unknown key \"\(name)\" in a $switch", at: member.key.place,
                    hint: NearNames.question(for: name, among: known) ?? "a $switch takes its cases and \"$default\"")
            default:
                let name = PlainName.read(member.key, in: "the cases of a $switch", &decoding)
                if let template = decode(member.value, extent, isInside: true, &decoding) {
                    cases.append(Named(name, at: member.key.place, template))
                }
            }
        }
        // Cases that can't be read have been reported already.
        if !value.members.contains(where: { $0.name == "$default" || !$0.name.hasPrefix("$") }) {
            decoding.report(
                .keyMissing, "this $switch has no cases", at: value.headPlace,
                hint: "add a key for each value, or \"$default\"")
        }
        guard let subject else { return nil }
        return .choice(Switch(subject: subject, cases: cases, otherwise: otherwise, place: value.place))
    }
}

extension Shape where Value == ValueTemplate {
    /// A text, a number, true or false, with placeholders or `$switch`.
    static let scalarValue = Shape(
        expects: "text, a number, true or false, or a $switch", schema: .scalarValue
    ) { value, decoding in
        ValueTemplate.decode(value, .scalars, &decoding)
    }

    /// Any JSON with placeholders.
    static let anyValue = Shape(expects: "any JSON value", schema: .template) { value, decoding in
        ValueTemplate.decode(value, .anything, &decoding)
    }

    /// Any JSON with placeholders, for places where an object has another meaning.
    static let anyValueButObject = Shape(
        expects: "any JSON value except an object", schema: .either([.nonObject, .choice(.template)])
    ) { value, decoding in
        ValueTemplate.decode(value, .anything, &decoding)
    }
}

extension SchemaNode {
    fileprivate static var scalarValue: SchemaNode {
        .named("value") { .either([.text(), .number(), .boolean, .choice(SchemaNode.scalarValue)]) }
    }
}

extension Shape where Value == ValueTemplate {
    /// An object, or a placeholder or `$switch` whose value is an object.
    static let objectValue = Shape(
        expects: "an object, or a placeholder for one",
        schema: .either([
            .dictionary(keys: "^\(PlainName.pattern)*$", .template), .text(pattern: #"^\{\{[^}]*\}\}$"#),
            .choice(.template),
        ])
    ) { value, decoding in
        switch value.kind {
        case .object: return ValueTemplate.decode(value, .anything, &decoding)
        case .string:
            guard let template = TextTemplate.decode(value, &decoding) else { return nil }
            if template.onlyPlaceholder != nil { return .text(template) }
        default: break
        }
        decoding.mismatch(value, expects: "an object, or a placeholder for one")
        return nil
    }
}
