/// A second, different implementation of Base64, so that a test does not check an encoder against itself.
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        var text = ""
        for start in stride(from: 0, to: bits.count, by: 6) {
            let group =
                bits[start..<min(start + 6, bits.count)] + [UInt8](repeating: 0, count: max(0, start + 6 - bits.count))
            text.append(alphabet[group.reduce(0) { $0 << 1 | Int($1) }])
        }
        return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
