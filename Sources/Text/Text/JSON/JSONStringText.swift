import ReqcliBasics

/// Conversion between the value of a JSON string and its form in a file.
package enum JSONStringText {
    /// The string with its escapes resolved. Escapes that the reader reported as wrong become U+FFFD.
    static func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            guard byte == .backslash, position + 1 < range.upperBound else {
                decoded.append(byte)
                position += 1
                continue
            }
            let letter = bytes[position + 1]
            if letter == 0x75 {
                let escape = unicodeEscape(in: bytes, at: position, before: range.upperBound)
                decoded += UTF8.encode(escape?.scalar ?? "\u{FFFD}").map(Array.init) ?? []
                position += escape?.count ?? 2
            } else {
                decoded.append(simpleEscape(letter) ?? letter)
                position += 2
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// The end of the escape at the start of a range.
    static func endOfEscape(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        if range.count > 1, bytes[range.lowerBound + 1] == 0x75 {
            let escape = unicodeEscape(in: bytes, at: range.lowerBound, before: range.upperBound)
            return range.lowerBound + (escape?.count ?? 2)
        }
        // After the backslash is one byte or, by mistake, a character of several bytes.
        var end = min(range.lowerBound + 2, range.upperBound)
        while end < range.upperBound, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// The byte that a letter after a backslash stands for; nil for `u` and for letters that are not escapes.
    package static func simpleEscape(_ letter: UInt8) -> UInt8? {
        switch letter {
        case .quote, .backslash, .slash: letter
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: .lineFeed
        case 0x72: .carriageReturn
        case 0x74: .tab
        default: nil
        }
    }

    /// A `\uXXXX` escape, or two such escapes for a surrogate pair.
    package struct UnicodeEscape {
        package let count: Int
        /// The number in the first escape.
        let unit: UInt32
        /// The character; nil for half of a surrogate pair.
        package let scalar: Unicode.Scalar?
    }

    /// The escape at an offset; nil if there are no four hexadecimal digits.
    package static func unicodeEscape<Bytes: RandomAccessCollection<UInt8>>(
        in bytes: Bytes, at start: Int, before end: Int
    ) -> UnicodeEscape? where Bytes.Index == Int {
        guard let unit = hexUnit(bytes, start, end) else { return nil }
        if (0xD800...0xDBFF).contains(unit), let low = hexUnit(bytes, start + 6, end), (0xDC00...0xDFFF).contains(low) {
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            return UnicodeEscape(count: 12, unit: unit, scalar: scalar)
        }
        return UnicodeEscape(count: 6, unit: unit, scalar: Unicode.Scalar(unit))
    }

    private static func hexUnit<Bytes: RandomAccessCollection<UInt8>>(
        _ bytes: Bytes, _ start: Int, _ end: Int
    ) -> UInt32? where Bytes.Index == Int {
        guard start + 6 <= end, bytes[start] == .backslash, bytes[start + 1] == 0x75 else { return nil }
        var unit: UInt32 = 0
        for offset in start + 2..<start + 6 {
            guard let value = bytes[offset].hexValue else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }

    /// The string as it is written between quotes. Only the characters that JSON requires to be escaped are escaped.
    ///
    /// - Parameter quote: The quote character around the string. A JSONPath may use single quotes.
    package static func escaped(_ text: String, in quote: UInt8 = .quote) -> String {
        // Fast path: nothing to escape.
        if !text.utf8.contains(where: { $0 < 0x20 || $0 == quote || $0 == .backslash }) { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            switch byte {
            case quote, .backslash: result += [.backslash, byte]
            case .lineFeed: result += #"\n"#.utf8
            case .carriageReturn: result += #"\r"#.utf8
            case .tab: result += #"\t"#.utf8
            case 0x08: result += #"\b"#.utf8
            case 0x0C: result += #"\f"#.utf8
            case 0..<0x20: result += unicodeEscape(UInt32(byte)).utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The escape of a 16-bit number, such as `\u00e9`.
    package static func unicodeEscape(_ unit: UInt32) -> String { "\\u" + hex4(unit).lowercased() }

    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }
}
