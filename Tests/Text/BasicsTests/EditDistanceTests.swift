import Testing

@testable import ReqcliBasics

struct EditDistanceTests {
    @Test(
        "Each edit counts once, a swap of neighbours too",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("abc", "ab", 1), ("ab", "abc", 1), ("abc", "axc", 1), ("abc", "acb", 1),
            ("", "abc", 3), ("kitten", "sitting", 3), ("ca", "abc", 3), ("flaw", "lawn", 2),
        ])
    func distance(_ a: String, _ b: String, _ expected: Int) {
        for limit in expected...(expected + 3) {
            #expect(NearNames.editDistance(ArraySlice(Array(a)), ArraySlice(Array(b)), atMost: limit) == expected)
        }
    }

    @Test(
        "A distance above the limit is none",
        arguments: [("kitten", "sitting", 2), ("abc", "xyz", 2), ("a", "abcd", 2)])
    func aboveLimit(_ a: String, _ b: String, _ limit: Int) {
        #expect(NearNames.editDistance(ArraySlice(Array(a)), ArraySlice(Array(b)), atMost: limit) == nil)
    }
}
