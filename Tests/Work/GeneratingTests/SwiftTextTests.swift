import Testing

@testable import Generating

@Suite struct SwiftTextTests {
    @Test(
        "a text is a literal that nothing in it ends early",
        arguments: [
            ("plain", #""plain""#), ("", #""""#), ("é\u{1F600}", "\"é\u{1F600}\""), (#"{"a":1}"#, ##"#"{"a":1}"#"##),
            (#"\(pwned())"#, ##"#"\(pwned())"#"##), (##""#); pwned()"##, ###"##""#); pwned()"##"###),
            (##"\#(pwned())"##, ###"##"\#(pwned())"##"###), ("a\nb\r\tc", #""a\nb\r\tc""#),
            ("a\u{2028}b\u{85}", #""a\u{2028}b\u{85}""#), ("e\u{301}", #""e\u{301}""#), ("\u{202E}", #""\u{202E}""#),
            ("\"\u{0}", ##"#""\#u{0}"#"##),
        ])
    func literals(text: String, literal: String) {
        #expect(SwiftText.literal(text) == literal)
    }

    @Test func aTextOfSeveralLinesIsALiteralOfSeveralLines() {
        #expect(SwiftText.lines(of: "one\ntwo \nx") == [#"""""#, "one", #"two\u{20}"#, "x", #"""""#])
        #expect(SwiftText.lines(of: "\" ") == ["#\"\"\"", "\"\\#u{20}", "\"\"\"#"])
    }

    @Test(
        "a comment has no line of its own that isn't one",
        arguments: [
            ("a\nb", ["a", "b"]), ("a\r\nb\u{2028}c\u{85}d", ["a", "b", "c", "d"]), ("*/ x /*", ["*/ x /*"]),
            ("a\u{202E}b\u{0}", ["a b"]), ("", []), ("one two three", ["one two", "three"]),
            ("abcdefghijk lm", ["abcdefghijk", "lm"]),
        ])
    func comments(text: String, lines: [String]) {
        #expect(SwiftText.comment(text, width: 8) == lines)
    }

    @Test(
        "names are names of Swift",
        arguments: [
            ("userID", "userID"), ("user_id", "userId"), ("max-results", "maxResults"), ("ID", "id"),
            ("HTTPCode", "httpCode"),
            ("URL", "url"), ("2fa", "value2fa"), ("_", "value"), ("self", "selfValue"), ("class", "class"), ("X", "x"),
        ])
    func values(name: String, value: String) {
        #expect(SwiftNames.value(name, role: "value") == value)
    }

    @Test(
        "types never take a name with another meaning",
        arguments: [
            ("get", "Get"), ("String", "StringCall"), ("Type", "TypeCall"), ("2nd", "Call2nd"),
            ("with_more", "WithMore"),
        ])
    func types(name: String, type: String) {
        #expect(SwiftNames.type(name, role: "Call") == type)
    }

    @Test func keywordsHaveBackticks() {
        #expect(SwiftNames.quoted("class") == "`class`")
        #expect(SwiftNames.quoted("name") == "name")
    }
}
