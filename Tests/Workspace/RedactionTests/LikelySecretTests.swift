import ReqcliText
import TestSupport
import Testing

@testable import ReqcliRedaction

struct LikelySecretTests {
    @Test(
        "names that speak of credentials are secret in every spelling",
        arguments: [
            "token", "access_token", "accessToken", "X-Auth-Token", "client_secret", "Password", "user[password]",
            "passwd", "api_key", "API-Key", "apikey", "session_id", "privateKey", "token_tokens", "pwd",
            "X-Pwd", "userPwd", "pass", "db_pass", "jwt", "idJWT", "sig", "otp", "OTPCode", "pin", "X-Pin", "X-Key",
            "X-Amz-Signature", "auth", "credential", "Credentials", "bearer", "sid", "Cookie", "csrf", "X-CSRF",
            "pw", "db_pw", "userPW", "cred", "creds", "awsCreds", "pat", "GITHUB_PAT", "X-Pat", "license_key",
            "licenseKey",
            "licence-key", "X-License", "sessionKey", "user_session", "PHPSESSID", "tokenValue", "password2",
            "session_data", "adminSession1",
            "passwordConfirmation",
            "new_password_repeat", "secret_id", "accesstoken", "refresh_token",
        ])
    func names(_ name: String) {
        #expect(LikelySecret.isName(name) && LikelySecret.isHeader(name))
    }

    @Test(
        "other names are not",
        arguments: [
            "name", "max_tokens", "X-RateLimit-Remaining-Tokens", "key", "user", "", "code", "signature", "compass",
            "boardingPass", "shipping", "design", "pinned", "zipcode", "keyword", "sort_key", "ping", "pass_count",
            "author", "auth_type", "cookiePolicy", "sidebar", "bearing", "credential_id",
            "path", "pattern", "patch", "patient", "pat_count", "credit", "creditCard", "credo", "pwm", "license",
            "license_url", "licensed", "key_license", "restBetweenSessionsMinutes", "tokenType", "useSessionCookies",
            "securityLevel", "training-sessions", "token_url", "passwordPolicy", "hasPassword", "expires_in",
            "token_expires_in",
            "tokenizer", "secretary", "passwordless", "sessionTimeout", "secretName", "X-Session-Timeout",
        ])
    func plainNames(_ name: String) {
        #expect(!LikelySecret.isName(name) && !LikelySecret.isHeader(name))
    }

    @Test("a name that is about a secret hides only what looks like a password")
    func about() {
        for name in ["password_type", "tokenIn", "useToken", "X-Auth-Token-Version"] {
            #expect(LikelySecret.isSecret(name, "hunter2xyz"))
            for value in ["bearer", "15", "true", "30m", "https://id.example/oauth2/token", "2024-01-02T03:04:05Z"] {
                #expect(!LikelySecret.isSecret(name, value))
            }
        }
    }

    @Test(
        "headers that always carry credentials are secret as headers only",
        arguments: ["set-cookie", "Set-Cookie2", "Authentication-Info"])
    func headers(_ name: String) {
        #expect(LikelySecret.isHeader(name) && !LikelySecret.isName(name))
    }

    @Test(
        "tokens are known by their shape, alone and inside a text",
        arguments: [
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "ghp_0123456789abcdef", "github_pat_11ABCDEF_xyz",
            "sk-proj-0123456789abcdef", "AKIAIOSFODNN7EXAMPLE", "xoxb-1234567890-abc", "sk_live_0123456789abcdef",
            "rk_test_0123456789abcdef", "whsec_0123456789abcdef", "glpat-0123456789abcdefghij",
            "AIzaSyA0123456789abcdefghijklmnopqrstuv", "SG.0123456789abcdefghij.0123456789abcdefghijklmno",
            "npm_0123456789abcdefghijklmnopqrstuvwxyz01", "hf_0123456789abcdefghijklmnopqrst",
            "ya29.0123456789abcdefghijklmno",
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
            "", "Ada", "npm_package_version_of_a_package_with_a_long_name", "pypi-requests-2.31.0", "SG.1", "AIza",
            "hf_model", "sk_live_stream_of_words", "ya29.5", "eyJ", "eyJhbGciOiJIUzI1NiJ9.x",
            "sk-learn", "sk-a-package-of-letters", "AKIA",
            "asiapacific0000000", "xoxo", "xylophone-1-long-name", "-----BEGIN CERTIFICATE-----",
            "550e8400-e29b-41d4-a716-446655440000",
        ])
    func plainShapes(_ text: String) {
        #expect(!LikelySecret.isIn(text))
    }

