import Foundation
import ReqcliBasics

/// A JSON Web Token (RFC 7519) that is made for each request and sent as `Authorization: Bearer …`.
///
/// The token is kept in memory for half its life. It begins 5 s in the past, because clocks differ.
public struct JWTSignature: Hashable, Sendable {
    /// The algorithms, by their names in a token (RFC 7518, RFC 8037). Those other than HS256, HS384 and HS512 need the library
    /// libcrypto on the system.
    public enum Algorithm: String, CaseIterable, Sendable {
        case hs256 = "HS256"
        case hs384 = "HS384"
        case hs512 = "HS512"
        case rs256 = "RS256"
        case rs384 = "RS384"
        case rs512 = "RS512"
        case ps256 = "PS256"
        case es256 = "ES256"
        case es384 = "ES384"
        case edDSA = "EdDSA"
    }

    private let algorithm: Algorithm
    private let key: String
    private let passphrase: String?
    private let keyID: String?
    private let claims: JSONLiteral
    private let seconds: Int

    /// A token.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm that signs the token.
    ///   - key: The private key in PEM; for HS256, HS384 and HS512 the shared key.
    ///   - passphrase: The passphrase of an encrypted key.
    ///   - keyID: The name of the key, `kid`.
    ///   - claims: An object. `iat` and `exp` are added unless it has them.
    ///   - expires: The life of the token, in whole seconds.
    public init(
        _ algorithm: Algorithm, key: String, passphrase: String? = nil, keyID: String? = nil, claims: JSONLiteral = [:],
        expires: Duration = .seconds(600)
    ) {
        (self.algorithm, self.key, self.passphrase, self.keyID) = (algorithm, key, passphrase, keyID)
        (self.claims, self.seconds) = (claims, Int(expires.components.seconds))
    }

    /// A token, and its header and claims as they are signed, but readable.
    package struct Token: Sendable {
        package let text: String
        package let shown: String
        /// The last part of the text.
        fileprivate let signature: String
        fileprivate let time: Double
    }

    /// The tokens of this process that may be used again.
    private static let kept = Mutex<[JWTSignature: Token]>([:])
    private static let mostKept = 1000

    package func token(at time: Double) throws -> Token {
        let life = Double(seconds) / 2
        if let kept = Self.kept.withLock({ $0[self] }), kept.time <= time, time < kept.time + life { return kept }
        let token = try made(at: time)
        Self.kept.withLock { kept in
            if kept.count >= Self.mostKept { kept = [:] }
            kept[self] = token
        }
        return token
    }

    private func made(at time: Double) throws -> Token {
        let header: JSONLiteral = ["alg": .string(algorithm.rawValue), "typ": "JWT", "kid": keyID.map { .string($0) }]
        guard case .object(var members) = claims else {
            throw StepFailure(.invalidCredentials, "the claims of the token are not an object")
        }
        let begin = Int(time.rounded(.down)) - 5
        for (name, value) in [("iat", begin), ("exp", begin + seconds)]
        where !members.contains(where: { $0.name == name }) {
            members.append(JSONLiteral.Member(name, .number(value)))
        }
        let parts = [header.compact, JSONLiteral.object(members).compact]
        let text = parts.map { Self.encoded(Array($0.utf8)) }.joined(separator: ".")
        let signature = try Self.signature(of: Array(text.utf8), algorithm, key: key, passphrase: passphrase)
        let last = Self.encoded(signature)
        return Token(
            text: "\(text).\(last)", shown: parts.joined(separator: "."), signature: last, time: time)
    }

    /// The signature of a text, as RFC 7518 writes it.
    package static func signature(
        of text: [UInt8], _ algorithm: Algorithm, key: String, passphrase: String? = nil
    ) throws -> [UInt8] {
        let hash: HashAlgorithm? =
            switch algorithm {
            case .hs256: .sha256
            case .hs384: .sha384
            case .hs512: .sha512
            default: nil
            }
        return try hash?.code(of: text, key: Array(key.utf8))
            ?? PrivateKey(pem: key, passphrase: passphrase).signature(of: text, algorithm)
    }

    private static func encoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
    }
}

extension JWTSignature: CustomStringConvertible {
    /// The algorithm and the key's name, without the key.
    public var description: String { "JWT \(algorithm.rawValue)\(keyID.map { " \($0)" } ?? "")" }
}

extension JWTSignature.Algorithm {
    /// Whether a text is the key, not a private key.
    package var isShared: Bool { rawValue.hasPrefix("HS") }
}

extension RequestSigner {
    /// Sends a token in the header `Authorization`.
    public static func jwt(_ signature: JWTSignature) -> RequestSigner {
        RequestSigner { request, time in
            let token = try signature.token(at: time)
            var signed = SignedRequest(request)
            try signed.set(header: "Authorization", "Bearer \(token.text)")
            signed.text = Array(token.shown.utf8)
            // A server may repeat either of them.
            signed.secrets = [("token", token.text), ("signature", token.signature)]
            return signed
        }
    }
}
