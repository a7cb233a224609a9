import ReqcliBasics

/// Decides from a name whether a value with this name is a secret: `api_key`, `accessToken`, `X-Pwd`.
struct SecretName {
    /// The words of the name in lowercase: `access` and `token`.
    private let words: [String]
    private let letters: [UInt8]

    init(_ name: String) {
        // A character beyond ASCII may become an ASCII letter in lowercase: the Kelvin sign becomes `k`.
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        let bytes = Array((isASCII ? name : name.lowercased()).utf8)
        words = Self.words(of: bytes)
        letters = Self.letters(of: bytes)
    }

    /// Whether every value under the name is a secret.
    var isSecret: Bool { namesSecret && !isProperty }

    /// Whether the value is about a secret and isn't the secret itself: `tokenType`, `password_policy`, `useSessionCookies`.
    var isAbout: Bool { namesSecret && isProperty }

    private var namesSecret: Bool {
        if Self.anywhere.contains(where: letters.has) { return true }
        if words.contains(where: Self.asWord.contains) { return true }
        guard let last = words.last else { return false }
        if Self.asLastWord.contains(last) { return true }
        switch words.count {
        case 1: return Self.alone.contains(last)
        case 2 where words[0] == "x": return Self.alone.contains(last) || Self.ambiguous.contains(last)
        default:
            return words.count == 2 && Self.alone.contains(last) && Self.owners.contains(words[0])
                || last == "signature" && words[0] == "x"
        }
    }

    /// Whether a value with this name is a secret only if the value looks random.
    var isAmbiguous: Bool {
        guard words.count > 1 else { return words.first.map(Self.ambiguous.contains) ?? false }
        return words.last == "key" && !words.contains(where: Self.openKeys.contains)
    }

    private var isProperty: Bool {
        guard words.count > 1, let first = words.first, let last = words.last else { return false }
        return Self.properties.contains(last) || Self.questions.contains(first)
    }

    /// Words that make a name secret, wherever they are in it. The separators between the words of the name are ignored.
    private static let anywhere = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "licensekey",
        "licencekey", "subscriptionkey", "authkey", "encryptionkey", "signingkey", "masterkey", "sessionid",
        "sessionkey", "sessioncookie", "sessid", "authorization",
    ].map { Array($0.utf8) }
    /// Short words that make a name secret only as whole words, because ordinary words contain them: `hotpot` contains `otp`.
    private static let asWord: Set = ["pwd", "pw", "jwt", "otp", "session"]
    /// Words that make a name secret as its last word: `GITHUB_PAT` is a secret, `pat_count` is a number.
    private static let asLastWord: Set = ["cred", "creds", "pat"]
    private static let alone: Set = [
        "pass", "pin", "sig", "auth", "credential", "credentials", "bearer", "sid", "cookie", "csrf", "xsrf",
    ]
    private static let owners: Set = ["user", "db", "database", "smtp", "ftp", "login", "admin", "proxy", "card"]
    private static let ambiguous: Set = ["key", "code", "signature", "license", "licence"]
    /// Words of names of keys that identify something and open nothing: `Idempotency-Key`, `primaryKey`.
    private static let openKeys: Set = [
        "idempotency", "primary", "foreign", "partition", "sort", "order", "cache", "public", "row", "object",
        "message",
        "correlation", "deduplication", "lookup", "group", "routing", "translation", "natural", "unique", "parent",
    ]
    /// Last words of names whose values are about a secret.
    private static let properties: Set = [
        "type", "url", "uri", "endpoint", "count", "limit", "length", "size", "ttl", "timeout", "expiry", "expires",
        "expiration", "expired", "in", "at", "seconds", "minutes", "hours", "days", "ms", "lifetime", "duration", "age",
        "interval", "enabled", "disabled", "required", "policy", "rules", "strength", "level", "format", "name",
        "label",
        "description", "status", "valid", "exists", "changed", "version", "algorithm", "alg", "method", "mode",
        "provider",
        "issuer", "audience", "scope", "scopes", "attempts", "retries", "min", "max", "prefix",
    ]
    /// First words of names that ask or count.
    private static let questions: Set = [
        "is", "has", "use", "uses", "require", "requires", "enable", "enables", "allow", "allows", "should", "can",
        "show",
        "include", "max", "min", "num", "total",
    ]
    /// Parts of ordinary words and of plurals. A plural usually names a number: `max_tokens`, `trainingSessions`.
    private static let harmless = ["tokens", "sessions", "tokeniz", "secretar", "passwordless"].map { Array($0.utf8) }

    private static func letters(of bytes: [UInt8]) -> [UInt8] {
        var letters: [UInt8] = []
        // The letters before this index can't be a part of a harmless word.
        var start = 0
        for byte in bytes where byte.isAlphanumeric {
            letters.append(byte.lowercased)
            guard
                let part = harmless.first(where: {
                    letters.count - start >= $0.count && letters.suffix($0.count) == $0[...]
                })
            else { continue }
            letters.removeLast(part.count)
            start = letters.count
        }
        return letters
    }

    private static func words(of bytes: [UInt8]) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        func isLarge(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
        for (index, byte) in bytes.enumerated() {
            let next = bytes.dropFirst(index + 1).first
            // In `userPin`, a word begins at the capital letter. In `OTPCode`, a word begins at the last capital letter.
            let isStart =
                isLarge(byte)
                && (word.last.map { !isLarge($0) } ?? false || next.map { $0.isLetter && !isLarge($0) } ?? false)
            if isStart || !byte.isAlphanumeric, !word.isEmpty {
                words.append(String(decoding: word.map(\.lowercased), as: UTF8.self))
                word = []
            }
            if byte.isAlphanumeric { word.append(byte) }
        }
        if !word.isEmpty { words.append(String(decoding: word.map(\.lowercased), as: UTF8.self)) }
        // `session1` is a session.
        return words.map { word in
            let stem = word.prefix { !$0.isNumber }
            return stem.isEmpty || word.dropFirst(stem.count).contains { !$0.isNumber } ? word : String(stem)
        }
    }
}

extension [UInt8] {
    /// Whether the bytes contain `part`. An import checks each name with this function. In a release build it takes 1.2 µs per
    /// name; with `firstRange(of:)`, which isn't specialized, it would take 34 µs.
    fileprivate func has(_ part: [UInt8]) -> Bool {
        indices.dropLast(part.count - 1).contains { self[$0] == part[0] && self[$0...].starts(with: part) }
    }
}
