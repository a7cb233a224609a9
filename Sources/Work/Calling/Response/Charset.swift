/// A charset of a `Content-Type`, with its conversion to UTF-8.
enum Charset: Sendable {
    case utf8
    case utf16
    case utf16BigEndian
    case utf16LittleEndian
    case latin1
    case ascii
    case windows1252

    /// The charset of this name; nil if reqcli doesn't know it.
    init?(named name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "utf-16", "utf16": self = .utf16
        case "utf-16be": self = .utf16BigEndian
        case "utf-16le": self = .utf16LittleEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1": self = .latin1
        case "us-ascii", "ascii": self = .ascii
        case "windows-1252", "cp1252", "x-cp1252": self = .windows1252
        default: return nil
        }
    }

    /// The charset of a text without a declared charset: UTF-8, unless the text begins with a UTF-16 byte order mark.
    init(markedIn bytes: [UInt8]) {
        self = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) ? .utf16 : .utf8
    }

    var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16, .utf16BigEndian, .utf16LittleEndian: "UTF-16"
        case .latin1: "ISO-8859-1"
        case .ascii: "US-ASCII"
        case .windows1252: "windows-1252"
        }
    }

    /// The text converted to UTF-8; nil if the bytes are not valid. UTF-8 itself is not validated.
    func utf8(of bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .utf8: return bytes
        case .ascii: return bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
        case .latin1: return Self.utf8(bytes) { Unicode.Scalar($0) }
        case .windows1252: return Self.utf8(bytes) { Self.windows1252Scalar($0) }
        case .utf16BigEndian: return Self.utf8(ofUTF16: bytes, isBigEndian: true)
        case .utf16LittleEndian: return Self.utf8(ofUTF16: bytes, isBigEndian: false)
        case .utf16: return Self.utf8(ofUTF16: bytes, isBigEndian: Self.isBigEndian(bytes))
        }
    }

    private static func utf8(_ bytes: [UInt8], _ scalar: (UInt8) -> Unicode.Scalar?) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte < 0x80 {
                result.append(byte)
            } else {
                guard let encoded = scalar(byte).flatMap(UTF8.encode) else { return nil }
                result += encoded
            }
        }
        return result
    }

    private static func utf8(ofUTF16 bytes: [UInt8], isBigEndian: Bool) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var units = stride(from: 0, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        if units.first == 0xFEFF { units.removeFirst() }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }

    /// Whether the byte order is big-endian. Without a byte order mark, the byte order with more zero high bytes is chosen,
    /// because nearly every text has ASCII characters. If both have the same number, the order is big-endian (RFC 2781, section
    /// 4.3).
    private static func isBigEndian(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        var zeros = (even: 0, odd: 0)
        for (index, byte) in bytes.prefix(4096).enumerated() where byte == 0 {
            if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
        }
        return zeros.even >= zeros.odd
    }

    /// The scalar of a byte; nil for the five bytes that Windows-1252 does not define.
    private static func windows1252Scalar(_ byte: UInt8) -> Unicode.Scalar? {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        let value = windows1252Values[Int(byte - 0x80)]
        return value == 0 ? nil : Unicode.Scalar(value)
    }

    /// The scalars of the bytes 0x80 to 0x9F.
    private static let windows1252Values: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]
}
