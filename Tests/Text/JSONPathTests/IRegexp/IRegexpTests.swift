import ReqcliJSONPath
import TestSupport
import Testing

struct IRegexpTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let pattern: String
        let whole: [String]
        let other: [String]
        var testDescription: String { pattern }

        init(_ pattern: String, matches whole: [String], not other: [String]) {
            (self.pattern, self.whole, self.other) = (pattern, whole, other)
        }
    }

    static let cases = [
        Case("", matches: [""], not: ["a"]),
        Case("abc", matches: ["abc"], not: ["", "ab", "abcd", "xabc", "ABC"]),
        Case("a|b", matches: ["a", "b"], not: ["", "ab", "c"]),
        Case("a|", matches: ["a", ""], not: ["b"]),
        Case("ab|cd|ef", matches: ["ab", "cd", "ef"], not: ["abd", "acd", "a"]),
        Case("a*", matches: ["", "a", "aaaa"], not: ["b", "ab"]),
        Case("a+", matches: ["a", "aa"], not: ["", "b"]),
        Case("a?", matches: ["", "a"], not: ["aa"]),
        Case("a{3}", matches: ["aaa"], not: ["aa", "aaaa", ""]),
        Case("a{2,}", matches: ["aa", "aaaaaa"], not: ["a", ""]),
        Case("a{1,3}", matches: ["a", "aa", "aaa"], not: ["", "aaaa"]),
        Case("a{0}", matches: [""], not: ["a"]),
        Case("a{0,0}b", matches: ["b"], not: ["ab"]),
        Case("(ab)+", matches: ["ab", "abab"], not: ["", "aba"]),
        Case("(a|b)*c", matches: ["c", "abbac"], not: ["ab", "cc"]),
        Case("(a*)*", matches: ["", "aaa"], not: ["b"]),
        Case("(a?){3}", matches: ["", "aaa"], not: ["aaaa"]),
        Case("()", matches: [""], not: ["a"]),
        Case("a.c", matches: ["abc", "a.c", "aéc", "a😀c", "a\u{2028}c", "a\u{85}c"], not: ["a\nc", "a\rc", "ac"]),
        Case("[abc]", matches: ["a", "c"], not: ["d", "", "ab"]),
        Case("[a-cx]", matches: ["b", "x"], not: ["d", "-"]),
        Case("[^a-c]", matches: ["d", "é", "\n", "^"], not: ["a", "b", ""]),
        Case("[-a]", matches: ["-", "a"], not: ["b"]),
        Case("[a-]", matches: ["-", "a"], not: ["b"]),
        Case("[^-a]", matches: ["b"], not: ["-", "a"]),
        Case("[^-]", matches: ["b"], not: ["-"]),
        Case("[-]", matches: ["-"], not: ["a"]),
        Case("[--]", matches: ["-"], not: ["a"]),
        Case("[a^]", matches: ["a", "^"], not: ["b"]),
        Case("[.*+?(){}|]", matches: [".", "*", "+", "?", "(", ")", "{", "}", "|"], not: ["a", "\\"]),
        Case(#"[\]\[\\\-\^]"#, matches: ["]", "[", "\\", "-", "^"], not: ["a"]),
        Case(#"[\n\r\t]"#, matches: ["\n", "\r", "\t"], not: ["n", "r", " "]),
        Case(#"\(\)\*\+\-\.\?\[\\\]\^\{\|\}"#, matches: [#"()*+-.?[\]^{|}"#], not: [""]),
        Case("[$^]", matches: ["^", "$"], not: [""]),
        Case("a,b-c", matches: ["a,b-c"], not: []),
        Case("é日😀", matches: ["é日😀"], not: ["e日😀"]),
        Case("[à-ü]+", matches: ["éèü"], not: ["e", "a"]),
        Case("[\u{1F600}-\u{1F64F}]", matches: ["😀"], not: ["🚀"]),
        Case(#"\p{L}+"#, matches: ["aÉ日ß"], not: ["1", "_", "a1"]),
        Case(#"\p{Lu}"#, matches: ["A", "É"], not: ["a", "1"]),
        Case(#"\P{Lu}"#, matches: ["a", "1", "é"], not: ["A", "É"]),
        Case(#"[^\p{Lu}]"#, matches: ["a", "é"], not: ["A", "É"]),
        Case(#"[\P{L}x]"#, matches: ["1", "x"], not: ["a", "É"]),
        Case(#"[\p{L}\p{Nd}]+"#, matches: ["a1", "٣"], not: ["_"]),
        Case(#"\p{Sc}\p{Z}\p{P}\p{M}"#, matches: ["€ !\u{301}"], not: ["e !a"]),
        Case(#"\p{Cn}"#, matches: ["\u{378}"], not: ["a"]),
        Case(#"[0-9]{4}-[0-9]{2}"#, matches: ["2024-05"], not: ["24-05", "2024-5"]),
    ]

    @Test("A pattern takes what it describes and refuses the rest", arguments: cases)
    func whole(_ example: Case) throws {
        let regexp = try IRegexp(example.pattern)
        for text in example.whole { #expect(regexp.matches(text), "\(text.debugDescription)") }
        for text in example.other { #expect(!regexp.matches(text), "\(text.debugDescription)") }
    }

    @Test("A part is enough for a search", arguments: cases)
    func part(_ example: Case) throws {
        let regexp = try IRegexp(example.pattern)
        for text in example.whole {
            #expect(regexp.isFound(in: text))
            #expect(regexp.isFound(in: "\n\u{10FFFF}" + text + "\u{10FFFF}\n"))
        }
    }

    @Test(
        "A search finds nothing where nothing is",
        arguments: [("abc", "ab ab c"), ("[0-9]{3}", "12 34 56"), ("a+b", "aaaa"), (".", "\n\r")])
    func notFound(_ pattern: String, _ text: String) throws {
        #expect(try !IRegexp(pattern).isFound(in: text))
    }

    @Test(
        "The leftmost match is found and, of those that begin there, the longest",
        arguments: [
            ("b+", "abbcbbb", "bb"), ("a|ab|abc", "xabcd", "abc"), ("abc|b", "abd", "b"), ("b|abcd", "abcx", "b"),
            ("abcd|bc", "abcx abcd", "bc"), ("(ab)*c?", "ababc", "ababc"), ("[0-9]+", "v12.34", "12"),
            ("[0-9]+$", "v12.34", "34"), ("^[0-9]+", "v12", nil), ("a?", "ba", ""), ("é+", "caféé!", "éé"),
            ("x", "", nil), ("", "", ""), ("a.*b|c", "cab", "c"), ("(a|b)*", "abba", "abba"), ("b$|b", "abab", "b"),
        ] as [(String, String, String?)])
    func leftmostLongest(_ pattern: String, _ text: String, _ part: String?) throws {
        let match = try IRegexp(pattern).firstMatch(in: text)
        #expect(match.map(String.init) == part)
        if let match, let part { #expect(text[..<match.startIndex] + part == text[..<match.endIndex]) }
    }

    @Test("A search agrees with trying every part of a text", arguments: 0..<20)
    func search(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let atoms = [
            "a", "b", "c", "a*", "b+", "[ab]", "(ab)?", "(a|bc)", ".", "c{1,2}", "(a|ab)(c|bcd)*", "|", "^a", "b$",
        ]
        for _ in 0..<50 {
            var (pattern, text) = ("", "")
            for _ in 0..<Int.random(in: 1...4, using: &random) { pattern += atoms.randomElement(using: &random) ?? "" }
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                text += ["a", "b", "c", "d"].randomElement(using: &random) ?? ""
            }
            let regexp = try IRegexp(pattern)
            let expected = try Self.slowMatch(pattern, text)
            #expect(regexp.firstMatch(in: text).map(String.init) == expected, "\(pattern) in \(text)")
        }
    }

    /// Each start from the left, each end from the right; the rest of the text stays beside the part, for the anchors.
    private static func slowMatch(_ pattern: String, _ text: String) throws -> String? {
        let count = text.count
        for start in 0...count {
            for end in stride(from: count, through: start, by: -1) {
                let whole = try IRegexp(".{\(start)}(\(pattern)).{\(count - end)}")
                if whole.matches(text) { return String(text.dropFirst(start).prefix(end - start)) }
            }
        }
        return nil
    }

    @Test(
        "Anchors hold at the ends of the text alone",
        arguments: [
            ("^ab", "abc", true), ("^bc", "abc", false), ("bc$", "abc", true), ("ab$", "abc", false),
            ("^abc$", "abc", true),
            ("^$", "", true), ("^$", "a", false), ("a^b", "ab", false), ("a$b", "ab", false), ("^a|c$", "bc", true),
            ("(^|x)a", "a", true), ("(^|x)a", "xa", true), ("(^|x)a", "ba", false), ("a$|a\n", "a\nb", true),
            ("$", "abc", true),
            ("^b", "a\nb", false),
        ])
    func anchors(_ pattern: String, _ text: String, _ isFound: Bool) throws {
        #expect(try IRegexp(pattern).isFound(in: text) == isFound)
    }

    @Test("Anchors change nothing where the whole text must match anyway", arguments: ["^ab*$", "^ab*", "ab*$", "ab*"])
    func anchorsOfWholeTexts(_ pattern: String) throws {
        #expect(try IRegexp(pattern).matches("abb"))
        #expect(try !IRegexp(pattern).matches("xab"))
        #expect(try !IRegexp(pattern).matches("abx"))
    }

    @Test("An é in one scalar is not an é in two")
    func scalars() throws {
        #expect(try !IRegexp("é").matches("e\u{301}"))
        #expect(try IRegexp("e.").matches("e\u{301}"))
    }

    @Test(
        "Patterns that make others take exponential time don't make this one",
        arguments: ["(a*)*b", "(a+)+b", "(a|a)*b", "(a|aa)+b", "(a?){50}a{50}b", "((a*)*)*b", "(.*)(.*)(.*)(.*)b"])
    func pathological(_ pattern: String) throws {
        let regexp = try IRegexp(pattern)
        let text = String(repeating: "a", count: 5_000)
        var steps = 5_000 * 700
        #expect(regexp.run(on: text, isAnchored: true, steps: &steps) == false)
        #expect(regexp.isFound(in: text) == false)
        #expect(regexp.isFound(in: text + "b"))
    }

    @Test("A match that would take too long says so", arguments: ["(a?){500}b", "(()?){500}b"])
    func bounded(_ pattern: String) throws {
        let regexp = try IRegexp(pattern)
        var steps = 1_000
        #expect(regexp.run(on: String(repeating: "a", count: 400), isAnchored: false, steps: &steps) == nil)
    }

    @Test("A category costs little more than a range, and the time grows with the text and not with its square")
    func categories() throws {
        func cost(_ pattern: String, _ count: Int) throws -> Double {
            let (regexp, text) = (try IRegexp(pattern), String(repeating: "é", count: count))
            return Growth.cost { #expect(!regexp.isFound(in: text)) }
        }
        let (range, category) = (try cost(#"[à-ü]{50}\."#, 4_000), try cost(#"\p{L}{50}\."#, 4_000))
        #expect(category < range * 4, "\(category / range)")
        let growth = try cost(#"\p{L}{50}\."#, 16_000) / category
        #expect(growth < 9, "\(growth)")
    }

    @Test("Ranges that overlap, touch or come in any order are one set")
    func ranges() throws {
        let regexp = try IRegexp("[x-zа-вб-гA-Ca0-9\u{4e00}-\u{4e10}]")
        for text in ["x", "z", "а", "б", "в", "г", "A", "C", "a", "5", "\u{4e00}", "\u{4e08}"] {
            #expect(regexp.matches(text), "\(text)")
        }
        for text in ["w", "{", "д", "D", "b", "/", "\u{4e11}", "\u{3dff}"] { #expect(!regexp.matches(text), "\(text)") }
    }
}
