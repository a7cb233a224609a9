import ReqcliBasics
import ReqcliFunctions

extension TemplateText {
    /// Reads a text of a format that also writes placeholders as `{{name}}`, without braces in the name.
    ///
    /// - Parameter meaning: Converts the text between the braces.
    package init(braced text: String, _ meaning: (String) -> Piece) {
        self.init([])
        let bytes = Array(text.utf8)
        var literal: [UInt8] = []
        var position = 0
        func isPair(_ byte: UInt8, at offset: Int) -> Bool {
            offset + 1 < bytes.count && bytes[offset] == byte && bytes[offset + 1] == byte
        }
        while position < bytes.count {
            guard isPair(.openBrace, at: position) else {
                literal.append(bytes[position])
                position += 1
                continue
            }
            var end = position + 2
            while end < bytes.count, bytes[end] != .openBrace, bytes[end] != .closeBrace { end += 1 }
            if end > position + 2, isPair(.closeBrace, at: end) {
                append(.literal(String(decoding: literal, as: UTF8.self)))
                literal = []
                append(meaning(String(decoding: bytes[position + 2..<end], as: UTF8.self).trimmed))
                position = end + 2
            } else {
                // Of three braces, the last two may begin a placeholder.
                let next = isPair(.openBrace, at: position + 1) ? position + 1 : end
                literal += bytes[position..<next]
                position = next
            }
        }
        append(.literal(String(decoding: literal, as: UTF8.self)))
    }

    /// A text without placeholders.
    package init(literal: String) { self.init(literal.isEmpty ? [] : [.literal(literal)]) }

    package var isEmpty: Bool { pieces.isEmpty }

    /// Adds a piece. Literal pieces next to each other become one piece.
    package mutating func append(_ piece: Piece) {
        guard case .literal(let text) = piece else { return pieces.append(piece) }
        if text.isEmpty { return }
        guard case .literal(var last)? = pieces.last else { return pieces.append(piece) }
        // The piece is removed first. If there were two references to the text, each append would copy the text.
        pieces.removeLast()
        last += text
        pieces.append(.literal(last))
    }

    /// The text with other texts in place of some placeholders.
    ///
    /// - Parameter text: The text for the placeholder of this name; nil if the placeholder stays.
    func inlining(_ text: (_ name: String) -> TemplateText?) -> TemplateText {
        var whole = TemplateText([])
        for piece in pieces {
            guard case .placeholder(let name) = piece else {
                whole.append(piece)
                continue
            }
            if let pipeline = Pipeline.reading(name) {
                // Only another name can be put into functions, not a longer text.
                let renamed = pipeline.renaming { name in
                    text(name).flatMap { $0.isOnePlaceholder ? $0.placeholders.first : nil }
                }
                whole.append(.placeholder(renamed))
            } else if let text = text(name) {
                for inner in text.pieces { whole.append(inner) }
            } else {
                whole.append(piece)
            }
        }
        return whole
    }

    /// A text of a file with other names in some of its placeholders.
    static func renaming(in text: String, _ newName: (_ name: String) -> String?) -> String {
        guard text.contains("{{") else { return text }
        return TemplateText(text).inlining { newName($0).map { TemplateText([.placeholder($0)]) } }.text
    }

    /// The parts between separators. Separators inside placeholders are ignored.
    package func split(by separator: UInt8, atMost most: Int = .max) -> [TemplateText] {
        var parts = [TemplateText([])]
        for piece in pieces {
            guard case .literal(let text) = piece else {
                parts[parts.count - 1].pieces.append(piece)
                continue
            }
            let texts = text.utf8.split(
                separator: separator, maxSplits: most - parts.count, omittingEmptySubsequences: false)
            for (index, text) in texts.enumerated() {
                if index > 0 { parts.append(TemplateText([])) }
                if !text.isEmpty { parts[parts.count - 1].pieces.append(.literal(String(Substring(text)))) }
            }
        }
        return parts
    }

    /// The text without whitespace at its end.
    package var trimmingEnd: TemplateText {
        guard case .literal(let text)? = pieces.last else { return self }
        let kept = text.utf8.lastIndex { !$0.isJSONWhitespace }.map { text.utf8.index(after: $0) } ?? text.startIndex
        var copy = TemplateText(Array(pieces.dropLast()))
        copy.append(.literal(String(text[..<kept])))
        return copy
    }

    /// The text without whitespace at its ends.
    package var trimmed: TemplateText {
        guard case .literal(let text)? = pieces.first else { return trimmingEnd }
        let start = text.utf8.firstIndex { !$0.isJSONWhitespace } ?? text.endIndex
        var copy = TemplateText(literal: String(text[start...]))
        for piece in pieces.dropFirst() { copy.append(piece) }
        return copy.trimmingEnd
    }

    package func mappingLiterals(_ change: (String) -> String) -> TemplateText {
        TemplateText(
            pieces.map { piece in
                if case .literal(let text) = piece { .literal(change(text)) } else { piece }
            })
    }
}

extension [TemplateText] {
    package func joined(by separator: String) -> TemplateText {
        var result = TemplateText([])
        for (index, part) in enumerated() {
            if index > 0 { result.append(.literal(separator)) }
            for piece in part.pieces { result.append(piece) }
        }
        return result
    }
}

extension String {
    /// The text without whitespace of ASCII at its ends.
    package var trimmed: String {
        let bytes = Substring(self).utf8.drop(while: \.isJSONWhitespace)
        let end = bytes.lastIndex { !$0.isJSONWhitespace }.map(bytes.index(after:)) ?? bytes.startIndex
        return String(Substring(bytes[..<end]))
    }
}
