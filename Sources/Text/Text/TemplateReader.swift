import ReqcliBasics

/// Splits the texts of workspace files at their placeholders: `{{name}}`, where `\{{` is a literal `{{`.
package struct TemplateReader: Sequence, IteratorProtocol {
    package enum Piece: Equatable {
        /// Text with its escapes resolved.
        case literal(String)
        /// The place of the text between the braces, in bytes.
        case placeholder(Range<Int>)
        /// Braces that are never closed, by the offset of the first one. They are part of the literal that follows.
        case unclosed(Int)
    }

    private let bytes: [UInt8]
    private var position = 0
    /// Whether closing braces may follow: after a placeholder that is never closed, there is no other placeholder.
    private var mayClose = true

    // Reads bytes, not characters: an accent after the braces would form one character with the second brace.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package mutating func next() -> Piece? {
        var literal: [UInt8] = []
        while position < bytes.count {
            if bytes[position] == .backslash, isPair(of: .openBrace, at: position + 1) {
                literal += [.openBrace, .openBrace]
                position += 3
            } else if mayClose, isPair(of: .openBrace, at: position) {
                guard literal.isEmpty else { break }
                let start = position
                guard let end = closing(after: start + 2) else {
                    mayClose = false
                    return .unclosed(start)
                }
                position = end + 2
                return .placeholder(start + 2..<end)
            } else {
                literal.append(bytes[position])
                position += 1
            }
        }
        return literal.isEmpty ? nil : .literal(String(decoding: literal, as: UTF8.self))
    }

    private func isPair(of brace: UInt8, at offset: Int) -> Bool {
        offset + 1 < bytes.count && bytes[offset] == brace && bytes[offset + 1] == brace
    }

    private func closing(after start: Int) -> Int? {
        bytes.indices.dropFirst(start).first { isPair(of: .closeBrace, at: $0) }
    }
}
