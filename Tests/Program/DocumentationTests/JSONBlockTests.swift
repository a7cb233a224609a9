import Foundation
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// The JSON examples in the documentation are valid.
@Suite struct JSONBlockTests {
    @Test("Every JSON example parses, and endpoints, environments and settings are valid", arguments: Page.names)
    func blocks(_ name: String) throws {
        let page = try Page(named: name)
        var files = try Self.stubFiles()
        files["endpoints/any.json"] = "{}"
        for block in page.blocks where block.language == "json" {
            var text = page.text(of: block)
            // Members without an enclosing object.
            if text.hasPrefix("\"") { text = "{\n\(text)}" }
            let place = Comment(rawValue: "\(name):\(block.number)")
            #expect(throws: Never.self, place) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
            switch block.words.dropFirst().first {
            case "endpoint": files["endpoints/line\(block.number).json"] = text
            case "environment": files["environments/line\(block.number).json"] = text
            case let word?: Issue.record("\(name):\(block.number): nothing is known about \"\(word)\"")
            case nil: break
            }
        }
        let memory = MemoryFiles(files)
        let report = Workspace(root: "/work", currentFolder: "/work", files: memory.fileSystem).validate()
        #expect(report.diagnostics.map(\.message) == [])
        #expect(report.fileCount == files.keys.count { !$0.hasPrefix("stubs/") })
    }

    /// The body files that examples refer to.
    private static func stubFiles() throws -> [String: String] {
        let folder = Page.root + "/stubs"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ("stubs/\($0)", try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
            })
    }
}
