import ReqcliBasics

/// The formats of a string. Only formats that a shape distinguishes are listed.
struct StringFormats: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let uuid = Self(rawValue: 1)
    static let dateTime = Self(rawValue: 2)
    static let date = Self(rawValue: 4)
    static let email = Self(rawValue: 8)
    static let uri = Self(rawValue: 16)
    /// An IP address of either version. Such a string also has the format `ipv4` or `ipv6`.
    static let ip = Self(rawValue: 32)
    static let ipv4 = Self(rawValue: 64)
    static let ipv6 = Self(rawValue: 128)
    static let all = Self(rawValue: 255)

    /// The formats that count as a difference between two strings, with their words in messages.
    static let words: [(format: Self, words: String)] = [
        (.uuid, "a UUID"), (.dateTime, "a date-time"), (.date, "a date"), (.email, "an email address"), (.uri, "a URI"),
        (.ip, "an IP address"),
    ]

    /// The names in JSON Schema.
    static let schemaNames: [(format: Self, name: String)] = [
        (.uuid, "uuid"), (.dateTime, "date-time"), (.date, "date"), (.email, "email"), (.uri, "uri"), (.ipv4, "ipv4"),
        (.ipv6, "ipv6"),
    ]
}

// MARK: - Recognizing formats

extension StringFormats {
    init(_ text: String) {
        self = []
        guard (2...2048).contains(text.utf8.count) else { return }
        let bytes = Array(text.utf8)[...]
        if Self.isUUID(bytes) { insert(.uuid) }
        if bytes.count == 10, Self.isDate(bytes) { insert(.date) }
        if bytes.count >= 20, Self.isDateTime(bytes) { insert(.dateTime) }
        if Self.isIPv4(bytes) { formUnion([.ip, .ipv4]) }
        if Self.isIPv6(bytes) { formUnion([.ip, .ipv6]) }
        if Self.isEmail(bytes) { insert(.email) }
        if Self.isURI(bytes) { insert(.uri) }
    }

    private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 36
            && zip(0..., bytes).allSatisfy { [8, 13, 18, 23].contains($0) ? $1 == .minus : $1.hexValue != nil }
    }

    /// The number that the digits represent; nil for anything else.
    private static func number(_ bytes: ArraySlice<UInt8>, in range: ClosedRange<Int>) -> Int? {
        guard (1...4).contains(bytes.count), bytes.allSatisfy(\.isDigit) else { return nil }
        let value = bytes.reduce(0) { $0 * 10 + Int($1 &- .zero) }
        return range.contains(value) ? value : nil
    }

    private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes[4] == .minus, bytes[7] == .minus, let year = number(bytes[..<4], in: 0...9999),
            let month = number(bytes[5..<7], in: 1...12), let day = number(bytes[8..<10], in: 1...31)
        else { return false }
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Whether the text is a date-time by RFC 3339, such as `2026-11-23T16:11:39.5Z`.
    private static func isDateTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard isDate(bytes[..<10]), bytes[10].lowercased == UInt8(ascii: "t"), bytes[13] == .colon, bytes[16] == .colon,
            number(bytes[11..<13], in: 0...23) != nil, number(bytes[14..<16], in: 0...59) != nil,
            number(bytes[17..<19], in: 0...60) != nil
        else { return false }
        var zone = bytes[19...]
        if zone.first == .point {
            let fraction = zone.dropFirst().prefix(while: \.isDigit)
            if fraction.isEmpty { return false }
            zone = zone[fraction.endIndex...]
        }
        guard let sign = zone.first else { return false }
        if zone.count == 1 { return sign.lowercased == UInt8(ascii: "z") }
        let offset = zone.dropFirst()
        let hours = offset.prefix(2)
        return (sign == .plus || sign == .minus) && offset.count == 5 && number(hours, in: 0...23) != nil
            && offset[hours.endIndex] == .colon && number(offset.suffix(2), in: 0...59) != nil
    }

    private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: .point, maxSplits: 4, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy {
                $0.count <= 3 && number($0, in: 0...255) != nil && ($0.count == 1 || $0.first != .zero)
            }
    }

    private static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 45, bytes.contains(.colon) else { return false }
        let gap = bytes.indices.dropLast().first { bytes[$0] == .colon && bytes[$0 + 1] == .colon }
        guard let gap else { return groups(in: bytes, mayEndInIPv4: true) == 8 }
        guard let before = groups(in: bytes[..<gap], mayEndInIPv4: false),
            let after = groups(in: bytes[(gap + 2)...], mayEndInIPv4: true)
        else { return false }
        return before + after < 8
    }

    /// The number of 16-bit groups in a part of an IPv6 address; nil if it is not such a part.
    private static func groups(in bytes: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> Int? {
        if bytes.isEmpty { return 0 }
        var parts = bytes.split(separator: .colon, omittingEmptySubsequences: false)
        var count = 0
        if mayEndInIPv4, isIPv4(parts[parts.count - 1]) {
            parts.removeLast()
            count = 2
        }
        let areHexadecimal = parts.allSatisfy { (1...4).contains($0.count) && $0.allSatisfy { $0.hexValue != nil } }
        return areHexadecimal ? parts.count + count : nil
    }

    private static func isEmail(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), bytes.count <= 254 else { return false }
        let local = bytes[..<at].split(separator: .point, omittingEmptySubsequences: false)
        let labels = bytes[(at + 1)...].split(separator: .point, omittingEmptySubsequences: false)
        return local.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isTokenByte || "/=?{}".utf8.contains($0) } }
            && labels.count > 1
            && labels.allSatisfy {
                $0.first?.isAlphanumeric == true && $0.last?.isAlphanumeric == true
                    && $0.allSatisfy { $0.isAlphanumeric || $0 == .minus }
            }
    }

    /// Whether the text is an absolute URI with `://`, or one with `mailto:`, `urn:`, `tel:` or `data:`. Other text with a
    /// colon is more likely an id.
    private static func isURI(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.firstIndex(of: .colon), colon > 0, bytes[0].isLetter else { return false }
        let rest = bytes[(colon + 1)...]
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let hasAuthority = rest.starts(with: [.slash, .slash]) && rest.count > 2
        guard hasAuthority || !rest.isEmpty && ["mailto", "urn", "tel", "data"].contains(scheme) else { return false }
        return scheme.utf8.allSatisfy { $0.isAlphanumeric || $0 == .plus || $0 == .minus || $0 == .point }
            && rest.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
    }
}
