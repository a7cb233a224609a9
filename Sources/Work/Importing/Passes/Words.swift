import ReqcliBasics

/// Splits names such as `listPetsByID`, `list-pets_by id` and `repos/list` into lowercase words, in Latin letters without accents.
enum Words {
    /// Names that are one word in spite of their capitals.
    private static let known: [[UInt8]] = [
        "GitHub", "GitLab", "OAuth", "iOS", "macOS", "iPhone", "iPad", "LinkedIn", "YouTube", "PayPal", "WhatsApp",
        "WordPress",
        "JavaScript", "TypeScript", "GraphQL", "OpenAPI", "OpenAI", "OpenID", "MySQL", "PostgreSQL", "MongoDB",
        "DynamoDB",
        "BigQuery", "HubSpot", "SendGrid", "DocuSign", "QuickBooks", "TikTok", "WebSocket", "WebHook", "eBay", "IoT",
        "SaaS",
        "DevOps",
    ].map { Array($0.utf8) }

    /// - Parameter keepsNames: Whether a name such as `GitHub` is one word.
    static func of(_ name: some StringProtocol, keepsNames: Bool = true) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        let bytes = Array(Transliteration.latin(name).utf8)
        /// The end of a known name in the bytes; bytes before it begin no word.
        var endOfName = 0
        func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
        for (index, byte) in bytes.enumerated() {
            guard byte.isAlphanumeric else {
                // An apostrophe doesn't separate words.
                if byte != 0x27, !word.isEmpty {
                    words.append(String(decoding: word, as: UTF8.self))
                    word = []
                }
                continue
            }
            let previous = index > 0 ? bytes[index - 1] : 0
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            let isName =
                keepsNames && index >= endOfName && !(previous.isAlphanumeric && !isUpper(byte))
                && Self.known.contains { name in
                    guard bytes[index...].starts(with: name) else { return false }
                    let after = index + name.count
                    endOfName = after == bytes.count || !(0x61...0x7A).contains(bytes[after]) ? after : endOfName
                    return endOfName == after
                }
            let startsWord =
                isName && previous.isAlphanumeric
                || index >= endOfName && isUpper(byte) && previous.isAlphanumeric
                    && (!isUpper(previous) || (next.isAlphanumeric && !isUpper(next) && !next.isDigit && next != 0x73))
            if startsWord, !word.isEmpty {
                words.append(String(decoding: word, as: UTF8.self))
                word = []
            }
            word.append(byte.lowercased)
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// `list-pets-by-id` for `listPetsByID`; empty if the name has no letters of an alphabet and no digits.
    static func kebab(_ name: some StringProtocol) -> String { of(name).joined(separator: "-") }

    /// `apiKey` for `X-API-Key`.
    static func camel(_ name: some StringProtocol) -> String {
        var words = of(name)
        if words.first == "x", words.count > 1 { words.removeFirst() }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (words.first ?? "") + rest.joined()
    }

    /// `API_KEY` for `apiKey`. `GIT_HUB` for `GitHub`: a source must not choose a common name of a process variable.
    static func upper(_ name: some StringProtocol) -> String {
        of(name, keepsNames: false).map { $0.uppercased() }.joined(separator: "_")
    }

    /// The beginning of the names of process variables for secrets: `SHOP` for `Shop`. The result never begins with a digit.
    static func variablePrefix(_ name: some StringProtocol) -> String {
        let words = String(upper(name).prefix(NamePass.longest))
        return words.utf8.first?.isDigit == true ? "API_" + words : words
    }

    /// Whether two words are equal, or are the singular and the plural of the same word.
    static func areAlike(_ one: String, _ other: String) -> Bool { singular(one) == singular(other) }

    static func singular(_ word: String) -> String {
        if word.hasSuffix("ies"), word.utf8.count > 4 { return word.dropLast(3) + "y" }
        if word.hasSuffix("ses") || word.hasSuffix("xes") || word.hasSuffix("ches") { return String(word.dropLast(2)) }
        return word.hasSuffix("s") && !word.hasSuffix("ss") && word.utf8.count > 2 ? String(word.dropLast()) : word
    }
}
