import TestSupport
import Testing
import ToolSupport

/// Runs many commands as one script, in several shells at once.
struct ScriptRun: Sendable {
    /// The paths of the shells.
    let shells: [String]
    /// The brackets that group a command of any number of lines, so that its output can be redirected.
    var enclosing = (start: "{", end: "}")

    /// The error output of the commands.
    func run(_ commands: [String], environment: [String: String]) async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            for shell in shells {
                group.addTask { try await run(commands, in: shell, environment) }
            }
            return try await group.reduce(into: "") { $0 += $1 }
        }
    }

    private func run(_ commands: [String], in shell: String, _ environment: [String: String]) async throws -> String {
        let folder = try TemporaryFolder()
        let lines = commands.map { "\(enclosing.start) \($0)\n\(enclosing.end) >>out 2>>err </dev/null\n" }
        let script = try folder.write("script", Array(lines.joined().utf8))
        let outcome = try await Tool.run(
            [script], in: folder.path, variables: environment, program: [shell], within: .seconds(600))
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
        // The folder is new: a value that was executed would leave a file there.
        #expect(!folder.files.contains { $0.contains("canary") }, "nothing in a value runs")
        return String((folder.text("err") ?? "").prefix(2000))
    }
}
