import ReqcliBasics
import ReqcliText

extension UInt8 {
    static let dollar: UInt8 = 0x24
    static let at: UInt8 = 0x40
    static let question: UInt8 = 0x3F
    static let openParenthesis: UInt8 = 0x28
    static let closeParenthesis: UInt8 = 0x29
    static let exclamation: UInt8 = 0x21
    static let equals: UInt8 = 0x3D
    static let less: UInt8 = 0x3C
    static let greater: UInt8 = 0x3E
    static let ampersand: UInt8 = 0x26
    static let bar: UInt8 = 0x7C

    /// Whether the byte can be part of a name without quotes.
    var isNameByte: Bool { isWordByte && self != .dollar }
}

extension PathParser {
    func peek(_ ahead: Int = 0) -> UInt8? {
        position + ahead < bytes.count ? bytes[position + ahead] : nil
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    mutating func skipBlanks() {
        while let byte = peek(), byte.isJSONWhitespace { position += 1 }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The character at the current position; nil at the end.
    func character() -> String? {
        position < bytes.count ? text(characterRange(at: position)) : nil
    }

    func characterRange(at offset: Int) -> Range<Int> {
        guard offset < bytes.count else { return bytes.count..<bytes.count }
        var end = offset + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return offset..<end
    }

    /// A problem with the character at the current position, or with the end of the path.
    func problem(_ message: String, hint: String? = nil) -> JSONPathProblem {
        JSONPathProblem(message, characterRange(at: position), hint: hint)
    }

    /// The name of the current character in messages.
    var found: String { character().map { "\"\($0)\"" } ?? "the end of the path" }
}
