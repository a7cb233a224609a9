import Foundation
import ReqcliJSONPath
import ReqcliText
import TestSupport
import Testing

/// The compliance suite of the JSONPath working group, kept outside the repository.
struct ComplianceTests {
    static let path = Repository.corpus("jsonpath-cts.json")
    static let isThere = FileManager.default.fileExists(atPath: path)

    @Test(
        "Every case of the compliance suite passes",
        .enabled(if: isThere, "not run: there is no \(path); set REQCLI_CORPORA to the folder of jsonpath-cts.json"))
    func suite() throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: Self.path)))
        let document = JSONDocument.read(SourceFile(name: "jsonpath-cts.json", bytes: bytes))
        #expect(document.problems == [])
        let cases = try #require(document.root?["tests"]).elements
        var count = 0
        for example in cases {
            count += 1
            check(example)
        }
        #expect(count > 600)
    }

    private func check(_ example: JSONValue) {
        let name = example["name"]?.string ?? ""
        let selector = example["selector"]?.string ?? ""
        let path: JSONPath
        do {
            path = try JSONPath(selector)
        } catch {
            #expect(example["invalid_selector"]?.bool == true, "\(name): \(selector) is valid: \(error)")
            #expect(
                error.problems.allSatisfy { 0 <= $0.range.lowerBound && $0.range.upperBound <= selector.utf8.count },
                "\(name): a range outside \(selector)")
            return
        }
        guard example["invalid_selector"]?.bool != true else {
            Issue.record("\(name): \(selector) is not valid")
            return
        }
        guard let root = example["document"], let nodes = try? path.nodes(in: root) else {
            Issue.record("\(name): no document, or no result")
            return
        }
        // Where the standard leaves the order open, the suite lists every result that it allows.
        let results = example["result"].map { [$0] } ?? example["results"].map { Array($0.elements) } ?? []
        let paths = example["result_paths"].map { [$0] } ?? example["results_paths"].map { Array($0.elements) } ?? []
        let found = nodes.map { $0.normalizedPath(in: root) ?? "" }
        let agrees = zip(results, paths).contains { result, paths in
            let expected = Array(result.elements)
            return expected.count == nodes.count && zip(expected, nodes).allSatisfy { $0.isEquivalent(to: $1) }
                && paths.elements.map { $0.string ?? "" } == found
        }
        #expect(agrees, "\(name): \(selector) gave \(found) \(nodes.map(\.text))")
    }
}
