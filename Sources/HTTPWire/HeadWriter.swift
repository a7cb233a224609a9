import ASCII

/// Writes the head of a response.
package enum HeadWriter {
    /// The status line and the fields, with the empty line at their end.
    package static func head(status: Int, fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(ReasonPhrase.usual(for: status))\r\n".utf8)
        for field in fields {
            bytes += field.name.utf8
            bytes += [.colon, .space]
            bytes += field.value.utf8.map(safe)
            bytes += [.carriageReturn, .lineFeed]
        }
        return bytes + [.carriageReturn, .lineFeed]
    }

    /// RFC 9110, section 5.5: such bytes become spaces, so that no value makes a field of its own.
    private static func safe(_ byte: UInt8) -> UInt8 {
        byte == .carriageReturn || byte == .lineFeed || byte == 0 ? .space : byte
    }
}
