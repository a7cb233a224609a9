import ASCII

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
        if text.utf8.allSatisfy(isPathByte) { return text }
        return keepingEscapes(Array(text.utf8)[...], and: isPathByte)
    }

    /// A path, a query or a fragment as a server sent it: what can stand there is kept, escapes included, and all other
    /// bytes are encoded.
    package static func encodingWhatURLsCannotHold(_ part: ArraySlice<UInt8>) -> String {
        keepingEscapes(part) { isPathByte($0) || $0 == UInt8(ascii: "?") }
    }

    private static func keepingEscapes(_ bytes: ArraySlice<UInt8>, and isKept: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in zip(bytes.indices, bytes) {
            let startsEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.endIndex && bytes[index + 1].hexValue != nil
                && bytes[index + 2].hexValue != nil
            if startsEscape || isKept(byte) {
                result.append(byte)
            } else {
                append(byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Escapes with uppercase digits, as RFC 3986 has them: whoever resends the URL would spell them so.
    static func normalized(_ encoded: String) -> String {
        if !encoded.utf8.contains(UInt8(ascii: "%")) { return encoded }
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
    package static func decoded(_ text: some StringProtocol) -> String {
        Array(text.utf8).withUnsafeBufferPointer(decoded)
    }

    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
                let high = bytes[position + 1].hexValue, let low = bytes[position + 2].hexValue
            {
                result.append(high << 4 | low)
                position += 3
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func encode(_ value: String, keeping isKept: (UInt8) -> Bool) -> String {
        // Most values need no escapes.
        if value.utf8.allSatisfy(isKept) { return value }
        var result: [UInt8] = []
        result.reserveCapacity(value.utf8.count + 16)
        append(value, keeping: isKept, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// ``queryComponent(_:)`` behind what is there.
    static func append(queryComponent value: String, to result: inout [UInt8]) {
        append(value, keeping: { isUnreserved($0) }, to: &result)
    }

    private static func append(_ value: String, keeping isKept: (UInt8) -> Bool, to result: inout [UInt8]) {
        for byte in value.utf8 {
            if isKept(byte) { result.append(byte) } else { append(byte, to: &result) }
        }
    }

    private static func append(_ byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        result.append(hexadecimal(byte >> 4))
        result.append(hexadecimal(byte & 15))
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: byte.isAlphanumeric
        }
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"): true
        // From "&" to ",", which are & ' ( ) * + and the comma itself.
        case UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        default: isUnreserved(byte)
        }
    }
}
