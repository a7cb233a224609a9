extension JSONValue {
    /// Where in the file a character of a string stands, given its UTF-8 offset in the decoded text.
    ///
    /// With escapes the two differ: `\n` is one byte of text and two of the file.
    package func sourceOffset(ofTextOffset target: Int) -> Int {
        var offsets = textOffsets
        return offsets.source(ofText: target)
    }

    /// The place in the file of a stretch of a string's decoded text.
    package func place(ofText range: Range<Int>) -> Place {
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
                    let next = Self.escapeEnd(bytes, source, end)
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

        private static func escapeEnd(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
            guard start + 1 < end, bytes[start + 1] == 0x75 else { return min(start + 2, end) }
            let first = min(start + 6, end)
            let isPair =
                first + 6 <= end && bytes[first] == .backslash && bytes[first + 1] == 0x75
                && JSONStringText.decoded(bytes, start..<first + 6).unicodeScalars.count == 1
            return isPair ? first + 6 : first
        }
    }
}
