import ASCII

/// Conversion between the text of a JSON string and its form in a file.
package enum JSONStringText {
    /// The text with its escapes resolved. Escapes that the reader reported as wrong become U+FFFD.
    static func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        var scalars: [UInt8] = []
        scalars.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            guard byte == .backslash, position + 1 < range.upperBound else {
                scalars.append(byte)
                position += 1
                continue
            }
            let letter = bytes[position + 1]
            if letter == 0x75 {
                position += unicode(bytes, position, range.upperBound, into: &scalars)
            } else {
                scalars.append(simple(letter))
                position += 2
            }
        }
        return String(decoding: scalars, as: UTF8.self)
    }

    /// The end of the escape at the start of a range.
    static func endOfEscape(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        guard range.count > 1, bytes[range.lowerBound + 1] == 0x75 else {
            // The backslash is followed by one byte or, by mistake, by a longer character.
            var end = min(range.lowerBound + 2, range.upperBound)
            while end < range.upperBound, bytes[end] & 0xC0 == 0x80 { end += 1 }
            return end
        }
        var unused: [UInt8] = []
        return range.lowerBound + unicode(bytes, range.lowerBound, range.upperBound, into: &unused)
    }

    private static func simple(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: .lineFeed
        case 0x72: .carriageReturn
        case 0x74: .tab
        default: letter
        }
    }

    /// Appends the character of a `\uXXXX` escape or of a surrogate pair. Returns the length of the escape.
    private static func unicode(_ bytes: [UInt8], _ start: Int, _ end: Int, into scalars: inout [UInt8]) -> Int {
        guard let unit = hexUnit(bytes, start, end) else {
            append("\u{FFFD}", to: &scalars)
            return 2
        }
        if (0xD800...0xDBFF).contains(unit), let low = hexUnit(bytes, start + 6, end), (0xDC00...0xDFFF).contains(low) {
            append(Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}", to: &scalars)
            return 12
        }
        append(Unicode.Scalar(unit) ?? "\u{FFFD}", to: &scalars)
        return 6
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }

    private static func hexUnit(_ bytes: [UInt8], _ start: Int, _ end: Int) -> UInt32? {
        guard start + 6 <= end, bytes[start] == .backslash, bytes[start + 1] == 0x75 else { return nil }
        var unit: UInt32 = 0
        for offset in start + 2..<start + 6 {
            guard let value = bytes[offset].hexValue else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }

    /// The text as it is written between quotes. Only the characters that JSON requires are escaped.
    package static func escaped(_ text: String) -> String {
        // Fast path: nothing to escape.
        if !text.utf8.contains(where: { $0 < 0x20 || $0 == .quote || $0 == .backslash }) { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{08}": result += "\\b"
            case "\u{0C}": result += "\\f"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }
}
