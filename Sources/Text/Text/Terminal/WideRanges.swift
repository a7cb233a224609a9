extension TerminalText {
    /// Whether a scalar takes two cells without being an emoji: East Asian Width W or F.
    static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        var (low, high) = (0, wideRanges.count - 1)
        while low <= high {
            let middle = (low + high) / 2
            let range = wideRanges[middle]
            if range.contains(scalar.value) { return true }
            if scalar.value < range.lowerBound { high = middle - 1 } else { low = middle + 1 }
        }
        return false
    }

    /// Unicode's wide and fullwidth scalars, in order. Unassigned scalars inside a block count as wide. Wide emoji are
    /// missing, because the standard library knows them.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initials
        0x2329...0x232A,  // Angle brackets
        0x2E80...0x303E,  // CJK radicals and punctuation
        0x3041...0x3247,  // Kana, Bopomofo, Hangul compatibility, enclosed CJK
        0x3250...0x4DFF,  // CJK compatibility, extension A, hexagrams
        0x4E00...0xA4CF,  // CJK ideographs, Yi
        0xA960...0xA97C,  // Hangul initials, extended
        0xAC00...0xD7A3,  // Hangul syllables
        0xF900...0xFAFF,  // CJK compatibility ideographs
        0xFE10...0xFE19,  // Vertical forms
        0xFE30...0xFE6B,  // CJK compatibility forms, small forms
        0xFF01...0xFF60,  // Fullwidth Latin
        0xFFE0...0xFFE6,  // Fullwidth signs
        0x16FE0...0x16FF1,  // Ideographic symbols
        0x17000...0x18D08,  // Tangut, Khitan
        0x1AFF0...0x1B2FB,  // Kana, extended; Nushu
        0x1F200...0x1F265,  // Enclosed ideographs
        0x20000...0x2FFFD,  // CJK ideographs, plane 2
        0x30000...0x3FFFD,  // CJK ideographs, plane 3
    ]
}
