package import ReqcliText

/// A JSON value with placeholders in its strings, and with `$switch` to pick one of several values.
package indirect enum ValueTemplate: Sendable {
    /// JSON without placeholders and `$switch`, as in the file.
    case plain(JSONValue)
    case text(TextTemplate)
    /// A scalar that was made from a number in the file.
    case scalar(OrderedJSON, at: Place)
    case list([ValueTemplate], at: Place)
    case object([Named<ValueTemplate>], at: Place)
    case choice(Switch)

    /// A choice between values: `{"$switch": "{{ascending}}", "true": "ascending", "false": "descending"}`.
    package struct Switch: Sendable {
        package let subject: TextTemplate
        package let cases: [Named<ValueTemplate>]
        /// The value of `"$default"`.
        package let otherwise: ValueTemplate?
        package let place: Place

        /// The key that identifies this `$switch` in the workspace. No param has such a name.
        package var key: String { "$switch \(place.file.name):\(place.range.lowerBound)" }

        /// The pattern of keys. Names of cases can't begin with `$`, so that a misspelled `$default` is reported.
        static let keyPattern = #"^(?!\$)\#(PlainName.pattern)*$|^\$(switch|default|schema|comment)$"#
    }

    package var place: Place {
        switch self {
        case .plain(let value): value.place
        case .text(let template): template.place
        case .scalar(_, let place), .list(_, let place), .object(_, let place): place
        case .choice(let choice): choice.place
        }
    }

    /// Every text in the value, in the order of the file.
    package var texts: [TextTemplate] {
        var texts: [TextTemplate] = []
        collect(into: &texts)
        return texts
    }

    private func collect(into texts: inout [TextTemplate]) {
        switch self {
        case .text(let template): texts.append(template)
        case .plain(let value):
            texts += value.descendants.compactMap { inner in
                inner.string.map { TextTemplate(literal: $0, at: inner.place) }
            }
        case .scalar: break
        case .list(let elements, _): for element in elements { element.collect(into: &texts) }
        case .object(let members, _): for member in members { member.value.collect(into: &texts) }
        case .choice(let choice):
            texts.append(choice.subject)
            for one in choice.cases { one.value.collect(into: &texts) }
            choice.otherwise?.collect(into: &texts)
        }
    }

    /// The value, if it has no placeholders and no `$switch`.
    package var literal: OrderedJSON? {
        switch self {
        case .plain(let value): return OrderedJSON(value)
        case .text(let template): return template.literal.map { .string($0) }
        case .scalar(let value, _): return value
        case .list(let elements, _):
            return elements.literals.map { .array($0) }
        case .object(let members, _):
            return members.map(\.value).literals.map { values in
                .object(zip(members, values).map { OrderedJSON.Member($0.name, $1) })
            }
        case .choice: return nil
        }
    }

    /// The template as written, for display only: `\{{` keeps its backslash.
    package var source: OrderedJSON {
        switch self {
        case .plain(let value): OrderedJSON(value)
        case .text(let template): .string(template.source)
        case .scalar(let value, _): value
        case .list(let elements, _): .array(elements.map(\.source))
        case .object(let members, _):
            .object(members.map { OrderedJSON.Member(TextTemplate.escaped($0.name), $0.value.source) })
        case .choice(let choice):
            .object(
                [OrderedJSON.Member("$switch", .string(choice.subject.source))]
                    + choice.cases.map { OrderedJSON.Member(TextTemplate.escaped($0.name), $0.value.source) }
                    + (choice.otherwise.map { [OrderedJSON.Member("$default", $0.source)] } ?? []))
        }
    }
}

extension [ValueTemplate] {
    /// The values, if no value has placeholders or `$switch`.
    package var literals: [OrderedJSON]? {
        let values = compactMap(\.literal)
        return values.count == count ? values : nil
    }
}
