import Foundation
import HostileServing
import Testing
import ToolSupport

/// Report files are opened before the run, and replaced when the new report is complete.
@Suite(.serialized) struct ReportFileTests {
    private static func check(_ words: [String], in workspace: ToolWorkspace) async throws -> ToolRun {
        try await Tool.run(["check", "--stub"] + words, in: workspace)
    }

    private static func workspace() throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/a.json":
                #"{"path": "/", "expect": {"status": 200}, "stubs": {"variants": {"standard": {"json": {}}}}}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:1"}"#,
        ])
    }

    @Test("a report that cannot be written is exit 9, and the other reports are still written")
    func full() async throws {
        let workspace = try Self.workspace()
        let run = try await Self.check(
            ["--report", "junit=/dev/full", "--report", "json=report.json"], in: workspace)
        #expect(run.status == 9)
        #expect(run.errors == "error: cannot write the junit report \"/dev/full\": no space left on device\n")
        #expect(run.outputText.contains("1 passed"))
        #expect(workspace.files == ["report.json"])
    }

    @Test("--json after check and render is the report and the request as JSON")
    func json() async throws {
        let workspace = try Self.workspace()
        let report = try await Self.check(["--json"], in: workspace)
        let object = try JSONSerialization.jsonObject(with: Data(report.outputText.utf8)) as? [String: Any]
        #expect(report.status == 0 && object?["format"] as? String == "reqcli.check", "\(report)")
        for words in [["--json", "--list"], ["--json", "--report", "tap=-"]] {
            #expect(try await Self.check(words, in: workspace).status == 2, "\(words)")
        }
        let rendered = try await Tool.run(["render", "a", "--json"], in: workspace)
        let named = try await Tool.run(["render", "a", "--format", "json"], in: workspace)
        #expect(rendered.status == 0 && rendered.output == named.output)
        for words in [["--json", "--format", "har"], ["--json", "--one-line"], ["--json", "--diff", "b"]] {
            #expect(try await Tool.run(["render", "a"] + words, in: workspace).status == 2, "\(words)")
        }
    }

    @Test("an older report is kept until the new one is complete")
    func replaced() async throws {
        let workspace = try Self.workspace()
        try workspace.write("report.tap", "old")
        #expect(try await Self.check(["--report", "tap=report.tap", "--data", "none.csv"], in: workspace).status == 2)
        #expect(workspace.read("report.tap") == Array("old".utf8))
        #expect(try await Self.check(["--report", "tap=report.tap"], in: workspace).status == 0)
        #expect(
            workspace.read("report.tap").map { String(decoding: $0, as: UTF8.self) }
                == "TAP version 14\n1..1\nok 1 - a\n  ---\n  stub: \"standard\"\n  ...\n")
        #expect(workspace.files == ["report.tap"])
    }

    @Test("a report of an earlier run does not stay where a run that did not begin should have written its own")
    func stale() async throws {
        let workspace = try Self.workspace()
        for kind in ["junit", "json", "tap", "html"] {
            let words = ["--report", "\(kind)=report"]
            #expect(try await Self.check(words, in: workspace).status == 0)
            #expect(workspace.read("report") != nil)
            let run = try await Self.check(words + ["--data", "none.csv"], in: workspace)
            #expect(run.status == 2 && run.errors.contains("report is removed"), "\(run.errors)")
            #expect(workspace.read("report") == nil, "\(kind)")
        }
    }

    @Test("a report has the server, the commit and the page of the CI job")
    func origin() async throws {
        let workspace = try Self.workspace()
        let commit = String(repeating: "0123456789", count: 4)
        try workspace.write(".git/HEAD", "ref: refs/heads/main\n")
        try workspace.write(".git/packed-refs", "# pack-refs\n\(commit) refs/heads/main\n")
        func report(_ kind: String, _ variables: [String: String] = [:]) async throws -> String {
            let words = ["check", "--report", "\(kind)=report"]
            #expect(try await Tool.run(words, in: workspace, environment: variables).status == 6)
            return String(decoding: workspace.read("report") ?? [], as: UTF8.self)
        }
        let plain = try await report("json")
        #expect(
            plain.contains(#""server": "http://127.0.0.1:1/""#) || plain.contains(#""server": "http://127.0.0.1:1""#))
        #expect(plain.contains(#""commit": "\#(commit)""#) && !plain.contains(#""job""#), "\(plain.prefix(400))")
        let other = String(repeating: "f", count: 40)
        let inCI = [
            "GITHUB_SHA": other, "GITHUB_SERVER_URL": "https://g.example", "GITHUB_REPOSITORY": "a/b",
            "GITHUB_RUN_ID": "7",
        ]
        let page = try await report("html", inCI)
        #expect(
            page.contains("<a href=\"https://g.example/a/b/actions/runs/7\"") && page.contains(String(other.prefix(12)))
        )
        #expect(
            try await report("junit", ["BUILD_URL": "javascript:x"]).contains("name=\"commit\" value=\"\(commit)\""))
        #expect(!(try await report("json", ["BUILD_URL": "javascript:x"])).contains("javascript"))
    }

    @Test("a report to a device is written to it, not put in its place")
    func device() async throws {
        let workspace = try Self.workspace()
        let run = try await Self.check(["--report", "tap=/dev/stdout"], in: workspace)
        #expect(run.status == 0)
        #expect(run.outputText.contains("TAP version 14\n1..1\nok 1 - a\n"), "\(run.outputText)")
    }

    @Test("a report cannot replace a definition through a link, and two paths to one file are detected")
    func links() async throws {
        let workspace = try Self.workspace()
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("link"), withDestinationPath: workspace.path("endpoints"))
        let definition = workspace.read("endpoints/a.json")
        let run = try await Self.check(
            ["--report", "json=link/a.json", "--report", "tap=r.tap", "--report", "junit=\(workspace.path("r.tap"))"],
            in: workspace)
        #expect(run.status == 2)
        #expect(run.errors.contains("would be inside the folders of definitions"), "\(run.errors)")
        #expect(run.errors.contains("two reports go to"), "\(run.errors)")
        #expect(workspace.read("endpoints/a.json") == definition)
        #expect(workspace.files == ["link"])
    }

    @Test("a failed expectation decides the exit status even if the output cannot be written")
    func order() async throws {
        let workspace = try Self.workspace()
        try workspace.write(
            "endpoints/a.json",
            #"{"path": "/", "expect": {"status": 201}, "stubs": {"variants": {"standard": {"json": {}}}}}"#)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let run = try await Tool.run(["check", "--stub"], in: workspace, output: .descriptor(full))
        #expect(run.status == 1)
        #expect(run.errors.contains("cannot write the output"))
    }

    @Test("a request that could not be sent does not count as an attempt")
    func attempts() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/login.json": """
            {"path": "/l", "capture": {"token": {"json": "$.token"}},
             "stubs": {"variants": {"standard": {"json": {"token": "word"}}}}}
            """,
            "endpoints/a.json": """
            {"path": "/{{id}}", "params": {"id": {"type": "integer"}}, "needs": {"l": "login"},
             "checks": [{"name": "c", "with": {"id": "{{l.token}}"}, "expect": {"status": 200}}],
             "stubs": {"variants": {"standard": {"json": {}}}}}
            """, "environments/development.json": #"{"baseURL": "http://127.0.0.1:1"}"#,
        ])
        let run = try await Self.check(["--report", "json=-"], in: workspace)
        #expect(run.status == 2)
        #expect(run.outputText.contains("\"attempts\": 0"), "\(run.outputText)")
    }
}
