/// Encodes text for the place in a URL that it is headed for, so that it can't break out of it.
public enum PercentEncoding {
    /// A value as one path segment: everything but unreserved characters is encoded, and a value that is nothing but
    /// `.` or `..` loses its meaning as a dot-segment (`%2E`, `%2E%2E`).
    public static func segment(_ value: String) -> String {
        switch value {
        case ".": "%2E"
        case "..": "%2E%2E"
        default: encode(value) { isUnreserved($0) }
        }
    }

    /// A name or value of a query item or a form field: everything but unreserved characters is encoded, a space as
    /// `%20`.
    public static func queryComponent(_ value: String) -> String {
        encode(value) { isUnreserved($0) }
    }

    /// A path as somebody wrote it: slashes and existing escapes keep their meaning, and what can't stand in a path
    /// (a space, `é`, `?`, `#`, a `%` that starts no escape) is encoded.
    public static func path(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let startsEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count && isHexDigit(bytes[index + 1])
                && isHexDigit(bytes[index + 2])
            if startsEscape || isPathByte(byte) {
                result.append(byte)
            } else {
                append(byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Escapes with uppercase digits, as RFC 3986 has them: whoever resends the URL would spell them so.
    static func normalized(_ encoded: String) -> String {
        var bytes = Array(encoded.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            for digit in bytes.indices.dropFirst(index + 1).prefix(2) where bytes[digit] >= UInt8(ascii: "a") {
                bytes[digit] -= 0x20
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text behind the escapes; an escape that is none stays as it is. (Foundation's own decoding gives up where
    /// one is broken and loses a leading byte-order mark.)
    static func decoded(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
            {
                result.append(UInt8(high << 4 | low))
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func encode(_ value: String, keeping isKept: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(value.utf8.count)
        for byte in value.utf8 {
            if isKept(byte) { result.append(byte) } else { append(byte, to: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, to result: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "/:@!$&'()*+,;=".utf8.contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }
}
