import SourceText

/// The valid names of headers: tokens of RFC 9110.
package enum HeaderName {
    static let pattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"

    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

extension Shape where Value == String {
    static let headerName = text.checked(
        expects: "the name of a header", schema: .text(pattern: HeaderName.pattern)
    ) { name, value, decoding in
        if HeaderName.isValid(name) { return true }
        decoding.report(.nameInvalid, "\"\(name)\" can't be the name of a header", at: value.place)
        return false
    }
}
