import HostileServing
import Testing
import ToolSupport

/// `--download` takes the file's name from the server, but never its folder.
@Suite(.serialized) struct DownloadTests {
    struct Name: Sendable, CustomTestStringConvertible {
        var testDescription: String { header ?? path }
        var header: String?
        var path = "/it"
        let file: String
    }

    private static let names: [Name] = [
        Name(path: "/files/report.pdf", file: "report.pdf"),
        Name(path: "/files/a%20b.txt?x=/y", file: "a b.txt"),
        Name(path: "/", file: "body"),
        Name(path: "/files/..%2F..%2Fescape", file: "escape"),
        Name(header: "attachment; filename=plain.txt", file: "plain.txt"),
        Name(
            header: "attachment; filename=\"with space; and \\\"quotes\\\".txt\"",
            file: "with space; and \"quotes\".txt"),
        Name(header: "attachment; filename=\"../../etc/passwd\"", file: "passwd"),
        Name(header: "attachment; filename=\"/etc/passwd\"", file: "passwd"),
        Name(header: "attachment; filename=\"..\\\\..\\\\boot.ini\"", file: "boot.ini"),
        Name(header: "attachment; filename=\"..\"", file: "it"),
        Name(header: "attachment; filename=\".bashrc\"", file: "bashrc"),
        Name(header: "attachment; filename=\"\"", file: "it"),
        Name(header: "attachment; filename=\"folder/\"", file: "folder"),
        Name(header: "attachment; filename*=UTF-8''%E2%82%AC.txt; filename=euro.txt", file: "€.txt"),
        Name(header: "attachment; filename=euro.txt; filename*=UTF-8''%E2%82%AC.txt", file: "€.txt"),
        Name(header: "attachment; filename*=ISO-8859-1'de'K%F6ln.txt", file: "Köln.txt"),
        Name(header: "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", file: "passwd"),
        Name(header: "attachment; filename*=UTF-8''%FF%FE; filename=fallback.txt", file: "fallback.txt"),
        Name(header: "attachment; filename*=UTF-8''a%00b%0Ac%1B%5B2J.txt", file: "abc[2J.txt"),
        Name(header: "attachment; filename*=UTF-8''txt.%E2%80%AEexe", file: "txt.exe"),
        Name(header: "attachment; FileName = spaced.txt", file: "spaced.txt"),
        Name(header: "inline", file: "it"),
        Name(header: "attachment; filename=-rf", file: "rf"),
        Name(header: "attachment; filename=\"- -rf x\"", file: "rf x"),
        Name(header: "attachment; filename=--", file: "it"),
        Name(header: "attachment; filename=~", file: "it"),
        Name(header: "attachment; filename=~root", file: "root"),
        Name(header: "attachment; filename=\".~.-a~b-c\"", file: "a~b-c"),
        Name(header: "attachment; filename=.", file: "it"),
        Name(path: "/files/-rf", file: "rf"),
        Name(path: "/~", file: "body"),
    ]

    @Test("a downloaded file's name is never a path, hidden, disguised, an option or a home folder", arguments: names)
    func name(_ name: Name) async throws {
        let (run, workspace) = try await download(name)
        #expect(run.status == 0, "\(run.errors)")
        #expect(workspace.files == [name.file])
        #expect(run.errors.contains("note: writing "), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test("a file name that is too long is cut, and keeps its extension")
    func long() async throws {
        let header = "attachment; filename*=UTF-8''" + String(repeating: "%F0%9F%98%80", count: 200) + ".tar.gz"
        let (run, workspace) = try await download(Name(header: header, file: ""))
        #expect(run.status == 0, "\(run.errors)")
        let file = try #require(workspace.files.first)
        #expect(file.utf8.count <= 255 && file.hasPrefix("😀😀") && file.hasSuffix("😀.gz"))
    }

    @Test("--download does not overwrite an existing file")
    func existing() async throws {
        let workspace = try ToolWorkspace([:])
        try workspace.write("mine", "precious")
        let (run, _) = try await download(Name(header: "attachment; filename=mine", file: "mine"), workspace)
        #expect(run.status == 9)
        #expect(run.errors == "error: mine already exists\n  name a file with --output FILE\n")
        #expect(workspace.read("mine") == Array("precious".utf8))
        #expect(workspace.files == ["mine"])
    }

    private func download(
        _ name: Name, _ given: ToolWorkspace? = nil
    ) async throws -> (run: ToolRun, workspace: ToolWorkspace) {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            let headers = name.header.map { ["Content-Disposition: \($0)"] } ?? []
            connection.respond(200, headers, body: "body")
        }
        defer { server.stop() }
        let workspace = try given ?? ToolWorkspace([:])
        let path = String(name.path.prefix { $0 != "?" })
        try workspace.write("endpoints/it.json", #"{ "path": "\#(path)" }"#)
        try workspace.write("environments/development.json", #"{ "baseURL": "http://127.0.0.1:\#(server.port)" }"#)
        return (try await Tool.run(["send", "it", "--download"], in: workspace), workspace)
    }
}
