import ReqcliBasics

/// Writes the head of a response.
package enum HeadWriter {
    /// The status line and the fields, without the empty line that ends a head.
    package static func lines(status: Int, fields: [(name: String, value: String)]) -> [UInt8] {
        Array("HTTP/1.1 \(status) \(ReasonPhrase.usual(for: status))\r\n".utf8) + lines(fields)
    }

    /// Only the fields, without a status line.
    package static func lines(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields { append(field.name, field.value.utf8, to: &bytes) }
        return bytes
    }

    /// Only the fields, without a status line. The values need not be UTF-8.
    package static func lines(_ fields: [(name: String, value: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields { append(field.name, field.value, to: &bytes) }
        return bytes
    }

    /// Appends a field. Bytes in the value that end a line become spaces, so that no value can add another field (RFC 9110,
    /// section 5.5).
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
