import Foundation
import ReqcliText
import TestSupport
import Testing

@testable import ReqcliDefinitions

@Suite struct FormatReferenceTests {
    private static let docs = FilePath.tidy(FilePath.join(Fixture.folder, "../../docs/reference"))

    private static func text(_ name: String) throws -> String {
        String(decoding: try FileSystem.live.read(FilePath.join(docs, name), 1 << 20), as: UTF8.self)
    }

    @Test("docs/reference/files.md says what the tables say; REQCLI_RECORD=1 writes it anew")
    func isCurrent() throws {
        if ProcessInfo.processInfo.environment["REQCLI_RECORD"] == "1" {
            try Data(FormatReference.markdown.utf8).write(
                to: URL(fileURLWithPath: FilePath.join(Self.docs, "files.md")))
        }
        let isCurrent = try Self.text("files.md") == FormatReference.markdown
        #expect(isCurrent, "run the tests with REQCLI_RECORD=1 and look at the difference")
    }

    @Test("every key of every table is told, and every link leads to a heading")
    func isWhole() {
        let text = FormatReference.markdown
        for object in ObjectSchema.reachable(from: FormatSchema.allCases.flatMap(\.roots)) {
            for field in object.fields {
                #expect(text.contains("| `\(field.name)`"), "\(object.name).\(field.name)")
                #expect(text.contains(field.summary), "\(object.name).\(field.name)")
            }
        }
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
            line.drop { $0 == "#" || $0 == " " }.lowercased().filter { $0.isLetter || $0.isNumber || " -".contains($0) }
                .replacing(" ", with: "-")
        }
        #expect(Set(headings).count == headings.count)
        for link in text.matches(of: /\]\(#([^)]+)\)/) {
            #expect(headings.contains(String(link.1)), "#\(link.1)")
        }
    }
}
