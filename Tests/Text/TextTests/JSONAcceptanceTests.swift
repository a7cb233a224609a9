import ReqcliText
import Testing

/// What RFC 8259 calls JSON is read without a word.
struct JSONAcceptanceTests {
    static let structures = [
        Named("an empty object", "{}"),
        Named("an empty array", "[]"),
        Named("blanks inside an empty array", "[ \t\r\n]"),
        Named("blanks inside an empty object", "{ \t\r\n}"),
        Named("every blank around every token", " \n\t\r{ \n\"a\"\t:\r[ 1 , 2\n] } \n"),
        Named("no blank at all", #"{"a":[1,{"b":null}],"c":true}"#),
        Named("containers in containers", "[[],[[]],{},[{}]]"),
        Named("a key twice", #"{"a":1,"a":2}"#),
        Named("an empty key", #"{"":0}"#),
        Named("a key with escapes", #"{"\u0061\n":1}"#),
        Named("a key of control characters, escaped", #"{"\u0000":0}"#),
        Named("a line break at the end", "[1]\n"),
        Named("a string alone", #""x""#),
        Named("a number alone", "42"),
        Named("true alone", "true"),
        Named("false alone", "false"),
        Named("null alone", "null"),
        Named("an empty string alone", #""""#),
        Named("all three words", "[true,false,null]"),
        Named("an element that ends with the text's last byte", "[0]"),
    ]

    static let strings = [
        Named("every short escape", #"["\"\\\/\b\f\n\r\t"]"#),
        Named("an escape with small and large digits", #"["\u00e9\u00E9\uaBcD"]"#),
        Named("a surrogate pair", #"["\uD83D\uDE00\ud83d\ude00"]"#),
        Named("the last pair there is", #"["\uDBFF\uDFFF"]"#),
        Named("an escaped NUL", #"["\u0000"]"#),
        Named("escaped noncharacters", #"["\uFFFE\uFFFF\uFDD0"]"#),
        Named("two, three and four bytes a character", #"["é€😀"]"#),
        Named("the first and last of each length", "[\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"]"),
        Named("the edges of the surrogates' gap", "[\"\u{D7FF}\u{E000}\"]"),
        Named("line separators that JavaScript once refused", "[\"\u{2028}\u{2029}\"]"),
        Named("DEL", "[\"\u{7F}\"]"),
        Named("a byte order mark inside a string", "[\"\u{FEFF}\"]"),
        Named("brackets and commas as text", #"["[{,:}]"]"#),
        Named("comments as text", #"["// /* */ #"]"#),
        Named("an apostrophe", #"["it's"]"#),
        Named("a backslash before the closing quote", #"["\\"]"#),
        Named("a string longer than a word of the machine", #"["0123456789abcdef0123456789abcdef"]"#),
    ]

    static let numbers = [
        "0", "-0", "1", "-1", "9", "10", "1234567890", "0.0", "-0.0", "0.1", "1.5", "10.01", "0e0", "0E0", "0e+0",
        "0e-0",
        "1e1", "1E1", "1e+1", "1e-1", "1.5e10", "1.5E-10", "-1.5e+10", "0.0000000000000000000000000000001",
        "123456789012345678901234567890", "1e400", "-1e-400", "1e0000000000000000001", "20e1",
    ]

    @Test("A structure that the grammar allows has no problems", arguments: structures)
    func structure(_ example: Named<String>) {
        let document = read(example.value)
        #expect(document.problems == [])
        #expect(document.root != nil)
    }

    @Test("A string that the grammar allows has no problems", arguments: strings)
    func string(_ example: Named<String>) {
        #expect(read(example.value).problems == [])
    }

    @Test("A number that the grammar allows has no problems and keeps its text", arguments: numbers)
    func number(_ text: String) {
        for (prefix, suffix) in [("", ""), ("[", "]"), ("[ ", " ]"), (#"{"a":"#, "}"), ("[", ",0]")] {
            #expect(read(prefix + text + suffix).problems == [])
        }
        #expect(read(text).root?.number?.text == text)
    }

    @Test("A string is read whole wherever it ends inside a machine word", arguments: 0...40)
    func alignment(_ length: Int) {
        let plain = String(repeating: "x", count: length)
        for special in ["", #"\n"#, "é", #"\""#] {
            let document = read("[\"\(plain)\(special)\(plain)\",1]")
            #expect(document.problems == [])
            #expect(
                document.root?.elements.first(where: { _ in true })?.range.count == 2 * length + special.utf8.count + 2)
        }
    }
}
