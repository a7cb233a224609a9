import Foundation
import TestSupport
import Testing
import ToolSupport

/// A stub's file must be inside `stubs/`, whatever the endpoint file and symbolic links say.
struct EscapeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: String
        let message: String
    }

    static let cases = [
        Case(
            testDescription: "..", file: "../secret", message: #"a stub's file must be below stubs/; found "../secret""#
        ),
        Case(
            testDescription: ".. further in", file: "in/../../secret",
            message: #"a stub's file must be below stubs/; found "in/../../secret""#),
        Case(
            testDescription: "absolute", file: "/etc/passwd",
            message: #"a stub's file must be below stubs/; found "/etc/passwd""#),
        Case(testDescription: "a link out", file: "link", message: #""stubs/link" leads to a place outside stubs/"#),
        Case(
            testDescription: "through a link out", file: "out/secret",
            message: #""stubs/out/secret" leads to a place outside stubs/"#),
        Case(
            testDescription: "a link to a folder beside that begins alike", file: "alike/secret",
            message: #""stubs/alike/secret" leads to a place outside stubs/"#),
        Case(testDescription: "a folder", file: "in", message: #""stubs/in" is not a regular file"#),
        Case(testDescription: "nothing", file: "none.json", message: #"there is no file "stubs/none.json""#),
    ]

    private func workspace(_ file: String) throws -> TemporaryFolder {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": #"""
            { "path": "/", "stubs": { "variants": {
                "x": { "file": "\#(file)" } } } }
            """#,
            "secret": "swordfish", "stubs-beside/secret": "swordfish", "stubs/in/ok.json": "[]",
        ])
        func link(_ name: String, _ target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: workspace.path("stubs/\(name)"), withDestinationPath: target)
        }
        try link("link", "../secret")
        try link("out", "..")
        try link("alike", "../stubs-beside")
        try link("inside", "in/ok.json")
        return workspace
    }

    @Test("A stub file outside stubs/ is an error with its place, in validate and in send", arguments: cases)
    func escape(_ escape: Case) async throws {
        let workspace = try workspace(escape.file)
        for words in [["validate"], ["send", "a", "--stub"], ["send", "a", "--stub", "x", "--json"]] {
            let run = try await Tool.run(words, in: workspace.path)
            #expect(run.status == 3, "\(run)")
            #expect(!run.outputText.contains("swordfish") && !run.errors.contains("swordfish"))
            if words.contains("--json") {
                #expect(run.errors.contains(#""line": 2"#), "\(run)")
            } else {
                #expect(run.errors.hasPrefix("endpoints/a.json:2:20: error: \(escape.message)\n"), "\(run)")
            }
        }
    }

    @Test("A link to a file inside stubs/ is followed")
    func insideLink() async throws {
        let workspace = try workspace("inside")
        #expect(try await Tool.run("validate", in: workspace.path).status == 0)
        #expect(try await Tool.run("send", "a", "--stub", in: workspace.path).outputText == "[]")
    }
}
