import ReqcliBasics

/// Reads the escapes of bash, without the backslash at their start.
enum ANSIEscape {
    enum Style {
        /// `$'…'`.
        case quotes
        /// `echo -e`: `\0nnn` is octal, and quotes can't be escaped.
        case echo
        /// The format of `printf`.
        case printf
    }

    /// The bytes that an escape produces, and the length of the escape without the backslash. An unknown escape keeps its
    /// backslash.
    static func read(_ source: ArraySlice<UInt8>, style: Style) -> (bytes: [UInt8], length: Int) {
        guard let first = source.first else { return ([.backslash], 0) }
        if let byte = simple[first] { return ([byte], 1) }
        switch first {
        case .apostrophe, .quote, UInt8(ascii: "?"):
            return style == .echo ? ([.backslash, first], 1) : ([first], 1)
        case .zero where style == .echo:
            let digits = source.dropFirst().prefix(3).prefix { 0x30...0x37 ~= $0 }
            return ([number(digits, 8)], 1 + digits.count)
        case 0x30...0x37 where style != .echo:
            let digits = source.prefix(3).prefix { 0x30...0x37 ~= $0 }
            return ([number(digits, 8)], digits.count)
        case UInt8(ascii: "x"):
            let digits = source.dropFirst().prefix(2).prefix { $0.hexValue != nil }
            return digits.isEmpty ? ([.backslash, first], 1) : ([number(digits, 16)], 1 + digits.count)
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let digits = source.dropFirst().prefix(first == UInt8(ascii: "u") ? 4 : 8).prefix { $0.hexValue != nil }
            guard !digits.isEmpty else { return ([.backslash, first], 1) }
            return (encoded(digits.reduce(0) { $0 << 4 | UInt32($1.hexValue ?? 0) }), 1 + digits.count)
        case UInt8(ascii: "c") where style == .quotes:
            // `\cX` is a control character, which the byte X names. If X is a backslash, it is written twice.
            guard let letter = source.dropFirst().first else { return ([.backslash, first], 1) }
            let isBackslash = letter == .backslash && source.dropFirst(2).first == .backslash
            return ([letter == UInt8(ascii: "?") ? 0x7F : letter & 0x1F], isBackslash ? 3 : 2)
        default: return ([.backslash, first], 1)
        }
    }

    private static let simple: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "e"): 0x1B, UInt8(ascii: "E"): 0x1B,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): .lineFeed, UInt8(ascii: "r"): .carriageReturn,
        UInt8(ascii: "t"): .tab, UInt8(ascii: "v"): 0x0B, .backslash: .backslash,
    ]

    private static func number(_ digits: ArraySlice<UInt8>, _ base: UInt8) -> UInt8 {
        digits.reduce(0) { $0 &* base &+ ($1.hexValue ?? 0) }
    }

    /// A character in UTF-8. If the value isn't a character, the result is an invalid byte, which is reported later.
    private static func encoded(_ value: UInt32) -> [UInt8] {
        if let scalar = Unicode.Scalar(value) { return Array(String(Character(scalar)).utf8) }
        return [0xFF]
    }
}
