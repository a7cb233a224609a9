import ASCII

/// The part of a JSON string that needs no look at each byte.
package enum PlainText {
    /// Where the first byte may be that is a quote, a backslash or a control character (or isn't ASCII, if asked for), read
    /// eight bytes at a time; the last few bytes of the text are left to the caller.
    @inlinable @inline(__always)
    package static func end(in bytes: UnsafeRawBufferPointer, from start: Int, stopsAtNonASCII: Bool) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var position = start
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quotes = word ^ (ones &* UInt64(UInt8.quote))
            let slashes = word ^ (ones &* UInt64(UInt8.backslash))
            // In each of the three terms the lowest high bit that is set marks the first byte of that sort.
            let quoteOrSlash = ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
            let control = (word &- ones &* UInt64(UInt8.space)) & ~word
            let stops = (quoteOrSlash | control | (stopsAtNonASCII ? word : 0)) & highBits
            if stops != 0 { return position + stops.trailingZeroBitCount / 8 }
            position += 8
        }
        return position
    }
}
