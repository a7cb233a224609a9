/// The bytes that JSON's grammar names, so that the reader is read without an ASCII table.
extension UInt8 {
    package static let tab: UInt8 = 0x09
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20
    package static let quote: UInt8 = 0x22
    package static let apostrophe: UInt8 = 0x27
    package static let asterisk: UInt8 = 0x2A
    package static let plus: UInt8 = 0x2B
    package static let comma: UInt8 = 0x2C
    package static let minus: UInt8 = 0x2D
    package static let point: UInt8 = 0x2E
    package static let slash: UInt8 = 0x2F
    package static let zero: UInt8 = 0x30
    package static let nine: UInt8 = 0x39
    package static let colon: UInt8 = 0x3A
    package static let openBracket: UInt8 = 0x5B
    package static let backslash: UInt8 = 0x5C
    package static let closeBracket: UInt8 = 0x5D
    package static let openBrace: UInt8 = 0x7B
    package static let closeBrace: UInt8 = 0x7D

    @inline(__always)
    package var isDigit: Bool { self &- .zero < 10 }

    @inline(__always)
    package var isJSONWhitespace: Bool {
        self == .space || self == .lineFeed || self == .carriageReturn || self == .tab
    }

    /// A byte that can be part of a bare word, such as `true` or a key somebody forgot to quote.
    @inline(__always)
    package var isWordByte: Bool {
        isDigit || (self | 0x20) &- 0x61 < 26 || self == 0x5F || self == 0x24 || self >= 0x80
    }

    /// The value of a hexadecimal digit.
    @inline(__always)
    package var hexValue: UInt8? {
        if isDigit { return self &- .zero }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}
