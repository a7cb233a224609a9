import Foundation
import TestSupport
import Testing

@testable import ReqcliRedaction

@Suite struct RedactorTests {
    private let redactor = Redactor([.init(label: "secret.token", value: "p@ss \"w/örd\"")])

    @Test(
        "a secret is masked in each of its forms",
        arguments: [
            ("raw: p@ss \"w/örd\".", "raw: <secret.token>."),
            ("?q=p%40ss%20%22w%2F%C3%B6rd%22&x", "?q=<secret.token>&x"),
            ("?q=p%40ss%20%22w%2f%c3%b6rd%22&x", "?q=<secret.token>&x"),
            ("?q=p%40ss+%22w%2F%C3%B6rd%22&x", "?q=<secret.token>&x"),
            ("/p@ss%20%22w/%C3%B6rd%22/x", "/<secret.token>/x"),
            ("{\"a\":\"p@ss \\\"w/örd\\\"\"}", "{\"a\":\"<secret.token>\"}"),
            ("{\"a\":\"p@ss \\\"w\\/\\u00f6rd\\\"\"}", "{\"a\":\"<secret.token>\"}"),
            ("{\"a\":\"p@ss \\\"w/\\u00F6rd\\\"\"}", "{\"a\":\"<secret.token>\"}"),
            ("b64 cEBzcyAidy/DtnJkIg==.", "b64 <secret.token>."),
            ("b64 cEBzcyAidy_DtnJkIg.", "b64 <secret.token>."),
        ])
    func forms(text: String, expected: String) {
        #expect(redactor.redact(text) == expected)
    }

    @Test(
        "a secret is masked with any of its characters escaped in JSON",
        arguments: [
            #"ab\u002Bc\u0026d\u0027\u003Ce/f"#, #"ab\u002bc\u0026d\u0027\u003ce\/f"#, #"ab+c\u0026d'\u003ce/f"#,
            #"\u0061b+c&d'<e\u002Ff"#, #"ab+c&d'<e/\u0066"#,
        ])
    func escapedInJSON(form: String) {
        let redactor = Redactor([.init(label: "s", value: "ab+c&d'<e/f")])
        #expect(redactor.redact("{\"a\":\"\(form)\"}") == "{\"a\":\"<s>\"}")
    }

    @Test("a character outside the Basic Multilingual Plane is found as a surrogate pair")
    func surrogates() {
        let redactor = Redactor([.init(label: "s", value: "k😀y")])
        #expect(redactor.redact(#"k\uD83D\uDE00y k\ud83d\ude00\u0079 k\ud83dy"#) == #"<s> <s> k\ud83dy"#)
    }

    @Test(
        "a secret is masked with any of its characters percent-encoded",
        arguments: ["ab/c%3Dd%2Be%20f", "ab%2fc=d%2Be+f", "%61b/c=d%2be%20f", "ab%2Fc%3dd+e f"])
    func percentEncoded(form: String) {
        let redactor = Redactor([.init(label: "s", value: "ab/c=d+e f")])
        #expect(redactor.redact("?q=\(form)&x") == "?q=<s>&x")
    }

    @Test(
        "text that only looks like an escape is compared literally",
        arguments: [("5%/41", "5%/41 5%25/41 5%\\/41"), ("a%41\"", "a%41\" a%2541%22 a%41\\\"")])
    func noEscape(secret: String, text: String) {
        #expect(Redactor([.init(label: "s", value: secret)]).redact(text) == "<s> <s> <s>")
    }

    @Test("a secret that is only whitespace masks nothing")
    func onlyWhitespace() {
        let redactor = Redactor([.init(label: "s", value: " "), .init(label: "t", value: "key")])
        #expect(redactor.redact("a key of 3 bytes") == "a <t> of 3 bytes")
    }

    @Test("a secret with whitespace around it is also masked without it, as in a header value")
    func blanks() {
        let redactor = Redactor([.init(label: "s", value: "\tab cd ")])
        #expect(redactor.redact("X: ab cd.") == "X: <s>.")
        #expect(redactor.redact("X:\tab cd .") == "X:<s>.")
        #expect(redactor.redact("?q=ab+cd&r=%09ab%20cd%20") == "?q=<s>&r=<s>")
        #expect(redactor.matches(in: Array("ab cd".utf8)).map(\.isRaw) == [false])
        #expect(Redactor([.init(label: "s", value: "  ")]).redact("a b") == "a b")
    }

