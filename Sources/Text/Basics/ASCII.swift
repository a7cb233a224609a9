/// Names for the bytes that grammars use, and for classes of bytes, so that a reader of the code needs no ASCII table.
///
/// The properties are inlinable, since loops over every byte of a file use them.
extension UInt8 {
    @inlinable package static var tab: UInt8 { 0x09 }
    @inlinable package static var lineFeed: UInt8 { 0x0A }
    @inlinable package static var carriageReturn: UInt8 { 0x0D }
    @inlinable package static var space: UInt8 { 0x20 }
    @inlinable package static var quote: UInt8 { 0x22 }
    @inlinable package static var apostrophe: UInt8 { 0x27 }
    @inlinable package static var asterisk: UInt8 { 0x2A }
    @inlinable package static var plus: UInt8 { 0x2B }
    @inlinable package static var comma: UInt8 { 0x2C }
    @inlinable package static var minus: UInt8 { 0x2D }
    @inlinable package static var point: UInt8 { 0x2E }
    @inlinable package static var slash: UInt8 { 0x2F }
    @inlinable package static var zero: UInt8 { 0x30 }
    @inlinable package static var nine: UInt8 { 0x39 }
    @inlinable package static var colon: UInt8 { 0x3A }
    @inlinable package static var openBracket: UInt8 { 0x5B }
    @inlinable package static var backslash: UInt8 { 0x5C }
    @inlinable package static var closeBracket: UInt8 { 0x5D }
    @inlinable package static var openBrace: UInt8 { 0x7B }
    @inlinable package static var closeBrace: UInt8 { 0x7D }

    @inlinable @inline(__always)
    package var isDigit: Bool { self &- .zero < 10 }

    @inlinable @inline(__always)
    package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inlinable @inline(__always)
    package var isAlphanumeric: Bool { isLetter || isDigit }

    /// A byte that can be part of an HTTP token (RFC 9110, section 5.6.2). Methods and header names are tokens.
    @inlinable @inline(__always)
    package var isTokenByte: Bool {
        // One bit for each character of a token, letters and digits included.
        let bits: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return self < 128 && bits >> UInt64(self & 63) & 1 == 1
    }

    /// Whitespace that HTTP removes around a value.
    @inlinable
    package var isSpaceOrTab: Bool { self == .space || self == .tab }

    @inlinable @inline(__always)
    package var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    @inlinable @inline(__always)
    package var isJSONWhitespace: Bool {
        self == .space || self == .lineFeed || self == .carriageReturn || self == .tab
    }

    /// A byte that can be part of a bare word, such as `true` or a key without quotes.
    @inlinable @inline(__always)
    package var isWordByte: Bool {
        isAlphanumeric || self == 0x5F || self == 0x24 || self >= 0x80
    }

    /// The value of a hexadecimal digit.
    @inlinable @inline(__always)
    package var hexValue: UInt8? {
        if isDigit { return self &- .zero }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}

extension String {
    /// The string with lowercase letters instead of the uppercase letters of ASCII.
    package var asciiLowercased: String {
        var copy = self
        return copy.withUTF8 { bytes in
            // Fast path: nearly all strings are lowercase already.
            bytes.contains { $0 &- 0x41 < 26 } ? String(decoding: bytes.map(\.lowercased), as: UTF8.self) : self
        }
    }
}

extension StringProtocol {
    /// Whether the string is an HTTP token.
    @inlinable
    package var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }

    /// The number that a `Content-Length` states (RFC 9110, section 8.6); nil if the string isn't a number, or the number is too
    /// large for a body.
    package var byteCount: Int? { utf8.allSatisfy(\.isDigit) ? Int(self) : nil }

    /// Whether every shell accepts the string as the name of a variable.
    package var isVariableName: Bool {
        guard let first = utf8.first, !first.isDigit else { return false }
        return utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The string without the spaces and tabs around it.
    @inlinable
    package var trimmingSpacesAndTabs: SubSequence {
        guard let first = utf8.firstIndex(where: { !$0.isSpaceOrTab }),
            let last = utf8.lastIndex(where: { !$0.isSpaceOrTab })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without the spaces and tabs around them.
    @inlinable
    package var trimmingSpacesAndTabs: SubSequence {
        guard let first = firstIndex(where: { !$0.isSpaceOrTab }), let last = lastIndex(where: { !$0.isSpaceOrTab })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
