import ReqcliBasics
import ReqcliDefinitions
import ReqcliFunctions
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
                let isComputed = PlaceholderScanner(bytes, from: content.lowerBound).isComputed
                let name = isComputed ? Array(bytes[content]) : bytes[content].filter { $0 != .space }
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

    /// The names in the placeholders. A placeholder with functions has the names of the values that it uses.
    package var placeholders: [String] {
        pieces.flatMap { piece in
            guard case .placeholder(let name) = piece else { return [String]() }
            return Pipeline.reading(name).map { $0.names.map(\.text) } ?? [name]
        }
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

extension Pipeline {
    /// Reads a placeholder whose names are given their meanings later; nil if it has no functions.
    static func reading(_ content: String) -> Pipeline? {
        (try? Pipeline.read(content) { _ throws(PipelineProblem) in .json }) ?? nil
    }

    /// The placeholder with other names of values.
    ///
    /// - Parameter newName: The new name; nil if the name stays.
    func renaming(_ newName: (_ name: String) -> String?) -> String {
        var bytes = Array(text.utf8)
        for name in names.reversed() {
            if let new = newName(name.text) { bytes.replaceSubrange(name.range, with: new.utf8) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// The placeholders of a text of an endpoint file.
    var placeholders: [String] { contains("{{") ? TemplateText(self).placeholders : [] }
}
