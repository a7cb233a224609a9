import ReqcliJSONPath
import ReqcliText
import TestSupport
import Testing

/// No path and no document, however long, deep or wicked, costs more than the work that was allowed.
struct PathBoundsTests {
    private func root(_ text: String, depth: Int = 512) throws -> JSONValue {
        let file = SourceFile(name: "t.json", text: text)
        return try #require(JSONDocument.read(file, limits: JSONReader.Limits(depth: depth)).root)
    }

    @Test("A document deeper than any stack is searched to its bottom")
    func deepDocument() throws {
        let depth = 100_000
        let text = String(repeating: #"{"a":["#, count: depth) + "1" + String(repeating: "]}", count: depth)
        let root = try root(text, depth: 2 * depth)
        #expect(try JSONPath("$..[?@ == 1]").nodes(in: root).map(\.text) == ["1"])
        #expect(try JSONPath("$..*").nodes(in: root).count == 2 * depth)
        #expect(try JSONPath("$[?@ == $.a]").nodes(in: root).count == 1)
    }

    @Test("A path of a hundred thousand segments is parsed and followed")
    func longPath() throws {
        let depth = 100_000
        let root = try root(
            String(repeating: "[", count: depth + 1) + String(repeating: "]", count: depth + 1), depth: depth + 1)
        let path = "$" + String(repeating: "[0]", count: depth)
        let nodes = try JSONPath(path).nodes(in: root)
        #expect(nodes.count == 1)
        #expect(nodes.first?.normalizedPath(in: root) == path)
        #expect(try JSONPath("$" + String(repeating: "[*]", count: depth)).nodes(in: root).count == 1)
        let condition = String(repeating: "@[0] && ", count: depth) + "@"
        #expect(try JSONPath("$[?\(condition)]").nodes(in: root).count == 1)
    }

    static let wicked = [
        "$..*..*..*..*..*", "$..[?@..[?@..[?@..[?@..x]]]]", "$..[*,*,*,*]..[*,*,*,*]..[*,*,*,*]",
        "$..[?count(@..*..*..*) > count(@..*..*)]", "$..[?@ == $.a]",
        "$..[?search(@.b, '(.*)(.*)(.*)(.*)(.*)(.*)x')]", "$[?match(@, @)]",
    ]

    @Test("A path that would take for ever stops at its limit", arguments: wicked)
    func limit(_ path: String) throws {
        let long = String(repeating: "y", count: 500)
        let text =
            String(repeating: #"{"a":["#, count: 150) + "\"\(long)\""
            + String(repeating: #"],"b":"\#(long)"}"#, count: 150)
        let root = try root(text)
        let parsed = try JSONPath(path)
        do {
            _ = try parsed.nodes(in: root, steps: 200_000)
        } catch {
            #expect(error.steps == 200_000)
            #expect(error.message.hasPrefix("the path takes more than 200000 steps on this document"))
        }
    }

    @Test("The limit is met where it must be")
    func limitIsMet() throws {
        let root = try root(String(repeating: "[", count: 300) + String(repeating: "]", count: 300))
        #expect(throws: JSONPathLimit.self) { try JSONPath("$..*..*..*..*").nodes(in: root, steps: 1_000_000) }
        #expect(throws: JSONPathLimit.self) { try JSONPath("$..[?@ == $[0]]").nodes(in: root, steps: 500) }
        #expect(try JSONPath("$..*").nodes(in: root, steps: 1_000).count == 299)
    }

    @Test("What a filter asks of the whole document is found out once")
    func absoluteQueries() throws {
        let elements = (0..<2_000).map { #"{"n":\#($0)}"# }.joined(separator: ",")
        let root = try root("[\(elements)]")
        for filter in ["$..missing", "count($..n) == 1", "value($..missing) == 1", "@.n == $[1999].n && !$..missing"] {
            #expect(try JSONPath("$[?\(filter)]").nodes(in: root, steps: 40_000).count <= 1, "\(filter)")
        }
    }

    @Test("Nodes can be taken one at a time, with no work for those behind")
    func oneAtATime() throws {
        let root = try root("[" + (0..<10_000).map(String.init).joined(separator: ",") + "]")
        var selection = try JSONPath("$[*]").selection(in: root, steps: 10)
        #expect(try selection.next()?.text == "0")
        #expect(try selection.next()?.text == "1")
    }

    @Test("Whatever the text, parsing ends, and places are inside it")
    func fuzz() {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "$", "@", ".", "..", "[", "]", "*", "?", "(", ")", "'a'", "\"b\"", "a", "é", "0", "-1", ":", ",", " ", "==",
            "<", "&&",
            "||", "!", "length", "count", "match", "value", "true", "null", "\\u00e9", "\\", "'", "1.5e3", "'[a-z'",
            "\u{1}",
        ]
        let root = try? root(#"{"a":[{"b":1},"x",[2]],"é":{"a":null}}"#)
        for seed in 0..<20_000 {
            var text = "$"
            for _ in 0..<Int.random(in: 0...14, using: &generator) {
                text += pieces.randomElement(using: &generator) ?? ""
            }
            do {
                let path = try JSONPath(text)
                if let root { for node in try path.nodes(in: root) { #expect(node.normalizedPath(in: root) != nil) } }
            } catch let error as JSONPathError {
                #expect(!error.problems.isEmpty)
                for problem in error.problems
                where problem.range.upperBound > text.utf8.count || problem.range.lowerBound < 0 {
                    Issue.record("\(seed): \(problem.range) outside \(text)")
                }
            } catch {
                Issue.record("\(seed): \(error)")
            }
        }
    }
}
