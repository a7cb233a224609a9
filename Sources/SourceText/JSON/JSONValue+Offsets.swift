extension JSONValue {
    /// Where in the file a character of a string stands, given its UTF-8 offset in the decoded text.
    ///
    /// With escapes the two differ: `\n` is one byte of text and two of the file.
    package func sourceOffset(ofTextOffset target: Int) -> Int {
        let inner = innerRange
        let bytes = document.file.bytes
        var source = inner.lowerBound
        var decoded = 0
        while source < inner.upperBound, decoded < target {
            if bytes[source] == .backslash {
                let end = escapeEnd(source, inner.upperBound)
                decoded += JSONStringText.decoded(bytes, source..<end).utf8.count
                source = end
            } else {
                decoded += 1
                source += 1
            }
        }
        return source
    }

    /// The place in the file of a stretch of a string's decoded text.
    package func place(ofText range: Range<Int>) -> Place {
        let start = sourceOffset(ofTextOffset: range.lowerBound)
        return Place(document.file, start..<max(start, sourceOffset(ofTextOffset: range.upperBound)))
    }

    private func escapeEnd(_ start: Int, _ end: Int) -> Int {
        let bytes = document.file.bytes
        guard start + 1 < end, bytes[start + 1] == 0x75 else { return min(start + 2, end) }
        let first = min(start + 6, end)
        let isPair =
            first + 6 <= end && bytes[first] == .backslash && bytes[first + 1] == 0x75
            && JSONStringText.decoded(bytes, start..<first + 6).unicodeScalars.count == 1
        return isPair ? first + 6 : first
    }
}
