import ReqcliText
import TestSupport
import Testing

struct JSONPrinterTests {
    @Test("Members and elements stand on lines of their own, two spaces further in")
    func indented() {
        #expect(
            print(#"{"b":[1,{"x":null}],"a":true,"e":{},"n":[ ],"s":"a, b: {}"}"#) == """
                {
                  "b": [
                    1,
                    {
                      "x": null
                    }
                  ],
                  "a": true,
                  "e": {},
                  "n": [],
                  "s": "a, b: {}"
                }

                """)
    }

    @Test("Compact JSON has nothing between the tokens")
    func compact() {
        #expect(
            print("{ \"b\" : [ 1 , { \"x\" : null } ] ,\n\"s\" : \"a, b\" , \"e\" : { } }\n", .compact)
                == "{\"b\":[1,{\"x\":null}],\"s\":\"a, b\",\"e\":{}}\n")
    }

    static let keptTexts = [
        #"{"z":1,"a":2,"z":3}"#, "[1.0,-0,1E400,1e+2,0.10,100000000000000000000]", #"["\u00e9\/\"\\\n\uD800é😀"]"#,
        #"{"":""}"#,
        "[true,false,null]", "7", #""text""#, "null", "[[[[]]]]", #"{"a":{"a":{"a":{}}}}"#,
    ]

    @Test("Key order, duplicates, numbers and escapes are as they were", arguments: keptTexts)
    func kept(_ text: String) {
        #expect(print(text, .compact) == text + "\n")
        #expect(print(print(text), .compact) == text + "\n")
    }

    @Test("Both layouts are those of OrderedJSON")
    func sameLayout() {
        var samples = JSONSamples(seed: 3)
        for _ in 0..<300 {
            let document = JSONDocument.read(SourceFile(name: "t", bytes: samples.document()))
            guard let root = document.root else { continue }
            let value = OrderedJSON(root)
            #expect(print(value.compact) == value.pretty + "\n")
            #expect(print(value.pretty, .compact) == value.compact + "\n")
        }
    }

    static let severalValues: [(String, String, String)] = [
        ("1 2", "1\n2\n", "1\n2\n"),
        ("{\"a\":1}\n{\"a\":2}\n", "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n", "{\"a\":1}\n{\"a\":2}\n"),
        ("{}{}[]\"\"", "{}\n{}\n[]\n\"\"\n", "{}\n{}\n[]\n\"\"\n"),
        ("\n\n[1]\r\n\r\n[2]\r\n", "[\n  1\n]\n[\n  2\n]\n", "[1]\n[2]\n"),
    ]

    @Test("Several values are so many texts", arguments: severalValues)
    func several(_ text: String, _ indented: String, _ compact: String) {
        #expect(print(text) == indented)
        #expect(print(text, .compact) == compact)
        #expect(print([Array(text.utf8)]).outcome == .json)
    }

    /// The marker stands before the first byte that is not JSON.
    static let brokenTexts: [(MarkedText, String)] = [
        ("⟦⟧<html>\n  <p>no</p>\n</html>", "<html>\n  <p>no</p>\n</html>\n"),
        (#"{"a":1}  ⟦⟧; it  was"#, "{\n  \"a\": 1\n}\n; it  was\n"),
        (#"{"a" : 1  ⟦⟧"b":  2}"#, "{\n  \"a\": 1\n\"b\":  2}\n"),
        ("[1,⟦⟧]", "[\n  1,\n]\n"),
        ("[⟦⟧,1]", "[\n,1]\n"),
        ("{}⟦⟧}", "{}\n}\n"),
        ("[1⟦⟧}", "[\n  1\n}\n"),
        ("{⟦⟧a: 1}", "{\na: 1}\n"),
        (#"{"a" ⟦⟧= 1}"#, "{\n  \"a\"\n= 1}\n"),
        (#"{"a":⟦⟧, "b": 1}"#, "{\n  \"a\": \n, \"b\": 1}\n"),
        ("[tr⟦⟧ie, 1]", "[\n  trie, 1]\n"),
        ("[true⟦⟧d]", "[\n  trued]\n"),
        ("[0⟦⟧1, 2]", "[\n  01, 2]\n"),
        ("[1.⟦⟧, 2]", "[\n  1., 2]\n"),
        ("[-⟦⟧a]", "[\n  -a]\n"),
        ("[1⟦⟧-2]", "[\n  1-2]\n"),
        ("[⟦⟧NaN, 1]", "[\nNaN, 1]\n"),
        ("[⟦⟧'a']", "[\n'a']\n"),
        ("[\"a⟦⟧\tb\", 1]", "[\n  \"a\tb\", 1]\n"),
        ("[\"a⟦⟧\nb\", 1]", "[\n  \"a\nb\", 1]\n"),
        (#"["\⟦⟧q", 1]"#, "[\n  \"\\q\", 1]\n"),
        (#"["\u12⟦⟧g4", 1]"#, "[\n  \"\\u12g4\", 1]\n"),
        ("[1] ⟦⟧// done", "[\n  1\n]\n// done\n"),
        ("1⟦⟧true", "1true\n"),
    ]

    @Test("From where it stops being JSON a text is passed on as it came", arguments: brokenTexts)
    func broken(_ marked: MarkedText, _ printed: String) {
        #expect(print(marked.text) == printed)
        #expect(print([Array(marked.text.utf8)]).outcome == .passedOn(from: marked.ranges[0].lowerBound))
    }

    static let cutOffTexts: [(String, String)] = [
        ("{\"a\":[1,2", "{\n  \"a\": [\n    1,\n    2\n"), ("[\"abc", "[\n  \"abc\n"), ("[\"a\\", "[\n  \"a\\\n"),
        ("tru", "tru\n"),
        ("-", "-\n"), ("1e", "1e\n"), ("{\"a\":", "{\n  \"a\": \n"), ("{", "{\n"),
    ]

    @Test("A text that is cut off is printed as far as it goes", arguments: cutOffTexts)
    func cutOff(_ text: String, _ printed: String) {
        #expect(print(text) == printed)
        #expect(print([Array(text.utf8)]).outcome == .cutOff)
    }

    @Test("Nothing is printed for nothing", arguments: ["", " ", "\n\r\n\t"])
    func nothing(_ text: String) {
        #expect(print(text) == "")
        #expect(print([Array(text.utf8)]).outcome == .nothing)
    }

    @Test("A byte order mark is kept")
    func byteOrderMark() {
        #expect(Array(print("\u{FEFF}[1]", .compact).utf8) == Array("\u{FEFF}[1]\n".utf8))
        #expect(print([[0xEF, 0xBB], [0xBF], Array("1".utf8)]).outcome == .json)
        #expect(print([[0xEF, 0xBB, 0x31]]).text == [0xEF, 0xBB, 0x31, 0x0A])
    }

    @Test("Bytes that are no UTF-8 are passed through a string unchanged")
    func invalidUTF8() {
        let printed = print([Array("[\"".utf8) + [0xE9, 0xFF, 0xC3] + Array("\"]".utf8)], .compact)
        #expect(printed.text == Array("[\"".utf8) + [0xE9, 0xFF, 0xC3] + Array("\"]\n".utf8))
        #expect(printed.outcome == .json)
    }

    @Test("512 levels are indented, what is deeper is passed on")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(print([Array(nested(512).utf8)]).outcome == .json)
        let deeper = print([Array(nested(100_000).utf8)])
        #expect(deeper.outcome == .passedOn(from: 512))
        #expect(deeper.text.count < 1_000_000)
        #expect(deeper.text.count { $0 == UInt8(ascii: "[") } == 100_000)
    }

    @Test("Each sort of value has its colour, and punctuation none")
    func colours() {
        #expect(
            print(#"{"k":["s",1,true,null,{}]}"#, .compact, colours: .standard)
                == "{\u{1B}[1;34m\"k\"\u{1B}[0m:[\u{1B}[32m\"s\"\u{1B}[0m,\u{1B}[36m1\u{1B}[0m,"
                + "\u{1B}[33mtrue\u{1B}[0m,\u{1B}[2mnull\u{1B}[0m,{}]}\n")
    }

    @Test("Colour ends before text that is passed on, and at the end")
    func coloursEnd() {
        #expect(print("[\"a\tb\"]", .compact, colours: .standard) == "[\u{1B}[32m\"a\u{1B}[0m\tb\"]\n")
        #expect(print("[\"a", .compact, colours: .standard) == "[\u{1B}[32m\"a\u{1B}[0m\n")
        #expect(print("12", .compact, colours: .standard) == "\u{1B}[36m12\u{1B}[0m\n")
    }

    @Test("A sort drawn plainly has no escape sequences")
    func plainSort() {
        let colours = JSONColours { $0 == .number ? .red : .plain }
        #expect(print(#"{"a":[1,"s"]}"#, .compact, colours: colours) == "{\"a\":[\u{1B}[31m1\u{1B}[0m,\"s\"]}\n")
    }

    private struct WriteFailed: Error {}

    @Test("What a writer throws comes back")
    func failingWriter() {
        var printer = JSONPrinter()
        #expect(throws: WriteFailed.self) {
            try "[1]".utf8.withContiguousStorageIfAvailable { text in
                try printer.print(UnsafeRawBufferPointer(text)) { _ in throw WriteFailed() }
            }
            _ = try printer.finish { _ in throw WriteFailed() }
        }
    }
}
