import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// Files that can't be read, or aren't what they should be: on the real disk, through the live file system.
@Suite struct FileTroubleTests {
    struct Trouble: Sendable, CustomTestStringConvertible {
        let name: String
        let path: String
        let line: String
        let make: @Sendable (TemporaryFolder, String) throws -> Void

        var testDescription: String { name }

        init(
            _ name: String, _ line: String, at path: String = "endpoints/a.json",
            _ make: @escaping @Sendable (TemporaryFolder, String) throws -> Void
        ) {
            self.name = name
            self.path = path
            self.line = line
            self.make = make
        }
    }

    static let troubles: [Trouble] = [
        Trouble("a directory", "endpoints/a.json error file.unreadable: cannot read the file: it is a directory") {
            try $0.makeFolder($1)
        },
        Trouble("a pipe", "endpoints/a.json error file.unreadable: cannot read the file: it is not a regular file") {
            try $0.makePipe($1)
        },
        Trouble(
            "a broken link",
            "endpoints/a.json error file.unreadable: cannot read the file: it is a link to a file that doesn't exist"
        ) { try $0.link($1, to: "nowhere.json") },
        Trouble(
            "a link to itself",
            "endpoints/a.json error file.unreadable: cannot read the file: its symbolic links form a cycle"
        ) { try $0.link($1, to: "a.json") },
        Trouble(
            "17 MiB", "endpoints/a.json error file.unreadable: cannot read the file: it is larger than 16 MiB"
        ) { try $0.write($1, [UInt8](repeating: 0x20, count: 17 << 20)) },
        Trouble("an empty file", "endpoints/a.json:0-0 error json.syntax: the file is empty; expected a JSON value") {
            try $0.write($1, "")
        },
        Trouble(
            "a binary file",
            "endpoints/a.json:0-0 error json.encoding: this is a binary file, not JSON (byte 4 is zero)"
        ) { try $0.write($1, [0x7F, 0x45, 0x4C, 0x46, 0, 1, 1]) },
        Trouble(
            "UTF-16", "endpoints/a.json:0-0 error json.encoding: the file is UTF-16 | save the file as UTF-8"
        ) { try $0.write($1, [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]) },
        Trouble(
            "100,000 nested brackets",
            "endpoints/a.json:512-513 error json.depth: the nesting is deeper than 512 levels"
        ) { try $0.write($1, [UInt8](repeating: 0x5B, count: 100_000)) },
        Trouble(
            "an environment that is a directory",
            "environments/a.json error file.unreadable: cannot read the file: it is a directory",
            at: "environments/a.json"
        ) { try $0.makeFolder($1) },
        Trouble(
            "environments/ that is a file",
            "environments error file.unreadable: cannot read the folder: it is not a directory", at: "environments"
        ) { try $0.write($1, "") },
        Trouble(
            "environments/ that is a broken link",
            "environments error file.unreadable: cannot read the folder: it is a link to a file that doesn't exist",
            at: "environments"
        ) { try $0.link($1, to: "nowhere") },
        Trouble(
            "reqcli.json that is a broken link",
            "reqcli.json error file.unreadable: cannot read the file: it is a link to a file that doesn't exist",
            at: "reqcli.json"
        ) { try $0.link($1, to: "nowhere.json") },
        Trouble(
            "a link to the folder it is in",
            "endpoints/deep/loop error file.unreadable: the folder is a link to one of its parent folders | remove the link",
            at: "endpoints/deep/loop"
        ) { try $0.link($1, to: "..") },
    ]

    @Test("each is one clear line, and never the end of the program", arguments: troubles)
    func isTold(_ trouble: Trouble) throws {
        let folder = try TemporaryFolder()
        try folder.write("endpoints/ok.json", "{}")
        try trouble.make(folder, trouble.path)
        let workspace = try Workspace.locate(named: nil, from: folder.path, files: .live)
        let report = workspace.validate()
        #expect(lines(report.diagnostics) == [trouble.line])
        #expect(report.endpointCount == 1)
        let rendered = DiagnosticRenderer().render(report.diagnostics).plain
        #expect(rendered.split(separator: "\n").first?.contains("error: ") == true)
    }

    @Test(
        "an endpoint in such a file is broken, not missing",
        arguments: troubles.filter { $0.path == "endpoints/a.json" })
    func lookup(_ trouble: Trouble) throws {
        let folder = try TemporaryFolder()
        try folder.write("endpoints/ok.json", "{}")
        try trouble.make(folder, trouble.path)
        let found = Workspace(root: folder.path, currentFolder: folder.path, files: .live).endpoint("a")
        guard case .broken = found.value else {
            Issue.record("it was expected to be broken")
            return
        }
        #expect(lines(found.diagnostics) == [trouble.line])
    }

