package import ReqcliText
package import RequestBuilding

/// The value of `"jwt"`: how a token is signed, and what it says.
package struct JWTTemplate: Sendable {
    package private(set) var algorithm = JWTSignature.Algorithm.rs256
    /// The texts by their keys.
    private var texts: [Key: ValueTemplate] = [:]
    package private(set) var claims: ValueTemplate?
    package private(set) var expires = Self.usualLife
    package let place: Place

    package static let usualLife = Duration.seconds(600)

    package enum Key: String, CaseIterable, Sendable {
        case key, passphrase, keyID

        package var title: String {
            switch self {
            case .key: "the key"
            case .passphrase: "the passphrase"
            case .keyID: "the key ID"
            }
        }
    }

    package subscript(_ key: Key) -> ValueTemplate? { texts[key] }

    var values: [ValueTemplate] { Key.allCases.compactMap { texts[$0] } + [claims].compactMap(\.self) }

    func source(_ text: AuthKind.PartText) -> OrderedJSON {
        .object([
            "algorithm": .string(algorithm.rawValue), "key": texts[.key].map { text("key", $0) },
            "passphrase": texts[.passphrase].map { text("passphrase", $0) }, "keyID": texts[.keyID]?.source,
            "claims": claims?.source, "expires": expires == Self.usualLife ? nil : .string(expires.text),
        ])
    }

    static let table = ObjectShape<JWTTemplate>(
        "jwt", title: "\"jwt\"", summary: "A JSON Web Token that reqcli makes and signs.",
        [
            Field(
                "algorithm", Shape<JWTSignature.Algorithm>.word, required: true,
                "How the token is signed. Algorithms other than HS256, HS384 and HS512 need libcrypto (OpenSSL)."
            ) { $0.algorithm = $1 },
            Field(
                "key", .scalarValue, required: true,
                "The private key (PEM), or the shared key of HS256, HS384 and HS512, as a placeholder for a secret."
            ) { $0.texts[.key] = $1 },
            Field(
                "passphrase", .scalarValue, "The passphrase of an encrypted key, as a placeholder for a secret."
            ) { $0.texts[.passphrase] = $1 },
            Field("keyID", .scalarValue, "The name of the key in the token's header, kid.") { $0.texts[.keyID] = $1 },
            Field("claims", .objectValue, "What the token says. iat and exp are added unless they are here.") {
                $0.claims = $1
            },
            Field("expires", .bound, "How long a token is valid, in whole seconds; 10 min by default.") {
                $0.expires = $1
            },
        ], initial: { JWTTemplate(place: $0.headPlace) },
        check: { template, value, decoding in
            if template.algorithm.isShared, value["passphrase"] != nil {
                decoding.report(
                    .keyConflict,
                    "\"passphrase\" can't be used with \(template.algorithm.rawValue), which has no private key",
                    at: value.placeOfKey("passphrase"))
            }
            guard let expires = value["expires"] else { return }
            if template.expires.components.attoseconds != 0 {
                decoding.report(
                    .valueInvalid, "expected whole seconds, at least 1s; found \(template.expires.text)",
                    at: expires.place)
            }
        })

    private init(place: Place) { self.place = place }
}
