import ReqcliText
import Testing

@testable import ReqcliDefinitions

@Suite struct ReferenceGraphTests {
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

    @Test("each circle is reported once, by the shortest way around", arguments: cases)
    func finds(name: String, graph: [(String, [String])], circles: [[String]]) {
        #expect(Self.graph(graph).cycles().map(\.names) == circles, "\(name)")
    }

    private static func graph(_ steps: [(String, [String])]) -> ReferenceGraph {
        let place = Place(SourceFile(name: "a.json", text: ""), 0..<0)
        return ReferenceGraph(steps.map { name, to in (name, to.map { Located($0, at: place) }) })
    }

    @Test("the shortest way around a hundred thousand names is found")
    func isLinear() {
        let count = 100_000
        let steps = (0..<count).map { (String($0), [String(($0 + 1) % count), String(($0 + 2) % count)]) }
        #expect(Self.graph(steps).cycles().map(\.names.count) == [count / 2 + 1])
    }

    @Test("the longest way is measured, and steps in a circle don't count")
    func chains() {
        let line = [("z", ["a"]), ("a", ["b", "c"]), ("b", ["c"]), ("c", ["d"]), ("d", ["c"])]
        #expect(Self.graph(line).chains(longerThan: 2).map(\.description) == ["b → c → … → d"])
        #expect(Self.graph(line).basesFirst == ["d", "c", "b", "a", "z"])
    }
}
