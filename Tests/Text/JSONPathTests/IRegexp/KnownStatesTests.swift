import TestSupport
import Testing

@testable import ReqcliJSONPath

struct KnownStatesTests {
    private static let atoms = [
        "a", "b", "é", "😀", ".", "[ab]", "[^a]", "[a-é]", #"\p{L}"#, #"\P{Lu}"#, "(a|bé)", "((a*)*b?)", "^a", "b$", "^",
        "$",
        "|", "()", "c",
    ]
    private static let ecmaAtoms = atoms + [#"\b"#, #"\B"#, #"\w"#, #"\W"#, #"\s"#, "(?:ab|a)", #"\p{Alphabetic}"#]
    private static let repetitions = ["", "", "", "*", "+", "?", "{2}", "{0,3}", "{2,}"]
    private static let letters = ["a", "b", "c", "A", "_", " ", "é", "e\u{301}", "日", "😀", "\n", "\r\n", "\u{2028}"]

    private static func pattern(_ atoms: [String], using random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...6, using: &random)).reduce(into: "") { pattern, _ in
            let atom = atoms.randomElement(using: &random) ?? ""
            pattern += atom
            // An assertion can't be repeated, and nothing can't either.
            if ["^", "$", "|", #"\b"#, #"\B"#].contains(where: atom.hasSuffix) { return }
            pattern += repetitions.randomElement(using: &random) ?? ""
        }
    }

    private static func text(_ letters: [String], most: Int, using random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...most, using: &random)).reduce(into: "") { text, _ in
            text += letters.randomElement(using: &random) ?? ""
        }
    }

    private static func compare(_ regexp: IRegexp, _ text: String, most: Int) {
        for isAnchored in [false, true] {
            var (steps, expectedSteps) = (most, most)
            var matcher = SimpleMatcher(regexp.program)
            let expected = matcher.run(text.unicodeScalars, isAnchored: isAnchored, steps: &expectedSteps)
            let result = regexp.run(on: text, isAnchored: isAnchored, steps: &steps)
            #expect(
                result == expected && steps == expectedSteps,
                "\(regexp.pattern) in \(text.debugDescription), anchored: \(isAnchored), steps: \(most)")
        }
    }

    @Test("Kept states give the results and take the steps of following each place anew", arguments: 0..<20)
    func sameAsSimple(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            let isECMA = Bool.random(using: &random)
            let pattern = Self.pattern(isECMA ? Self.ecmaAtoms : Self.atoms, using: &random)
            let regexp = try isECMA ? IRegexp(ecma: pattern) : IRegexp(pattern)
            for _ in 0..<8 {
                let text = Self.text(Self.letters, most: 12, using: &random)
                Self.compare(regexp, text, most: .max)
                Self.compare(regexp, text, most: Int.random(in: 0...60, using: &random))
            }
        }
    }

    @Test(
        "A pattern with more states than are kept, forgets them and goes on",
        arguments: [#"(a|b)*a(a|b){13}"#, #"a(a|b|é){12}é(a|b)*é$"#, #"^(.*a.{11}b)+$"#])
    func forgotten(_ pattern: String) throws {
        var random = SeededGenerator(seed: 1)
        let regexp = try IRegexp(pattern)
        for count in [100, 3_000, 3_000] {
            let text = (0..<count).map { _ in ["a", "b", "b", "b", "é"].randomElement(using: &random) ?? "" }.joined()
            Self.compare(regexp, text, most: .max)
            Self.compare(regexp, text, most: count * 3)
        }
    }

    @Test(
        "Every character is told from every other", arguments: [#"\b"#, #"[^\w]"#, #"\p{Lu}|\d"#, #"[\x00-\x1f]"#, "é"])
    func classes(_ pattern: String) throws {
        let regexp = try IRegexp(ecma: pattern)
        for value in UInt32(0)..<0x250 {
            let scalar = try #require(Unicode.Scalar(value))
            Self.compare(regexp, String(scalar), most: .max)
            Self.compare(regexp, "a\(scalar)b", most: .max)
        }
    }

    @Test("One pattern may be used by several threads at once")
    func threads() async throws {
        let regexp = try IRegexp("(a|b)*a(a|b){9}c")
        await withTaskGroup(of: Bool.self) { group in
            for seed in 0..<32 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(seed))
                    return (0..<20).allSatisfy { _ in
                        let text = Self.text(["a", "b", "c"], most: 300, using: &random)
                        var (steps, matcher) = (Int.max, SimpleMatcher(regexp.program))
                        let expected = matcher.run(text.unicodeScalars, isAnchored: false, steps: &steps)
                        return regexp.isFound(in: text) == expected
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test(
        "Bytes that are no UTF-8 count as U+FFFD",
        arguments: [[0xC3], [0x61, 0xFF, 0x62], [0xE2, 0x82], [0xF0, 0x9F]])
    func invalid(_ bytes: [UInt8]) throws {
        for pattern in [#"^\uFFFD$"#, #"^a\uFFFDb$"#, "^.{2}$", "^.$"] {
            let regexp = try IRegexp(ecma: pattern)
            var steps = Int.max
            let result = bytes.withUnsafeBufferPointer { regexp.run(onUTF8: $0, isAnchored: true, steps: &steps) }
            #expect(result == regexp.matches(String(decoding: bytes, as: UTF8.self)), "\(pattern)")
        }
    }
}
