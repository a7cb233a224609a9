import ReqcliJSONPath
import TestSupport
import Testing

struct ECMAPatternTests {
    typealias Case = IRegexpTests.Case

    static let cases = [
        Case("", matches: [""], not: ["a"]),
        Case("(ab|c)+d?", matches: ["ab", "cabd"], not: ["d", "abb"]),
        Case("a{2}b{1,}c{0,2}", matches: ["aab", "aabbcc"], not: ["ab", "aabccc"]),
        Case("a*?b+?c??d{1,2}?", matches: ["bd", "aabbcdd"], not: ["ad", "bddd"]),
        Case("(?:ab)*", matches: ["", "abab"], not: ["aba"]),
        Case("(?<year>[0-9]{4})-(?<$_m1>[0-9]{2})", matches: ["2024-05"], not: ["2024-5"]),
        Case("(?:^a|b$)+", matches: ["a", "b", "ab"], not: ["ba"]),
        Case("(?:^)*a", matches: ["a"], not: ["^a"]),
        Case(#"\d+"#, matches: ["019"], not: ["٣", "a", ""]),
        Case(#"\D"#, matches: ["a", "٣", "\n", "\u{10FFFF}"], not: ["0", "9"]),
        Case(#"\w+"#, matches: ["aZ_09"], not: ["é", "-", " "]),
        Case(#"\W"#, matches: ["é", "-", "@", "[", "`", "{"], not: ["a", "Z", "_", "0"]),
        Case(
            #"\s"#, matches: [" ", "\t", "\u{B}", "\u{A0}", "\u{FEFF}", "\u{2029}", "\u{3000}"], not: ["a", "\u{85}"]),
        Case(#"\S"#, matches: ["a", "\u{85}", "\u{200B}"], not: [" ", "\n", "\u{1680}"]),
        Case(#"[\d\s]+[^\w-]"#, matches: ["1 2.", "\t!"], not: ["1-", "1a", "a."]),
        Case(#"[\D]"#, matches: ["a"], not: ["1"]),
        Case(#"[^\D5]"#, matches: ["4"], not: ["5", "a"]),
        Case(".", matches: ["a", "😀", "\u{85}"], not: ["\n", "\r", "\u{2028}", "\u{2029}", ""]),
        Case("[]", matches: [], not: ["", "a", "]"]),
        Case("[^]", matches: ["a", "\n", "]"], not: [""]),
        Case("[a-c-e]+", matches: ["abc-e"], not: ["d"]),
        Case("[-a]+", matches: ["-a"], not: ["b"]),
        Case("[a-]+", matches: ["-a"], not: ["b"]),
        Case("[+--]+", matches: ["+,-"], not: ["."]),
        Case("[[.*+?(){}|^$]+", matches: ["[.*+?(){}|^$"], not: ["]", "\\"]),
        Case(#"[\b\-\]\\\/]+"#, matches: ["\u{8}-]\\/"], not: ["b", "B"]),
        Case(#"\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/"#, matches: [#"^$\.*+?()[]{}|/"#], not: [""]),
        Case(#"\t\n\v\f\r\0\cA\cj"#, matches: ["\t\n\u{B}\u{C}\r\0\u{1}\n"], not: ["tnvfr0cAcj"]),
        Case(#"\x41\u00e9\u{1F600}\u{41}"#, matches: ["Aé😀A"], not: ["Aé😀a"]),
        Case(#"\uD83D\uDE00+[\uD83D\uDE00-\uD83D\uDE4F]"#, matches: ["😀😀😁"], not: ["😀🚀"]),
        Case(#"\uD83D|\uDE00|\uD83Da|\uD83D\u0061|\u{D83D}\u{DE00}"#, matches: [], not: ["😀", "a"]),
        Case(#"[^\uD800-\uDFFF]"#, matches: ["😀", "a"], not: [""]),
        Case(#"\p{L}\p{Letter}\p{gc=Lu}\p{General_Category=Uppercase_Letter}"#, matches: ["é日ÉA"], not: ["éééé"]),
        Case(#"\p{digit}\p{Nd}\p{punct}\p{LC}"#, matches: ["٣1!a"], not: ["a1!a", "11!日"]),
        Case(#"\P{Decimal_Number}"#, matches: ["a"], not: ["٣"]),
        Case(#"[\p{Alphabetic}\p{White_Space}]+"#, matches: ["é 日ⅷ"], not: ["1", "!"]),
        Case(#"[^\P{Lowercase}]"#, matches: ["a", "ª"], not: ["A", "1"]),
        Case(#"\P{Emoji_Presentation}\p{RI}\p{ASCII}"#, matches: ["a🇩z"], not: ["😀🇩z", "a🇩é"]),
        Case(#"\P{Cs}\p{Any}"#, matches: ["ab"], not: ["a"]),
        Case(#"\p{Cs}"#, matches: [], not: ["a", ""]),
        Case(#"\p{C}"#, matches: ["\u{7}", "\u{378}"], not: ["a"]),
        Case("a,b-c@#é😀", matches: ["a,b-c@#é😀"], not: []),
    ]

    @Test("A pattern takes what it describes and refuses the rest", arguments: cases)
    func whole(_ example: Case) throws {
        let regexp = try IRegexp(ecma: example.pattern)
        for text in example.whole { #expect(regexp.matches(text), "\(text.debugDescription)") }
        for text in example.other { #expect(!regexp.matches(text), "\(text.debugDescription)") }
    }

    @Test(
        "Anchors and word boundaries hold where they should, in every kind of search",
        arguments: [
            ("^a", "ba", nil), ("b$", "ab", "b"), ("x^a", "xa", nil), ("^$", "", ""),
            (#"\bcat\b"#, "a cat!", "cat"), (#"\bcat\b"#, "concat", nil), (#"\bcat\b"#, "cat", "cat"),
            (#"\bcat\b"#, "cat_", nil), (#"\Bcat"#, "concat", "cat"), (#"\Bcat"#, "a cat", nil), (#"\B"#, "", ""),
            (#"\b"#, "", nil), (#"é\b"#, "é", nil), (#"é\ba"#, "éa", "éa"), (#"(?:\b|x)a+\B."#, "xaab", "xaab"),
        ] as [(String, String, String?)])
    func assertions(_ pattern: String, _ text: String, _ match: String?) throws {
        let regexp = try IRegexp(ecma: pattern)
        #expect(regexp.firstMatch(in: text).map(String.init) == match)
        #expect(regexp.isFound(in: text) == (match != nil))
    }

    static let mistakes: [(MarkedText, String)] = [
        ("a⟦(?=⟧b)", "lookahead is not supported"), ("é⟦(?!⟧b)", "lookahead is not supported"),
        ("⟦(?<=⟧b)", "lookbehind is not supported"), ("⟦(?<!⟧b)", "lookbehind is not supported"),
        (#"(a)⟦\1⟧"#, "a backreference is not supported"), (#"(?<n>a)⟦\k⟧<n>"#, "a backreference is not supported"),
        ("⟦(?i⟧:a)", "this is not a valid kind of group"), ("⟦(?⟧", "this is not a valid kind of group"),
        ("(?<⟦>⟧a)", "a group's name consists of letters, digits, $ and _, and ends with \">\""),
        ("(?<⟦1⟧a>a)", "a group's name consists of letters, digits, $ and _, and ends with \">\""),
        ("(?<n⟦-⟧>a)", "a group's name consists of letters, digits, $ and _, and ends with \">\""),
        ("(?<n⟦⟧", "a group's name consists of letters, digits, $ and _, and ends with \">\""),
        (#"⟦\a⟧"#, #""\a" is not an escape of ECMA-262"#), (#"⟦\-⟧"#, #""\-" is not an escape of ECMA-262"#),
        (#"⟦\é⟧"#, #""\é" is not an escape of ECMA-262"#), (#"⟦\0⟧1"#, #""\0" is not an escape of ECMA-262"#),
        (#"[⟦\B⟧]"#, #""\B" is not an escape of ECMA-262"#), (#"[⟦\1⟧]"#, #""\1" is not an escape of ECMA-262"#),
        (#"⟦\Z⟧"#, #""\Z" is not an escape of ECMA-262"#), (#"a⟦\⟧"#, "the pattern ends with a single \"\\\""),
        (#"⟦\c⟧1"#, #"\c takes a letter"#), (#"⟦\x4⟧g"#, "expected 2 hexadecimal digits"),
        (#"⟦\u00e⟧"#, "expected 4 hexadecimal digits"), (#"⟦\u⟧é"#, "expected 4 hexadecimal digits"),
        (#"\uD83D⟦\u12⟧"#, "expected 4 hexadecimal digits"), (#"⟦\u{⟧}"#, #"\u{…} takes hexadecimal digits"#),
        (#"⟦\u{12⟧"#, #"\u{…} takes hexadecimal digits"#), (#"⟦\u{110000⟧}"#, #"no character is above \u{10FFFF}"#),
        (#"⟦\u{FFFFFF⟧FFFFFFFFFF}"#, #"no character is above \u{10FFFF}"#),
        (#"⟦\p⟧L"#, #"\p takes the name of a Unicode category or property"#),
        (#"⟦\p{Latin}⟧"#, #"\p takes the name of a Unicode category or property"#),
        (#"⟦\p{letter}⟧"#, #"\p takes the name of a Unicode category or property"#),
        (#"⟦\p{gc=Alphabetic}⟧"#, #"\p takes the name of a Unicode category or property"#),
        (#"⟦\p{L⟧"#, #"\p takes the name of a Unicode category or property"#),
        (#"⟦\p{Script=Greek}⟧"#, "scripts are not supported"), (#"⟦\P{scx=Grek}⟧"#, "scripts are not supported"),
        ("⟦{⟧", "\"{\" has nothing to repeat"), ("a⟦}⟧", "\"}\" has no matching opening bracket"),
        ("⟦]⟧", "\"]\" has no matching opening bracket"),
        ("a{⟦x⟧}", "expected a number after \"{\""), ("a{⟦,⟧2}", "expected a number after \"{\""),
        ("a⟦{⟧2", "this \"{\" is never closed"), ("a⟦{3,2}⟧", "{3,2} has a minimum above its maximum"),
        ("⟦*⟧", "\"*\" has nothing to repeat"), ("a⟦**⟧", "a second repetition can't follow the first"),
        ("a⟦+??⟧", "a second repetition can't follow the first"), ("^⟦*⟧", "an assertion can't be repeated"),
        (#"\b⟦+⟧"#, "an assertion can't be repeated"), ("a⟦)⟧", "this \")\" has no matching \"(\""),
        ("⟦(⟧?:a", "this \"(\" is never closed"), ("⟦[⟧a", "this \"[\" is never closed"),
        ("[⟦z-a⟧]", "this range runs backwards"),
        (#"[\d⟦-⟧z]"#, "this \"-\" is not between two characters"),
        (#"[⟦a-\d⟧]"#, "the end of a range must be a single character"),
        (#"[⟦\⟧"#, "the pattern ends with a single \"\\\""),
        ("a{⟦10001⟧}", "this count is too large"), ("⟦⟧(?:a{1000}){1000}", "the pattern is too large"),
    ]

    @Test("A mistake is told at its place", arguments: mistakes)
    func mistake(_ marked: MarkedText, _ message: String) {
        let problem = #expect(throws: IRegexpProblem.self) { try IRegexp(ecma: marked.text) }
        #expect(problem?.message == message)
        #expect(problem?.range == marked.ranges[0])
        #expect(problem?.hint != "")
    }

    @Test(
        "Patterns that make others take exponential time read each character once",
        arguments: [
            ("^(a+)+$", 1_000_000), ("^(?:a|a)*?$", 100_000), ("^(a|aa)+$", 100_000), (#"^(?:\w+\s?)+$"#, 100_000),
        ])
    func linear(_ pattern: String, _ count: Int) throws {
        let text = String(repeating: "a", count: count) + "!"
        var steps = (count + 1) * 24
        #expect(try IRegexp(ecma: pattern).run(on: text, isAnchored: false, steps: &steps) == false)
    }

    @Test("Groups nest a hundred deep and no deeper", arguments: ["(", "(?:", "(?<a>"])
    func depth(_ opening: String) throws {
        let (most, tooMany) = (String(repeating: opening, count: 100), String(repeating: opening, count: 101))
        #expect(try IRegexp(ecma: most + "a" + String(repeating: ")", count: 100)).matches("a"))
        #expect(throws: IRegexpProblem.self) { try IRegexp(ecma: tooMany + "a" + String(repeating: ")", count: 101)) }
    }
}
