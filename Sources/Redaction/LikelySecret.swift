import ASCII
package import SourceText

/// Guesses what is a secret from its name and its shape, so that a value that nobody declared secret stays out of files.
package enum LikelySecret {
    /// Whether a header of this name carries credentials.
    package static func isHeader(_ name: String) -> Bool {
        headers.contains(name.lowercased()) || isName(name)
    }

    /// Whether a param, a query item or a member of this name carries a secret: `api_key`, `accessToken`.
    package static func isName(_ name: String) -> Bool {
        // Lowercase letters beyond ASCII may be in it, too, such as that of the Kelvin sign.
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        var letters: [UInt8] = []
        var uncounted = 0
        for byte in (isASCII ? name : name.lowercased()).utf8 where byte.isAlphanumeric {
            letters.append(byte.lowercased)
            // Tokens are counted (`max_tokens`), a token is kept.
            guard letters.count - uncounted >= counted.count, letters.suffix(counted.count) == counted[...] else {
                continue
            }
            letters.removeLast(counted.count)
            uncounted = letters.count
        }
        return words.contains { word in
            letters.count >= word.count
                && (0...(letters.count - word.count)).contains { letters[$0...].starts(with: word) }
        }
    }

    private static let counted = Array("tokens".utf8)

    /// Whether a text holds a token or a private key of a well-known kind.
    package static func isIn(_ text: String) -> Bool {
        // Most texts are short, and hold neither.
        guard text.utf8.count >= shortestToken else { return false }
        return !tokens(in: text).isEmpty || text.contains("PRIVATE KEY-----")
    }

    /// The tokens of a well-known kind in a text.
    package static func tokens(in text: String) -> [Substring] {
        text.utf8.split { !$0.isAlphanumeric && !"_-.".utf8.contains($0) }
            .filter { $0.count >= shortestToken }.map { Substring($0) }.filter { isToken($0) }
    }

    /// Whether a text or a name in a value is a secret.
    package static func isIn(_ value: OrderedJSON) -> Bool {
        switch value {
        case .string(let text): isIn(text)
        case .array(let elements): elements.contains { isIn($0) }
        case .object(let members): members.contains { isName($0.name) || isIn($0.value) }
        case .null, .bool, .number: false
        }
    }

    private static let headers: Set<String> = [
        "set-cookie", "set-cookie2", "cookie", "authorization", "proxy-authorization", "authentication-info",
        "proxy-authentication-info",
    ]
    /// As they are without marks between their words.
    private static let words = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "session",
        "authorization",
    ].map { Array($0.utf8) }

    /// No kind of token is shorter, in bytes.
    private static let shortestToken = 12

    private static func isToken(_ word: Substring) -> Bool {
        if word.hasPrefix("eyJ") {
            let parts = word.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count >= 3 && parts[0].count >= 10
        }
        if word.hasPrefix("AKIA") || word.hasPrefix("ASIA") {
            return word.utf8.count >= 16 && word.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0) }
        }
        if word.hasPrefix("xox") { return word.utf8.count >= 12 && word.dropFirst(4).first == "-" }
        // A word such as sk-learn has no digit.
        if word.hasPrefix("sk-") { return word.utf8.count >= 19 && word.utf8.contains(where: \.isDigit) }
        return word.utf8.count >= 12 && gitHub.contains(where: word.hasPrefix)
    }

    private static let gitHub = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"]
}
