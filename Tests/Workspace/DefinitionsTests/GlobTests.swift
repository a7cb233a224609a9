import ReqcliDefinitions
import Testing

struct GlobTests {
    @Test(
        "A glob matches the whole of a text",
        arguments: [
            ("*", "", true), ("user.*", "user.get", true), ("user.*", "users.get", false), ("*.get", "a.b.get", true),
            ("a*b*c", "aXbXbc", true), ("a*b*c", "aXbX", false), ("?", "", false), ("?", "ab", false),
            ("**a", "bca", true), ("a?c", "abc", true),
        ])
    func glob(_ pattern: String, _ text: String, _ isMatch: Bool) {
        #expect(Glob(pattern).matches(text) == isMatch)
    }

    @Test("A text without wildcards is taken literally")
    func literal() {
        #expect(Glob("user.get").isLiteral)
        #expect(!Glob("user.*").isLiteral && !Glob("user.?et").isLiteral)
    }

    @Test("A glob with many stars is quick about a long text")
    func manyStars() {
        let pattern = String(repeating: "a*", count: 40) + "b"
        #expect(Glob(pattern).matches(String(repeating: "a", count: 4_000)) == false)
    }

    @Test(
        "A glob can be asked whether a longer text could match",
        arguments: [
            ("user.*", "user.", true), ("user.*", "us", true), ("user.*", "usr", false), ("*x", "anything", true),
        ])
    func beginning(_ pattern: String, _ start: String, _ couldMatch: Bool) {
        #expect(Glob(pattern).couldMatch(textBeginningWith: start) == couldMatch)
    }
}
