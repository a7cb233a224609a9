import ReqcliBasics
package import ReqcliText

/// A text with placeholders: `"/v3/user/{{userID}}/feed"`.
package struct TextTemplate: Sendable {
    package enum Piece: Sendable {
        case literal(String)
        case placeholder(Located<Placeholder>)
    }

    package let pieces: [Piece]
    package let place: Place

    package init(pieces: [Piece], place: Place) {
        self.pieces = pieces
        self.place = place
    }

    /// A text without placeholders.
    package init(literal: String, at place: Place) {
        self.init(pieces: literal.isEmpty ? [] : [.literal(literal)], place: place)
    }

    /// The whole text, if it has no placeholder.
    package var literal: String? {
        switch pieces.count {
        case 0: return ""
        case 1: if case .literal(let text) = pieces[0] { return text } else { return nil }
        default: return nil
        }
    }

    /// The placeholder, if the whole text is a single placeholder. In this case, its value keeps its type.
    package var onlyPlaceholder: Located<Placeholder>? {
        guard pieces.count == 1, case .placeholder(let placeholder) = pieces[0] else { return nil }
        return placeholder
    }

    /// The text as written, with its placeholders in braces.
    package var source: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): Self.escaped(text)
            case .placeholder(let placeholder): "{{\(placeholder.value.text)}}"
            }
        }.joined()
    }

    /// The template source for a text without placeholders.
    package static func escaped(_ text: String) -> String {
        replacingBraces(in: text, by: #"\{{"#)
    }

    /// The text that a source without placeholders stands for: `\{{` is a literal `{{`.
    package static func unescaped(_ source: String) -> String {
        source.utf8.contains(UInt8(ascii: "{")) ? source.replacing(#"\{{"#, with: "{{") : source
    }

    /// The template source for a part of a URL without placeholders.
    package static func escaped(inURL text: String) -> String { replacingBraces(in: text, by: "%7B%7B") }

    private static func replacingBraces(in text: String, by replacement: String) -> String {
        // Looking for one byte is much faster than looking for two.
        guard text.utf8.contains(.openBrace) else { return text }
        // Compares bytes, because an accent after the braces would form one character with the second brace.
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: [.openBrace, .openBrace]) {
                result += replacement.utf8
                index += 2
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension OrderedJSON {
    /// The value as an endpoint file writes it, with literal braces escaped. The value must not contain placeholders.
    package var escapingBraces: OrderedJSON {
        switch self {
        case .string(let text): .string(TextTemplate.escaped(text))
        case .array(let elements): .array(elements.map(\.escapingBraces))
        case .object(let members):
            .object(members.map { Member(TextTemplate.escaped($0.name), $0.value.escapingBraces) })
        case .null, .bool, .number: self
        }
    }
}
