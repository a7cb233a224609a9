import ReqcliBasics
import ReqcliDefinitions
import ReqcliText

/// A string of an endpoint file, split into placeholders and literal pieces, so that each of them can be changed.
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
        self.init([])
        let bytes = Array(text.utf8)
        for piece in TemplateReader(bytes) {
            switch piece {
            case .literal(let text): append(.literal(text))
            case .placeholder(let content):
                let name = bytes[content].filter { $0 != .space }
                append(.placeholder(String(decoding: name, as: UTF8.self)))
            case .unclosed: break
            }
        }
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

    /// The text if it has no placeholder; else nil.
    package var literal: String? {
        switch pieces.first {
        case nil: ""
        case .literal(let text) where pieces.count == 1: text
        default: nil
        }
    }
}

extension String {
    /// The placeholders of a text of an endpoint file.
    var placeholders: [String] { contains("{{") ? TemplateText(self).placeholders : [] }
}
