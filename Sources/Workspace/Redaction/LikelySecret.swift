import ReqcliBasics
package import ReqcliText

/// Guesses from the name and the shape of a value whether the value is a secret. This keeps secrets out of files even if they are
/// not declared as secrets.
package enum LikelySecret {
    /// The headers that were looked at. The requests of a run have the same few headers: without this, `check` of 1,000 cases
    /// would take more of the processor's time.
    private static let knownHeaders = Mutex<[String: Bool]>([:])
    private static let mostKnownHeaders = 200

    /// Whether a header of this name carries credentials.
    package static func isHeader(_ name: String) -> Bool {
        if let known = knownHeaders.withLock({ $0[name] }) { return known }
        let isSecret = headers.contains(name.lowercased()) || isName(name)
        knownHeaders.withLock { if $0.count < mostKnownHeaders { $0[name] = isSecret } }
        return isSecret
    }

    /// Whether a param, a query item or a member of this name carries a secret: `api_key`, `accessToken`.
    package static func isName(_ name: String) -> Bool { SecretName(name).isSecret }

    /// Whether a name says that its values are secret, or may be.
    package static func mayBeName(_ name: String) -> Bool {
        let name = SecretName(name)
        return name.isSecret || name.isAmbiguous || name.isAbout
    }

    /// Whether a value with this name is a secret. With some names, such as `key` and `code`, a value is a secret only if it
    /// looks random. With names such as `tokenType`, it is one only if it looks like a password.
    package static func isSecret(_ name: String, _ value: String) -> Bool {
        let secretName = SecretName(name)
        return !value.isEmpty
            && (secretName.isSecret || secretName.isAmbiguous && isRandom(Array(value.utf8)[...])
                || secretName.isAbout && isPassword(value))
    }

    /// Whether a text may be a password: letters and digits, and neither a URL, a date nor a sentence.
    private static func isPassword(_ value: String) -> Bool {
        value.utf8.count >= 8 && value.utf8.contains(where: \.isLetter) && value.utf8.contains(where: \.isDigit)
            && !value.utf8.contains { " /:".utf8.contains($0) }
    }

    /// Whether a word looks generated: it is long, and letters and digits alternate.
    static func isRandom(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 16, word.contains(where: \.isLetter), word.contains(where: \.isDigit),
            word.allSatisfy({ $0.isAlphanumeric || "-_.~+/=%".utf8.contains($0) })
        else { return false }
        return zip(word, word.dropFirst()).count { $0.isLetter && $1.isDigit || $0.isDigit && $1.isLetter } > 1
    }

    /// Whether a text holds a token or a private key of a well-known kind.
    package static func isIn(_ text: String) -> Bool {
        // Most texts are too short for a token or a key.
        guard text.utf8.count >= shortestText else { return false }
        return !tokens(in: text).isEmpty || text.contains("PRIVATE KEY-----")
    }

    /// Whether a query of a URL, without its question mark, has an item that is a secret.
    package static func isIn(query: String) -> Bool { isIn("?" + query) }

    /// The secrets in a text, in order: tokens of a well-known kind, and values that are secret because of a URL, a name or an
    /// authorization scheme around them.
    package static func tokens(in text: String) -> [Substring] { secrets(in: text).map(\.value) }

    /// The secrets that `tokens` finds. If a secret was recognized by its name in the text, such as `password`, the name is
    /// included.
    package static func secrets(in text: String) -> [(name: String?, value: Substring)] {
        guard text.utf8.count >= shortestText else { return [] }
        let known = text.utf8.split { !$0.isAlphanumeric && !"_-.".utf8.contains($0) }
            .filter { $0.count >= shortestToken }.map { Substring($0) }.filter { isToken($0) }
            .map { (name: String?.none, value: $0) }
        let others = SecretPlaces(Array(text.utf8)).places.map { place in
            let start = text.utf8.index(text.startIndex, offsetBy: place.range.lowerBound)
            return (name: place.name, value: text[start..<text.utf8.index(start, offsetBy: place.range.count)])
        }
        if others.isEmpty { return known }
        // If two secrets overlap, only the secret that begins first is kept. If both begin at the same place, the longer secret
        // is kept.
        let all = (known + others).sorted {
            ($0.value.startIndex, $1.value.endIndex) < ($1.value.startIndex, $0.value.endIndex)
        }
        return all.reduce(into: []) { found, secret in
            if found.last.map({ $0.value.endIndex <= secret.value.startIndex }) ?? true { found.append(secret) }
        }
    }

    /// Whether a value contains a string with a secret, or a member whose name makes it a secret.
    package static func isIn(_ value: OrderedJSON) -> Bool {
        switch value {
        case .string(let text): isIn(text)
        case .array(let elements): elements.contains { isIn($0) }
        case .object(let members): members.contains { isSecretMember($0) || isIn($0.value) }
        case .null, .bool, .number: false
        }
    }

    /// The text with a mask in place of each token.
    package static func masking(_ text: String) -> String {
        let tokens = tokens(in: text)
        if tokens.isEmpty { return text }
        var masked = ""
        var rest = text[...]
        for token in tokens {
            masked += rest[..<token.startIndex] + "***"
            rest = text[token.endIndex...]
        }
        return masked + rest
    }

    private static let headers: Set<String> = [
        "set-cookie", "set-cookie2", "cookie", "authorization", "proxy-authorization", "authentication-info",
        "proxy-authentication-info", "dpop",
    ]
    /// The length of the shortest kind of token, in bytes.
    private static let shortestToken = 12
    /// The length of the shortest text with a secret: `?pin=1234`.
    private static let shortestText = 9

    private static func isSecretMember(_ member: OrderedJSON.Member) -> Bool {
        if isName(member.name) { return true }
        return if case .string(let text) = member.value { isSecret(member.name, text) } else { false }
    }

    private static func isToken(_ word: Substring) -> Bool {
        if word.hasPrefix("eyJ") {
            let parts = word.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count >= 3 && parts[0].count >= 10
        }
        if word.hasPrefix("AKIA") || word.hasPrefix("ASIA") {
            return word.utf8.count >= 16 && word.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0) }
        }
        if word.hasPrefix("xox") { return word.utf8.count >= 12 && word.dropFirst(4).first == "-" }
        // A digit is required, because an ordinary word such as sk-learn has none.
        if word.hasPrefix("sk-") { return word.utf8.count >= 19 && word.utf8.contains(where: \.isDigit) }
        if let kind = machineMade.first(where: { word.hasPrefix($0.start) }) {
            return word.utf8.count >= kind.shortest && word.utf8.contains(where: \.isDigit)
        }
        return word.utf8.count >= 12 && gitHub.contains(where: word.hasPrefix)
    }

    /// Tokens of other services, by their prefixes. The minimum length, in bytes, excludes ordinary names such as
    /// `npm_package_version`.
    private static let machineMade: [(start: String, shortest: Int)] = [
        ("sk_live_", 16), ("sk_test_", 16), ("rk_live_", 16), ("rk_test_", 16), ("whsec_", 20), ("glpat-", 20),
        ("AIza", 39), ("ya29.", 30), ("SG.", 40), ("npm_", 40), ("hf_", 30), ("shpat_", 30), ("dop_v1_", 40),
        ("pypi-", 50),
    ]

    private static let gitHub = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"]
}
