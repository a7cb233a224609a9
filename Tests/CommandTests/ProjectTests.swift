import CommandLineKit
import Commands
import Foundation
import Testing

/// What the project's own papers say about the program.
struct ProjectTests {
    private func text(_ name: String) throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("The README lists every exit code with the meaning that help gives")
    func exitCodes() throws {
        let readme = try text("README.md")
        let table = readme.split(separator: "\n").filter { $0.wholeMatch(of: #/\| \d+ \| .* \|/#) != nil }
        #expect(table.map(String.init) == ExitStatus.all.map { "| \($0.code) | \($0.meaning) |" })
        #expect(Set(ExitStatus.all.map(\.code)).count == ExitStatus.all.count)
    }

    @Test("The README's test command is the one that the integration runs")
    func testCommand() throws {
        let command = try #require(try text("README.md").firstMatch(of: #/## Test\n\n```sh\n(.*)\n```\n/#)).1
        #expect(command == "make test")
        #expect(try text(".ci/run").contains("step \"tests\" \(command)\n"))
        #expect(try text("Makefile").contains(/\ntest: .*\n\tswift test/))
    }

    @Test("The changelog names every command")
    func changelog() throws {
        let changelog = try text("CHANGELOG.md")
        for type in CommandList.groups.flatMap(\.commands) {
            #expect(changelog.contains("`\(type.spec.name)"), "\(type.spec.name)")
        }
    }
}
