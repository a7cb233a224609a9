import ReqcliBasics

/// Checks all bytes in one pass before the text is read, so that the reader need not check characters.
enum YAMLText {
    /// The problem of the first byte that YAML doesn't allow: invalid UTF-8 or a control character.
    static func firstProblem(in bytes: UnsafeBufferPointer<UInt8>) -> JSONProblem? {
        let raw = UnsafeRawBufferPointer(bytes)
        var position = 0
        while position < bytes.count {
            // The search also stops at quotes and backslashes, but there are only few of these.
            position = PlainText.end(in: raw, from: position, stopsAtNonASCII: true)
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            if byte < .space, byte != .lineFeed, byte != .carriageReturn, byte != .tab {
                let number = String(byte, radix: 16, uppercase: true)
                return JSONProblem(
                    .yamlSyntax, "YAML does not allow control characters (U+00\(byte < 16 ? "0" : "")\(number))",
                    at: position..<position + 1, hint: "write the character as an escape in double quotes")
            }
            let length = UTF8Sequence.length(in: bytes, at: position)
            if length == 0 {
                return JSONProblem(
                    .yamlEncoding, "the file is not valid UTF-8 (byte 0x\(String(byte, radix: 16, uppercase: true)))",
                    at: position..<position + 1, hint: "save the file as UTF-8")
            }
            position += length
        }
        return nil
    }

    /// The number of words to reserve for the tape. For a large text, this is the maximum size of the tape, because an array that
    /// grows step by step takes up to three times the memory. Reserved memory that isn't used costs nothing.
    static func capacity(for bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard bytes.count > 1 << 20 else { return min(bytes.count / 16, 1 << 14) }
        var most = 8
        for byte in bytes {
            switch byte {
            case .colon: most &+= 5
            case .minus, .asterisk, .openBracket, .openBrace: most &+= 4
            case .comma, UInt8(ascii: "?"): most &+= 2
            default: break
            }
        }
        return most
    }
}
