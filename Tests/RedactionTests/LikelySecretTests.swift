import Redaction
import SourceText
import Testing

struct LikelySecretTests {
    @Test(
        "names that speak of credentials are secret in every spelling",
        arguments: [
            "token", "access_token", "accessToken", "X-Auth-Token", "client_secret", "Password", "user[password]",
            "passwd", "api_key", "API-Key", "apikey", "session_id", "privateKey", "token_tokens",
        ])
    func names(_ name: String) {
        #expect(LikelySecret.isName(name) && LikelySecret.isHeader(name))
    }

    @Test("other names are not", arguments: ["name", "max_tokens", "X-RateLimit-Remaining-Tokens", "key", "user", ""])
    func plainNames(_ name: String) {
        #expect(!LikelySecret.isName(name) && !LikelySecret.isHeader(name))
    }

    @Test(
        "headers that always carry credentials are secret as headers only",
        arguments: ["Cookie", "set-cookie", "Authentication-Info"])
    func headers(_ name: String) {
        #expect(LikelySecret.isHeader(name) && !LikelySecret.isName(name))
    }

    @Test(
        "tokens are known by their shape, alone and inside a text",
        arguments: [
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "ghp_0123456789abcdef", "github_pat_11ABCDEF_xyz",
            "sk-proj-0123456789abcdef", "AKIAIOSFODNN7EXAMPLE", "xoxb-1234567890-abc",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
        ])
    func shapes(_ text: String) {
        #expect(LikelySecret.isIn(text))
        #expect(LikelySecret.isIn("Bearer \(text), x"))
        #expect(LikelySecret.isIn(.object(["a": .array([.string("/\(text)?")])])))
    }

    @Test(
        "other texts are not",
        arguments: [
            "", "Ada", "eyJ", "eyJhbGciOiJIUzI1NiJ9.x", "sk-learn", "sk-a-package-of-letters", "AKIA",
            "asiapacific0000000", "xoxo", "xylophone-1-long-name", "-----BEGIN CERTIFICATE-----",
            "550e8400-e29b-41d4-a716-446655440000",
        ])
    func plainShapes(_ text: String) {
        #expect(!LikelySecret.isIn(text))
    }

    @Test("a value is secret if a name in it is, however deep")
    func values() {
        #expect(LikelySecret.isIn(.array([.object(["user": .object(["password": 1])])])))
        #expect(!LikelySecret.isIn(.object(["user": .array(["Ada", 1, .null, true])])))
    }
}
