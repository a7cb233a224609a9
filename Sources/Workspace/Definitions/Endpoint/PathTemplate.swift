import ReqcliBasics
import ReqcliText

/// A path as one text, or as segments. An absent segment is left out.
package enum PathTemplate: Sendable {
    case text(TextTemplate)
    case segments([ValueTemplate])

    /// The path as lists show it.
    package var source: String {
        switch self {
        case .text(let template): template.source
        case .segments(let segments):
            segments.map { if case .string(let text) = $0.source { text } else { $0.source.compact } }
                .joined(separator: "/")
        }
    }
}

extension Shape where Value == PathTemplate {
    static let path = Shape(
        expects: "a path, or a list of segments",
        schema: .either([.text(), .list(Shape<ValueTemplate>.scalarValue.schema)])
    ) { value, decoding in
        switch value.kind {
        case .string: return pathText.decode(value, &decoding).map { .text($0) }
        case .array:
            return .segments(value.elements.compactMap { ValueTemplate.decode($0, .scalars, &decoding) })
        default:
            decoding.mismatch(value, expects: "a path, or a list of segments")
            return nil
        }
    }

    private static let pathText = Shape<TextTemplate>.template.checked { template, value in
        PathTemplate.complaint(about: template, key: "path", value)
    }
}

extension PathTemplate {
    /// The problem with a text that contains more than a path, such as a whole URL.
    static func complaint(about template: TextTemplate, key: String, _ value: JSONValue) -> Complaint? {
        if case .literal(let text)? = template.pieces.first, text.beginsLikeURL {
            return Complaint(
                .valueInvalid, "\"\(key)\" takes a path, not a whole URL; found \(value.shortDescription)",
                hint: "put scheme, host and port into \"baseURL\"")
        }
        let hasMore = template.pieces.contains {
            if case .literal(let text) = $0 { text.utf8.contains { $0 == 0x3F || $0 == 0x23 } } else { false }
        }
        guard hasMore else { return nil }
        return Complaint(
            .valueInvalid, "a path cannot contain \"?\" or \"#\"; found \(value.shortDescription)",
            hint: "put query items into \"query\"; write %3F or %23 for the characters themselves")
    }
}

extension String {
    /// Whether the text begins like `https://…`. A path may contain a URL further on.
    fileprivate var beginsLikeURL: Bool {
        let scheme = utf8.prefix { ($0 | 0x20) &- 0x61 < 26 }
        return !scheme.isEmpty && utf8[scheme.endIndex...].starts(with: "://".utf8)
    }
}
