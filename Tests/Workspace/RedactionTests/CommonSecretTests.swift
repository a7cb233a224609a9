import ReqcliRedaction
import TestSupport
import Testing

/// Secrets that ordinary text has in it, too, and masks in text that is masked again.
@Suite struct CommonSecretTests {
    @Test(
        "a secret that is short or an ordinary word is masked only as a whole word",
        arguments: [
            ("a", "a Unauthorized a-b a_b {\"a\": \"ä\"}", "<s> Unauthorized <s>-b a_b {\"<s>\": \"ä\"}"),
            ("test", "test latest tests test.id TEST /test?", "<s> latest tests <s>.id TEST /<s>?"),
            ("1", "1 10 201 v1 [1,1]", "<s> 10 201 v1 [<s>,<s>]"),
            ("true", "true trueish \"true\"", "<s> trueish \"<s>\""),
            ("200", "200 OK, 2000 bytes", "<s> OK, 2000 bytes"),
            ("<", "<p> a<b \"<\"", "<p> a<b \"<s>\""),
            ("Admin", "Admin Administrator", "<s> Administrator"),
            ("é", "é été", "<s> été"),
        ])
    func wholeWords(secret: String, text: String, expected: String) {
        #expect(Redactor([.init(label: "s", value: secret)]).redact(text) == expected)
    }

    @Test(
        "an escape before a whole word is not a letter of it",
        arguments: [
            (#"{"q": "x\ntest"}"#, #"{"q": "x\n<s>"}"#), (#"\u00e9test \u000atest"#, #"\u00e9<s> \u000a<s>"#),
            ("?q=a%20test&b=%0Atest%2F", "?q=a%20<s>&b=%0A<s>%2F"), ("&nbsp;test&#10;", "&nbsp;<s>&#10;"),
        ])
    func escapes(text: String, expected: String) {
        #expect(Redactor([.init(label: "s", value: "test")]).redact(text) == expected)
    }

    @Test(
        "a whole word is masked in each of its forms",
        arguments: ["t%65st", #"t\u0065st"#, "&#116;est", "dGVzdA==", "dGVzdA"])
    func forms(form: String) {
        #expect(Redactor([.init(label: "s", value: "test")]).redact("x \(form) y") == "x <s> y")
    }

    @Test("base64 of user:secret is masked even if the secret is an ordinary word", arguments: 0..<7)
    func userAndWord(length: Int) {
        let text = Base64.encode(Array((String(repeating: "u", count: length) + ":test").utf8))
        #expect(Redactor([.init(label: "s", value: "test")]).redact("Basic \(text)").contains("<s>"), "\(text)")
    }

    @Test("other secrets are masked within words", arguments: ["tests", "abcd", "hunter2"])
    func others(secret: String) {
        #expect(Redactor([.init(label: "s", value: secret)]).redact("x\(secret)y") == "x<s>y")
    }

    @Test(
        "a mask is never masked again, whatever the secrets are",
        arguments: ["password", "secret.password", "secr", "a", "secret", "<", "<secret.password>", "<sec"])
    func masksStay(value: String) {
        let first = Redactor([.init(label: "secret.password", value: "hunter22")])
        let all = Redactor(first.secrets + [.init(label: "secret.other", value: value)])
        let masked = first.redact("is hunter22!")
        #expect(all.redact(masked) == "is <secret.password>!")
        #expect(all.redact("is <secret.pass…") == "is <secret.pass…")
    }

    @Test("JSON stays JSON if a scalar is a secret", arguments: ["1", "true", "false", "null"])
    func scalars(secret: String) {
        let redactor = Redactor([.init(label: "s", value: secret)])
        let masked = redactor.masked(body: Array("{\"a\": [\(secret)], \"b\": \"\(secret)\"}".utf8))
        #expect(String(decoding: masked.body, as: UTF8.self) == #"{"a": ["<s>"], "b": "<s>"}"#)
    }
}
