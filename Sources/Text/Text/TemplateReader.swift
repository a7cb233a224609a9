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
    /// False after a text in a placeholder that is never closed. Looking for each end anew would take quadratic time.
    private var mayQuote = true

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

    private mutating func closing(after start: Int) -> Int? {
        let scanner = PlaceholderScanner(bytes, from: start, readsTexts: mayQuote)
        if scanner.hasOpenText { mayQuote = false }
        return scanner.end
    }
}

/// Finds the end of a placeholder, and the pipes between its source and its functions.
///
/// A pipe is a `|` between whitespace. After the first pipe, and after the name of a source with arguments, a `'` at the start of
/// a word begins a text, in which `}}` and pipes are ordinary characters. Everything else means what it meant before there were
/// functions, so the quotes of a JSONPath don't hide `}}`.
package struct PlaceholderScanner {
    /// The offset of the closing braces; nil if there are none.
    package private(set) var end: Int?
    /// The offsets of the pipes.
    package private(set) var pipes: [Int] = []
    /// Whether the placeholder is more than a name: it has functions, or a source with arguments.
    package private(set) var isComputed = false

    /// Whether a text is never closed. Then the placeholder ends at the first closing braces.
    package private(set) var hasOpenText = false

    /// - Parameter start: The offset after the opening braces.
    package init(_ bytes: [UInt8], from start: Int, readsTexts: Bool = true) {
        guard let first = bytes.indices.dropFirst(start).first(where: { Self.closes(bytes, at: $0) }) else { return }
        end = first
        let content = bytes[start..<first].drop(while: \.isJSONWhitespace)
        isComputed = Self.startsWithCall(content)
        // Fast path: nearly all placeholders are only a name.
        if readsTexts, isComputed || content.contains(UInt8(ascii: "|")) { scan(bytes, from: start) }
    }

    /// Whether a placeholder begins with `$now`, `$random.` or `file` and an argument. A param can have the name `file`.
    private static func startsWithCall(_ content: ArraySlice<UInt8>) -> Bool {
        switch content.first {
        case UInt8(ascii: "$"):
            content.starts(with: "$random.".utf8)
                || content.starts(with: "$now".utf8) && content.dropFirst(4).first?.isJSONWhitespace ?? true
        case UInt8(ascii: "f"):
            content.starts(with: "file".utf8) && content.dropFirst(4).first?.isJSONWhitespace == true
                && content.dropFirst(4).first { !$0.isJSONWhitespace }.map { $0 != UInt8(ascii: "|") } ?? false
        default: false
        }
    }

    private mutating func scan(_ bytes: [UInt8], from start: Int) {
        var index = start
        var path = PathQuotes()
        while index < bytes.count, !Self.closes(bytes, at: index) {
            let isAfterBlank = index == start || bytes[index - 1].isJSONWhitespace
            if isComputed, isAfterBlank, bytes[index] == .apostrophe {
                // A text that is never closed is reported by the reader of the placeholder.
                guard let quote = Self.endOfText(bytes, from: index + 1) else {
                    hasOpenText = true
                    pipes.removeAll { $0 >= end ?? 0 }
                    return
                }
                index = quote
            } else if bytes[index] == UInt8(ascii: "|"), isAfterBlank, !path.isQuoted, index + 1 < bytes.count,
                bytes[index + 1].isJSONWhitespace
            {
                pipes.append(index)
                isComputed = true
            } else if !isComputed {
                path.read(bytes[index])
            }
            index += 1
        }
        end = index < bytes.count ? index : end
    }

    /// The offset of the `'` that ends a text. In a text, `\'` is a quote and `\\` a backslash.
    private static func endOfText(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count, bytes[index] != .apostrophe { index += bytes[index] == .backslash ? 2 : 1 }
        return index < bytes.count ? index : nil
    }

    private static func closes(_ bytes: [UInt8], at index: Int) -> Bool {
        index + 1 < bytes.count && bytes[index] == .closeBrace && bytes[index + 1] == .closeBrace
    }
}

/// Follows the quotes of a JSONPath, such as `request.body.$['a | b']`, because a pipe in them is a part of a name.
private struct PathQuotes {
    private var quote: UInt8?
    private var depth = 0
    private var isEscaped = false

    var isQuoted: Bool { quote != nil }

    mutating func read(_ byte: UInt8) {
        if let open = quote {
            if byte == open, !isEscaped { quote = nil }
            isEscaped = byte == .backslash && !isEscaped
        } else if depth > 0, byte == .apostrophe || byte == .quote {
            quote = byte
        } else if byte == .openBracket {
            depth += 1
        } else if byte == .closeBracket {
            depth = max(0, depth - 1)
        }
    }
}
