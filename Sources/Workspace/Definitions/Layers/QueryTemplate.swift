import ReqcliText
import RequestBuilding

/// A query as one text, or as items.
package enum QueryTemplate: Sendable {
    /// A text that is sent byte for byte, in place of the query of earlier layers.
    case text(TextTemplate)
    case items([Named<Setting<[ValueTemplate]>>])

    package var items: [Named<Setting<[ValueTemplate]>>]? {
        if case .items(let items) = self { items } else { nil }
    }
}

extension Setting<QueryTemplate> {
    /// Whether the setting replaces the whole query of earlier layers.
    var replacesQuery: Bool { self.set?.items == nil }
}

extension Shape where Value == QueryTemplate {
    static let query = Shape(
        expects: "an object of query names and values, or the query as text",
        schema: .either([items.schema, .text()])
    ) { value, decoding in
        switch value.kind {
        case .string: return text.decode(value, &decoding).map { .text($0) }
        case .object: return items.decode(value, &decoding).map { .items($0) }
        default:
            decoding.mismatch(value, expects: "an object of query names and values, or the query as text")
            return nil
        }
    }

    private static let items = Shape<[Named<Setting<[ValueTemplate]>>]>.dictionary(
        of: .setting(.fieldValues), keys: .plainName("a query item"), expects: "an object of query names and values")

    private static let text = Shape<TextTemplate>.template.checked { template, value in
        let marks = template.pieces.lazy.compactMap { piece in
            if case .literal(let text) = piece { PercentEncoding.firstUnencoded(inQuery: text) } else { nil }
        }
        return marks.first.map { mark in
            Complaint(
                .valueInvalid,
                "\"query\" has \(mark.name), which a URL cannot contain; found \(value.shortDescription)",
                hint: "write \(mark.encoded), or write the query as an object: its values are encoded")
        }
    }
}