    @Test(
        "a secret in JSON text inside a URL or a JSON string is masked",
        arguments: [
            (#"?q=pa%5C%22ss%5C%5Cw%C3%B6rd%5Cn&x"#, "?q=<s>&x"), (#"{"q":"pa\\\"ss\\\\wörd\\n"}"#, #"{"q":"<s>"}"#),
            (#"{"q":"pa\\\"ss\\\\w\\u00f6rd\\n"}"#, #"{"q":"<s>"}"#),
        ])
    func escapedTwice(text: String, expected: String) {
        #expect(Redactor([.init(label: "s", value: "pa\"ss\\wörd\n")]).redact(text) == expected)
    }

    @Test(
        "a secret is masked in JSON text inside a JSON string whose writer escapes slashes",
        arguments: [#"{"q":"{\"key\":\"ab\\/\\\"cd\"}"}"#, #"{"q":"{\"key\":\"ab\\\/\\\"cd\"}"}"#])
    func slashesEscapedTwice(text: String) {
        #expect(Redactor([.init(label: "s", value: "ab/\"cd")]).redact(text) == #"{"q":"{\"key\":\"<s>\"}"}"#)
    }

    @Test("a secret in a normalized JSONPath is masked with its quotation mark escaped")
    func path() {
        #expect(Redactor([.init(label: "s", value: "it's-a-secret")]).redact(#"$['it\'s-a-secret']"#) == "$['<s>']")
    }

    @Test("the start of a secret before a … is masked if it is at least four bytes long")
    func cut() {
        let redactor = Redactor([.init(label: "s", value: #"SEK"RET-0123456789"#)])
        #expect(redactor.redact(#"no case for "SEK\"RET-0…""#) == #"no case for "<s>…""#)
        #expect(redactor.redact("found SEK\"R… and SEK… and SEK\"R.") == "found <s>… and SEK… and SEK\"R.")
        #expect(redactor.redact("?q=SEK%22RET…") == "?q=<s>…")
        #expect(redactor.redact("found SEK\"RET-012345678…!") == "found <s>…!")
    }

    @Test("a secret URL is masked if only its path appears, or if its host is in lowercase")
    func url() {
        let hook = Redactor([.init(label: "s", value: "HTTPS://Hooks.Example/services/T0/B0/x%2fy?sig=1")])
        #expect(hook.redact("POST /services/T0/B0/x%2Fy?sig=1 HTTP/1.1") == "POST <s> HTTP/1.1")
        #expect(hook.redact("below /services/T0/B0/x%2Fy") == "below <s>")
        #expect(hook.redact("https://hooks.example/services/T0/B0/x%2Fy?sig=1") == "<s>")
        #expect(hook.redact("can't reach hooks.example") == "can't reach hooks.example")
        #expect(hook.matches(in: Array("/services/T0/B0/x%2Fy".utf8)).map(\.isRaw) == [false])
        let host = Redactor([.init(label: "s", value: "http://Sekret0.localhost:8080/")])
        #expect(host.redact("GET http://sekret0.localhost:8080/a?b") == "GET <s>a?b")
        #expect(host.redact("Host: sekret0.localhost:8080") == "Host: <s>")
        #expect(host.redact("/ and http://") == "/ and http://")
    }

    @Test("a secret in plain text is reported as plain text, even if another secret has the same form")
    func rawBeforeEncoded() {
        let redactor = Redactor([.init(label: "a", value: "abc"), .init(label: "b", value: "abc")])
        let matches = redactor.matches(in: Array("abc".utf8))
        #expect(matches.map(\.secret) == [0] && matches.map(\.isRaw) == [true])
    }

    @Test("base64 of user:secret is masked even if the secret is as short as a PIN", arguments: 0..<7)
    func userAndShortSecret(length: Int) {
        let redactor = Redactor([.init(label: "s", value: "xyz")])
        let text = Base64.encode(Array((String(repeating: "u", count: length) + ":xyz").utf8))
        #expect(redactor.redact("Authorization: Basic \(text)").contains("<s>"), "\(text)")
    }

    @Test("base64 of user:secret reveals nothing of the secret, for any length of the user name", arguments: 0..<7)
    func userAndSecret(length: Int) {
        let redactor = Redactor([.init(label: "s", value: "hunter2!")])
        let text = Base64.encode(Array((String(repeating: "u", count: length) + ":hunter2!").utf8))
        let masked = redactor.redact("Authorization: Basic \(text)")
        let left = masked.dropFirst("Authorization: Basic ".count).split(separator: "<")[0]
        #expect(masked.contains("<s>"))
        #expect(text.hasPrefix(left))
        #expect(left.utf8.count * 6 <= (length + 1) * 8, "no character that is left holds a bit of the secret")
    }

    @Test(
        "base64 is masked if it is wrapped into lines", arguments: [16, 20, 64, 76], ["\n", "\r\n", #"\n"#, #"\r\n"#])
    func wrappedBase64(width: Int, lineBreak: String) {
        let secret = String(repeating: "hunter2!", count: 12)
        let redactor = Redactor([.init(label: "s", value: secret)])
        func wrapped(_ text: String) -> String {
            stride(from: 0, to: text.utf8.count, by: width)
                .map { String(text.dropFirst($0).prefix(width)) }.joined(separator: lineBreak)
        }
        #expect(redactor.redact(wrapped(Base64.encode(Array(secret.utf8)))) == "<s>")
        for user in ["", "u", "us", "use"] {
            let text = wrapped(Base64.encode(Array("\(user):\(secret):x".utf8)))
            let masked = redactor.redact(text)
            #expect(masked.contains("<s>") && masked.utf8.count < 20, "\(masked)")
        }
    }

    @Test(
        "base64 is masked if it is folded with indented lines", arguments: [4, 10, 60],
        ["\n ", "\r\n\t", "\n        ", #"\n  "#])
    func foldedBase64(width: Int, lineBreak: String) {
        let secret = String(repeating: "hunter2!", count: 12)
        let text = Base64.encode(Array(secret.utf8))
        let folded = stride(from: 0, to: text.utf8.count, by: width)
            .map { String(text.dropFirst($0).prefix(width)) }.joined(separator: lineBreak)
        #expect(Redactor([.init(label: "s", value: secret)]).redact("key: \(folded).") == "key: <s>.")
    }

    @Test("short base64 is masked with a line break at any position", arguments: 0..<12)
    func brokenBase64(place: Int) {
        let redactor = Redactor([.init(label: "s", value: "hunter2!")])
        let text = Base64.encode(Array("hunter2!".utf8))
        let broken = text.prefix(place) + "\r\n" + text.dropFirst(place)
        #expect(redactor.redact(String(broken)).replacing("\r\n", with: "") == "<s>")
    }

    @Test("a secret is masked in any HTML escaping")
    func html() {
        let redactor = Redactor([.init(label: "s", value: "a&b<c>\"d'")])
        #expect(redactor.redact("x a&amp;b&lt;c&gt;&quot;d&#39; y") == "x <s> y")
        #expect(redactor.redact("a&#38;b&#x3C;c&#x3e;&#34;d&apos;") == "<s>")
        #expect(redactor.redact("a&amp;b&lt;c") == "a&amp;b&lt;c")
    }

    @Test(
        "a secret is masked with any of its letters as a numeric HTML entity",
        arguments: [
            "&#104;&#117;&#110;&#116;&#101;&#114;&#50;", "&#x68;unt&#x65;r2", "&#X68;&#000117;nter&#50;",
            "hunter&#x000032;",
        ])
    func numericEntities(form: String) {
        #expect(Redactor([.init(label: "s", value: "hunter2")]).redact("<p>\(form)</p>") == "<p><s></p>")
    }

    @Test("the longest match wins, in whatever order the secrets are given")
    func longestFirst() {
        let secrets: [Redactor.Secret] = [.init(label: "short", value: "abcd"), .init(label: "long", value: "abcdef")]
        for secrets in [secrets, secrets.reversed()] {
            #expect(Redactor(secrets).redact("abcd abcdef abcde") == "<short> <long> <short>e")
        }
    }

    @Test("a secret inside another secret's encoded form does not expose the rest of it")
    func encodedBeforePart() {
        let redactor = Redactor([.init(label: "a", value: "abc"), .init(label: "b", value: "abc d")])
        #expect(redactor.redact("abc%20d") == "<b>")
    }

    @Test("an empty secret masks nothing, and so does an empty list")
    func empty() {
        #expect(Redactor([.init(label: "s", value: "")]).redact("text") == "text")
        #expect(Redactor([]).redact("text") == "text")
        #expect(Redactor([]).isEmpty)
    }

    @Test("bytes that are not valid text are kept")
    func binary() {
        let bytes: [UInt8] = [0, 255, 0xC3] + Array("p@ss \"w/örd\"".utf8) + [0xC3, 0]
        #expect(redactor.redact(bytes) == [0, 255, 0xC3] + Array("<secret.token>".utf8) + [0xC3, 0])
    }

    @Test("a match has the range, the secret, and whether it is in plain text")
    func matches() {
        let redactor = Redactor([.init(label: "a", value: "x y")])
        let matches = redactor.matches(in: Array("-x y-x%20y-".utf8))
        #expect(matches.map(\.range) == [1..<4, 5..<10])
        #expect(matches.map(\.isRaw) == [true, false])
    }

    @Test("random secrets in random text are masked in all their forms")
    func random() {
        var random = SeededGenerator(seed: 11)
        let alphabet = Array("ab\"\\/ %+é\n=&<>{}😀'".unicodeScalars)
        for _ in 0..<500 {
            func text(_ range: ClosedRange<Int>) -> String {
                var text = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: range, using: &random) {
                    text.append(alphabet.randomElement(using: &random) ?? "a")
                }
                return String(text)
            }
            let secret = text(6...20)
            let redactor = Redactor([.init(label: "#", value: secret)])
            let masked = redactor.redact(text(0...9) + secret + Base64.encode(Array((text(0...9) + ":" + secret).utf8)))
            #expect(redactor.matches(in: Array(masked.utf8)).isEmpty)
        }
    }

    @Test("Many secrets that begin alike are found as each of them is alone")
    func nearSecrets() {
        let secrets = (0..<60).map { number in
            Redactor.Secret(label: "s\(number)", value: "near/se cret-\(String(number, radix: 3))é\(number % 7)-end")
        }
        let all = Redactor(secrets)
        let alone = secrets.map { Redactor([$0]) }
        var generator = SeededGenerator(seed: 38)
        func spelled(_ value: String) -> String {
            let bytes = Array(value.utf8)
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: return value
            case 1: return bytes.map { "%" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
            case 2: return Data(bytes).base64EncodedString()
            case 3: return Data("user:".utf8 + bytes).base64EncodedString()
            case 4: return Data(bytes + ":x".utf8).base64EncodedString(options: [.lineLength64Characters])
            case 5: return value.replacing("/", with: #"\/"#)
            case 6: return value.unicodeScalars.map { "&#\($0.value);" }.joined()
            case 7: return value.prefix(Int.random(in: 1...value.count, using: &generator)) + "…"
            default: return String(value.dropLast(Int.random(in: 0...6, using: &generator)))
            }
        }
        for _ in 0..<RandomInputs.count(400) {
            let text = (0..<3).map { _ in spelled(secrets.randomElement(using: &generator)?.value ?? "") }
                .joined(separator: " ")
            let bytes = Array(text.utf8)
            var expected: [Redactor.Match] = []
            let found = alone.enumerated().flatMap { number, redactor in
                redactor.matches(in: bytes).map {
                    Redactor.Match(range: $0.range, secret: number, isRaw: $0.isRaw)
                }
            }
            let inOrder = found.sorted {
                ($0.range.lowerBound, $1.range.count, $0.secret) < ($1.range.lowerBound, $0.range.count, $1.secret)
            }
            for match in inOrder where match.range.lowerBound >= expected.last?.range.upperBound ?? 0 {
                expected.append(match)
            }
            #expect(all.matches(in: bytes) == expected, "\(text)")
        }
    }

    @Test("masking three hundred secrets takes only a few times as long as masking one")
    func manySecrets() {
        func secrets(_ count: Int) -> [Redactor.Secret] {
            var random = SeededGenerator(seed: 7)
            return (0..<count).map { number in
                let value = (0..<24).map { _ in
                    String("abcdefghijklmnopqrstuvwxyz0123456789".randomElement(using: &random) ?? "a")
                }
                return .init(label: "s\(number)", value: value.joined())
            }
        }
        let member = #"{"name": "some text\n", "url": "http:\/\/h\/%20a", "id": "bm90IGEgc2VjcmV0"},"#
        let text = Array(String(repeating: member, count: 1000).utf8)
        let (one, many) = (Redactor(secrets(1)), Redactor(secrets(300)))
        let ratio = Growth.cost { _ = many.matches(in: text) } / Growth.cost { _ = one.matches(in: text) }
        #expect(ratio < 20, "\(ratio)")
        #expect(many.redact("x \(secrets(300)[299].value) y") == "x <s299> y")
    }
}
