import ReqcliBasics
import ReqcliDefinitions
package import ReqcliText

/// A text of an endpoint file taken apart, so that its placeholders or its literal parts can be changed.
package struct TemplateText: Sendable, Equatable {
    package enum Piece: Sendable, Equatable {
        /// Text as it is sent, without escapes.
        case literal(String)
        /// The content of a placeholder: `secret.token`.
        case placeholder(String)
    }

    package var pieces: [Piece]

    package init(_ pieces: [Piece]) { self.pieces = pieces }

    package init(_ text: String) {
        pieces = []
        // Bytes, not characters: an accent behind the braces would be one character with the second brace.
        let bytes = Array(text.utf8)
        var literal: [UInt8] = []
        var position = 0
        var end: Int?
        func isPair(_ byte: UInt8, at offset: Int) -> Bool {
            offset + 1 < bytes.count && bytes[offset] == byte && bytes[offset + 1] == byte
        }
        while position < bytes.count {
            if bytes[position] == .backslash, isPair(.openBrace, at: position + 1) {
                literal += [.openBrace, .openBrace]
                position += 3
                continue
            }
            if isPair(.openBrace, at: position) {
                // Looked for once: behind an unclosed placeholder there is no other one.
                if end.map({ $0 < position + 2 }) ?? true {
                    end = bytes.indices[(position + 2)...].first { isPair(.closeBrace, at: $0) } ?? bytes.count
                }
                if let end, end < bytes.count {
                    if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
                    literal = []
                    let name = bytes[position + 2..<end].filter { $0 != .space }
                    pieces.append(.placeholder(String(decoding: name, as: UTF8.self)))
                    position = end + 2
                    continue
                }
            }
            literal.append(bytes[position])
            position += 1
        }
        if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
    }

    /// The text as an endpoint file writes it.
    package var text: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): TextTemplate.escaped(text)
            case .placeholder(let name): "{{\(name)}}"
            }
        }.joined()
    }

    package var placeholders: [String] {
        pieces.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
    }

    package var isOnePlaceholder: Bool { pieces.count == 1 && literal == nil }

    /// The text without placeholders; nil if it has one.
    package var literal: String? {
        switch pieces.first {
        case nil: ""
        case .literal(let text) where pieces.count == 1: text
        default: nil
        }
    }
}

extension OrderedJSON {
    /// Changes every text, but no name of a member.
    package func mappingTexts(_ change: (String) -> String) -> OrderedJSON {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let elements): .array(elements.map { $0.mappingTexts(change) })
        case .object(let members): .object(members.map { Member($0.name, $0.value.mappingTexts(change)) })
        case .null, .bool, .number: self
        }
    }

    /// A value without placeholders, as an endpoint file writes it.
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
