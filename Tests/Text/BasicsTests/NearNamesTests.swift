import Testing

@testable import ReqcliBasics

struct NearNamesTests {
    struct Typo: CustomTestStringConvertible {
        let typed: String
        let candidates: [String]
        let suggested: [String]

        var testDescription: String { "\(typed) → \(suggested)" }

        init(_ typed: String, among candidates: [String], suggests suggested: [String]) {
            (self.typed, self.candidates, self.suggested) = (typed, candidates, suggested)
        }
    }

    static let keys = ["method", "path", "query", "headers", "timeout", "body", "expect", "stubs"]
    static let ids = ["user.get", "user.create", "user.feed", "billing.invoice.list", "ping"]
    static let environments = ["development", "staging", "production"]

    @Test(
        "A typo suggests the names that are nearest, and those alone",
        arguments: [
            Typo("metod", among: keys, suggests: ["method"]),
            Typo("mehtod", among: keys, suggests: ["method"]),
            Typo("Method", among: keys, suggests: ["method"]),
            Typo("header", among: keys, suggests: ["headers"]),
            Typo("usr.get", among: ids, suggests: ["user.get"]),
            Typo("user.gte", among: ids, suggests: ["user.get"]),
            Typo("user", among: ids, suggests: ["user.get", "user.create", "user.feed"]),
            Typo("usr.g", among: ids, suggests: ["user.get"]),
            Typo("usre.crate", among: ids, suggests: ["user.create"]),
            Typo("invoice.list", among: ids, suggests: ["billing.invoice.list"]),
            Typo("feed", among: ids, suggests: ["user.feed"]),
            Typo("stag", among: environments, suggests: ["staging"]),
            Typo("prod", among: environments, suggests: ["production"]),
            Typo("--enviroment", among: ["--env", "--env-file"], suggests: ["--env"]),
            Typo("GTE", among: ["GET", "PUT"], suggests: ["GET"]),
            Typo("größe", among: ["Größe"], suggests: ["Größe"]),
        ])
    func typo(_ typo: Typo) {
        #expect(NearNames.nearest(to: typo.typed, among: typo.candidates) == typo.suggested)
    }

    @Test(
        "What is near nothing suggests nothing",
        arguments: [
            Typo("zebra", among: keys, suggests: []),
            Typo("", among: keys, suggests: []),
            Typo("x", among: ["y", "-e"], suggests: []),
            Typo("get", among: ["put", "head"], suggests: []),
            Typo("path", among: ["path"], suggests: []),
            Typo("metod", among: [], suggests: []),
        ])
    func nothingNear(_ typo: Typo) {
        #expect(NearNames.nearest(to: typo.typed, among: typo.candidates) == [])
    }

    @Test("Names equally near come in their own order, those that begin like the word first, up to the limit")
    func orderAndLimit() {
        let near = NearNames.nearest(to: "cat", among: ["bat", "hat", "car", "rat", "bat"])
        #expect(near == ["car", "bat", "hat"])
        #expect(NearNames.nearest(to: "cat", among: ["bat", "car"], limit: 1) == ["car"])
        #expect(NearNames.nearest(to: "cat", among: ["bat"], limit: 0) == [])
    }

    @Test("A word too long to be a typo costs nothing, and thousands of names cost little", .timeLimit(.minutes(10)))
    func boundedCost() {
        let huge = String(repeating: "ab", count: 5_000_000)
        let many = (0..<5000).lazy.map { "group\($0).endpoint" }
        #expect(NearNames.nearest(to: huge, among: many) == [])
        #expect(NearNames.nearest(to: "ab", among: [huge]) == [])
        #expect(NearNames.nearest(to: "group77.endpont", among: many) == ["group77.endpoint"])
    }

    @Test("The question quotes the names and joins them as a sentence does")
    func question() {
        #expect(NearNames.question([]) == nil)
        #expect(NearNames.question(["a"]) == #"did you mean "a"?"#)
        #expect(NearNames.question(["a", "b"]) == #"did you mean "a" or "b"?"#)
        #expect(NearNames.question(["a", "b", "c"]) == #"did you mean "a", "b" or "c"?"#)
        #expect(NearNames.question(for: "metod", among: Self.keys) == #"did you mean "method"?"#)
        #expect(NearNames.question(for: "zebra", among: Self.keys) == nil)
    }
}
