import ReqcliBasics

extension JSONValue {
    /// The place in the file of a part of a string, given by UTF-8 offsets in `string`. The readers of languages inside strings
    /// (paths, patterns, placeholders) use this place to point at mistakes.
    ///
    /// Offsets in the file differ from offsets in the string if there are escapes: `\n` is one byte of the string and two bytes
    /// of the file. An escape is always marked as a whole.
    package func place(ofText range: Range<Int>) -> Place {
        guard kind == .string else { return place }
        var offsets = textOffsets
        return offsets.place(ofText: range)
    }

    /// A converter for many offsets in one string. The offsets must be asked for in ascending order.
    package var textOffsets: TextOffsets { TextOffsets(self) }

    /// Converts offsets in a string's text to offsets in the file, in one pass over the string.
    package struct TextOffsets: Sendable {
        private let file: SourceFile
        private let hasEscapes: Bool
        private let end: Int
        /// Whether offsets in the string can't be converted to offsets in the file. Then each part gets the place of the whole
        /// string.
        private let isDecoded: Bool
        private var source: Int
        private var decoded = 0

        init(_ value: JSONValue) {
            file = value.document.file
            hasEscapes = value.hasEscapes
            isDecoded = hasEscapes && value.document.decoded != nil
            let inner = value.innerRange
            source = inner.lowerBound
            end = inner.upperBound
        }

        /// The offset in the file for an offset in the string. The offset must not be less than in the previous call.
        package mutating func source(ofText target: Int) -> Int {
            if !hasEscapes {
                let step = min(max(target - decoded, 0), end - source)
                source += step
                decoded += step
                return source
            }
            if isDecoded { return source }
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
            if isDecoded { return Place(file, source..<end) }
            let start = source(ofText: range.lowerBound)
            return Place(file, start..<max(start, source(ofText: range.upperBound)))
        }
    }
}
