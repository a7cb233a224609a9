import TestSupport
import Testing
import ToolSupport

/// The workspace at the root of this repository, which serves as an example of the format.
struct RepositoryTests {
    @Test("Every file in the repository's own workspace is valid")
    func valid() async throws {
        let run = try await Tool.run("validate", in: Repository.root)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.outputText.hasPrefix("ok: "))
    }

    @Test("Every endpoint in the repository's workspace has a description and can be shown")
    func shown() async throws {
        let list = try await Tool.run("list", in: Repository.root)
        #expect(list.status == 0)
        let ids = list.outputText.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(ids.count >= 15)
        for id in ids {
            let run = try await Tool.run("show", id, in: Repository.root)
            #expect(run.status == 0 && run.errors.isEmpty)
            let lines = run.outputText.split(separator: "\n")
            #expect(lines.count > 3 && lines[0] == id && !lines[1].contains("/"), "\(run.outputText)")
        }
    }
}
