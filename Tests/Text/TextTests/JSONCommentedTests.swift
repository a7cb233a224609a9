import ReqcliText
import TestSupport
import Testing

/// `.jsonc`: comments and trailing commas, and nothing else besides.
struct JSONCommentedTests {
    static let allowedTexts: [(String, String)] = [
        ("// first\n[1]", "[1]"), ("[1] // last", "[1]"), ("/* a */[/* b */1/* c */]/* d */", "[1]"),
        ("[1, // one\n 2]", "[1,2]"), ("[1,]", "[1]"), ("[1, // one\n]", "[1]"), (#"{"a":1,}"#, #"{"a":1}"#),
        (#"{"a":/**/1 /***/,/* } */ "b"://\#n2,}"#, #"{"a":1,"b":2}"#), ("[/* // */1]", "[1]"), ("[// /*\n1]", "[1]"),
        ("[1, /* é€😀 */ 2]", "[1,2]"), ("[/*\n*\n*/]", "[]"), ("[//\n]", "[]"), ("[//\r\n]", "[]"),
        (#"["//", "/**/"]"#, #"["//","/**/"]"#),
    ]

    @Test("Comments and trailing commas are taken", arguments: allowedTexts)
    func allowed(_ text: String, _ understood: String) {
        let document = read(text, .commented)
        #expect(document.problems == [])
        #expect(document.understood == understood)
    }

    static let refusedTexts: [(MarkedText, String)] = [
        ("[1,⟦,⟧2]", #"expected a value, found ",""#),
        ("[⟦,⟧]", #"expected a value, found ",""#),
        ("{⟦,⟧}", #"expected a key, found ",""#),
        ("{⟦a⟧:1}", "a key needs double quotes"),
        ("[⟦'a'⟧]", "strings need double quotes, not single quotes"),
        ("[1] ⟦#⟧ x", "there is text after the end of the JSON value"),
        ("[1 ⟦/⟧]", #"expected a comma, found "/""#),
        ("[1] ⟦/*⟧ /", "this comment is never closed"),
        ("[⟦0x1F⟧]", #""0x1F" is not a number"#),
        ("⟦⟧// nothing else", "the text is empty; expected a JSON value"),
    ]

    @Test("What is neither is refused as in strict JSON", arguments: refusedTexts)
    func refused(_ marked: MarkedText, _ message: String) {
        let problems = read(marked.text, .commented).problems
        #expect(problems.map(\.message) == [message])
        #expect(problems.map(\.range) == marked.ranges)
    }
}
