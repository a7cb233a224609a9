import TestSupport
import Testing

@testable import ReqcliDefinitions

struct GitIgnoreTests {
    @Test(
        "Git's own rules decide whether .env is ignored",
        arguments: [
            ("no rule", [:], false),
            ("the name", ["/repo/api/.gitignore": ".env"], true),
            ("from the root", ["/repo/api/.gitignore": "/.env"], true),
            ("a parent folder's file", ["/repo/.gitignore": ".env"], true),
            ("a parent folder's path", ["/repo/.gitignore": "api/.env"], true),
            ("another folder's path", ["/repo/.gitignore": "web/.env"], false),
            ("any folder's path", ["/repo/.gitignore": "**/.env"], true),
            ("the folder", ["/repo/.gitignore": "api/"], true),
            ("a pattern", ["/repo/.gitignore": ".env*"], true),
            ("a pattern for other names", ["/repo/.gitignore": ".env.*"], false),
            ("everything", ["/repo/.gitignore": "*"], true),
            ("a folder of that name", ["/repo/.gitignore": ".env/"], false),
            ("a comment", ["/repo/.gitignore": "#.env\n# .env"], false),
            ("blanks behind it, and other lines", ["/repo/.gitignore": "a\r\n.env  \r\nb"], true),
            ("taken back", ["/repo/.gitignore": ".env\n!.env"], false),
            ("taken back further down", ["/repo/.gitignore": ".env", "/repo/api/.gitignore": "!.env"], false),
            ("taken back and named again", ["/repo/.gitignore": "!.env\n.env"], true),
            ("above the repository", ["/.gitignore": ".env"], false),
        ] as [(String, [String: String], Bool)])
    func rules(_ name: String, _ ignoreFiles: [String: String], _ isIgnored: Bool) {
        let files = MemoryFiles(ignoreFiles.merging(["/repo/.git/HEAD": "ref: refs/heads/main"]) { $1 })
        #expect(GitIgnore.ignores(".env", in: "/repo/api", files.fileSystem) == isIgnored)
    }

    @Test("Outside a repository, the file beside .env counts")
    func noRepository() {
        let files = MemoryFiles(["/home/api/.gitignore": ".env"])
        #expect(GitIgnore.ignores(".env", in: "/home/api", files.fileSystem))
        #expect(!GitIgnore.ignores(".env", in: "/home/api/deep", files.fileSystem))
    }
}
