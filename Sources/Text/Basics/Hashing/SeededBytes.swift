/// Random bytes that are a hash of words. A value is therefore the same wherever its words are the same.
package enum SeededBytes {
    /// The 32 bytes for the words. Each word is hashed with its length, so that no other words have the same bytes.
    package static func of(_ words: [String]) -> [UInt8] {
        SHA256.hash(words.flatMap { Array("\($0.utf8.count):".utf8) + $0.utf8 })
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
        let hex = Array(bytes.hex.utf8)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: hex[$0], as: UTF8.self) }
            .joined(separator: "-")
    }

    /// The first bytes as a number from 0 to 999,999,999.
    package var asRandomInt: Int { prefix(7).reduce(0) { $0 << 8 | Int($1) } % 1_000_000_000 }
}
