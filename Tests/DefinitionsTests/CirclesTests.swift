import Testing

@testable import Definitions

@Suite struct CirclesTests {
    static let cases: [(name: String, graph: [(String, [String])], circles: [[String]])] = [
        ("nothing", [], []),
        ("a line", [("a", ["b"]), ("b", ["c"]), ("c", [])], []),
        ("a diamond", [("a", ["b", "c"]), ("b", ["d"]), ("c", ["d"]), ("d", [])], []),
        ("a step to itself", [("a", ["a"])], [["a", "a"]]),
        ("a step to nowhere", [("a", ["x"])], []),
        ("a tail that leads into a circle", [("t", ["a"]), ("a", ["b"]), ("b", ["a"])], [["a", "b", "a"]]),
        (
            "the shortest of several ways", [("a", ["b", "d"]), ("b", ["c"]), ("c", ["a"]), ("d", ["a"])],
            [["a", "d", "a"]]
        ),
        (
            "circles that don't touch", [("a", ["b"]), ("b", ["a"]), ("c", ["d"]), ("d", ["c"])],
            [["a", "b", "a"], ["c", "d", "c"]]
        ),
        (
            "a circle behind another", [("a", ["b", "c"]), ("b", ["a"]), ("c", ["d"]), ("d", ["c"])],
            [["a", "b", "a"], ["c", "d", "c"]]
        ),
        (
            "a circle met from its middle",
            [("x", ["c"]), ("a", ["b"]), ("b", ["c"]), ("c", ["a"])], [["a", "b", "c", "a"]]
        ),
    ]

    @Test("each knot is told once, by the shortest way around", arguments: cases)
    func finds(name: String, graph: [(String, [String])], circles: [[String]]) {
        let steps = Dictionary(uniqueKeysWithValues: graph)
        #expect(Circles.find(in: graph.map(\.0)) { steps[$0] ?? [] } == circles, "\(name)")
    }

    @Test("each name is asked once for its steps, however long the ways are")
    func isLinear() {
        let count = 100_000
        var asked = 0
        let circles = Circles.find(in: (0..<count).map(String.init)) { name in
            asked += 1
            return Int(name).map { [String(($0 + 1) % count), String(($0 + 2) % count)] } ?? []
        }
        #expect(asked == count)
        #expect(circles.map(\.count) == [count / 2 + 1])
    }
}
