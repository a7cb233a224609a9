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

    /// The whole text, if there is no placeholder in it.
    package var literal: String? {
        switch pieces.count {
        case 0: return ""
        case 1: if case .literal(let text) = pieces[0] { return text } else { return nil }
        default: return nil
        }
    }

    /// The one placeholder that is all of the text: then its value keeps its type.
    package var onlyPlaceholder: Located<Placeholder>? {
        guard pieces.count == 1, case .placeholder(let placeholder) = pieces[0] else { return nil }
        return placeholder
    }

    package var placeholders: [Located<Placeholder>] {
        pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }

    /// The text as it was written, its placeholders in braces.
    package var source: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .placeholder(let placeholder): "{{\(placeholder.value.text)}}"
            }
        }.joined()
    }
}

// MARK: - Reading

extension TextTemplate {
    /// Reads a JSON string; nil if a placeholder in it is not one, which has then been reported inside the string.
    static func decode(_ value: JSONValue, _ decoding: inout Decoding) -> TextTemplate? {
        guard let text = value.string else {
            decoding.mismatch(value, expects: "text")
            return nil
        }
        return parse(text, at: value.place) { message, hint, range in
            decoding.report(.placeholderInvalid, message, at: value.place(ofText: range), hint: hint)
        } placeOf: {
            value.place(ofText: $0)
        }
    }

    /// Cuts a text into its pieces.
    private static func parse(
        _ text: String, at place: Place, report: (String, String?, Range<Int>) -> Void, placeOf: (Range<Int>) -> Place
    ) -> TextTemplate? {
        guard text.utf8.contains(.openBrace) else { return TextTemplate(literal: text, at: place) }
        let bytes = Array(text.utf8)
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var isUsable = true
        var position = 0

        func isOpening(at offset: Int) -> Bool {
            offset + 1 < bytes.count && bytes[offset] == .openBrace && bytes[offset + 1] == .openBrace
        }
        func endLiteral() {
            if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
            literal = []
        }

        while position < bytes.count {
            if bytes[position] == .backslash, isOpening(at: position + 1) {
                literal += [.openBrace, .openBrace]
                position += 3
                continue
            }
            guard isOpening(at: position) else {
                literal.append(bytes[position])
                position += 1
                continue
            }
            guard let end = closing(bytes, after: position + 2) else {
                report(
                    "this placeholder is never closed", "add }}, or write \\{{ for a literal {{",
                    position..<position + 2)
                return nil
            }
            endLiteral()
            do throws(Placeholder.Problem) {
                let name = String(decoding: bytes[position + 2..<end], as: UTF8.self)
                let placeholder = try Placeholder.parse(String(name.trimmingSpaces))
                pieces.append(.placeholder(Located(placeholder, at: placeOf(position..<end + 2))))
            } catch {
                report(error.message, error.hint, position..<end + 2)
                isUsable = false
            }
            position = end + 2
        }
        endLiteral()
        return isUsable ? TextTemplate(pieces: pieces, place: place) : nil
    }

    private static func closing(_ bytes: [UInt8], after start: Int) -> Int? {
        var position = start
        while position + 1 < bytes.count {
            if bytes[position] == .closeBrace, bytes[position + 1] == .closeBrace { return position }
            position += 1
        }
        return nil
    }
}

extension String {
    fileprivate var trimmingSpaces: Substring {
        let start = firstIndex { $0 != " " } ?? endIndex
        let end = lastIndex { $0 != " " }.map(index(after:)) ?? start
        return self[start..<end]
    }
}

extension Diagnostic.Code {
    package static let placeholderInvalid: Self = "placeholder.invalid"
}

extension Shape where Value == TextTemplate {
    /// Text in which placeholders may stand.
    static let template = Shape(expects: "text", schema: .text()) { value, decoding in
        TextTemplate.decode(value, &decoding)
    }
}
