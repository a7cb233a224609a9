import Foundation
import TestSupport
import Testing

/// Runs many commands as one script, in each of some shells and all at once.
struct ScriptRun: Sendable {
    /// The shells' paths.
    let shells: [String]
    /// What makes a command of any number of lines one whose output goes elsewhere.
    var enclosing = (start: "{", end: "}")

    /// What the commands complained about.
    func run(_ commands: [String], environment: [String: String]) async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            for shell in shells {
                group.addTask { try await waiting { try run(commands, in: shell, environment) } }
            }
            return try await group.reduce(into: "") { $0 += $1 }
        }
    }

    /// Does what waits for another process on a thread of its own: in a task it would keep other tests from running.
    private func waiting<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }

    private func run(_ commands: [String], in shell: String, _ environment: [String: String]) throws -> String {
        let folder = try TemporaryFolder()
        let lines = commands.map { "\(enclosing.start) \($0)\n\(enclosing.end) >>out 2>>err </dev/null\n" }
        let script = try folder.write("script", Array(lines.joined().utf8))
        let outcome = try Program.run(shell, [script], environment: environment, in: folder)
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
        // The folder is new: a value that ran would leave its trace there.
        #expect(!folder.files.contains { $0.contains("canary") }, "nothing in a value runs")
        return String(decoding: folder.read("err").prefix(2000), as: UTF8.self)
    }
}
