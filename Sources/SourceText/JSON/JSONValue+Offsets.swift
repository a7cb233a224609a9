import ASCII

extension JSONValue {
    /// The place in the file of a part of a string's text, given by UTF-8 offsets in `string`: a language inside a string (a
    /// path, a pattern, a placeholder) points at its mistakes with it.
    ///
    /// With escapes the two differ: `\n` is one byte of text and two of the file. An escape is marked whole.
    package func place(ofText range: Range<Int>) -> Place {
        guard kind == .string else { return place }
        var offsets = textOffsets
        return offsets.place(ofText: range)
    }

    /// For many places in one string, asked for from front to back.
    package var textOffsets: TextOffsets { TextOffsets(self) }

    /// Walks a string and its source side by side, once, however many places in it are asked for.
    package struct TextOffsets: Sendable {
        private let file: SourceFile
        private let hasEscapes: Bool
        private let end: Int
        private var source: Int
        private var decoded = 0

        init(_ value: JSONValue) {
            file = value.document.file
            hasEscapes = value.hasEscapes
            let inner = value.innerRange
            source = inner.lowerBound
            end = inner.upperBound
        }

        /// The offset in the file; `target` must not be less than the one before.
        package mutating func source(ofText target: Int) -> Int {
            if !hasEscapes {
                let step = min(max(target - decoded, 0), end - source)
                source += step
                decoded += step
                return source
            }
            let bytes = file.bytes
            while source < end, decoded < target {
                if bytes[source] == .backslash {
                    let next = JSONStringText.endOfEscape(bytes, source..<end)
                    decoded += JSONStringText.decoded(bytes, source..<next).utf8.count
                    source = next
                } else {
                    decoded += 1
                    source += 1
                }
            }
            return source
        }

        package mutating func place(ofText range: Range<Int>) -> Place {
            let start = source(ofText: range.lowerBound)
            return Place(file, start..<max(start, source(ofText: range.upperBound)))
        }
    }
}
