import ReqcliText
import TestSupport
import Testing

/// A mistake costs one message at its place, and what stands behind it is understood.
struct JSONRecoveryTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let marked: MarkedText
        let messages: [String]
        let understood: String

        init(_ name: String, _ marked: MarkedText, _ messages: String..., understood: String) {
            (testDescription, self.marked, self.messages, self.understood) = (name, marked, messages, understood)
        }
    }

    static let commas = [
        Mistake("no comma in an array", "[1⟦⟧ 2]", "a comma is missing here", understood: "[1,2]"),
        Mistake(
            "no comma in an object", #"{"a":1⟦⟧ "b":2}"#, "a comma is missing here", understood: #"{"a":1,"b":2}"#),
        Mistake(
            "no comma at a line's end", "[{}⟦⟧\n{}⟦⟧\n{}]", "a comma is missing here", "a comma is missing here",
            understood: "[{},{},{}]"),
        Mistake("a trailing comma", "[1⟦,⟧]", "JSON has no trailing commas", understood: "[1]"),
        Mistake(
            "a trailing comma in an object", "{\"a\":1⟦,⟧\n}", "JSON has no trailing commas", understood: #"{"a":1}"#),
        Mistake("a leading comma", "[⟦,⟧1]", #"expected a value, found ",""#, understood: "[1]"),
        Mistake("two commas", "[1,⟦,⟧2]", #"expected a value, found ",""#, understood: "[1,2]"),
        Mistake(
            "two commas in an object", #"{"a":1,⟦,⟧"b":2}"#, "expected a key, found a second comma",
            understood: #"{"a":1,"b":2}"#),
        Mistake("a leading comma in an object", #"{⟦,⟧"a":1}"#, #"expected a key, found ",""#, understood: #"{"a":1}"#),
        Mistake("a semicolon", "[1⟦;⟧ 2]", #"expected a comma, found ";""#, understood: "[1,2]"),
        Mistake("a colon between elements", #"["a"⟦:⟧ 1]"#, #"expected a comma, found ":""#, understood: #"["a",1]"#),
        Mistake("a stray letter at the end", "[1 ⟦@⟧]", #"expected a comma, found "@""#, understood: "[1]"),
    ]

    static let colons = [
        Mistake("no colon", #"{"a"⟦⟧ 1}"#, "a colon is missing before this value", understood: #"{"a":1}"#),
        Mistake(
            "an equals sign", #"{"a" ⟦=⟧ 1,"b":2}"#, #"expected a colon, found "=""#, understood: #"{"a":1,"b":2}"#),
        Mistake("two colons", #"{"a":⟦:⟧ 1}"#, #"expected a value, found ":""#, understood: #"{"a":1}"#),
        Mistake("a key alone", #"{"a"⟦⟧}"#, "this key has no value", understood: #"{"a":null}"#),
        Mistake("a key and a comma", #"{"a"⟦⟧,"b":1}"#, "this key has no value", understood: #"{"a":null,"b":1}"#),
        Mistake("no value", #"{"a":⟦}⟧"#, #"expected a value, found "}""#, understood: #"{"a":null}"#),
        Mistake(
            "no value, a comma", #"{"a":⟦,⟧"b":1}"#, #"expected a value, found ",""#, understood: #"{"a":null,"b":1}"#),
    ]

    static let keys = [
        Mistake("an unquoted key", "{⟦a⟧:1}", "a key needs double quotes", understood: #"{"a":1}"#),
        Mistake("an unquoted key of two words", "{⟦X-Id⟧:1}", "a key needs double quotes", understood: #"{"X-Id":1}"#),
        Mistake("an unquoted é", "{⟦é⟧:1}", "a key needs double quotes", understood: #"{"é":1}"#),
        Mistake("a number as key", "{⟦1⟧:2}", "a key needs double quotes", understood: #"{"1":2}"#),
        Mistake("a word of JSON as key", "{⟦null⟧:2}", "a key needs double quotes", understood: #"{"null":2}"#),
        Mistake("a bad number as key", "{⟦01⟧:2}", #""01" is not a number"#, understood: #"{"01":2}"#),
        Mistake(
            "single quotes", #"{⟦'a'⟧:⟦'say "hi" to them'⟧,"b":1}"#, "strings need double quotes, not single quotes",
            "strings need double quotes, not single quotes", understood: #"{"a":"say \"hi\" to them","b":1}"#),
        Mistake(
            "an object as key", #"{⟦{⟧"a":1}}"#, #"expected a key in double quotes, found "{""#, understood: "{}"),
    ]

    static let strings = [
        Mistake(
            "a string that its line cuts off", "{\"a\": ⟦\"one,⟧\n\"b\": 2}", "this string is never closed",
            understood: #"{"a":"one,","b":2}"#),
        Mistake(
            "the last string of an array cut off", "[1, ⟦\"one⟧\r\n]", "this string is never closed",
            understood: #"[1,"one"]"#),
        Mistake(
            "a key that its line cuts off", "{⟦\"a: 1,⟧\n\"b\": 2}", "this string is never closed",
            understood: #"{"a: 1,":null,"b":2}"#),
        Mistake(
            "a key cut off before its colon's line", "{⟦\"a⟧\n: 1}", "this string is never closed",
            understood: #"{"a":1}"#),
        Mistake(
            "bad escapes", #"["⟦\a⟧ ⟦\é⟧ ⟦\u⟧12 \n"]"#, #""\a" is not an escape in JSON"#,
            #""\é" is not an escape in JSON"#, #"\u takes four hexadecimal digits"#,
            understood: "[\"a é \u{FFFD}12 \\n\"]"),
        Mistake(
            "half a surrogate pair", #"["⟦\uD83D⟧x"]"#,
            #"\uD83D is half of a surrogate pair; its other half is missing"#, understood: "[\"\u{FFFD}x\"]"),
        Mistake(
            "the other half", #"["⟦\uDE00⟧"]"#, #"\uDE00 is the second half of a surrogate pair without the first"#,
            understood: "[\"\u{FFFD}\"]"),
        Mistake(
            "control characters", "[\"a⟦\t⟧b⟦\u{1}⟧\"]",
            "a control character (U+0009) must be escaped in a string",
            "a control character (U+0001) must be escaped in a string", understood: #"["a\tb\u0001"]"#),
    ]

    static let brackets = [
        Mistake("a forgotten ]", #"{"a":[1,2⟦}⟧"#, #"expected "]", found "}""#, understood: #"{"a":[1,2]}"#),
        Mistake("a forgotten }", #"[{"a":1⟦]⟧"#, #"expected "}", found "]""#, understood: #"[{"a":1}]"#),
        Mistake("a } too many", "[1⟦}⟧,2]", #"expected "]", found "}""#, understood: "[1,2]"),
        Mistake("a } too many at the start", "[⟦}⟧1]", #"expected "]", found "}""#, understood: "[1]"),
        Mistake("a ] too many", #"{"a":1⟦]⟧,"b":2}"#, #"expected "}", found "]""#, understood: #"{"a":1,"b":2}"#),
        Mistake(
            "brackets never closed", #"{"a": ⟦[⟧1"#, #"this "[" is never closed"#, understood: #"{"a":[1]}"#),
        Mistake("an object cut off behind a key", #"⟦{⟧"a""#, #"this "{" is never closed"#, understood: #"{"a":null}"#),
        Mistake(
            "an object cut off behind a colon", #"⟦{⟧"a":"#, #"this "{" is never closed"#, understood: #"{"a":null}"#),
        Mistake(
            "a bracket too many at the end", "[1]⟦]⟧", "there is text after the end of the JSON value",
            understood: "[1]"),
        Mistake("text behind the value", "{} ⟦x⟧ y", "there is text after the end of the JSON value", understood: "{}"),
    ]

    static let comments = [
        Mistake("a line comment", "[1, ⟦// one⟧\n2]", "a .json file can't have comments", understood: "[1,2]"),
        Mistake("a block comment", "[1, ⟦/* , */⟧ 2]", "a .json file can't have comments", understood: "[1,2]"),
        Mistake("a block comment never closed", "[1] ⟦/*⟧ x", "this comment is never closed", understood: "[1]"),
        Mistake(
            "a no-break space", "[1,⟦\u{A0}\u{A0}⟧2]", "this character is not whitespace in JSON (U+00A0)",
            understood: "[1,2]"),
        Mistake("a byte order mark", "⟦\u{FEFF}⟧[1]", "the file begins with a byte order mark", understood: "[1]"),
    ]

    static let values = [
        Mistake(
            "words", "[⟦True⟧, ⟦None⟧, ⟦NaN⟧, ⟦abc⟧]", #""True" is not a JSON value"#, #""None" is not a JSON value"#,
            #""NaN" is not a JSON value"#, #""abc" is not a JSON value"#, understood: "[null,null,null,null]"),
        Mistake(
            "numbers", "[⟦.5⟧, ⟦+1⟧, ⟦01⟧, ⟦1.⟧, ⟦0x1F⟧, 1]", #"".5" is not a number"#, #""+1" is not a number"#,
            #""01" is not a number"#, #""1." is not a number"#, #""0x1F" is not a number"#,
            understood: "[null,null,null,null,null,1]"),
        Mistake("a stray sign", #"{"a":⟦@⟧,"b":1}"#, #""@" can't start a value"#, understood: #"{"a":null,"b":1}"#),
    ]

    static let several = [
        Mistake(
            "one of many kinds",
            "{\n  ⟦metod⟧: \"GET\"⟦⟧\n  \"path\": ⟦'/ping'⟧,\n  \"n\": [⟦01⟧, ⟦nul⟧⟦,⟧],\n  \"s\": \"⟦\\q⟧\" ⟦// why⟧\n}",
            "a key needs double quotes", "a comma is missing here", "strings need double quotes, not single quotes",
            #""01" is not a number"#, #""nul" is not a JSON value"#, "JSON has no trailing commas",
            #""\q" is not an escape in JSON"#, "a .json file can't have comments",
            understood: #"{"metod":"GET","path":"/ping","n":[null,null],"s":"q"}"#)
    ]

    @Test(
        "A mistake is told once, at its place, and the rest is understood",
        arguments: commas + colons + keys + strings + brackets + comments + values + several)
    func recovery(_ mistake: Mistake) {
        let document = read(mistake.marked.text)
        let problems = document.problems.sorted { $0.range.lowerBound < $1.range.lowerBound }
        #expect(problems.map(\.message) == mistake.messages)
        #expect(problems.map(\.range) == mistake.marked.ranges)
        #expect(document.understood == mistake.understood)
    }

    static let hints: [(String, String)] = [
        ("[1 2]", "write \",\" here"), ("[1,]", "remove the last comma"), (#"{"a" 1}"#, "write \":\" here"),
        (#"{"a"}"#, "write \":\" and a value after the key"), ("{a:1}", #"write "a""#), ("['a']", "write \"…\""),
        ("[True]", "did you mean true?"), ("[no]", "did you mean false?"), ("[None]", "did you mean null?"),
        ("[Infinity]", "JSON has no such number"), ("[abc]", "put text in double quotes"),
        ("[“abc”]", "use straight double quotes"), ("[01]", "a number has no leading zeros; quote it if it is text"),
        ("[.5]", "write a digit on both sides of the point"), ("[0x1F]", "write it in decimal"),
        ("[1a]", "quote it if it is text"), ("[\"\t\"]", #"write \t"#), ("[\"\u{1}\"]", #"write \u0001"#),
        (#"["\d"]"#, #"write \\ for a backslash"#), (#"["\uD800"]"#, "write the character itself, or both halves"),
        ("[1", #"add the missing "]""#), ("[1] // x", "name the file .jsonc, or use a \"$comment\" key"),
        ("1 2", "a file contains only one value"), ("[\"a", "add the closing \""),
        ("[\u{A0}]", "use an ordinary space"),
    ]

    @Test("A message says what to do", arguments: hints)
    func hint(_ text: String, _ hint: String) {
        #expect(read(text).problems.first?.hint == hint)
    }

    @Test("A bracket that doesn't match shows the one it would close")
    func relatedPlace() {
        let marked: MarkedText = #"{"a":⟦[⟧1,2⟦}⟧"#
        let problem = read(marked.text).problems.first
        #expect(problem?.range == marked.ranges[1])
        #expect(problem?.related?.range == marked.ranges[0])
        #expect(problem?.related?.message == "the bracket opened here is still open")
    }

    @Test("An array whose bracket was forgotten ends before the bracket that closes what it is in")
    func forgottenBracket() {
        let marked: MarkedText = #"{"a":⟦[1,2⟧}"#
        #expect(read(marked.text).root?["a"]?.range == marked.ranges[0])
    }
}
