import Foundation
import ReqcliBasics
import ReqcliDefinitions
import TestSupport
import Testing

/// Files and folders outside a workspace, which need an agreement.
@Suite struct WorkspaceDoorTests {
    private static let files = MemoryFiles([
        "/work/endpoints/a.json": .text("{}"), "/work/schemas": .link(to: "/shared/schemas"),
        "/work/link.json": .link(to: "/out/link.json"), "/work/inner": .link(to: "endpoints"),
        "/shared/schemas/a.json": .text("1"), "/shared/schemas/b.json": .text("2"),
        "/shared/schemas/further.json": .link(to: "/out/link.json"), "/out/link.json": .text("3"),
        "/workshop/a.json": .text("4"),
    ])

    private final class Asked: Sendable {
        private let questions = Mutex<[String]>([])
        var all: [String] { questions.withLock { $0 } }
        func add(_ question: String) { questions.withLock { $0.append(question) } }
    }

    private static func workspace(_ permission: TrustPermission, _ asked: Asked) -> Workspace {
        Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem) { root, written, real in
            asked.add("\(root): \(written) -> \(real)")
            return permission
        }
    }

    private static func read(_ workspace: Workspace, _ path: String) -> String {
        do throws(FileProblem) {
            return String(decoding: try workspace.files.read(workspace.path(path), 100), as: UTF8.self)
        } catch {
            return error.reason
        }
    }

    @Test("what is below the root needs none, by whatever path")
    func inside() {
        let asked = Asked()
        let workspace = Self.workspace(.unasked, asked)
        for path in ["endpoints/a.json", "inner/a.json", "./endpoints/../inner/a.json", "/work/endpoints/a.json"] {
            #expect(Self.read(workspace, path) == "{}", "\(path)")
        }
        #expect(asked.all == [])
    }

    @Test(
        "what is outside is not read without one, and is asked about once",
        arguments: [
            ("../out/link.json", "../out/link.json -> /out/link.json"),
            ("/out/link.json", "/out/link.json -> /out/link.json"),
            ("link.json", "link.json -> /out/link.json"), ("schemas/a.json", "schemas -> /shared/schemas"),
            ("/workshop/a.json", "/workshop/a.json -> /workshop/a.json"),
        ])
    func outside(_ path: String, _ question: String) {
        for permission in [TrustPermission.unasked, .refused] {
            let asked = Asked()
            let workspace = Self.workspace(permission, asked)
            let read = Self.files.readFiles.count
            for _ in 0..<2 { #expect(Self.read(workspace, path).hasPrefix("it is outside the workspace (/")) }
            #expect(Self.files.readFiles.count == read)
            #expect(asked.all == ["/work: \(question)"])
        }
    }

    @Test("an agreement to a linked folder is about all that is in it, but nothing further away")
    func folder() throws {
        let asked = Asked()
        let workspace = Self.workspace(.granted, asked)
        #expect(try workspace.files.names("/work/schemas") == ["a.json", "b.json", "further.json"])
        #expect(Self.read(workspace, "schemas/a.json") == "1")
        #expect(Self.read(workspace, "schemas/b.json") == "2")
        #expect(asked.all == ["/work: schemas -> /shared/schemas"])
        #expect(Self.read(workspace, "schemas/further.json") == "3")
        #expect(asked.all.last == "/work: schemas/further.json -> /out/link.json")
    }

    @Test("a folder outside is not listed without one")
    func names() {
        let workspace = Self.workspace(.unasked, Asked())
        #expect(throws: FileProblem(.outside("/shared/schemas", .unasked))) {
            try workspace.files.names("/work/schemas")
        }
    }

    @Test("drafts are read, and change nothing about what is outside")
    func drafts() {
        let workspace = Self.workspace(.unasked, Asked())
        let drafted = Workspace(
            root: "/work", currentFolder: "/work", files: workspace.files.with(drafts: ["/work/new.json": [0x31]]))
        #expect(Self.read(drafted, "new.json") == "1")
        #expect(Self.read(drafted, "endpoints/a.json") == "{}")
        #expect(Self.read(drafted, "link.json").hasPrefix("it is outside the workspace"))
    }

    @Test("the file that is checked is the one that was opened")
    func opened() throws {
        let folder = try TemporaryFolder(["a": "1"])
        try folder.link("link", to: "a")
        var real: [String] = []
        for name in ["a", "link"] {
            _ = try FileSystem.live.readUnless(folder.path(name), 10) { path in
                real.append(path)
                return nil
            }
        }
        #expect(real == [folder.path("a"), folder.path("a")])
    }
}
