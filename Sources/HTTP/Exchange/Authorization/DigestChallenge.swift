import ReqcliBasics

/// The supported parts of a server's Digest challenge (RFC 7616 §3.3).
struct DigestChallenge: Hashable, Sendable {
    enum Algorithm: String, CaseIterable, Sendable {
        case md5 = "MD5"
        case md5Session = "MD5-sess"
        case sha256 = "SHA-256"
        case sha256Session = "SHA-256-sess"

        var isSession: Bool { self == .md5Session || self == .sha256Session }

        /// The strength of the algorithm. The challenge with the strongest algorithm is chosen.
        var strength: Int { self == .sha256 || self == .sha256Session ? 1 : 0 }

        func hash(_ text: String) -> String { hash(Array(text.utf8)) }

        func hash(_ bytes: [UInt8]) -> String {
            strength == 1 ? SHA256.hash(bytes).hex : MD5.hash(bytes).hex
        }
    }

    enum Quality: String, Sendable {
        case auth
        case authInt = "auth-int"
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: Algorithm
    /// Whether the server names no algorithm. The credentials then do not name an algorithm either.
    let isAlgorithmImplied: Bool
    /// The supported `qop` values (quality of protection) that the server offers; empty in the oldest form of the scheme, which
    /// has no `qop`.
    let qualities: [Quality]
    let isStale: Bool
    let hashesUser: Bool

    /// The best supported challenge in the values of `WWW-Authenticate`.
    static func best(in values: [String]) -> DigestChallenge? {
        values.flatMap(AuthenticationChallenge.all(in:))
            .compactMap(DigestChallenge.init)
            .enumerated()
            // Among challenges of equal strength, the first one is chosen.
            .max { ($0.element.algorithm.strength, -$0.offset) < ($1.element.algorithm.strength, -$1.offset) }?
            .element
    }

    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.scheme.lowercased() == "digest", let realm = challenge["realm"], let nonce = challenge["nonce"]
        else { return nil }
        let name = challenge["algorithm"]
        guard
            let algorithm = Algorithm.allCases.first(where: { $0.rawValue.lowercased() == (name ?? "md5").lowercased() }
            )
        else { return nil }
        let offered =
            challenge["qop"].map { $0.split(separator: ",").map { $0.trimmingSpacesAndTabs.lowercased() } } ?? []
        qualities = offered.compactMap(Quality.init)
        // A challenge that only offers unknown qualities is not supported.
        guard offered.isEmpty || !qualities.isEmpty else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.opaque = challenge["opaque"]
        self.algorithm = algorithm
        isAlgorithmImplied = name == nil
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
    }
}
