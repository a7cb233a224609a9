import TestSupport

/// Texts that try to leave the place that they are put in.
enum HostileText {
    static let fixed = [
        "/", "//", "a/b", "/etc/passwd", "?", "?a=b", "#", "#x", "%2F", "%2f..%2f", "%", "%%", "%zz", "%25", ".", "..",
        "...", "../../admin", "..;/", "%2e%2e", ";", ":", "@", "user@evil.com", "evil.com:80", "&", "&a=b", "a=b&c=d",
        "=",
        "+", "a+b", " ", " a ", "\t", "\r", "\n", "\r\n", "a\r\nX-Evil: 1", "a\r\n\r\nbody", "\0", "a\0b", "\u{7F}",
        "\u{1B}[31m",
        "\"", "'", "`", "\\", "\\\"", "\",\"admin\":true,\"x\":\"", "}", "]}", "{{x}}", "{{secret.s}}", "\\{{x}}", "}}",
        "{{",
        "${HOME}", "$(id)", "; rm -rf /", "é", "e\u{301}", "日本語", "🙂", "\u{202E}", "\u{FEFF}", "\u{2028}", "ß", "İ",
        "--boundary", "\r\n--boundary--\r\n", "\"; filename=\"evil", "<script>", "null", "true", "0", "1e9", "[\"a\"]",
        "{\"a\":1}",
    ]

    /// The fixed ones, and as many mixtures of them.
    static func samples(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        return fixed
            + (0..<count).map { _ in
                (0..<Int.random(in: 2...6, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? fixed.randomElement(using: &random) ?? ""
                        : String(Unicode.Scalar(UInt8.random(in: 0..<128, using: &random)))
                }.joined()
            }
    }

    /// What proves nothing about whoever sends it.
    static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    /// What RFC 9110 lets nobody send in a header.
    static func breaksHeader(_ text: String) -> Bool {
        text.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\t") || $0.value == 0x7F }
    }
}
