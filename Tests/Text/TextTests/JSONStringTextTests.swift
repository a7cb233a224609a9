import ReqcliText
import Testing

/// Strings on their way out of a file and into one.
struct JSONStringTextTests {
    static let escapes: [(String, String)] = [
        (#"plain"#, "plain"), (#"\"\\\/"#, "\"\\/"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"),
        (#"\u0041\u00e9\u20AC"#, "Aé€"),
        (#"\uD83D\uDE00"#, "😀"), (#"\ud83d\ude00!"#, "😀!"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\u0000"#, "\u{0}"),
        (#"é\n😀"#, "é\n😀"), (#"\\u0041"#, #"\u0041"#), (#"\uFEFF"#, "\u{FEFF}"), (#"e\u0301"#, "e\u{301}"), ("", ""),
    ]

    @Test("Escapes are resolved", arguments: escapes)
    func decoding(_ written: String, _ meant: String) {
        let string = read("\"\(written)\"").root?.string
        // Compared scalar by scalar: `==` takes two ways to write é for one.
        #expect(string.map { Array($0.unicodeScalars) } == Array(meant.unicodeScalars))
    }

    static let brokenStrings: [(String, String)] = [
        (#""\uD800x""#, "\u{FFFD}x"), (#""\uDC00\uD800""#, "\u{FFFD}\u{FFFD}"), (#""\u12""#, "\u{FFFD}12"),
        (#""\u"#, "\u{FFFD}"),
        (#""\q""#, "q"), (#""abc"#, "abc"), (#""abc\"#, "abc\\"), (#""abc\""#, "abc\\"), (#"""#, ""),
        ("'a\"b'", "a\"b"),
        (#""\uD83D\u0041""#, "\u{FFFD}A"),
    ]

    @Test("A string that was reported still says what can be understood of it", arguments: brokenStrings)
    func broken(_ text: String, _ meant: String) {
        let document = read(text)
        #expect(document.problems != [])
        #expect(document.root?.string == meant)
    }

    static let quotedTexts: [(String, String)] = [
        ("plain", #""plain""#), ("\"\\/", #""\"\\/""#), ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
        ("\u{0}\u{1F}", #""\u0000\u001f""#),
        ("\u{7F}é€😀", "\"\u{7F}é€😀\""), ("\r\n", #""\r\n""#), ("e\u{301}", "\"e\u{301}\""), ("", #""""#),
    ]

    @Test("Only what JSON requires is escaped", arguments: quotedTexts)
    func encoding(_ text: String, _ written: String) {
        #expect(Array(JSONStringText.quoted(text).utf8) == Array(written.utf8))
        #expect(read(written).root?.string == text)
    }

    @Test("Every scalar comes back as it went in")
    func everyScalar() {
        var text = String.UnicodeScalarView()
        for value in UInt32(0)...0x10FFFF where value < 0x3000 || value % 97 == 0 || value >= 0x10FFF0 {
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        let document = read(JSONStringText.quoted(String(text)))
        #expect(document.problems == [])
        #expect(document.root?.string.map { Array($0.unicodeScalars) } == Array(text))
    }
}
