import ReqcliText
import Testing

/// Locations in texts with `|` at the place.
@Suite struct JSONLocationTests {
    private func location(_ marked: String) throws -> JSONLocation? {
        let bytes = Array(marked.utf8)
        let place = try #require(bytes.firstIndex(of: 0x7C))
        let file = SourceFile(name: "a.json", bytes: Array(bytes[..<place] + bytes[(place + 1)...]))
        return JSONDocument.read(file).location(at: place)
    }

    private func path(_ location: JSONLocation?) -> String { location.map { JSONPointer.text($0.path) } ?? "none" }

    @Test(arguments: [
        ("{\"a\": {\"|b\": 1}}", "/a"), ("{\"a\": {|}}", "/a"), ("{\"a\": {\"b\": 1, |", "/a"), ("{\"a\": {\"b|", "/a"),
        ("{\"a\": [{\"b\": 1}, {\"c|\"", "/a/1"), ("{|", ""), ("{\"a\": 1, \"|", ""),
        ("{\"a\": {\"b\": 1}, |}", ""), ("{\"a\": \"x\n  \"b|\": 1}", ""),
    ])
    func keys(text: String, expected: String) throws {
        let found = try location(text)
        #expect(path(found) == expected)
        #expect(found?.role == .key)
    }

    @Test(arguments: [
        ("{\"a\": |}", "/a"), ("{\"a\": \"|x\"}", "/a"), ("{\"a\": tr|", "/a"), ("{\"a\": [1, |]}", "/a/1"),
        ("{\"a\": [1, \"x|", "/a/1"), ("|", ""), ("{\"a\": /* x */ |", "/a"),
    ])
    func values(text: String, expected: String) throws {
        let found = try location(text)
        #expect(path(found) == expected)
        #expect(found?.role == .value)
    }

    @Test func commentsHaveNoLocation() throws {
        #expect(try location("{ // a | comment\n}") == nil)
        #expect(try location("{ /* a | comment") == nil)
    }

    @Test func theOtherKeysOfTheObject() throws {
        #expect(try location("{\"a\": 1, \"b|\": {\"c\": 1}, \"d\": 2}")?.siblings == ["a", "d"])
        #expect(try location("{\"a\": {\"x\": 1}, |}")?.siblings == ["a"])
    }

    @Test func commasAndColons() throws {
        #expect(try location("{\"a|\": 1}")?.hasColon == true)
        #expect(try location("{\"a|\"\n \"b\": 1}")?.needsComma == true)
        #expect(try location("{\"a|\", \"b\": 1}")?.needsComma == false)
        #expect(try location("{\"a\": 1 |}")?.lacksCommaAt == 7)
        #expect(try location("{\"a\": 1, |}")?.lacksCommaAt == nil)
        #expect(try location("{\"a\": {} \"|\"}")?.lacksCommaAt == 8)
    }
}
