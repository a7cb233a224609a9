import CReqcliLibcrypto

/// A private key in PEM, with which libcrypto signs.
struct PrivateKey {
    private let pem: String
    private let passphrase: String?

    /// - Parameter pem: The key. A variable of the process often has `\n` in place of each line feed, which PEM never contains.
    init(pem: String, passphrase: String?) {
        self.pem = pem.replacing(#"\n"#, with: "\n")
        self.passphrase = passphrase
    }

    private struct Needs {
        let kind: ck_kind
        let digest: String?
        let title: String
        /// The length of each of the two numbers of an ECDSA signature.
        var numberLength: Int?
    }

    private static func needs(of algorithm: JWTSignature.Algorithm) -> Needs {
        let digest = "SHA\(algorithm.rawValue.suffix(3))"
        return switch algorithm {
        case .es256: Needs(kind: ck_p256, digest: digest, title: "an EC key on the curve P-256", numberLength: 32)
        case .es384: Needs(kind: ck_p384, digest: digest, title: "an EC key on the curve P-384", numberLength: 48)
        case .edDSA: Needs(kind: ck_ed25519, digest: nil, title: "an Ed25519 key")
        default: Needs(kind: ck_rsa, digest: digest, title: "an RSA key of at least 2048 bits")
        }
    }

    func signature(of text: [UInt8], _ algorithm: JWTSignature.Algorithm) throws -> [UInt8] {
        let needs = Self.needs(of: algorithm)
        var found = ck_key()
        var bytes: [UInt8] = []
        var result = ck_failed
        Self.withBytes(pem) { pem in
            Self.withBytes(passphrase) { passphrase in
                text.withUnsafeBufferPointer { text in
                    guard let start = text.baseAddress, let pem = pem?.pointee else { return }
                    // Enough for RSA with 16,384 bits, the longest that libcrypto uses.
                    bytes = [UInt8](unsafeUninitializedCapacity: 2048) { buffer, count in
                        guard let space = buffer.baseAddress else { return }
                        count = buffer.count
                        result = ck_sign(
                            pem, passphrase, needs.kind, needs.digest, algorithm == .ps256,
                            ck_bytes(start: start, count: text.count), space, &count, &found)
                        if result != ck_signed { count = 0 }
                    }
                }
            }
        }
        if let problem = Self.problem(result, algorithm, needs, found) {
            throw StepFailure(.invalidCredentials, problem)
        }
        guard let length = needs.numberLength else { return bytes }
        guard let numbers = Self.numbers(inDER: bytes, length) else {
            throw StepFailure(.invalidCredentials, "libcrypto made a signature that is not DER")
        }
        return numbers
    }

    private static func problem(
        _ result: ck_result, _ algorithm: JWTSignature.Algorithm, _ needs: Needs, _ found: ck_key
    ) -> String? {
        switch result {
        case ck_signed: return nil
        case ck_missing_library: return "\(algorithm.rawValue) needs libcrypto (Debian: libssl3)"
        case ck_unreadable_key: return "the key is not a private key in PEM, which begins with \"-----BEGIN\""
        case ck_encrypted_key: return "the key is encrypted, and there is no passphrase"
        case ck_wrong_passphrase: return "the key can't be decrypted with the passphrase"
        case ck_unfit_key:
            let kind =
                switch found.kind {
                case ck_rsa, ck_rsa_pss: "an RSA key of \(found.bits) bits"
                case ck_p256: "an EC key on the curve P-256"
                case ck_p384: "an EC key on the curve P-384"
                case ck_other_ec: "an EC key on another curve"
                case ck_ed25519: "an Ed25519 key"
                default: "another kind of key"
                }
            return "\(algorithm.rawValue) needs \(needs.title); the key is \(kind)"
        default: return "libcrypto can't sign with this key for \(algorithm.rawValue)"
        }
    }

    /// The two numbers of an ECDSA signature one after the other, from `SEQUENCE { INTEGER r, INTEGER s }`.
    static func numbers(inDER bytes: [UInt8], _ length: Int) -> [UInt8]? {
        var rest = bytes[...]
        func head(_ tag: UInt8) -> Int? {
            guard rest.count >= 2, rest.removeFirst() == tag, let count = rest.popFirst(), count < 0x80 else {
                return nil
            }
            return Int(count)
        }
        guard let all = head(0x30), all == rest.count else { return nil }
        var numbers: [UInt8] = []
        for _ in 0..<2 {
            guard let count = head(0x02), count <= rest.count else { return nil }
            let number = rest.prefix(count).drop { $0 == 0 }
            guard number.count <= length else { return nil }
            numbers += [UInt8](repeating: 0, count: length - number.count) + number
            rest.removeFirst(count)
        }
        return rest.isEmpty ? numbers : nil
    }

    private static func withBytes(_ text: String?, _ body: (UnsafePointer<ck_bytes>?) -> Void) {
        guard var text else { return body(nil) }
        text.withUTF8 { buffer in
            guard let start = buffer.baseAddress else { return body(nil) }
            withUnsafePointer(to: ck_bytes(start: start, count: buffer.count), body)
        }
    }
}
