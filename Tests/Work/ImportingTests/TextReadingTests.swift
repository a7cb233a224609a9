import Importing
import ReqcliText
import TestSupport
import Testing

/// The helpers with which readers of formats take texts apart.
struct TextReadingTests {
    private func template(_ text: String) -> TemplateText { TemplateText(braced: text) { .placeholder($0) } }

    @Test(
        "Placeholders of a format are found as Postman finds them",
        arguments: [
            ("plain", [.literal("plain")]),
            ("{{a}}", [.placeholder("a")]),
            ("{{ a b }}c", [.placeholder("a b"), .literal("c")]),
            ("{{{a}}}", [.literal("{"), .placeholder("a"), .literal("}")]),
            ("{{}} {{", [.literal("{{}} {{")]),
            ("{{a}{{b}}", [.literal("{{a}"), .placeholder("b")]),
            ("{\"a\": {{b}}}", [.literal("{\"a\": "), .placeholder("b"), .literal("}")]),
        ] as [(String, [TemplateText.Piece])])
    func braces(text: String, pieces: [TemplateText.Piece]) {
        #expect(template(text).pieces == pieces)
    }

    @Test(
        "A URL is taken apart",
        arguments: [
            ("https://api.example.com/v1/a?b=c#d", "https://api.example.com", "/v1/a", "b=c"),
            ("HTTP://example.com", "http://example.com", "/", nil),
            ("example.com/a b/%2F", "http://example.com", "/a%20b/%2F", nil),
            ("{{base}}/a/{{id}}?x={{y}}", "{{base}}", "/a/{{id}}", "x={{y}}"),
            ("{{base}}", "{{base}}", "", nil),
            ("{{base}}?x", "{{base}}", "", "x"),
            ("{{scheme}}://{{host}}:{{port}}/", "{{scheme}}://{{host}}:{{port}}", "/", nil),
            ("//example.com/a", "http://example.com", "/a", nil),
            ("/a/b", nil, "/a/b", nil),
            ("", nil, "/", nil),
            ("https://me:pw@example.com/", "https://example.com", "/", nil),
            ("https://example.com?u=http://x/y", "https://example.com", "/", "u=http://x/y"),
            ("http://h/{{a}}{b", "http://h", "/{{a}}%7Bb", nil),
        ] as [(String, String?, String, String?)])
    func urls(text: String, base: String?, path: String, query: String?) {
        let url = URLText(template(text))
        #expect(url.base?.text == base)
        #expect(url.path.text == path)
        #expect(url.query?.text == query)
    }

    @Test("The account of a URL is decoded")
    func account() {
        let url = URLText(template("https://a%40b:{{pw}}:x@h/"))
        #expect(url.credentials?.user.text == "a@b")
        #expect(url.credentials?.password.text == "{{pw}}:x")
    }

    @Test(
        "A query is an object where that says the same, else text",
        arguments: [
            ("a=1&b=x%20y", false, #"{"a":"1","b":"x y"}"#),
            ("a=1&a=2", false, #"{"a":["1","2"]}"#),
            ("a=1&b=2&a=3", false, "a=1&b=2&a=3"),
            ("flag", false, "flag"),
            ("a=b+c", false, "a=b+c"),
            ("a=%e9", false, "a=%E9"),
            ("a=b,c", false, #"{"a":"b,c"}"#),
            ("a=b,c", true, "a=b,c"),
            ("a={{x}}-1&b[]=%5B", false, #"{"a":"{{x}}-1","b[]":"["}"#),
            ("{{name}}=1", false, "{{name}}=1"),
            ("a=%7B%7Bx}}", false, #"{"a":"\\{{x}}"}"#),
            ("", false, "{}"),
        ])
    func queries(text: String, isExact: Bool, expected: String) {
        switch ImportedQuery(template(text), isExact: isExact) {
        case .text(let text): #expect(text == expected)
        case .items(let members): #expect(OrderedJSON.object(members).compact == expected)
        }
    }

    @Test(
        "A form is an object of fields where that says the same",
        arguments: [
            ("a=b+c&d=%2B", #"{"a":"b c","d":"+"}"#),
            ("a={{x}}&a=2", #"{"a":["{{x}}","2"]}"#),
            ("a", nil), ("", nil), ("{\"a\"=1}", nil), ("a=%e9", nil), ("two words=1", nil),
        ] as [(String, String?)])
    func forms(text: String, expected: String?) {
        #expect(FormText.fields(template(text), isExact: false).map { OrderedJSON.object($0).compact } == expected)
    }

    @Test(
        "JSON keeps placeholders in strings and in place of values",
        arguments: [
            (#"{"a": {{x}}, "b": "{{y}} z"}"#, #"{"a":"{{x}}","b":"{{y}} z"}"#),
            ("{{x}}", #""{{x}}""#),
            ("[1.0, /* {{no}} \" */ 2, // {{no}}\n {{x}},]", #"[1.0,2,"{{x}}"]"#),
            ("/*/ {{no}} */ 1", "1"),
            (#"{"a": "\"{{x}}\u007b{ {{y}}"}"#, #"{"a":"\"{{x}}\\{{ {{y}}"}"#),
            (#"{"{{x}}": 1}"#, nil), (#"{"a": 1, "a": 2}"#, nil), (#"{"$switch": 1}"#, nil), ("1{{x}}", nil),
            (#"{"a": "\{{x}}"}"#, nil), ("\"\u{10FFFD}0\u{10FFFD}{{x}}\"", nil), (#""\uDBFF\uDFFD0\uDBFF\uDFFD""#, nil),
            ("", nil), (String(repeating: "[", count: 501) + String(repeating: "]", count: 501), nil),
        ] as [(String, String?)])
    func json(text: String, expected: String?) {
        #expect(TemplateJSON(template(text))?.value.compact == expected)
    }

    @Test("The names of placeholders that stand for JSON are known")
    func bareNames() {
        #expect(TemplateJSON(template(#"[{{a}}, "{{b}}", /* {{c}} */ {{d}}]"#))?.bareNames == ["a", "d"])
    }

    @Test("Values of one name come together")
    func grouped() {
        let members: [OrderedJSON.Member] = .grouped(
            [("Accept", "a"), ("X{{", "b"), ("accept", "c")], ignoringCase: true)
        #expect(OrderedJSON.object(members).compact == #"{"Accept":["a","c"],"X\\{{":"b"}"#)
    }

    @Test("Long texts are read without an end that never comes", .timeLimit(.minutes(1)))
    func long() {
        for unit in ["{{", "{{a}}", "&", "a=1&", "/", "{", "}}", "{\"a\":", "\\", "%7B"] {
            let text = template(String(repeating: unit, count: 50_000))
            _ = URLText(text)
            _ = ImportedQuery(text, isExact: false)
            _ = TemplateJSON(text)
            _ = text.text
        }
    }
}
