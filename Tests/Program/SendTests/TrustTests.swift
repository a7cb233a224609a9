import Foundation
import TestSupport
import Testing
import ToolSupport

/// A workspace's access to files and programs outside it needs the user's consent.
@Suite(.serialized) struct TrustTests {
    private static func workspace() throws -> ToolWorkspace {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:1",
            endpoint:
                #"{ "method": "POST", "path": "/", "body": { "file": "data" }, "stubs": { "variants": { "a": {} } } }"#,
            environment: #""secrets": { "t": { "command": ["sh", "token.sh"] } }"#)
        try workspace.write(
            "endpoints/secret.json",
            #"{ "path": "/", "headers": { "X": "{{secret.t}}" }, "stubs": { "variants": { "a": {} } } }"#)
        try workspace.write("token.sh", "echo first-token\n")
        return workspace
    }

    /// Runs the program at a terminal and answers its question; false if there was none.
    private static func isAsked(
        _ words: [String], in workspace: ToolWorkspace, answer: String = "y"
    ) async throws -> Bool {
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            words, in: workspace, environment: ["NO_COLOR": "1"], input: terminal.program,
            errors: .descriptor(terminal.program))
        // Typed in advance: the terminal keeps it.
        terminal.type("\(answer)\n")
        let run = try await tool.end()
        #expect(run.status == (answer == "y" ? 0 : 3))
        return await terminal.finalText().contains("[y/N]")
    }

    @Test("A link out of the workspace needs consent once, and again if its target changes")
    func link() async throws {
        let workspace = try Self.workspace()
        let outside = try TemporaryFolder()
        for name in ["one", "other"] { _ = try outside.write(name, Array("content of \(name)".utf8)) }
        func lead(to target: String) throws {
            try? FileManager.default.removeItem(atPath: workspace.path("data"))
            try FileManager.default.createSymbolicLink(atPath: workspace.path("data"), withDestinationPath: target)
        }
        let send = ["send", "it", "--stub"]
        try lead(to: "\(outside.path)/one")
        let unasked = try await Tool.run(send, in: workspace)
        #expect(unasked.status == 3)
        #expect(unasked.errors.contains("a file outside the workspace, needs your agreement"), "\(unasked.errors)")
        #expect(try await Tool.run(send + ["--trust"], in: workspace).status == 0)
        #expect(try await Tool.run(send, in: workspace, environment: ["REQCLI_TRUST": "1"]).status == 0)
        #expect(try await Self.isAsked(send, in: workspace, answer: "n"))
        #expect(try await Self.isAsked(send, in: workspace))
        #expect(try await !Self.isAsked(send, in: workspace))
        #expect(try await Tool.run(send, in: workspace).status == 0)
        try lead(to: "\(outside.path)/other")
        #expect(try await Self.isAsked(send, in: workspace))
    }

    @Test("Only commands that show or send the content ask for consent")
    func described() async throws {
        let workspace = try Self.workspace()
        let outside = try TemporaryFolder()
        _ = try outside.write("key", Array("private words".utf8))
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("data"), withDestinationPath: "\(outside.path)/key")
        for words in [
            ["explain", "it"], ["explain", "it", "--json"], ["render", "it"], ["render", "it", "-f", "json"],
            ["render", "it", "-f", "har"],
        ] {
            let run = try await Tool.run(words, in: workspace)
            #expect(run.status == 0, "\(words): \(run.errors)")
            #expect(!run.outputText.contains("private words"), "\(words)")
        }
        #expect(try await Tool.run(["render", "it", "-f", "http"], in: workspace).status == 3)
        let shown = try await Tool.run(["render", "it", "-f", "http", "--trust"], in: workspace)
        #expect(shown.outputText.hasSuffix("private words"))
        #expect(try await Tool.run(["validate"], in: workspace).status == 0)
    }

    @Test("A workspace script needs consent again after it changes")
    func script() async throws {
        let workspace = try Self.workspace()
        let send = ["send", "secret", "--stub"]
        #expect(try await Tool.run(send, in: workspace).status == 3)
        #expect(try await Self.isAsked(send, in: workspace))
        #expect(try await Tool.run(send, in: workspace).status == 0)
        try workspace.write("token.sh", "echo other-token\n")
        #expect(try await Tool.run(send, in: workspace).status == 3)
        #expect(try await Self.isAsked(send, in: workspace))
        #expect(try await Tool.run(send, in: workspace).status == 0)
    }
}
