import CommandLineKit
import Commands
import Foundation
import ReqcliText
import TestSupport
import Testing

/// What the project's own papers say about the program.
struct ProjectTests {
    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Repository.root)/\(name)", encoding: .utf8)
    }

    @Test("The page on exit statuses lists each with the meaning that help gives")
    func exitCodes() throws {
        let page = try text("docs/reference/exit-statuses.md")
        let table = page.split(separator: "\n").filter { $0.wholeMatch(of: #/\| \d+ \| .* \|/#) != nil }
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

    /// Variables that are read to be put back: Foundation is to make no folders where they lead.
    private static let restoredVariables: Set = ["XDG_DATA_HOME", "XDG_CACHE_HOME"]
    /// Words in capitals that are not variables, and variables that are only set for another program.
    private static let otherWords: Set = ["REFUSED_STREAM", "REQCLI_URL"]

    @Test("The manual page and the page on variables list every variable that the sources read")
    func variables() throws {
        let sources = URL(fileURLWithPath: "\(Repository.root)/Sources")
        let paths = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
        var read: Set<String> = []
        for path in paths where path.hasSuffix(".swift") || path.hasSuffix(".c") {
            if path.hasSuffix("EnvironmentVariable+All.swift") { continue }
            let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            // By a call that reads one, or by a name that only a variable has.
            for call in text.matches(of: #/(?:[vV]ariable|environment|getenv)\(\s*"(\w+)"/#) {
                read.insert(String(call.1))
            }
            for name in text.matches(of: #/"([A-Z]+(?:_[A-Z0-9]+)+|[a-z]+_proxy)"/#) { read.insert(String(name.1)) }
            if text.contains("posix_spawnp(") { read.insert("PATH") }
        }
        let listed = Program.spec.environment.flatMap(\.names)
        #expect(listed.count == Set(listed).count)
        #expect(Set(listed) == read.subtracting(Self.restoredVariables).subtracting(Self.otherWords))
        let manual = Program.spec.manPage.split(separator: "\n").map(String.init)
        for variable in Program.spec.environment {
            #expect(manual.contains("\\fB\(variable.names.joined(separator: ", "))\\fR"), "\(variable.names)")
        }
        let table = try text("docs/reference/environment-variables.md").split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        let documented = table.flatMap { row in
            row.split(separator: "|")[0].matches(of: #/`(\w+)`/#).map { String($0.1) }
        }
        #expect(Set(listed).subtracting(documented) == [], "docs/reference/environment-variables.md")
    }

    @Test("The changelog names every command")
    func changelog() throws {
        let changelog = try text("CHANGELOG.md")
        for type in CommandList.groups.flatMap(\.commands) {
            #expect(changelog.contains("`\(type.spec.name)"), "\(type.spec.name)")
        }
    }
}
