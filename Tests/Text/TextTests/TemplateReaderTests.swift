import ReqcliText
import Testing

@Suite("Reading templates")
struct TemplateReaderTests {
    /// The pieces of a text: `a`, `<name>` for a placeholder, `!2` for braces that are never closed.
    private static func shown(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return TemplateReader(bytes).map { piece in
            switch piece {
            case .literal(let text): text
            case .placeholder(let content): "<\(String(decoding: bytes[content], as: UTF8.self))>"
            case .unclosed(let start): "!\(start)"
            }
        }
    }

    @Test(
        "A text is taken apart at its placeholders",
        arguments: [
            ("", []), ("a", ["a"]), ("{{a}}", ["<a>"]), ("x{{ a }}y", ["x", "< a >", "y"]),
            ("{{a}}{{b}}", ["<a>", "<b>"]), ("{a}}", ["{a}}"]), ("{{{a}}}", ["<{a>", "}"]), ("{{}}", ["<>"]),
            (#"\{{a}}"#, ["{{a}}"]), (#"x\{{{{a}}"#, ["x{{", "<a>"]), (#"\\{{a}}"#, [#"\{{a}}"#]),
            ("x{{a", ["x", "!1", "{{a"]), (#"{{a \{{"#, ["!0", "{{a {{"]), ("a}}{{", ["a}}", "!3", "{{"]),
            ("é{{\u{301}}}", ["é", "<\u{301}>"]),
        ] as [(String, [String])])
    func pieces(_ text: String, _ expected: [String]) {
        #expect(Self.shown(text) == expected)
    }
}
