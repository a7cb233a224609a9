import ReqcliBasics
import ReqcliText

/// A way to escape characters. A writer may escape any character or none, with uppercase or lowercase digits. There are too many
/// spellings to list, so escapes are decoded while matching.
enum SecretEscaping: Hashable, Sendable {
    case none
    /// Percent-encoding: `%2F`, and `+` for a space.
    case percent
    /// JSON escapes: `\/`, `\n`, `\u002F`, and also `\'`, which normalized JSONPaths use.
    case json
    /// HTML entities: `&amp;`, and `&#39;`, `&#x27;` or `&#0039;` for any character.
    case html

    /// An escape in a text: its length, and the UTF-8 bytes that it stands for.
    struct Escape {
        let count: Int
        let meaning: [UInt8]
    }

    /// The position of this kind in the sort order.
    var rank: Int {
        switch self {
        case .none: 0
        case .percent: 1
        case .json: 2
        case .html: 3
        }
    }

    /// The maximum number of bytes of text for one byte of the secret.
    var longest: Int {
        switch self {
        case .none: 1
        case .percent: 3
        case .json: 6
        case .html: 12
        }
    }

    /// The first byte of every escape.
    var opening: UInt8? {
        switch self {
        case .none: nil
        case .percent: UInt8(ascii: "%")
        case .json: UInt8(ascii: "\\")
        case .html: UInt8(ascii: "&")
        }
    }

    /// Whether any kind of escape may begin with this byte.
    static func mayOpen(_ byte: UInt8) -> Bool { "%\\&".utf8.contains(byte) }

    /// Another byte that may be written for this byte without an escape, such as `+` for a space.
    func substitute(for byte: UInt8) -> UInt8? {
        self == .percent && byte == UInt8(ascii: " ") ? UInt8(ascii: "+") : nil
    }

    /// The escape at an index; nil if there is none.
    func escape(at index: Int, in text: [UInt8]) -> Escape? {
        guard text[index] == opening else { return nil }
        switch self {
        case .none: return nil
        case .percent: return Self.number(index + 1..<index + 3, text).map { Escape(count: 3, meaning: [UInt8($0)]) }
        case .json: return Self.jsonEscape(at: index, text)
        case .html: return Self.htmlEscape(at: index, text)
        }
    }

    /// Reads `&name;`, `&#39;` or `&#x27;`.
    private static func htmlEscape(at index: Int, _ text: [UInt8]) -> Escape? {
        let longest = text[(index + 1)...].prefix(Self.html.longest - 1)
        guard let end = longest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: text[index + 1..<end], as: UTF8.self)
        func escape(_ meaning: [UInt8]) -> Escape { Escape(count: end + 1 - index, meaning: meaning) }
        switch name {
        case "amp": return escape([UInt8(ascii: "&")])
        case "lt": return escape([UInt8(ascii: "<")])
        case "gt": return escape([UInt8(ascii: ">")])
        case "quot": return escape([UInt8(ascii: "\"")])
        case "apos": return escape([UInt8(ascii: "'")])
        default: break
        }
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.dropFirst().first == "x" || name.dropFirst().first == "X"
        let number = isHexadecimal ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        return number.flatMap(Unicode.Scalar.init).map { escape(Array(String($0).utf8)) }
    }

    private static func jsonEscape(at index: Int, _ text: [UInt8]) -> Escape? {
        guard index + 1 < text.count else { return nil }
        let letter = text[index + 1]
        if letter == UInt8(ascii: "u") {
            let escape = JSONStringText.unicodeEscape(in: text, at: index, before: text.count)
            guard let escape, let scalar = escape.scalar else { return nil }
            return Escape(count: escape.count, meaning: Array(String(scalar).utf8))
        }
        let meaning = letter == .apostrophe ? letter : JSONStringText.simpleEscape(letter)
        return meaning.map { Escape(count: 2, meaning: [$0]) }
    }

    /// Reads hexadecimal digits; nil if there are other characters.
    private static func number(_ range: Range<Int>, _ text: [UInt8]) -> Int? {
        guard range.upperBound <= text.count else { return nil }
        var result = 0
        for byte in text[range] {
            guard let digit = byte.hexValue else { return nil }
            result = result << 4 | Int(digit)
        }
        return result
    }
}
