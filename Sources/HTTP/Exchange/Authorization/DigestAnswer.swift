/// The `Authorization` header that responds to a Digest challenge (RFC 7616 §3.4).
struct DigestAnswer {
    let challenge: DigestChallenge
    let user: String
    let password: String
    let method: String
    /// The path and query of the request, as sent.
    let target: String
    /// The body, if it is in memory; otherwise nil, and `auth-int` is not possible.
    let body: [UInt8]?
    /// A random string that the client has made.
    let clientNonce: String
    /// The number of times that the server's nonce was used, including this time.
    let count: Int

    /// The value of the header; nil if the server requires `auth-int` and the body is not in memory.
    var headerValue: String? {
        let quality: DigestChallenge.Quality? =
            challenge.qualities.contains(.auth) ? .auth : challenge.qualities.first
        if quality == .authInt, body == nil { return nil }
        let algorithm = challenge.algorithm
        let number = String(count, radix: 16)
        let counter = String(repeating: "0", count: max(0, 8 - number.count)) + number

        var secret = algorithm.hash("\(user):\(challenge.realm):\(password)")
        if algorithm.isSession { secret = algorithm.hash("\(secret):\(challenge.nonce):\(clientNonce)") }
        var request = "\(method):\(target)"
        if quality == .authInt { request += ":\(algorithm.hash(body ?? []))" }
        let middle = quality.map { "\(counter):\(clientNonce):\($0.rawValue):" } ?? ""
        let response = algorithm.hash("\(secret):\(challenge.nonce):\(middle)\(algorithm.hash(request))")

        let name = challenge.hashesUser ? algorithm.hash("\(user):\(challenge.realm)") : user
        var parts = [
            "username=\(Self.quoted(name))", "realm=\(Self.quoted(challenge.realm))",
            "nonce=\(Self.quoted(challenge.nonce))", "uri=\(Self.quoted(target))", "response=\"\(response)\"",
        ]
        if !challenge.isAlgorithmImplied { parts.append("algorithm=\(algorithm.rawValue)") }
        if let quality {
            parts += ["qop=\(quality.rawValue)", "nc=\(counter)", "cnonce=\(Self.quoted(clientNonce))"]
        } else if algorithm.isSession {
            parts.append("cnonce=\(Self.quoted(clientNonce))")
        }
        if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if challenge.hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text {
            if character == "\"" || character == "\\" { result.append("\\") }
            result.append(character)
        }
        return result + "\""
    }
}
