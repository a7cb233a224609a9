import ReqcliText
import Testing

/// What RFC 8259 doesn't call JSON is always reported, whatever could be made of it.
struct JSONRejectionTests {
    static let structures = [
        Named("only blanks", " \n"),
        Named("an array never closed", "["), Named("an object never closed", "{"),
        Named("an array closed twice", "[]]"), Named("an object closed twice", "{}}"),
        Named("an array closed by a brace", "[}"), Named("an object closed by a bracket", "{]"),
        Named("only a closing bracket", "]"), Named("only a comma", ","), Named("only a colon", ":"),
        Named("a trailing comma in an array", "[1,]"), Named("a trailing comma in an object", #"{"a":1,}"#),
        Named("only a comma in an array", "[,]"), Named("only a comma in an object", "{,}"),
        Named("a leading comma", "[,1]"), Named("two commas", "[1,,2]"), Named("two trailing commas", "[1,,]"),
        Named("no comma in an array", "[1 2]"), Named("no comma in an object", #"{"a":1 "b":2}"#),
        Named("no colon", #"{"a" 1}"#), Named("two colons", #"{"a"::1}"#), Named("a key alone", #"{"a"}"#),
        Named("a key and a colon", #"{"a":}"#), Named("a key and a comma", #"{"a",}"#),
        Named("a value without a key", "{:1}"), Named("a colon in an array", #"["a":1]"#),
        Named("a semicolon between elements", "[1;2]"), Named("an equals sign for a colon", #"{"a"=1}"#),
        Named("an unquoted key", "{a:1}"), Named("a number as key", "{1:1}"), Named("a word as key", "{true:1}"),
        Named("an object as key", "{{}:1}"), Named("an array as key", "{[]:1}"),
        Named("single quotes", "['a']"), Named("single quotes around a key", "{'a':1}"),
        Named("a line comment", "[1] // one"), Named("a block comment", "[/**/1]"),
        Named("a shell comment", "[1] # one"),
        Named("half a comment", "[1] /"), Named("text behind the value", "{} x"), Named("two values", "1 2"),
        Named("two objects", "{}{}"), Named("a form feed as blank", "[\u{0C}1]"),
        Named("a no-break space", "[\u{A0}1]"),
        Named("a byte order mark inside", "[\u{FEFF}1]"), Named("a zero byte inside", "[1\u{0}]"),
    ]

    static let strings = [
        Named("a string never closed", #"["a"#), Named("a quote alone", #"""#),
        Named("a backslash at the end", #"["\"#),
        Named("a closing quote escaped away", #"["\"]"#), Named("a line break", "[\"a\nb\"]"),
        Named("a carriage return", "[\"a\rb\"]"), Named("a tab", "[\"a\tb\"]"), Named("a NUL", "[\"a\u{0}b\"]"),
        Named("the last control character", "[\"\u{1F}\"]"), Named("an escape that isn't one", #"["\a"]"#),
        Named("a hexadecimal escape of C", #"["\x41"]"#), Named("an escaped apostrophe", #"["\'"]"#),
        Named("an octal escape", #"["\0"]"#), Named("an escaped line break", "[\"\\\n\"]"),
        Named("an escaped é", #"["\é"]"#), Named("a large U", #"["\U0041"]"#),
        Named("too few digits", #"["\u004"]"#), Named("a digit that isn't one", #"["\u004G"]"#),
        Named("no digits", #"["\u"]"#), Named("a sign among the digits", #"["\u+041"]"#),
        Named("a high surrogate alone", #"["\uD800"]"#), Named("a low surrogate alone", #"["\uDC00"]"#),
        Named("surrogates the wrong way round", #"["\uDC00\uD800"]"#),
        Named("two high surrogates", #"["\uD800\uD800"]"#),
        Named("a high surrogate and text", #"["\uD800x"]"#), Named("a high surrogate and an escape", #"["\uD800\n"]"#),
        Named("a high surrogate and half an escape", #"["\uD800\uDC"]"#), Named("text outside quotes", "[abc]"),
        Named("typographic quotes", "[“a”]"),
    ]

    static let numbers = [
        "+1", "-", "- 1", "--1", ".5", "-.5", "5.", "5.e1", "1.e1", "01", "-01", "00", "1e", "1e+", "1e-", "1E",
        "1e1.5", "1.2.3",
        "0x1F", "1_000", "1,0,", "NaN", "-NaN", "Infinity", "-Infinity", "1a", "0a", "1é", "０", "1e１", "1+2", "1-2",
        "1ee2",
    ]

    static let words = [
        "True", "TRUE", "tru", "truee", "nul", "nulll", "None", "undefined", "fals", "true1", "true_", "yes",
    ]

    @Test("A structure that the grammar refuses is reported", arguments: structures)
    func structure(_ example: Named<String>) {
        #expect(read(example.value).problems != [])
    }

    @Test("A string that the grammar refuses is reported", arguments: strings)
    func string(_ example: Named<String>) {
        #expect(read(example.value).problems != [])
    }

    @Test("A number that the grammar refuses is reported", arguments: numbers)
    func number(_ text: String) {
        for context in [text, "[\(text)]", "[\(text) ]", #"{"a":\#(text)}"#] {
            #expect(read(context).problems != [], "\(context)")
        }
    }

    @Test("A word that is none of JSON's three is reported once", arguments: words)
    func word(_ text: String) {
        #expect(read("[\(text)]").problems.map(\.message) == ["\"\(text)\" is not a JSON value"])
    }

    static let encodings: [Named<[UInt8]>] = [
        Named("a continuation byte alone", [0x80]), Named("Latin-1", [0xE9]),
        Named("a sequence cut short", [0xE2, 0x82]),
        Named("an overlong slash", [0xC0, 0xAF]), Named("an overlong NUL", [0xC0, 0x80]),
        Named("overlong in three bytes", [0xE0, 0x80, 0xAF]),
        Named("overlong in four bytes", [0xF0, 0x80, 0x80, 0xAF]),
        Named("a surrogate in UTF-8", [0xED, 0xA0, 0x80]), Named("beyond Unicode", [0xF4, 0x90, 0x80, 0x80]),
        Named("a byte that UTF-8 never has", [0xFF]), Named("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
        Named("a wrong third byte", [0xE2, 0x82, 0x41]), Named("a wrong fourth byte", [0xF0, 0x9F, 0x98, 0x41]),
    ]

    @Test("Text that is not UTF-8 is reported, wherever it stands", arguments: encodings)
    func encoding(_ example: Named<[UInt8]>) {
        let string = Array("[\"é".utf8) + example.value + Array("\"]".utf8)
        #expect(read(string).problems.map(\.code) == [.jsonEncoding])
        #expect(read(string).problems.first?.range.lowerBound == 4)
        #expect(read(Array("[\"".utf8) + example.value).problems.contains { $0.code == .jsonEncoding })
        #expect(read(Array("[".utf8) + example.value + Array("]".utf8)).problems != [])
        let comment = Array("[1] // ".utf8) + example.value
        #expect(read(comment, .commented).problems.map(\.code) == [.jsonEncoding])
    }
}
