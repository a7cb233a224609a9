/// Random bytes that are a hash of words. A value is therefore the same wherever its words are the same.
package enum SeededBytes {
    /// The 32 bytes for the words. Each word is hashed with its length, so that no other words have the same bytes.
    package static func of(_ words: [String]) -> [UInt8] {
        var message: [UInt8] = []
        for word in words {
            message += String(word.utf8.count).utf8
            message.append(UInt8(ascii: ":"))
            message += word.utf8
        }
        return SHA256.hash(message)
    }

    /// The 32 bytes for a placeholder of a request.
    ///
    /// - Parameters:
    ///   - endpoint: The id of the endpoint.
    ///   - environment: The name of the environment.
    ///   - occasion: Tells the request from others of the same endpoint in a run; empty for a request outside of a run.
    ///   - placeholder: The file of the placeholder, and its path in this file.
    package static func of(
        seed: String, endpoint: String, environment: String, occasion: String = "", placeholder: String
    ) -> [UInt8] {
        of([seed, endpoint, environment, occasion, placeholder])
    }
}

extension [UInt8] {
    /// The first 16 bytes as a random UUID (RFC 9562, version 4).
    package var asUUID: String {
        var bytes = Array(prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var digits = Array(bytes.hex.utf8)
        for position in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: position) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The first bytes as a number from 0 to 999,999,999.
    package var asRandomInt: Int { prefix(7).reduce(0) { $0 << 8 | Int($1) } % 1_000_000_000 }
}
