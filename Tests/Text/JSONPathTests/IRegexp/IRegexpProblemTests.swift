import ReqcliJSONPath
import TestSupport
import Testing

struct IRegexpProblemTests {
    static let mistakes: [(MarkedText, String)] = [
        ("a⟦)⟧b", "this \")\" has no matching \"(\""), ("⟦(⟧ab", "this \"(\" is never closed"),
        ("a⟦]⟧", "\"]\" has no matching opening bracket"),
        ("a⟦}⟧", "\"}\" has no matching opening bracket"), ("⟦[⟧ab", "this \"[\" is never closed"),
        ("é⟦[⟧^", "this \"[\" is never closed"),
        ("⟦[]⟧", "this \"[ ]\" contains no character"), ("⟦[^]⟧", "this \"[ ]\" contains no character"),
        ("⟦*⟧a", "\"*\" has nothing to repeat"),
        ("a|⟦+⟧", "\"+\" has nothing to repeat"), ("⟦(?⟧:a)", "a group cannot have options here"),
        ("a⟦*?⟧", "a second repetition can't follow the first"),
        ("a⟦{2}+⟧", "a second repetition can't follow the first"),
        ("a{⟦x⟧}", "expected a number after \"{\""), ("a{⟦⟧", "expected a number after \"{\""),
        ("a{⟦,⟧2}", "expected a number after \"{\""),
        ("a⟦{⟧2", "this \"{\" is never closed"), ("a⟦{⟧2,x}", "this \"{\" is never closed"),
        ("a⟦{3,2}⟧", "{3,2} has a minimum above its maximum"), ("a{⟦10001⟧}", "this count is too large"),
        ("a{⟦10001⟧999999999999999999999}", "this count is too large"), ("[⟦z-a⟧]", "this range runs backwards"),
        ("[a⟦-⟧-z]", "this \"-\" is not between two characters"),
        ("[a-c⟦-⟧z]", "this \"-\" is not between two characters"),
        ("[⟦[⟧a]", "\"[\" is not allowed inside \"[ ]\""),
        (#"[⟦a-\p{L}⟧]"#, "the end of a range must be a single character"),
        (#"a⟦\⟧"#, "the pattern ends with a single \"\\\""),
        (#"⟦\d⟧+"#, #""\d" is not an escape of I-Regexp"#), (#"[⟦\w⟧]"#, #""\w" is not an escape of I-Regexp"#),
        (#"⟦\/⟧"#, #""\/" is not an escape of I-Regexp"#), (#"⟦\1⟧"#, #""\1" is not an escape of I-Regexp"#),
        (#"⟦\p⟧L"#, #"\p takes the name of a Unicode category"#),
        (#"⟦\p{Xx}⟧"#, #"\p takes the name of a Unicode category"#),
        (#"⟦\p{Cs}⟧"#, #"\p takes the name of a Unicode category"#),
        (#"⟦\p{}⟧"#, #"\p takes the name of a Unicode category"#),
        (#"⟦\p{IsBasicLatin}⟧"#, #"\p takes the name of a Unicode category"#),
    ]

    @Test("A mistake is told at its place", arguments: mistakes)
    func mistake(_ marked: MarkedText, _ message: String) {
        let problem = #expect(throws: IRegexpProblem.self) { try IRegexp(marked.text) }
        #expect(problem?.message == message)
        #expect(problem?.range == marked.ranges[0])
    }

    @Test(
        "What other dialects write is explained",
        arguments: [(#"\d"#, "write [0-9]"), (#"\w+"#, "write [A-Za-z0-9_]"), (#"\s"#, #"write [ \t\n\r]"#)])
    func hints(_ pattern: String, _ hint: String) {
        #expect(#expect(throws: IRegexpProblem.self) { try IRegexp(pattern) }?.hint == hint)
    }

    @Test(
        "A short pattern that asks for a huge program is refused",
        arguments: ["(a{1000}){1000}", "((((){1000}){1000}){1000}){1000}", "(((a{99}){99}){99}){99}", "(a|b{9999}){2}"])
    func tooLarge(_ pattern: String) {
        #expect(#expect(throws: IRegexpProblem.self) { try IRegexp(pattern) }?.message == "the pattern is too large")
    }

    @Test("Parentheses nest a hundred deep and no deeper")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
        }
        #expect(try IRegexp(nested(100)).matches("a"))
        #expect(throws: IRegexpProblem.self) { try IRegexp(nested(101)) }
        #expect(throws: IRegexpProblem.self) { try IRegexp(String(repeating: "(", count: 100_000)) }
    }
}
