import ReqcliBasics

/// Encodes text for one part of a URL, so that the text cannot change the other parts.
public enum PercentEncoding {
    /// Encodes a value as one path segment: everything except unreserved characters is encoded. A value that is only
    /// `.` or `..` becomes `%2E` or `%2E%2E`, so that it is not a dot-segment.
    public static func segment(_ value: String) -> String {
        switch value {
        case ".": "%2E"
        case "..": "%2E%2E"
        default: encode(value) { isUnreserved($0) }
        }
    }

    /// Encodes a name or value of a query item or a form field: everything except unreserved characters is encoded, and
    /// a space becomes `%20`.
    public static func queryComponent(_ value: String) -> String {
        encode(value) { isUnreserved($0) }
    }

    /// Encodes a path as the user wrote it: slashes and existing escapes keep their meaning, and characters that are
    /// not allowed in a path (a space, `é`, `?`, `#`, a `%` that starts no escape) are encoded.
    public static func path(_ text: String) -> String {
        if text.utf8.allSatisfy(isPathByte) { return text }
        return keepingEscapes(Array(text.utf8)[...], and: isPathByte)
    }

    /// Encodes a part of a query: allowed characters and escapes are kept, and everything else is encoded.
    package static func query(_ text: Substring) -> String {
        encodingWhatURLsCannotHold(Array(text.utf8)[...])
    }

    /// The first character in a query that a URL cannot contain: the name of the character in messages, and its escape. Nil if
    /// there is no such character.
    package static func firstUnencoded(inQuery text: String) -> (name: String, encoded: String)? {
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            // A "%" is checked together with the digits of its escape.
            let part = Substring(text.unicodeScalars[index...].prefix(scalar == "%" ? 3 : 1))
            if !query(part).utf8.elementsEqual(part.utf8) {
                return (HTTPSyntax.name(of: scalar), query(Substring(String(scalar))))
            }
        }
        return nil
    }

    /// Encodes a path, a query or a fragment as a server sent it: allowed characters and escapes are kept, and all
    /// other bytes are encoded.
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

    /// The text with uppercase hex digits in its escapes, as RFC 3986 recommends and other senders write them.
    package static func normalized(_ encoded: String) -> String {
        if !encoded.utf8.contains(UInt8(ascii: "%")) { return encoded }
        var bytes = Array(encoded.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            for digit in bytes.indices.dropFirst(index + 1).prefix(2) where bytes[digit] >= UInt8(ascii: "a") {
                bytes[digit] -= 0x20
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes the escapes of a text; an invalid escape is kept. (Foundation's own decoding fails at an invalid escape, and drops
    /// a leading byte-order mark.)
    package static func decoded(_ text: some StringProtocol) -> String {
        Array(text.utf8).withUnsafeBufferPointer(decoded)
    }

    /// The text with the escapes that a component needs, and no others.
    static func reencoded(_ text: Substring) -> String {
        var result: [UInt8] = []
        for byte in Array(text.utf8).withUnsafeBufferPointer(\.percentDecoded) {
            if isUnreserved(byte) { result.append(byte) } else { append(byte, to: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.percentDecoded, as: UTF8.self)
    }

    private static func encode(_ value: String, keeping isKept: (UInt8) -> Bool) -> String {
        // Fast path: most values need no escapes.
        if value.utf8.allSatisfy(isKept) { return value }
        var result: [UInt8] = []
        result.reserveCapacity(value.utf8.count + 16)
        append(value, keeping: isKept, to: &result)
        return String(decoding: result, as: UTF8.self)
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
        // The range from "&" to "," is & ' ( ) * + and the comma itself.
        case UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        default: isUnreserved(byte)
        }
    }
}
