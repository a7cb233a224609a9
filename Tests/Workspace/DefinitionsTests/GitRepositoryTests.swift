import TestSupport
import Testing

@testable import ReqcliDefinitions

struct GitRepositoryTests {
    /// An index with these names, as git writes one of this version.
    private static func index(
        _ version: UInt8, _ names: [String], hashLength: Int = 20, isLong: Bool = false
    ) -> [UInt8] {
        var bytes = Array("DIRC".utf8) + [0, 0, 0, version, 0, 0, 0, UInt8(names.count)]
        var last = ""
        for name in names {
            let start = bytes.count
            bytes += [UInt8](repeating: 7, count: 40 + hashLength) + [isLong ? 0x40 : 0, UInt8(name.utf8.count)]
            if isLong { bytes += [0, 0] }
            if version == 4 {
                let shared = zip(last.utf8, name.utf8).prefix { $0 == $1 }.count
                let removed = last.utf8.count - shared
                // Seven bits a byte, the higher ones first and less one.
                if removed >= 128 { bytes.append(0x80 | UInt8((removed >> 7) - 1)) }
                bytes.append(UInt8(removed & 0x7F))
                bytes += name.utf8.dropFirst(shared) + [0]
                last = name
            } else {
                bytes += name.utf8
                repeat { bytes.append(0) } while (bytes.count - start) % 8 != 0
            }
        }
        return bytes + [UInt8](repeating: 9, count: hashLength)
    }

    private static let names = [".gitignore", "api/" + String(repeating: "a", count: 200), "api/.env", "api/b.json"]

    @Test("The file is found in each version of git's index", arguments: [2, 3, 4] as [UInt8], [false, true])
    func versions(_ version: UInt8, _ isLong: Bool) {
        let bytes = Self.index(version, Self.names, isLong: isLong && version > 2)
        let index = GitIndex(bytes, hashLength: 20)
        for name in Self.names { #expect(index.has(name), "\(name)") }
        for name in [".env", "api", "api/.en", "api/.env2", ""] { #expect(!index.has(name), "\(name)") }
        for end in bytes.indices { _ = GitIndex(Array(bytes[..<end]), hashLength: 20).has("none") }
        let long = GitIndex(Self.index(version, Self.names, hashLength: 32), hashLength: 32)
        #expect(long.has("api/b.json"))
    }

    @Test(
        "A warning tells of an .env that git keeps, and nothing of another",
        arguments: [
            ("in a repository", ["/repo/.git/index": true], "/repo/api", true),
            ("not in the index", ["/repo/.git/index": false], "/repo/api", false),
            ("outside", ["/other/.git/index": true], "/repo/api", false),
            (
                "another repository in between", ["/repo/.git/index": true, "/repo/api/.git/index": false],
                "/repo/api", false
            ),
        ] as [(String, [String: Bool], String, Bool)])
    func warning(_ name: String, _ indexes: [String: Bool], _ root: String, _ isWarned: Bool) {
        let contents = indexes.mapValues { MemoryFiles.Content.bytes(Self.index(2, $0 ? Self.names : ["a"])) }
        let file = DotEnvFile(in: root, MemoryFiles(contents).fileSystem)
        #expect((file.trackedWarning(shown: ".env") != nil) == isWarned)
    }

    @Test("The index of another working tree is found by its .git file", arguments: ["../main/.git/w", "/main/.git/w"])
    func workingTree(_ folder: String) {
        let files = MemoryFiles([
            "/tree/.git": .text("gitdir: \(folder)\n"), "/main/.git/w/index": .bytes(Self.index(2, [".env"])),
        ])
        #expect(DotEnvFile(in: "/tree", files.fileSystem).trackedWarning(shown: ".env") != nil)
    }

    @Test("A repository with long hashes says so in its settings")
    func longHashes() {
        let files = MemoryFiles([
            "/a/.git/config": .text("[core]\n\tbare = false\n[extensions]\n\tobjectFormat = sha256\n"),
            "/a/.git/index": .bytes(Self.index(2, ["x", ".env"], hashLength: 32)),
        ])
        #expect(DotEnvFile(in: "/a", files.fileSystem).trackedWarning(shown: ".env") != nil)
    }

    @Test("The advice for a variable that is not set names .gitignore where .env would get into git")
    func advice() {
        func advice(_ contents: [String: MemoryFiles.Content]) -> String {
            DotEnvFile(in: "/a", MemoryFiles(contents).fileSystem).advice
        }
        #expect(advice([:]) == "export it, or put it into .env")
        #expect(advice(["/a/.git": .folder, "/a/.gitignore": .text(".env")]) == "export it, or put it into .env")
        #expect(
            advice(["/a/.git": .folder])
                == "export it, or put it into .env, with the line \".env\" in .gitignore")
    }
}