    @Test("files and folders that may not be read, and folders that may not be listed")
    func denied() {
        let files = MemoryFiles([
            "/work/endpoints/a.json": .problem(.denied), "/work/endpoints/ok.json": .bytes(Array("{}".utf8)),
            "/work/endpoints/deep": .folder, "/work/environments": .problem(.denied),
        ])
        let workspace = Workspace(root: "/work", currentFolder: "/", files: files.fileSystem)
        #expect(
            lines(workspace.validate().diagnostics) == [
                "work/environments error file.unreadable: cannot read the folder: permission denied",
                "work/endpoints/a.json error file.unreadable: cannot read the file: permission denied",
            ])
    }

    @Test(
        "a folder in which nothing may be looked up is named, and no file that nobody has seen",
        arguments: ["endpoints", "endpoints/deep", "environments"])
    func closed(folder: String) {
        let workspace = Self.workspace(closing: "/work/\(folder)", ["endpoints/deep/a.json", "environments/dev.json"])
        let problems = workspace.endpoint("deep.a").diagnostics + workspace.environment("dev").diagnostics
        #expect(lines(problems) == ["\(folder) error file.unreadable: cannot read the folder: permission denied"])
    }

    @Test("a link into such a folder is a file that can't be read")
    func linkIntoClosed() {
        let workspace = Self.workspace(closing: "/work/environments/a.json", ["environments/b.json"])
        #expect(
            lines(workspace.environment("a").diagnostics) == [
                "environments/a.json error file.unreadable: cannot read the file: permission denied"
            ])
    }

    /// A workspace in which nothing can be found out about a path and what is below it.
    private static func workspace(closing closed: String, _ paths: [String]) -> Workspace {
        var files = MemoryFiles(Dictionary(uniqueKeysWithValues: paths.map { ($0, "{}") })).fileSystem
        let (kind, read) = (files.kind, files.read)
        let isClosed: @Sendable (String) -> Bool = { path in
            path.hasPrefix(closed + "/") || path == closed && closed.hasSuffix(".json")
        }
        files.kind = { isClosed($0) ? nil : kind($0) }
        files.read = { path, limit throws(FileProblem) in
            if isClosed(path) { throw FileProblem(.denied) }
            return try read(path, limit)
        }
        return Workspace(root: "/work", currentFolder: "/work", files: files)
    }

    @Test("a file of exactly 16 MiB is read")
    func largest() throws {
        let folder = try TemporaryFolder()
        var bytes = [UInt8](repeating: 0x20, count: 16 << 20)
        bytes.replaceSubrange(0..<2, with: [0x7B, 0x7D])
        try folder.write("endpoints/a.json", bytes)
        let workspace = Workspace(root: folder.path, currentFolder: folder.path, files: .live)
        #expect(lines(workspace.validate().diagnostics) == [])
    }

    @Test("links are followed: to a file, to a folder beside it, and from stubs/ to nowhere outside")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.write("endpoints/v1/a.json", "{}")
        try folder.link("endpoints/v2", to: "v1")
        try folder.link("endpoints/b.json", to: "v1/a.json")
        try folder.write("secret.txt", "")
        try folder.write("stubs/real.txt", "")
        try folder.link("stubs/inside.txt", to: "real.txt")
        try folder.link("stubs/outside.txt", to: "../secret.txt")
        let text: MarkedText =
            #"{"stubs": {"variants": {"a": {"file": "inside.txt"}, "b": {"file": ⟦"outside.txt"⟧}}}}"#
        try folder.write("endpoints/c.json", text.text)
        let workspace = Workspace(root: folder.path, currentFolder: folder.path, files: .live)
        let report = workspace.validate()
        #expect(report.endpointCount == 4)
        #expect(report.diagnostics.map(\.message) == [#""stubs/outside.txt" leads to a place outside stubs/"#])
        #expect(report.diagnostics.map(\.place?.range) == text.ranges)
    }

    @Test(
        "a link to a folder around the workspace is refused before anything in it is looked at",
        .timeLimit(.minutes(1)))
    func linkAround() throws {
        for target in ["/", "../..", "../../.."] {
            let folder = try TemporaryFolder(["w/endpoints/ok.json": "{}", "w/endpoints/deep/ok.json": "{}"])
            try folder.link("w/endpoints/deep/loop", to: target)
            let root = folder.path("w")
            let report = Workspace(root: root, currentFolder: root, files: .live).validate()
            #expect(
                lines(report.diagnostics) == [
                    "endpoints/deep/loop error file.unreadable: "
                        + "the folder is a link to one of its parent folders | remove the link"
                ])
        }
    }

    @Test("links that lead to the same folders again and again are one complaint", .timeLimit(.minutes(1)))
    func manyLinks() throws {
        let folder = try TemporaryFolder(["endpoints/ok.json": "{}"])
        for level in 0..<40 {
            try folder.makeFolder("endpoints/n\(level)")
            guard level > 0 else { continue }
            for name in ["a", "b"] { try folder.link("endpoints/n\(level)/\(name)", to: "../n\(level - 1)") }
        }
        let report = Workspace(root: folder.path, currentFolder: folder.path, files: .live).validate()
        #expect(report.diagnostics.map(\.message) == ["links lead to the same folders more than 1000 times"])
    }

    @Test("what the live file system says of paths")
    func kinds() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/file", "x")
        try folder.link("a/link", to: "file")
        try folder.makePipe("a/pipe")
        let live = FileSystem.live
        #expect(live.kind(folder.path("a")) == .directory)
        #expect(live.kind(folder.path("a/link")) == .file)
        #expect(live.kind(folder.path("a/pipe")) == .other)
        #expect(live.kind(folder.path("a/none")) == nil)
        #expect(try live.names(folder.path("a")) == ["file", "link", "pipe"])
        #expect(live.resolve(folder.path("a/../a/link")) == live.resolve(folder.path("a/file")))
        #expect(throws: FileProblem(.notDirectory)) { try live.names(folder.path("a/file")) }
        #expect(throws: FileProblem(.missing)) { try live.read(folder.path("a/file/x"), 10) }
        // A file without a length of its own is read to its end.
        #expect(try live.read("/proc/self/stat", 1 << 20).isEmpty == false)
    }
}
