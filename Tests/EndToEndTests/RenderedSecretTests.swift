import TestSupport
import Testing
import ToolSupport

/// A rendered command is pasted anywhere, and gets its secrets there.
struct RenderedSecretTests {
    private static let environment = #"""
        {
          "baseURL": "http://localhost:8080",
          "secrets": { "token": { "command": ["cat", "token"] }, "key": { "file": "key" } },
          "auth": { "bearer": "{{secret.token}}" },
          "headers": { "X-Key": "{{secret.key}}" }
        }
        """#

    private static func workspace() throws -> TemporaryFolder {
        let folder = try TemporaryFolder.workspace(adding: [
            "environments/development.json": environment, "token": "from a program\n", "key": "from a file\n",
        ])
        try folder.makeFolder("below/it")
        return folder
    }

    /// Shows what a shell makes of the command, in place of curl.
    private static let pasting = #"curl() { printf '<%s>' "$@"; }; eval "$("$0" render user.get --trust "$@")""#
    /// The same elsewhere than where it was rendered.
    private static let pastingElsewhere =
        pasting.replacing("eval", with: "command=")
        .replacing("= \"", with: "=\"") + #"; cd /; eval "$command""#

    @Test("A program that gives a secret runs from the root, wherever the command was rendered and is pasted")
    func root() async throws {
        let folder = try Self.workspace()
        let calls = [(folder.path, []), (folder.path("below/it"), []), ("/", ["-C", folder.path])]
        for (here, flags) in calls {
            for script in [Self.pasting, Self.pastingElsewhere] {
                let pasted = try await Tool.run(["-c", script, Tool.path] + flags, in: here, program: ["/bin/sh"])
                #expect(pasted.errors == "")
                #expect(pasted.outputText.contains("<Authorization: Bearer from a program>"), "\(here): \(pasted)")
                #expect(pasted.outputText.contains("<X-Key: from a file>"), "\(here): \(pasted)")
            }
        }
    }

    @Test("Nothing is sent when the file of a secret has gone")
    func missingFile() async throws {
        let folder = try Self.workspace()
        let pasting = Self.pasting.replacing("eval", with: "command=").replacing("= \"", with: "=\"")
        let pasted = try await Tool.run(
            ["-c", pasting + #"; rm key; eval "$command""#, Tool.path], in: folder.path, program: ["/bin/sh"])
        #expect(pasted.status == 1)
        #expect(pasted.outputText == "")
    }
}
