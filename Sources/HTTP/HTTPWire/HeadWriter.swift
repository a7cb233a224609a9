import ReqcliBasics

/// Writes the head of a response.
package enum HeadWriter {
    /// The status line and the fields, without the empty line at their end.
    package static func lines(status: Int, fields: [(name: String, value: String)]) -> [UInt8] {
        Array("HTTP/1.1 \(status) \(ReasonPhrase.usual(for: status))\r\n".utf8) + lines(fields)
    }

    /// The fields alone.
    package static func lines(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields { append(field.name, field.value.utf8, to: &bytes) }
        return bytes
    }

    /// The fields alone, with values that need not be UTF-8.
    package static func lines(_ fields: [(name: String, value: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields { append(field.name, field.value, to: &bytes) }
        return bytes
    }

    /// RFC 9110, section 5.5: bytes that end a line become spaces, so that no value can add another field.
    private static func append(_ name: String, _ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes += name.utf8
        bytes += [.colon, .space]
        let start = bytes.count
        bytes += value
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == .carriageReturn || byte == .lineFeed || byte == 0 { bytes[index] = .space }
        }
        bytes += [.carriageReturn, .lineFeed]
    }
}
