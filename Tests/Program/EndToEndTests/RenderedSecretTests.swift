import TestSupport
import Testing
import ToolSupport

/// A rendered command can be pasted into any folder and reads its secrets there.
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

    /// Prints the arguments that a shell would pass to curl.
    private static let pasting = #"curl() { printf '<%s>' "$@"; }; eval "$("$0" render user.get --trust "$@")""#
    /// The same, pasted in another folder than the command was rendered in.
    private static let pastingElsewhere =
        pasting.replacing("eval", with: "command=")
        .replacing("= \"", with: "=\"") + #"; cd /; eval "$command""#

    @Test("A secret's command runs in the workspace root, wherever the rendered command is pasted")
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

    @Test("Nothing is sent if the file of a secret is missing")
    func missingFile() async throws {
        let folder = try Self.workspace()
        let pasting = Self.pasting.replacing("eval", with: "command=").replacing("= \"", with: "=\"")
        let pasted = try await Tool.run(
            ["-c", pasting + #"; rm key; eval "$command""#, Tool.path], in: folder.path, program: ["/bin/sh"])
        #expect(pasted.status == 1)
        #expect(pasted.outputText == "")
    }
}
