import TestSupport
import Testing
import ToolSupport

/// Each kind of file that the files of a workspace name, with each way to name one that isn't a regular file of the workspace.
@Suite("Files that a workspace names")
struct NamedFileTests {
    /// A place that names a file, and a command that needs the file.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The folder in which the path is looked up, with a slash at its end.
        var base = ""
        /// The name that the file must have; nil if a definition says the path.
        var fixed: String?
        /// The files of the workspace; `PATH` is the path.
        let files: [String: String]
        /// The file that names the path.
        let place: String
        /// A content with which the command succeeds.
        let content: String
        let words: [String]
        /// Whether an agreement doesn't help.
        var isNeverOutside = false
    }

    /// What nobody outside may see.
    private static let marker = "content-from-outside"
    private static let stub = #""stubs": {"variants": {"a": {"json": "\#(marker)"}}}"#
    private static let empty = #""stubs": {"variants": {"a": {}}}"#
    private static let send = ["send", "it", "--stub"]
    private static let check = ["check", "it", "--stub", "-v"]

    private static func endpoint(
        _ name: String, _ members: String, content: String = marker, words: [String] = send, base: String = "",
        isNeverOutside: Bool = false
    ) -> Kind {
        Kind(
            testDescription: name, base: base, files: ["endpoints/it.json": #"{"path": "/", \#(members)}"#],
            place: "endpoints/it.json:1:", content: content, words: words, isNeverOutside: isNeverOutside)
    }

    private static func fixed(
        _ name: String, _ content: String, _ files: [String: String] = [:], words: [String] = send
    ) -> Kind {
        let folder = name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        return Kind(
            testDescription: name, base: folder, fixed: String(name.dropFirst(folder.count)), files: files, place: name,
            content: content, words: words)
    }

    static let kinds = [
        endpoint("body.file", #""method": "POST", "body": {"file": "PATH"}, \#(empty)"#),
        endpoint("multipart", #""method": "POST", "body": {"multipart": {"p": {"file": "PATH"}}}, \#(empty)"#),
        endpoint(
            "graphql.file",
            #""body": {"graphql": {"file": "PATH"}}, "stubs": {"variants": {"a": {"json": {"data": {}}}}}"#,
            content: "query { outside }"),
        endpoint(
            "the default of a file param",
            #""method": "POST", "params": {"f": {"type": "file", "default": "PATH"}}, "body": {"file": "{{f}}"}, "#
                + empty),
        endpoint("tls.ca", #""tls": {"ca": "PATH"}, \#(empty)"#),
        endpoint("tls.cert", #""tls": {"cert": "PATH", "key": "endpoints/it.json"}, \#(empty)"#),
        endpoint("tls.key", #""tls": {"cert": "endpoints/it.json", "key": "PATH"}, \#(empty)"#),
        Kind(
            testDescription: "secrets.NAME.file",
            files: [
                "environments/development.json":
                    #"{"baseURL": "http://127.0.0.1:1", "secrets": {"s": {"file": "PATH"}}}"#,
                "endpoints/it.json": #"{"path": "/", "headers": {"A": "{{secret.s}}"}, \#(empty)}"#,
            ],
            place: "environments/development.json:1:", content: marker, words: send),
        endpoint(
            "openapi", #""expect": {"openapi": "PATH"}, "stubs": {"variants": {"a": {"json": 1}}}"#,
            content: #"{"openapi": "3.1.0", "info": {"title": "\#(marker)", "version": "1"}, "#
                + #""paths": {"/": {"get": {"responses": {"200": {"description": "ok", "#
                + #""content": {"application/json": {}}}}}}}}"#,
            words: check),
        endpoint(
            "schema", #""expect": {"json": {"$": {"schema": "PATH"}}}, "stubs": {"variants": {"a": {"json": 1}}}"#,
            content: #"{"title": "\#(marker)", "type": "integer"}"#, words: check, base: "schemas/"),
        endpoint(
            "a stub's body", #""stubs": {"variants": {"a": {"file": "PATH"}}}"#, words: send, base: "stubs/",
            isNeverOutside: true),
        Kind(
            testDescription: "forEach",
            files: [
                "endpoints/it.json":
                    #"{"path": "/", "params": {"v": {"type": "string"}}, "query": {"v": "{{v}}"}, \#(empty)}"#,
                "scenarios/s.json":
                    #"{"steps": [{"name": "a", "endpoint": "it", "forEach": "PATH", "with": {"v": "{{item}}"}}]}"#,
            ],
            place: "scenarios/s.json:1:", content: #"["\#(marker)"]"#, words: ["check", "scenario:s", "--stub", "-v"]),
        fixed("endpoints/it.json", #"{"path": "/", \#(stub)}"#),
        fixed("endpoints/sub/it.json", #"{"path": "/", \#(stub)}"#, words: ["send", "sub.it", "--stub"]),
        fixed("environments/development.json", #"{"baseURL": "http://127.0.0.1:1"}"#),
        fixed(
            "scenarios/s.json", #"{"steps": [{"name": "\#(marker)", "endpoint": "it"}]}"#,
            words: [
                "check", "scenario:s", "--stub", "-v",
            ]),
        fixed("reqcli.json", #"{"environment": "development"}"#),
        fixed(
            "snapshots/it.json", #"{"status": 200, "body": "a"}"#,
            [
                "endpoints/it.json":
                    #"{"path": "/", "expect": {"snapshot": true}, "stubs": {"variants": {"a": {"json": "a"}}}}"#
            ], words: check),
        fixed(
            ".env", "TOKEN=\(marker)",
            ["endpoints/it.json": #"{"path": "/", "headers": {"A": "{{$env.TOKEN}}"}, \#(empty)}"#]),
    ]

    /// A way to name something other than a regular file of the workspace.
    enum Way: String, CaseIterable, Sendable {
        case relative, absolute, link, linkedFolder, pipe, folder, missing

        var leadsOutside: Bool { ![.pipe, .folder, .missing].contains(self) }
    }

    private static func workspace(_ kind: Kind, _ way: Way) throws -> ToolWorkspace? {
        let name = kind.fixed ?? "file.json"
        let place = "w/\(kind.base)\(name)"
        var files = [
            "w/environments/development.json": #"{"baseURL": "http://127.0.0.1:1"}"#,
            "w/endpoints/it.json": #"{"path": "/", \#(empty)}"#, "w/stubs/x": "", "w/schemas/x": "",
        ]
        files[place] = nil
        files["outside/\(name)"] = kind.content
        let whole = try ToolWorkspace(files)
        let path: String
        switch way {
        case .relative: path = String(repeating: "../", count: kind.base.isEmpty ? 1 : 2) + "outside/\(name)"
        case .absolute: path = whole.path("outside/\(name)")
        case .linkedFolder: path = "linked/\(name)"
        case .link, .pipe, .folder, .missing: path = name
        }
        if kind.fixed != nil {
            // Such a file is optional, or the place of a command's only complaint: see other tests.
            guard [.link, .pipe, .folder].contains(way) || way == .linkedFolder && kind.base.hasSuffix("/sub/") else {
                return nil
            }
        }
        for (file, text) in kind.files { try whole.write("w/\(file)", text.replacing("PATH", with: path)) }
        switch way {
        case .relative, .absolute, .missing: break
        case .link: try whole.folder.link(place, to: whole.path("outside/\(name)"))
        case .linkedFolder where kind.fixed != nil:
            try whole.folder.link("w/\(kind.base.dropLast())", to: whole.path("outside"))
        case .linkedFolder: try whole.folder.link("w/\(kind.base)linked", to: whole.path("outside"))
        case .pipe: try whole.folder.makePipe(place)
        case .folder: try whole.folder.makeFolder(place)
        }
        return whole
    }

    @Test(
        "Nothing outside is read without an agreement, nothing hangs, and the message names the place",
        arguments: kinds, Way.allCases)
    func refused(_ kind: Kind, _ way: Way) async throws {
        guard let workspace = try Self.workspace(kind, way) else { return }
        let words = kind.words + ["--workspace", "w"]
        let run = try await Tool.run(words, in: workspace, within: .seconds(20))
        #expect(run.status != 0, "\(run.outputText)")
        #expect(run.errors.contains("w/\(kind.place)"), "\(run.errors)")
        #expect(!"\(run.outputText)\(run.errors)".contains(Self.marker), "\(run.outputText)\(run.errors)")
    }

    @Test("An agreement opens what is outside, except for the bodies of stubs", arguments: kinds, Way.allCases)
    func agreed(_ kind: Kind, _ way: Way) async throws {
        guard way.leadsOutside, let workspace = try Self.workspace(kind, way) else { return }
        // An absolute path below schemas/ leads nowhere.
        let isOpen = !kind.isNeverOutside && !(kind.base == "schemas/" && [.absolute, .relative].contains(way))
        let run = try await Tool.run(
            kind.words + ["--workspace", "w"], in: workspace, environment: ["REQCLI_TRUST": "1"], within: .seconds(20))
        #expect((run.status == 0) == isOpen, "\(run.outputText)\(run.errors)")
    }
}
