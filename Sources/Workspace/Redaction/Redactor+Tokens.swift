extension String {
    /// The text without tokens of a well-known kind.
    package var withoutTokens: String { Redactor([]).maskingTokens(self) }
}

extension Redactor {
    /// The text without the secrets that are known, and without tokens of a well-known kind.
    package func maskingTokens(_ text: String) -> String {
        let text = redact(text)
        guard LikelySecret.isIn(text) else { return text }
        if text.contains("PRIVATE KEY-----") { return "***" }
        return LikelySecret.masking(text)
    }
}
