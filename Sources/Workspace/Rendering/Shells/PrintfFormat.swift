/// Bytes as a format for the shell's own `printf`, which has no length limit and can write NUL.
enum PrintfFormat {
    static func format(_ bytes: [UInt8]) -> String {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%"): result += Array("%%".utf8)
            case UInt8(ascii: "\\"): result += Array("\\\\".utf8)
            // A format that begins with a dash would be read as an option.
            case UInt8(ascii: "-") where index == 0: result += octal(byte)
            case 0x20..<0x7F: result.append(byte)
            case 0x80... where isText: result.append(byte)
            default: result += octal(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func octal(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "\\"), 0x30 + (byte >> 6), 0x30 + (byte >> 3 & 7), 0x30 + (byte & 7)]
    }
}
