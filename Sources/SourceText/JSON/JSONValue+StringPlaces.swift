extension JSONValue {
    /// The place of a part of a string's text, given by UTF-8 offsets in `string`: a language inside a string (a path, a
    /// pattern, a placeholder) points at its mistakes with it, whatever escapes the string is written with.
    ///
    /// An escape is marked whole. For a value that is no string it is the whole value.
    package func place(inString range: Range<Int>) -> Place {
        guard kind == .string else { return place }
        let start = sourceRange(at: range.lowerBound).lowerBound
        let end = range.isEmpty ? start : sourceRange(at: range.upperBound - 1).upperBound
        return Place(document.file, start..<max(start, end))
    }

    /// The bytes of the file that stand for one byte of the string's text; behind its end, the place of the closing quote.
    private func sourceRange(at offset: Int) -> Range<Int> {
        let inner = innerRange
        let bytes = document.file.bytes
        guard offset >= 0 else { return inner.lowerBound..<inner.lowerBound }
        var decoded = 0
        var position = inner.lowerBound
        while position < inner.upperBound {
            guard bytes[position] == .backslash else {
                if decoded == offset { return position..<position + 1 }
                decoded += 1
                position += 1
                continue
            }
            let end = JSONStringText.endOfEscape(bytes, position..<inner.upperBound)
            decoded += JSONStringText.decoded(bytes, position..<end).utf8.count
            if decoded > offset { return position..<end }
            position = end
        }
        return inner.upperBound..<inner.upperBound
    }
}
