import ReqcliAssembly
import ReqcliDefinitions
import TestSupport
import Testing

@testable import Exporting

@Suite struct ScriptTextTests {
    @Test(
        "texts are literals of ASCII that nothing ends early",
        arguments: [
            ("it's", #"'it\'s'"#, #""it's""#), (#"a"b"#, #"'a"b'"#, #""a\"b""#), ("a\\", #"'a\\'"#, #""a\\""#),
            ("a\r\nb", #"'a\r\nb'"#, #""a\r\nb""#), ("\u{2028}", #"'\u2028'"#, #""\u2028""#),
            ("é", #"'\u00e9'"#, #""\u00e9""#),
            ("\u{1F600}", #"'\U0001f600'"#, #""\ud83d\ude00""#),
            ("</script>", #"'\u003c/script>'"#, #""\u003c/script>""#),
            ("\0", #"'\u0000'"#, #""\u0000""#), ("", "''", "\"\""),
        ])
    func literals(text: String, python: String, javaScript: String) {
        #expect(ScriptText.python(text) == python)
        #expect(ScriptText.javaScript(text) == javaScript)
    }

    @Test func bytesAreEscaped() {
        #expect(ScriptText.python([0x00, 0x27, 0x5C, 0x61, 0xFF]) == #"b'\x00\'\\a\xff'"#)
    }

    @Test func commentsStayOnTheirLine() {
        #expect(ScriptText.comment("a\nb\u{2028}c\u{85}d\re") == "a b c d e")
    }

    @Test(
        "Hurl texts hold no quote, comment or placeholder of their own",
        arguments: [
            ("a#b", #"a\u{23}b"#), ("{{x}}", #"\u{7b}\u{7b}x}}"#), ("a\nb", #"a\u{a}b"#), ("\\", #"\\"#),
            (" a ", #"\u{20}a\u{20}"#),
            ("\"`", #"\u{22}\u{60}"#),
        ])
    func hurl(text: String, escaped: String) {
        #expect(HurlText.escaped(text, "\"`") == escaped)
    }

    @Test(
        "a part's text is no file in Hurl",
        arguments: [("file,/etc/passwd;", #"\u{66}ile,/etc/passwd;"#), ("a file,b;", "a file,b;"), ("file", "file")])
    func partOfHurl(text: String, written: String) {
        #expect(HurlText.part(text) == written)
    }
}

@Suite struct StandInTests {
    private static let values: [OpenValue] = [
        .parameter("id"), .variable("a-b"), .secret("key"), .capture(alias: "login", name: "token"),
        .processVariable("X"), .generated(.uuid), .generated(.timestamp), .generated(.isoTimestamp),
        .generated(.randomInt),
    ]

    @Test("a stand-in says what it stands for", arguments: StandInTests.values)
    func roundTrip(value: OpenValue) {
        let text = StandIn.text(for: value)
        #expect(StandIn.onlyValue(of: text) == value)
        #expect(
            StandIn.pieces(of: "a" + text + text + "b") == [.literal("a"), .open(value), .open(value), .literal("b")])
    }

    @Test(
        "texts that only begin like one are texts",
        arguments: ["z", "zqx0reqcli", "zqx0reqclip6", "zqx0reqclip61q", "zqx0reqclic61xq"])
    func others(text: String) {
        #expect(StandIn.onlyValue(of: text) == nil)
        #expect(StandIn.pieces(of: text) == [.literal(text)])
    }

    @Test("a generated time is found in a URL, where it is percent-encoded")
    func encodedTime() {
        let text = StandIn.text(for: .generated(.isoTimestamp)).replacing(":", with: "%3A")
        #expect(StandIn.pieces(of: "?at=\(text)") == [.literal("?at="), .open(.generated(.isoTimestamp))])
    }

    @Test("a text for a person names the values, and shows nothing of a stand-in that was cut off")
    func shown() {
        let (whole, cut) = (StandIn.text(for: .secret("key")), StandIn.text(for: .variable("base")).dropLast(3))
        #expect(StandIn.shown("a \(whole) b \(cut)… c") == "a {{secret.key}} b {{…}}… c")
    }

    @Test("any text is put together again from its pieces", arguments: 0..<200)
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let parts = [
            "z", "q", "x", "0", "reqcli", "61", "p", "zqx0reqcli", "9013524871", "é",
            StandIn.text(for: .parameter("a")),
        ]
        let text = (0..<12).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        let pieces = StandIn.pieces(of: text).map { piece in
            switch piece {
            case .literal(let text): text
            case .open(let value): StandIn.text(for: value)
            }
        }
        #expect(pieces.joined() == text)
    }
}

@Suite struct MemberPathTests {
    @Test(
        "paths of names and indexes have steps",
        arguments: [
            ("$", []), ("$.a.b_c", [.member("a"), .member("b_c")]), ("$[0].é", [.index(0), .member("é")]),
            ("$.a[*].b", [.member("a"), .everyItem, .member("b")]),
        ] as [(String, [MemberPath.Step])])
    func steps(path: String, steps: [MemberPath.Step]) {
        #expect(MemberPath(path)?.steps == steps)
    }

    @Test(
        "others have none",
        arguments: [
            "$..a", "$['a']", "$[-1]", "$[0:1]", "$.*", "$[?@.a]", "$.1", "$[99999999999999999999]", "$[0", "$.",
        ])
    func others(path: String) {
        #expect(MemberPath(path) == nil)
    }
}
