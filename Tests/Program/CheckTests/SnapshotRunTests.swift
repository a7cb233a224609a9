import TestSupport
import Testing
import ToolSupport

/// `check` compares responses with snapshots, and writes them if it is told to.
struct SnapshotRunTests {
    private static func endpoint(_ stub: String, expect: String = #"{"snapshot": true}"#, more: String = "") -> String {
        #"{"path": "/u", "expect": \#(expect), "stubs": {"variants": {"ok": {"json": \#(stub)}}}\#(more)}"#
    }

    private static func workspace(_ files: [String: String] = [:]) throws -> ToolWorkspace {
        let own = [
            "endpoints/a.json": endpoint(#"{"id": 1, "name": "Ada"}"#),
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:9"}"#,
        ]
        return try ToolWorkspace(own.merging(files) { $1 })
    }

    private static func timeless(_ text: String) -> String { text.replacing(/[ ]+[0-9.]+m?s\b/, with: " TIME") }

    private static let accepted = """
        {
          "status": 200,
          "body": {
            "id": 1,
            "name": "Eve"
          }
        }

        """

    private func check(_ words: String..., in workspace: ToolWorkspace) async throws -> ToolRun {
        try await Tool.run(["check", "--stub"] + words, in: workspace)
    }

    @Test("A case without a snapshot fails and writes nothing")
    func missing() async throws {
        let workspace = try Self.workspace()
        let run = try await check(in: workspace)
        #expect(run.status == 1)
        #expect(
            Self.timeless(run.outputText) == """
                ✗ a TIME  failed  stub ok
                    snapshot  endpoints/a.json:1:39
                      expected a snapshot in snapshots/a.json
                      found    no such file: run again with --update-snapshots=new to accept this response
                    answered 200 with 21 bytes

                1 case in TIME (development): 1 failed
                snapshots: 1 missing; --update-snapshots=new accepts the response

                """)
        #expect(workspace.files == [])
    }

