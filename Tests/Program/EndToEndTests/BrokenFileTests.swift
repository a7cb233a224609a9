import Glibc
import TestSupport
import Testing
import ToolSupport

/// Broken files in a workspace: each causes a clear error and status 3, and none crashes the program.
struct BrokenFileTests {
    private func validate(_ folder: TemporaryFolder, as program: [String] = [Tool.path]) async throws -> ToolOutcome {
        try await Tool.run("validate", in: folder.path, program: program).outcome
    }

    private func problem(_ line: String, count: String = "1 error") -> ToolOutcome {
        ToolOutcome(status: 3, output: "", errors: "endpoints/bad.json\(line)\n\(count) in 1 file\n")
    }

    @Test("A directory in place of a file is an error")
    func directory() async throws {
        let folder = try TemporaryFolder.workspace()
        try folder.makeFolder("endpoints/bad.json")
        #expect(try await validate(folder) == problem(": error: cannot read the file: it is a directory"))
    }

    @Test("A dangling link and a cycle of links are errors")
    func links() async throws {
        let folder = try TemporaryFolder.workspace()
        try #require(symlink("nowhere.json", folder.path("endpoints/bad.json")) == 0)
        #expect(
            try await validate(folder)
                == problem(": error: cannot read the file: it is a link to a file that doesn't exist"))
        try #require(unlink(folder.path("endpoints/bad.json")) == 0)
        try #require(symlink("bad.json", folder.path("endpoints/bad.json")) == 0)
        #expect(try await validate(folder) == problem(": error: cannot read the file: its symbolic links form a cycle"))
    }

    @Test("A pipe in place of a file is an error and does not block")
    func pipe() async throws {
        let folder = try TemporaryFolder.workspace()
        try #require(mkfifo(folder.path("endpoints/bad.json"), 0o666) == 0)
        #expect(try await validate(folder) == problem(": error: cannot read the file: it is not a regular file"))
    }

    @Test("A file without read permission is an error")
    func closedFile() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json": "{}"])
        try #require(chmod(folder.path("endpoints/bad.json"), 0) == 0)
        #expect(
            try await validate(folder, as: try await Self.programWithoutRights(in: folder))
                == problem(": error: cannot read the file: permission denied"))
    }

    @Test("A folder without read permission is an error")
    func closedFolder() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json/a.txt": ""])
        try folder.makeFolder("endpoints/inner")
        try #require(chmod(folder.path("endpoints/inner"), 0) == 0)
        let run = try await validate(folder, as: try await Self.programWithoutRights(in: folder))
        #expect(run.status == 3)
        #expect(run.errors.contains("endpoints/inner: error: cannot read the folder: permission denied\n"))
    }

    /// Root can read everything, so another user runs a copy of the program: the build folder may be closed to them.
    /// The workspace is named, because one that belongs to another user is rejected if it is only found.
    private static func programWithoutRights(in folder: TemporaryFolder) async throws -> [String] {
        guard getuid() == 0 else { return [Tool.path] }
        try #require(chmod(folder.path, 0o755) == 0)
        let copy = folder.path("reqcli")
        let copying = try await Tool.run(Tool.path, copy, in: folder.path, program: ["/bin/cp"])
        try #require(copying.status == 0, "\(copying.errors)")
        return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy, "-C", "."]
    }

    @Test("A file of 17 MiB is an error")
    func large() async throws {
        let folder = try TemporaryFolder.workspace()
        try folder.write("endpoints/bad.json", Array(repeating: UInt8(ascii: " "), count: 17 << 20))
        #expect(try await validate(folder) == problem(": error: cannot read the file: it is larger than 16 MiB"))
    }

    @Test("An empty file is an error")
    func empty() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json": ""])
        #expect(try await validate(folder) == problem(":1:1: error: the file is empty; expected a JSON value"))
    }

    @Test("A binary file is an error")
    func binary() async throws {
        let folder = try TemporaryFolder.workspace()
        try folder.write("endpoints/bad.json", Array(0...255))
        #expect(
            try await validate(folder) == problem(":1:1: error: this is a binary file, not JSON (byte 0 is zero)"))
    }

    @Test("100,000 nested brackets are an error, not a crash", arguments: ["[", "{\"a\":"])
    func deep(_ opening: String) async throws {
        let folder = try TemporaryFolder.workspace(adding: [
            "endpoints/bad.json": String(repeating: opening, count: 100_000)
        ])
        let run = try await validate(folder)
        #expect(run.status == 3)
        #expect(run.errors.contains("512"))
        #expect(run.errors.split(separator: "\n").count <= 7, "\(run.errors.prefix(2000))")
    }

    @Test("A broken file only stops the commands that need it")
    func others() async throws {
        let folder = try TemporaryFolder.workspace(adding: ["endpoints/bad.json": "[["])
        #expect(try await Tool.run("show", "user.get", in: folder.path).status == 0)
        #expect(try await Tool.run("list", "user", in: folder.path).status == 0)
        #expect(try await Tool.run("show", "bad", in: folder.path).status == 3)
    }

    @Test("A file in place of the endpoints folder is an error")
    func fileAsFolder() async throws {
        let folder = try TemporaryFolder(["endpoints": "a file"])
        let run = try await validate(folder)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("error: no folder \"endpoints\" in \(folder.path) or above it\n"))
    }
}