    @Test(
        "a URL, a scheme of authorization or the path of a webhook makes a part of a text secret",
        arguments: [
            ("see https://ann:s3cret@h.example/x", ["s3cret"]), ("postgres://u:p%40w@db/x?y", ["p%40w"]),
            ("https://h/cb?a=1&token=abc#x", ["abc"]), ("/cb?pwd=abc;x", ["abc"]),
            ("https://h/#access_token=ab&x=1", ["ab"]),
            ("https://h/?key=A1b2C3d4E5f6G7h8&sig=x%2F", ["A1b2C3d4E5f6G7h8", "x%2F"]),
            ("https://h/x?X-Amz-Signature=00ff&X-Amz-Date=2020", ["00ff"]),
            (#"{"pass": "ab cd", "a": "b"}"#, ["ab cd"]), (#"x {\"otp\":\"1234\"}"#, ["1234"]),
            (#"mutation { login(user: "ann", password: "s3 cret") { id } }"#, ["s3 cret"]),
            (#"{"query":"mutation { login(password: \"s3\\\"cret\") { id } }"}"#, [#"s3\\\"cret"#]),
            (#"{ a(token: """two\#nlines""") }"#, ["two\nlines"]),
            (
                "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nann\r\n--b\r\n"
                    + "Content-Disposition: form-data; name=\"password\"\r\nContent-Type: text/plain\r\n\r\ns3 cret\r\n--b--",
                ["s3 cret"]
            ),
            ("--b\nContent-Disposition: form-data;name=token\n\ntwo\nlines\n--b--", ["two\nlines"]),
            ("<a><ns:password>ab cd</ns:password></a>", ["ab cd"]), ("token=abcdef&a=1", ["abcdef"]),
            ("Bearer abc12345, x", ["abc12345"]), ("use bearer abcdefghijklmnopqrstu", ["abcdefghijklmnopqrstu"]),
            ("Basic YW5uOnNlY3JldA==", ["YW5uOnNlY3JldA=="]),
            ("https://api.telegram.org/bot123456:AAabcdefghijklmnop/send", ["AAabcdefghijklmnop"]),
            ("/bot123456%3AAAabcdefghijklmnop", ["AAabcdefghijklmnop"]),
            ("https://hooks.slack.com/services/T000/B000/abcdefgh12 x", ["abcdefgh12"]),
            ("https://h/hooks/a1b2c3d4e5f6g7h8", ["a1b2c3d4e5f6g7h8"]),
            ("https://h/api/webhooks/123/a1b2c3d4e5f6g7h8?x", ["a1b2c3d4e5f6g7h8"]),
            (
                "https://u:ghp_0123456789abcdef@h/?token=xoxb-1234567890-abc",
                ["ghp_0123456789abcdef", "xoxb-1234567890-abc"]
            ),
        ])
    func places(_ text: String, _ secrets: [String]) {
        #expect(LikelySecret.tokens(in: text).map(String.init) == secrets)
        #expect(LikelySecret.isIn(text))
        #expect(secrets.allSatisfy { !LikelySecret.masking(text).contains($0) })
    }

    @Test(
        "what only looks like such a place is no secret",
        arguments: [
            "ssh://git@github.com/a/b", "https://h/a:b@c/d", "https://h/?key=name-of-a-product&code=VALIDATION_FAILED",
            "https://h/?token=", "https://h/?token=<token>", "https://u:$PASS@h/", "a token=b", "Bearer authentication",
            "Basic features of the Bearer token", "forbearer abc123456", "/bots/123456:AAabcdefghijklmnop",
            "/bot1:short",
            "/services/tables/beds", "/services/T/C/abcdefgh12", "/hooks/a-hook-of-words-only",
            "https://h/?max_tokens=123456",
            "https://h/?token=***", #"{"name": "password", "a": "b"}"#, "<password/><a>b</a>", "<password>",
            "a token=abc",
            #"{"password": 1}"#, #"{ a(password: $password, b: "c") }"#, #"{ a(password: "") }"#,
            "form-data; name=\"password\"\r\n\r\n{{password}}\r\n--b--", "form-data; filename=\"token\"\r\n\r\nabcdef",
            "form-data; name=\"password\"\r\n\r\n", "<b>password</b>: x",
        ])
    func plainPlaces(_ text: String) {
        #expect(LikelySecret.tokens(in: text).isEmpty)
    }

    @Test(
        "a long text of beginnings of secrets takes no time",
        arguments: [
            "?key=", "?otp=", "?a=", "<a>", "\"otp\":\"", "://", "bearer ", "/bot1:", "/hooks/", "/services/t/b/",
            "; name=token", "; name=token\n\n", "; name=token\n\n{", "otp:\"", "otp:\\\"", "otp:\"\"\"",
        ])
    func hostile(_ piece: String) {
        let text = String(repeating: piece, count: 60_000 / piece.utf8.count)
        #expect(LikelySecret.tokens(in: text).count <= 30_000)
    }

    @Test("what stands around a secret is found in every text, however short its words are")
    func shortWords() {
        let pieces = [
            "/", "bot", "12:", "a", "Services/t1/b2/", "hooks/", "a1b2c3d4e5", "=", "?token", "&", " ", "Bearer",
            "x1y2z3w4",
            "<otp>", "</", "; name=", "pin", "\r\n\r\n", "\"", ":", ".", "-", "\"pin\":\"", "://", "u:p@h", "%3a", "#",
        ]
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...8, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let isFound = !LikelySecret.tokens(in: text).isEmpty
            #expect(isFound || text.utf8.count < 9 || SecretPlaces(Array(text.utf8)).places.isEmpty, "\(text)")
        }
    }

    @Test(
        "a line of a file shows no secret, but placeholders and what stands in front of them",
        arguments: [
            (#""proxy": "http://u:pa55@h""#, #""proxy": "http://u:***@h""#),
            (#""password": "pa55""#, #""password": "***""#), (#""token": "{{tok}}""#, #""token": "{{tok}}""#),
            (#""Authorization": "Bearer {{tok}}""#, #""Authorization": "Bearer {{tok}}""#),
            (#""token": "pa55{{a}}55{{b}}""#, #""token": "***{{a}}***{{b}}""#), (#""a": "b""#, #""a": "b""#),
        ])
    func lines(_ line: String, _ shown: String) {
        var bytes = Array(line.utf8)
        for range in LikelySecret.written(in: bytes).reversed() { bytes.replaceSubrange(range, with: "***".utf8) }
        #expect(String(decoding: bytes, as: UTF8.self) == shown)
        #expect(!LikelySecret.written(in: [0xFF] + #""password": "pa55""#.utf8).isEmpty)
    }

    @Test("a name that may be one of a secret is, if the value looks random")
    func randomValues() {
        #expect(LikelySecret.isSecret("key", "A1b2C3d4E5f6G7h8") && LikelySecret.isSecret("code", "0a1b2c3d4e5f60718"))
        #expect(LikelySecret.isIn(.object(["key": "A1b2C3d4E5f6G7h8"])))
        for name in ["X-Auth-Key", "ssh_key", "userKey", "Ocp-Apim-Subscription-Key", "deployKey"] {
            #expect(LikelySecret.isSecret(name, "3f9a1c77b2e84d50a6c1e9d07b5f2a88"), "\(name)")
        }
        for name in ["Idempotency-Key", "primary_key", "sortKey", "public-key"] {
            #expect(!LikelySecret.isSecret(name, "3f9a1c77b2e84d50a6c1e9d07b5f2a88"), "\(name)")
        }
        #expect(!LikelySecret.isSecret("key", "a-name-of-words-2") && !LikelySecret.isSecret("token", ""))
    }

    @Test("a value is secret if a name in it is, however deep")
    func values() {
        #expect(LikelySecret.isIn(.array([.object(["user": .object(["password": 1])])])))
        #expect(!LikelySecret.isIn(.object(["user": .array(["Ada", 1, .null, true])])))
    }
}
