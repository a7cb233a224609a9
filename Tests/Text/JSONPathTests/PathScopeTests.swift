import Foundation
import ReqcliJSONPath
import ReqcliText
import TestSupport
import Testing

/// The nodes that a path selects in a text that was reduced for the path.
struct PathScopeTests {
    private static func pruned(_ text: String, to path: JSONPath, step: Int, placeholders: Int) -> [UInt8]? {
        var pruner = JSONPruner(keeping: path.scope, placeholders: placeholders)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            let chunk = bytes[start..<min(start + step, bytes.count)]
            guard chunk.withUnsafeBytes({ pruner.read($0) }) else { return nil }
        }
        return pruner.finish()
    }

    private static func root(_ bytes: [UInt8]) -> JSONValue? {
        JSONDocument.read(SourceFile(name: "t.json", bytes: bytes)).validRoot
    }

    private func checkSameNodes(_ path: JSONPath, in text: String) throws {
        let whole = try #require(Self.root(Array(text.utf8)))
        let expected = try path.nodes(in: whole)
        for step in [1, 2, 3, 7, 4096] {
            for placeholders in [0, 1 << 20] {
                let bytes = try #require(Self.pruned(text, to: path, step: step, placeholders: placeholders))
                let reduced = try #require(Self.root(bytes), "\(path.text): \(String(decoding: bytes, as: UTF8.self))")
                let nodes = try path.nodes(in: reduced)
                let same =
                    nodes.count == expected.count && zip(nodes, expected).allSatisfy { $0.isEquivalent(to: $1) }
                    && nodes.map { $0.normalizedPath(in: reduced) } == expected.map { $0.normalizedPath(in: whole) }
                #expect(same, "\(path.text) in \(text) as \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test(
        "Every path of the compliance suite selects the same nodes in a reduced text",
        .enabled(
            if: ComplianceTests.isThere,
            "not run: there is no \(ComplianceTests.path); set REQCLI_CORPORA to the folder of jsonpath-cts.json"))
    func suite() throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: ComplianceTests.path)))
        var count = 0
        for example in try #require(Self.root(bytes)?["tests"]).elements {
            guard let path = try? JSONPath(example["selector"]?.string ?? ""), let document = example["document"] else {
                continue
            }
            count += 1
            try checkSameNodes(path, in: document.text)
        }
        #expect(count > 400)
    }

    @Test("Ordinary paths select the same nodes in a reduced text", arguments: PathSelectionTests.ordinaryPaths)
    func ordinary(path: String, nodes: [String]) throws {
        try checkSameNodes(JSONPath(path), in: PathSelectionTests.shop)
    }

    @Test(
        "Repeated and escaped names, empty containers and blanks change nothing",
        arguments: [
            (#"$.a[*].b"#, #"{"a":[{"b":1}],"x":[],"a":[{"b":2,"b":3},{"c":{}},{"b":[]}]}"#),
            (#"$.a[1]"#, #" { "x" : 1 , "a" : [ 10 , [ 20 , 21 ] , 30 ] , "y" : { } } "#),
            (#"$['a"b'].c"#, #"{"a\u0022b":{"d":"\\","c":"x"},"a":[1,2]}"#),
            (#"$['é'][?@.k == $.top].v"#, #"{"top":"u","\u00e9":[{"k":"t","v":1},{"k":"u","v":2,"w":[3]}]}"#),
            (#"$[0].n"#, #"[{"n":-1.5e3},{"n":2}]"#),
            (#"$.a.b"#, #"{"a":"text","c":{"b":1}}"#),
            (#"$"#, #"[1,{"a":2}]"#),
            (#"$.a"#, "17"),
        ])
    func unusual(path: String, text: String) throws {
        try checkSameNodes(JSONPath(path), in: text)
    }

    @Test("What nobody looks at takes no memory")
    func small() throws {
        let item = #"{"id":7,"name":"\#(String(repeating: "x", count: 500))","tags":[1,2,3]}"#
        let text = #"{"meta":{"a":1},"items":[\#(Array(repeating: item, count: 2000).joined(separator: ","))]}"#
        let path = try JSONPath("$.items[*].id")
        let bytes = try #require(Self.pruned(text, to: path, step: 1000, placeholders: 0))
        let expected = #"{"items":[\#(Array(repeating: #"{"id":7}"#, count: 2000).joined(separator: ","))]}"#
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test(
        "A text that is not JSON is found, also where nobody looks",
        arguments: [
            #"{"x":[1,2"#, #"{"x":tru}"#, #"{"x":1}}"#, #"{"x":1} 2"#, #"{"x" 1}"#, #"{"x":"\q"}"#, #"{"x":01}"#,
            #"{"x":[1,]}"#, " ", #"{"x":{"y":1,}}"#,
        ])
    func broken(text: String) throws {
        let path = try JSONPath("$.a")
        for step in [1, 4, 100] { #expect(Self.pruned(text, to: path, step: step, placeholders: 0) == nil) }
    }

    @Test("The mistake's place is the first byte that is not JSON", arguments: [1, 3, 100])
    func place(step: Int) throws {
        for (text, place) in [(#"{"x":[1,]}"#, 8), (#"{"a":1}  [2]"#, 9), (#"{"b":1"#, 6)] {
            var pruner = JSONPruner(keeping: try JSONPath("$.a").scope)
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: step) {
                guard bytes[start..<min(start + step, bytes.count)].withUnsafeBytes({ pruner.read($0) }) else { break }
            }
            #expect(pruner.finish() == nil)
            #expect(pruner.mistake == place, "\(text)")
        }
    }
}
