import CommandLineKit
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import Commands

/// A file that is saved with a mistake doesn't take away what it said before.
struct LastGoodFilesTests {
    private let memory = MemoryFiles([
        "endpoints/a.json": #"{"path": "a"}"#, "endpoints/b.json": #"{"path": "b"}"#,
    ])
    private var workspace: Workspace { Workspace(root: "/work", currentFolder: "/work", files: memory.fileSystem) }

    /// The paths of all endpoints.
    private static func paths(_ workspace: Workspace) throws(Failure) -> [String] {
        let files = workspace.load(endpointFiles: workspace.endpointEntries().value)
        let problems = files.flatMap(\.diagnostics)
        if problems.contains(where: { $0.severity == .error }) { throw Failure(.broken, problems) }
        return files.compactMap(\.value).flatMap(\.located).map {
            String(decoding: $0.definition.place.file.bytes, as: UTF8.self)
        }
    }

    @Test("a file with a mistake stays what it was, the others change, and it changes when the mistake is mended")
    func mistake() throws {
        var files = LastGoodFiles()
        #expect(files.load(workspace, Self.paths).value?.count == 2)
        try memory.write(.text(#"{"path": "#), at: "/work/endpoints/a.json")
        try memory.write(.text(#"{"path": "b2"}"#), at: "/work/endpoints/b.json")
        let broken = files.load(workspace, Self.paths)
        #expect(broken.value.map { $0.map { $0.contains("b2") } } == [false, true])
        #expect(broken.problems.map(\.fileName) == ["endpoints/a.json"])
        try memory.write(.text(#"{"path": "a2"}"#), at: "/work/endpoints/a.json")
        let mended = files.load(workspace, Self.paths)
        #expect(mended.value?.first?.contains("a2") == true && mended.problems.isEmpty)
    }

    @Test("a new file with a mistake is left out")
    func newFile() throws {
        var files = LastGoodFiles()
        _ = files.load(workspace, Self.paths)
        try memory.write(.text("[]"), at: "/work/endpoints/c.json")
        let loaded = files.load(workspace, Self.paths)
        #expect(loaded.value?.count == 2 && loaded.problems.count == 1)
    }

    @Test("what no earlier version mends is told, without a value")
    func unmendable() {
        var files = LastGoodFiles()
        let loaded = files.load(workspace) { _ throws(Failure) -> Int in
            throw Failure(.usage, code: .endpointUnknown, "there is no endpoint x")
        }
        #expect(loaded.value == nil && loaded.problems.map(\.message) == ["there is no endpoint x"])
    }
}
