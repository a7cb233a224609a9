import ReqcliText
import Testing

@Suite struct JSONLayoutTests {
    private func formatted(_ text: String) -> String? {
        let document = JSONDocument.read(SourceFile(name: "a.jsonc", text: text), syntax: .commented)
        return JSONLayout(unit: "  ").edits(of: document).map {
            String(decoding: $0.applied(to: document.file.bytes), as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("{\n\"a\":1,\n\n\n  \"b\": [1,2 ,3]}", "{\n  \"a\": 1,\n\n  \"b\": [1, 2, 3]\n}\n"),
        ("{ \"a\" : { } }", "{ \"a\": {} }\n"), ("[\n]", "[]\n"), ("  1", "1\n"),
        ("{\r\n\"a\": [\r\n1]}", "{\r\n  \"a\": [\r\n    1\r\n  ]\r\n}\r\n"),
        (
            "{\n\"a\": 1, // one\n// two\n\"b\": /* three */ 2\n}",
            "{\n  \"a\": 1, // one\n  // two\n  \"b\": /* three */ 2\n}\n"
        ),
        ("{\"a\": {\n\"b\": 1}}", "{\"a\": {\n  \"b\": 1\n}}\n"),
    ])
    func layout(text: String, expected: String) {
        #expect(formatted(text) == expected)
        #expect(formatted(expected) == expected)
    }

    @Test func brokenTextIsRefused() {
        #expect(formatted("{\"a\": }") == nil)
    }
}
