import ReqcliBasics

/// Converts offsets in a text to lines and columns and back, as editors count them: from 0, in units of UTF-8 or UTF-16. A line
/// ends with a line feed, a carriage return, or both.
package struct TextPositions: Sendable {
    package enum Units: Sendable {
        case utf8
        case utf16
    }

    private let bytes: [UInt8]
    private let units: Units
    private let starts: [Int]

    package init(_ bytes: [UInt8], in units: Units) {
        self.bytes = bytes
        self.units = units
        var starts = [0]
        for (offset, byte) in bytes.enumerated() {
            if byte == .lineFeed
                || byte == .carriageReturn && (offset + 1 == bytes.count || bytes[offset + 1] != .lineFeed)
            {
                starts.append(offset + 1)
            }
        }
        self.starts = starts
    }

    /// The offset of a position. A position behind its line is the line's end; one behind the text is the end of the text.
    package func offset(line: Int, column: Int) -> Int {
        guard line >= 0 else { return 0 }
        guard line < starts.count else { return bytes.count }
        var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
        while end > starts[line], bytes[end - 1] == .lineFeed || bytes[end - 1] == .carriageReturn { end -= 1 }
        var offset = starts[line]
        guard units == .utf16 else {
            offset = min(offset + max(column, 0), end)
            while offset > starts[line], offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
            return offset
        }
        var left = column
        while left > 0, offset < end {
            let width = Self.width(bytes[offset])
            left -= width == 4 ? 2 : 1
            // The middle of a pair of surrogates is its start.
            if left < 0 { break }
            offset = min(offset + width, end)
        }
        return offset
    }

    package func position(of offset: Int) -> (line: Int, column: Int) {
        let offset = min(max(offset, 0), bytes.count)
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        guard units == .utf16 else { return (low, offset - starts[low]) }
        var column = 0
        for byte in bytes[starts[low]..<offset] where byte & 0xC0 != 0x80 { column += byte >= 0xF0 ? 2 : 1 }
        return (low, column)
    }

    private static func width(_ byte: UInt8) -> Int {
        switch byte {
        case 0xF0...: 4
        case 0xE0...: 3
        case 0xC0...: 2
        default: 1
        }
    }
}
