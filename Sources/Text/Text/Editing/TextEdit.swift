/// A small change of a file: a range of its bytes is replaced.
package struct TextEdit: Sendable, Equatable {
    package let range: Range<Int>
    package let bytes: [UInt8]

    package init(_ range: Range<Int>, _ text: String) {
        self.range = range
        bytes = Array(text.utf8)
    }

    /// Inserts text at an offset, without replacing anything.
    init(insertingAt offset: Int, _ text: String) {
        self.init(offset..<offset, text)
    }
}

extension [TextEdit] {
    /// The bytes with these changes. The changes must be in the order of their ranges and must not overlap.
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
