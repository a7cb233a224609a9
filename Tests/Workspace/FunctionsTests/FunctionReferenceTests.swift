import Foundation
import ReqcliFunctions
import TestSupport
import Testing

@Suite struct FunctionReferenceTests {
    private static let page = "\(Repository.root)/docs/reference/functions.md"
    private static let (start, end) = ("<!-- generated: FunctionsTests -->\n", "<!-- end -->\n")

    /// The tables of all functions.
    private static var tables: String {
        func cell(_ text: String) -> String { text.replacing("|", with: #"\|"#) }
        return Function.all.map { title, functions in
            let rows = functions.map { function in
                let from = function.isSource ? "" : function.takes.phrase + " → "
                return
                    "| `\(function.form)` | \(from)\(function.gives.phrase) | \(cell(function.summary)) | `\(cell(function.example))` |\n"
            }
            return
                "### \(title)\n\n| function | takes → gives | result | example |\n|---|---|---|---|\n\(rows.joined())\n"
        }.joined()
    }

    @Test("docs/reference/functions.md has the table of functions; REQCLI_RECORD=1 writes it anew")
    func isCurrent() throws {
        let text = try String(contentsOfFile: Self.page, encoding: .utf8)
        let parts = text.components(separatedBy: Self.start)
        try #require(parts.count == 2 && parts[1].hasSuffix(Self.end))
        let current = parts[0] + Self.start + "\n" + Self.tables + Self.end
        if ProcessInfo.processInfo.environment["REQCLI_RECORD"] == "1" {
            try Data(current.utf8).write(to: URL(fileURLWithPath: Self.page))
        } else {
            #expect(text == current, "run the tests with REQCLI_RECORD=1 and look at the difference")
        }
    }
}
