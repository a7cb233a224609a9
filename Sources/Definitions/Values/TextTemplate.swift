package import SourceText

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

    /// The placeholder, if it is the whole text: its value then keeps its type.
    package var onlyPlaceholder: Located<Placeholder>? {
        guard pieces.count == 1, case .placeholder(let placeholder) = pieces[0] else { return nil }
        return placeholder
    }

    package var placeholders: [Located<Placeholder>] {
        pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
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
        // Looking for one character is much faster than looking for two.
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        return text.split(separator: "{{", omittingEmptySubsequences: false).joined(separator: #"\{{"#)
    }
}
