import Foundation
import ReqcliText
import TestSupport
import Testing

/// The cases of yaml-test-suite, kept outside the repository.
///
/// They are looked for in `../shared/corpora` beside the package, or in the folder that `REQCLI_CORPORA` names.
struct SuiteTests {
    private static let folder = Repository.corpus("yaml-test-suite/src")
    private static let isThere = FileManager.default.fileExists(atPath: folder)

    private struct SuiteCase {
        let name: String
        let text: String
        /// The values of the documents as JSON; nil if the suite has none.
        let json: String?
        let isInvalid: Bool
    }

    /// All cases. The files of the suite are YAML themselves; a case that lacks a key has that of the case before.
    private static func cases() throws -> [SuiteCase] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
            .sorted()
        return try names.flatMap { name in
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            let document = YAMLDocument.read(SourceFile(name: name, bytes: bytes))
            #expect(document.problems == [], "\(name)")
            var text = ""
            return (document.root.map { Array($0.elements) } ?? []).enumerated().map { index, value in
                text = value["yaml"]?.string ?? text
                return SuiteCase(
                    name: "\(name.dropLast(5))/\(index)", text: original(text), json: value["json"]?.string,
                    isInvalid: value["fail"]?.bool == true)
            }
        }
    }

    /// The text of a case without the signs that the suite has for invisible characters.
    private static func original(_ text: String) -> String {
        var text = text
        for (sign, character) in [("␣", " "), ("⇔", "\u{FEFF}"), ("↵", ""), ("←", "\r")] {
            text = text.replacing(sign, with: character)
        }
        text = text.replacing(/—*»/, with: "\t")
        return text.hasSuffix("∎\n") ? String(text.dropLast(2)) : text
    }

    @Test("No value differs, nothing invalid is read, and only what JSON can't hold is refused", .enabled(if: isThere))
    func suite() throws {
        var (read, refused) = (0, 0)
        for example in try Self.cases() {
            let document = YAMLDocument.read(SourceFile(name: example.name, text: example.text))
            if example.isInvalid {
                #expect(document.problems != [], "\(example.name) is read: \(document.outcome)")
                continue
            }
            guard document.problems.isEmpty, let root = document.root else {
                refused += 1
                let codes = Set(document.problems.map(\.code))
                let isEmpty = document.problems.first?.message.contains("is empty") == true
                #expect(codes == [.yamlUnsupported] || isEmpty, "\(example.name): \(document.outcome)")
                #expect(document.diagnostics.allSatisfy { $0.place != nil })
                continue
            }
            read += 1
            guard let json = example.json else { continue }
            let expected = try #require(JSONDocument.read(SourceFile(name: "json", text: json)).root)
            #expect(root.isEquivalent(to: expected), "\(example.name): \(document.outcome), not \(json)")
        }
        #expect(read == 259 && refused == 53, "\(read) read, \(refused) refused")
    }
}
