import ReqcliBasics

/// Splits the strings of workspace files at their placeholders, such as `{{name}}`. The escape `\{{` is a literal `{{`.
package struct TemplateReader: Sequence, IteratorProtocol {
    package enum Piece: Equatable {
        /// Text with its escapes resolved.
        case literal(String)
        /// The place of the text between the braces, in bytes.
        case placeholder(Range<Int>)
        /// The offset of an opening brace pair that is never closed. The braces are part of the literal that follows.
        case unclosed(Int)
    }

    private let bytes: [UInt8]
    private var position = 0
    /// False if there can't be closing braces any more: after a placeholder that is never closed, there is no other placeholder.
    private var mayClose = true

    // Reads bytes, not characters, because an accent after the braces would form one character with the second brace.
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
