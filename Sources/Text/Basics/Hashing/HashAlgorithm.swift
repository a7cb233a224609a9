/// The hashes that files and servers can ask for.
package enum HashAlgorithm: String, CaseIterable, Sendable {
    case md5, sha1, sha256, sha384, sha512

    /// The bytes of a message's hash.
    package func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
        switch self {
        case .md5: MD5.hash(message)
        case .sha1: SHA1.hash(message)
        case .sha256: SHA256.hash(message)
        case .sha384: SHA512.shorterHash(message)
        case .sha512: SHA512.hash(message)
        }
    }

    /// The message authentication code of a message, HMAC (RFC 2104).
    package func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        let size = self == .sha384 || self == .sha512 ? 128 : 64
        let short = key.count > size ? hash(key) : key
        let block = short + [UInt8](repeating: 0, count: size - short.count)
        return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + message))
    }
}