    @Test("A difference is told at its place in the snapshot, and the file stays as it is")
    func different() async throws {
        let workspace = try Self.workspace(["snapshots/a.json": Self.accepted])
        for words in [[], ["--update-snapshots=new"]] {
            let run = try await Tool.run(["check", "--stub"] + words, in: workspace)
            #expect(run.status == 1)
            #expect(
                Self.timeless(run.outputText) == """
                    ✗ a TIME  failed  stub ok
                        $.name  snapshots/a.json:5:13
                          expected "Eve"
                          found    "Ada"
                        answered 200 with 21 bytes

                    1 case in TIME (development): 1 failed
                    snapshots: 1 differs; --update-snapshots accepts the response

                    """)
            #expect(workspace.folder.text("snapshots/a.json") == Self.accepted)
        }
    }

    @Test("--update-snapshots writes what is missing or differs, and the next run passes")
    func update() async throws {
        let workspace = try Self.workspace([
            "endpoints/b.json": Self.endpoint("[]"), "snapshots/a.json": Self.accepted,
        ])
        let run = try await check("--update-snapshots", in: workspace)
        #expect(run.status == 0 && run.errors == "")
        let lines = Self.timeless(run.outputText).split(separator: "\n")
        #expect(lines.prefix(2) == ["✓ a TIME  stub ok  changed snapshot", "✓ b TIME  stub ok  new snapshot"])
        #expect(lines.last == "snapshots: 1 written, 1 updated")
        #expect(workspace.folder.text("snapshots/a.json") == Self.accepted.replacing("Eve", with: "Ada"))
        #expect(workspace.folder.text("snapshots/b.json") == "{\n  \"status\": 200,\n  \"body\": []\n}\n")
        let again = try await check("--quiet", in: workspace)
        #expect(again.status == 0 && again.outputText == "")
    }

    @Test("A response that fails another expectation changes no file")
    func otherFailure() async throws {
        let workspace = try Self.workspace([
            "endpoints/a.json": Self.endpoint("{}", expect: #"{"snapshot": true, "json": {"$.id": 1}}"#),
            "snapshots/a.json": Self.accepted,
        ])
        let run = try await check("--update-snapshots", in: workspace)
        #expect(run.status == 1)
        #expect(!run.outputText.contains("snapshots:"))
        #expect(workspace.folder.text("snapshots/a.json") == Self.accepted)
    }

    @Test(
        "Files without a case are removed only if everything was selected and ran",
        arguments: [
            (["--update-snapshots"], true), (["--update-snapshots=new"], false), (["--update-snapshots", "b"], false),
            (["--update-snapshots", "--exclude", "b"], false), (["--update-snapshots", "--shard", "1/1"], false),
            (["--update-snapshots", "--uses", "endpoints/b.json"], false), ([], false),
        ])
    func removal(_ words: [String], _ isRemoved: Bool) async throws {
        let workspace = try Self.workspace([
            "endpoints/b.json": Self.endpoint("[]"), "snapshots/gone.json": Self.accepted,
            "snapshots/a#id=1.json": Self.accepted, "snapshots/.hidden.json": "", "snapshots/notes.md": "",
        ])
        let run = try await Tool.run(["check", "--stub"] + words, in: workspace)
        #expect((workspace.folder.text("snapshots/gone.json") == nil) == isRemoved)
        #expect(run.outputText.contains("1 removed") == isRemoved)
        #expect(workspace.folder.text("snapshots/a#id=1.json") != nil)
        #expect(workspace.folder.text("snapshots/.hidden.json") != nil)
        #expect(workspace.folder.text("snapshots/notes.md") != nil)
    }

    @Test("A file that is not a snapshot is never removed")
    func foreignFile() async throws {
        let foreign = ["mine": #"{"mine": 1}"#, "list": "[1]", "text": "a", "empty": "", "other": #"{"status": 1}"#]
        let files = foreign.map { ("snapshots/\($0.key).json", $0.value) } + [("snapshots/gone.json", Self.accepted)]
        let workspace = try Self.workspace(Dictionary(uniqueKeysWithValues: files))
        let run = try await Tool.run(["check", "--stub", "--update-snapshots"], in: workspace)
        #expect(run.outputText.contains("1 removed"), "\(run.outputText)")
        for (name, text) in foreign { #expect(workspace.folder.text("snapshots/\(name).json") == text, "\(name)") }
        let validated = try await Tool.run(["validate"], in: workspace)
        let warning = "snapshots/mine.json: warning: the file is not a snapshot"
        #expect(validated.errors.contains(warning), "\(validated.errors)")
    }

    @Test("Nothing is written or removed through a link, agreed to or not", arguments: [nil, "1"] as [String?])
    func links(_ trust: String?) async throws {
        let outside = try TemporaryFolder(["gone.json": Self.accepted, "a.json": Self.accepted])
        let folder = try Self.workspace()
        try folder.folder.link("snapshots", to: outside.path)
        let file = try Self.workspace()
        try file.folder.link("snapshots/gone.json", to: outside.path("gone.json"))
        try file.folder.link("snapshots/a.json", to: outside.path("a.json"))
        for workspace in [folder, file] {
            let run = try await Tool.run(
                ["check", "--stub", "--update-snapshots"], in: workspace,
                environment: trust.map { ["REQCLI_TRUST": $0] } ?? [:])
            #expect(run.status != 0, "\(run.outputText)\(run.errors)")
            #expect(outside.contents == ["gone.json": Array(Self.accepted.utf8), "a.json": Array(Self.accepted.utf8)])
        }
        #expect(file.folder.bytes("snapshots/gone.json") != nil)
    }

    @Test("Nothing is removed if a case did not run")
    func stoppedEarly() async throws {
        let workspace = try Self.workspace([
            "endpoints/a.json": Self.endpoint("{}", expect: #"{"status": 201}"#),
            "endpoints/b.json": Self.endpoint("[]"), "snapshots/gone.json": Self.accepted,
        ])
        let run = try await check("--update-snapshots", "--fail-fast", "--jobs", "1", in: workspace)
        #expect(run.status == 1)
        #expect(workspace.folder.text("snapshots/gone.json") == Self.accepted)
    }

    @Test("A file that cannot be written ends the run with status 9")
    func unwritable() async throws {
        let workspace = try Self.workspace()
        try workspace.folder.link("snapshots", to: "nowhere/at all")
        let run = try await check("--update-snapshots", "--report", "json=report.json", in: workspace)
        #expect(run.status == 9)
        #expect(run.errors.hasPrefix("error: cannot write snapshots/a.json: "), "\(run.errors)")
        #expect(workspace.folder.text("report.json")?.contains(#""written": 0"#) == true)
    }

    @Test("A secret of another call is not written")
    func foreignSecret() async throws {
        let secret = #", "capture": {"t": {"json": "$.t", "secret": true}}"#
        let workspace = try Self.workspace([
            "endpoints/a.json": Self.endpoint(#"{"t": "s3cret-word"}"#),
            "endpoints/b.json": Self.endpoint(#"{"t": "s3cret-word"}"#, more: secret),
        ])
        let run = try await check("--update-snapshots", in: workspace)
        #expect(run.status == 9)
        #expect(
            run.errors == """
                error: cannot write snapshots/a.json: the response contains b.t, which is a secret of another call
                  leave the value out with "match" or "ignore"

                """)
        #expect(workspace.folder.text("snapshots/a.json") == nil)
        #expect(workspace.folder.text("snapshots/b.json")?.contains(#""t": "<b.t>""#) == true)
    }

    @Test("A broken snapshot is an error before anything is sent")
    func broken() async throws {
        let workspace = try Self.workspace(["snapshots/a.json": "<<<<<<< HEAD\n"])
        let run = try await check("--update-snapshots", in: workspace)
        #expect(run.status == 3)
        #expect(run.errors.hasPrefix("snapshots/a.json:1:1: error: "), "\(run.errors)")
        #expect(workspace.folder.text("snapshots/a.json") == "<<<<<<< HEAD\n")
    }

    @Test("Many cases at a time write a file each")
    func parallel() async throws {
        let endpoints = (0..<60).map { ("endpoints/e\($0).json", Self.endpoint("{\"n\": \($0)}")) }
        let workspace = try Self.workspace(Dictionary(uniqueKeysWithValues: endpoints))
        let run = try await check("--update-snapshots", "--jobs", "16", in: workspace)
        #expect(run.status == 0 && run.outputText.hasSuffix("snapshots: 61 written\n"))
        for index in 0..<60 {
            #expect(workspace.folder.text("snapshots/e\(index).json")?.contains("\"n\": \(index)\n") == true)
        }
        #expect(try await check("--quiet", in: workspace).status == 0)
    }

    @Test(
        "Every report shows the difference",
        arguments: [
            ("json", #""file": "snapshots/a.json""#), ("json", #""different": 1"#),
            ("junit", "$.name: expected &quot;Eve&quot;, found &quot;Ada&quot;"),
            ("tap", #"$.name: expected \"Eve\", found \"Ada\""#),
            ("github", "::error file=snapshots/a.json,line=5,endLine=5,col=13,title=a::$.name: expected"),
            ("html", "snapshots/a.json:5:13"),
        ])
    func reports(_ kind: String, _ text: String) async throws {
        let workspace = try Self.workspace(["snapshots/a.json": Self.accepted])
        let run = try await check("--report", "\(kind)=-", in: workspace)
        #expect(run.status == 1)
        #expect(run.outputText.contains(text), "\(run.outputText)")
    }

    @Test(
        "What contradicts --update-snapshots is refused",
        arguments: [
            (["--list"], "--list and --update-snapshots contradict each other"),
            (["--watch"], "--watch and --update-snapshots contradict each other"),
        ])
    func refusals(_ words: [String], _ message: String) async throws {
        let run = try await Tool.run(["check", "--update-snapshots"] + words, in: Self.workspace())
        #expect(run.status == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
