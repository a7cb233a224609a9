/// A small change of a text: a stretch of its bytes gives way to others.
package struct TextEdit: Sendable, Equatable {
    package let range: Range<Int>
    package let bytes: [UInt8]

    init(_ range: Range<Int>, _ text: String) {
        self.range = range
        bytes = Array(text.utf8)
    }

    /// Nothing gives way.
    init(insertingAt offset: Int, _ text: String) {
        self.init(offset..<offset, text)
    }
}

extension [TextEdit] {
    /// The text with these changes, which are in the order of their places and don't overlap.
    package func applied(to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + reduce(0) { $0 + $1.bytes.count })
        var done = 0
        for edit in self {
            result += bytes[done..<edit.range.lowerBound]
            result += edit.bytes
            done = edit.range.upperBound
        }
        return result + bytes[done...]
    }
}
