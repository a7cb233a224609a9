import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@Suite struct WorkspaceTests {
    private static let files = MemoryFiles(
        root: "/",
        [
            "home/me/api/endpoints/user.json": "{}", "home/me/api/src/deep/x.txt": "", "home/me/other/y.txt": "",
            "home/me/endpoints": "a file of that name",
        ])

    static let found: [(name: String, named: String?, from: String, root: String)] = [
        ("the folder itself", nil, "/home/me/api", "/home/me/api"),
        ("a folder further in", nil, "/home/me/api/src/deep", "/home/me/api"),
        ("inside endpoints/", nil, "/home/me/api/endpoints", "/home/me/api"),
        ("named from beside it", "../api", "/home/me/other", "/home/me/api"),
        ("named with a slash at its end", "api/", "/home/me", "/home/me/api"),
        ("named as a whole path", "/home/me/api", "/", "/home/me/api"),
        ("named as a dot", ".", "/home/me/api", "/home/me/api"),
    ]

    @Test("the workspace is the folder that is named, else the nearest upwards that holds endpoints/", arguments: found)
    func isFound(name: String, named: String?, from: String, root: String) throws {
        let workspace = try Workspace.locate(named: named, from: from, files: Self.files.fileSystem)
        #expect(workspace.root == root, "\(name)")
        #expect(workspace.currentFolder == from)
    }

    static let notFound: [(named: String?, from: String, problem: (String, String))] = [
        (
            nil, "/home/me/other",
            (
                #"no folder "endpoints" in /home/me/other or above it"#,
                #"run "reqcli init" to make a workspace here, or name one with --workspace DIR"#
            )
        ),
        (
            "../api/src", "/home/me/other",
            (#""../api/src" has no folder "endpoints""#, #"run "reqcli init" in this folder to make a workspace"#)
        ),
        ("nowhere", "/home/me", (#"there is no folder "nowhere""#, #"name the folder that contains "endpoints""#)),
        (
            "api/endpoints/user.json", "/home/me",
            (#""api/endpoints/user.json" is not a folder"#, #"name the folder that contains "endpoints""#)
        ),
    ]

    @Test("no workspace: where it was looked for, and what to do", arguments: notFound)
    func isNotFound(named: String?, from: String, problem: (String, String)) {
        #expect {
            try Workspace.locate(named: named, from: from, files: Self.files.fileSystem)
        } throws: { error in
            (error as? NotFound).map { ($0.message, $0.hint) == problem } == true
        }
    }

    @Test("a folder that is named is not looked for upwards")
    func namedIsExact() {
        #expect(throws: NotFound.self) {
            try Workspace.locate(named: "/home/me/api/src", from: "/", files: Self.files.fileSystem)
        }
    }

    static let shown: [(path: String, from: String, shown: String)] = [
        ("/w/endpoints/a.json", "/w", "endpoints/a.json"),
        ("/w/endpoints/a.json", "/w/endpoints", "a.json"),
        ("/w/endpoints/a.json", "/w/src/deep", "../../endpoints/a.json"),
        ("/w/a.json", "/", "w/a.json"),
        ("/w/a.json", "/other/place", "/w/a.json"),
        ("/w", "/w", "."),
    ]

    @Test("paths are shown as seen from the current folder", arguments: shown)
    func showsPaths(path: String, from: String, shown: String) {
        #expect(FilePath.shown(path, from: from) == shown)
    }

    static let tidied = [
        ("/a/./b//c/", "/a/b/c"), ("/a/../../b", "/b"), ("../a/..", ".."), ("a/..", "."), ("/", "/"), ("", "."),
    ]

    @Test("paths are tidied without asking the file system", arguments: tidied)
    func tidies(path: String, tidy: String) {
        #expect(FilePath.tidy(path) == tidy)
    }

    @Test("ids are the paths of files with dots, then the endpoints' names")
    func ids() {
        let workspace = Workspace.inMemory([
            ("endpoints/user.json", #"{"endpoints": {"get": {}, "feed": {}}}"#),
            ("endpoints/billing/invoice.jsonc", #"{"endpoints": {"list": {},} /* more */}"#),
            ("endpoints/billing/v2/ping.json", "{}"), ("endpoints/ping.json", #"{"path": "/ping"}"#),
        ])
        let ids = workspace.endpointEntries().value.flatMap {
            workspace.load(endpointFile: $0).value?.located.map(\.id) ?? []
        }
        #expect(ids == ["billing.invoice.list", "billing.v2.ping", "ping", "user.get", "user.feed"])
        let report = workspace.validate()
        #expect(lines(report.diagnostics) == [])
        #expect((report.endpointCount, report.fileCount) == (5, 4))
    }

    @Test(".json is strict, .jsonc takes comments and trailing commas")
    func syntaxes() {
        let text = "{\"path\": \"/a\", // where\n}"
        let strict = Workspace.inMemory([("endpoints/a.json", text)]).validate()
        #expect(!strict.diagnostics.isEmpty && strict.diagnostics.allSatisfy { $0.code == .jsonSyntax })
        #expect(lines(Workspace.inMemory([("endpoints/a.jsonc", text)]).validate().diagnostics) == [])
    }
}

/// Loading is lazy: what is read depends on what is asked for, not on how much there is.
@Suite struct LookupTests {
    private static let texts: [String: String] = [
        "endpoints/user.json": #"{"endpoints": {"get": {"path": "/user"}}}"#,
        "endpoints/user/feed.json": #"{"path": "/feed"}"#,
        "endpoints/broken.json": "{",
        "endpoints/other.json": "{}",
        "environments/base.json": "{}",
        "environments/staging.json": #"{"extends": "base"}"#,
        "environments/other.json": "{}",
        "reqcli.json": #"{"environment": "staging"}"#,
    ]

    static let reads: [(id: String, files: [String])] = [
        ("user.get", ["/work/endpoints/user.json"]),
        ("user.feed", ["/work/endpoints/user/feed.json", "/work/endpoints/user.json"]),
        ("other", ["/work/endpoints/other.json"]),
    ]

    @Test("finding an endpoint reads the files that may define it and no other", arguments: reads)
    func readsLittle(id: String, expected: [String]) {
        let files = MemoryFiles(Self.texts)
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
        guard case .found(let endpoint) = workspace.endpoint(id).value else {
            Issue.record("\(id) is not there")
            return
        }
        #expect(endpoint.id == id)
        #expect(files.readFiles == expected)
        #expect(files.listedFolders == [])
    }

    @Test("an environment reads its own file and those it extends")
    func readsEnvironments() {
        let files = MemoryFiles(Self.texts)
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: files.fileSystem)
        guard case .found(let chain) = workspace.environment("staging").value else {
            Issue.record("staging is not there")
            return
        }
        #expect(chain.layers.map(\.name) == ["base", "staging"])
        #expect(files.readFiles == ["/work/environments/staging.json", "/work/environments/base.json"])
        #expect(files.listedFolders == [])
        #expect(workspace.loadSettings().value.environment?.value == "staging")
        #expect(files.readFiles.count == 3)
    }

    static let missing: [(id: String, message: String, hint: String?)] = [
        ("user.gte", #"there is no endpoint "user.gte""#, #"did you mean "user.get"?"#),
        ("user", #""user" is a group, not an endpoint"#, "endpoints of the group: user.feed, user.get"),
        ("user/get", #"there is no endpoint "user/get""#, #"did you mean "user.get"?"#),
        (
            "../endpoints/other", #"there is no endpoint "../endpoints/other""#,
            #"run "reqcli list" to see all endpoints"#
        ),
        ("", #"there is no endpoint """#, #"run "reqcli list" to see all endpoints"#),
    ]

    @Test("an endpoint that isn't there: near names, or what the group holds", arguments: missing)
    func isMissing(id: String, message: String, hint: String?) {
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: MemoryFiles(Self.texts).fileSystem)
        guard case .missing(let problem) = workspace.endpoint(id).value else {
            Issue.record("\(id) was expected to be missing")
            return
        }
        #expect(problem == NotFound(message: message, hint: hint))
    }

    @Test("an environment that isn't there: near names and the list")
    func environmentIsMissing() {
        let workspace = Workspace(root: "/work", currentFolder: "/work", files: MemoryFiles(Self.texts).fileSystem)
        guard case .missing(let problem) = workspace.environment("stagin").value else {
            Issue.record("stagin was expected to be missing")
            return
        }
        #expect(
            problem
                == NotFound(
                    message: #"there is no environment "stagin""#,
                    hint: #"did you mean "staging"? available: base, other, staging"#))
    }

    @Test("an endpoint in a broken file, or in two files, is not found by guessing")
    func isBroken() {
        let workspace = Workspace.inMemory([
            ("endpoints/a.json", #"{"path": "/a", "metod": "GET"}"#),
            ("endpoints/b.json", "{}"), ("endpoints/b.jsonc", "{}"),
        ])
        let broken = workspace.endpoint("a")
        guard case .broken = broken.value else {
            Issue.record("a was expected to be broken")
            return
        }
        #expect(broken.diagnostics.map(\.code) == [.keyUnknown])
        let clash = workspace.endpoint("b")
        guard case .broken = clash.value else {
            Issue.record("b was expected to be broken")
            return
        }
        #expect(clash.diagnostics.map(\.code) == [.idClash])
    }

    @Test("defaults of the group: own params and needs come first, null takes back, tags replace")
    func groupDefaults() {
        let workspace = Workspace.inMemory([
            (
                "endpoints/a.json",
                """
                {"defaults": {"tags": ["smoke"], "params": {"x": {"type": "string"}, "y": {"type": "string"}},
                   "needs": {"m": "b", "n": "b"}},
                 "endpoints": {
                   "one": {}, "two": {"tags": [], "params": {"x": {"type": "integer"}, "y": null}, "needs": {"m": null}}}}
                """
            )
        ])
        func find(_ id: String) -> LocatedEndpoint? {
            if case .found(let endpoint) = workspace.endpoint(id).value { endpoint } else { nil }
        }
        let (one, two) = (find("a.one"), find("a.two"))
        #expect(one?.tags == ["smoke"] && one?.group == "a")
        #expect(one?.parameters.map(\.name) == ["x", "y"])
        #expect(one?.needs.map(\.name) == ["m", "n"])
        #expect(two?.tags == [])
        #expect(two?.parameters.map { "\($0.name) \($0.value.kind)" } == ["x integer"])
        #expect(two?.needs.map(\.name) == ["n"])
    }
}
