import HostileServing
import Testing
import ToolSupport

/// `--quiet` and `--verbose` say how much a run prints.
@Suite(.serialized) struct CheckOutputTests {
    private static let good = #"{"path": "/good", "expect": {"status": 200}, "stubs": {"variants": {"ok": {}}}}"#
    private static let bad = #"{"path": "/bad", "expect": {"status": 201}, "stubs": {"variants": {"ok": {}}}}"#

    private static func workspace(_ more: [String: String] = [:]) throws -> ToolWorkspace {
        let files = [
            "endpoints/good.json": good, "environments/development.json": #"{"baseURL": "http://127.0.0.1:9"}"#,
        ]
        return try ToolWorkspace(files.merging(more) { $1 })
    }

    /// The output with `TIME` in place of each time.
    private static func timeless(_ text: String) -> String { text.replacing(/[ ]+[0-9.]+m?s\b/, with: " TIME") }

    private static let failure = """
        ✗ bad TIME  failed  stub ok
            status  endpoints/bad.json:1:39
              expected 201
              found    200 OK
            answered 200 with 0 bytes

        """

    @Test("--quiet prints nothing if all cases pass", arguments: ["--quiet", "-Q"])
    func quietAndGreen(_ flag: String) async throws {
        let run = try await Tool.run(["check", "--stub", flag], in: Self.workspace())
        #expect(run.status == 0)
        #expect(run.outputText == "")
        #expect(run.errors == "")
    }

    @Test("--quiet prints only what fails, and the totals")
    func quietAndRed() async throws {
        let run = try await Tool.run(
            ["check", "--stub", "--quiet"], in: Self.workspace(["endpoints/bad.json": Self.bad]))
        #expect(run.status == 1)
        #expect(
            Self.timeless(run.outputText) == Self.failure + "2 cases in TIME (development): 1 passed, 1 failed\n")
    }

    @Test("--quiet shows no progress, and a report on stdout still has all cases")
    func quietTerminal() async throws {
        let workspace = try Self.workspace()
        let terminal = try PseudoTerminal()
        let run = try await Tool.run(
            ["check", "--stub", "--quiet"], in: workspace, environment: ["TERM": "xterm"],
            output: .descriptor(terminal.program), errors: .descriptor(terminal.program))
        #expect(run.status == 0)
        #expect(await terminal.finalText() == "")
        let report = try await Tool.run(["check", "--stub", "--quiet", "--report", "tap=-"], in: workspace)
        #expect(report.outputText.contains("ok 1 - good"))
        #expect(report.errors == "")
    }

    @Test("--quiet says that a shard is empty")
    func emptyShard() async throws {
        let workspace = try Self.workspace()
        var texts: [String] = []
        for shard in ["1/2", "2/2"] {
            texts.append(
                try await Tool.run(["check", "--stub", "--quiet", "--shard", shard], in: workspace).outputText)
        }
        #expect(texts.filter { !$0.isEmpty }.count == 1)
        #expect(texts.joined().contains("is empty: none of the one case belongs to this shard"), "\(texts)")
    }

    @Test("--verbose prints the request line, the status and the time of each case", arguments: ["--verbose", "-v"])
    func verbose(_ flag: String) async throws {
        let run = try await Tool.run(
            ["check", "--stub", "--jobs", "1", flag], in: Self.workspace(["endpoints/bad.json": Self.bad]))
        #expect(run.status == 1)
        let lines = Self.timeless(run.outputText).split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(9) == [
                "✗ bad TIME  failed  stub ok", "    GET http://127.0.0.1:9/bad", "    status  endpoints/bad.json:1:39",
                "      expected 201", "      found    200 OK", "    answered 200 with 0 bytes", "✓ good TIME  stub ok",
                "    GET http://127.0.0.1:9/good", "    answered 200 with 0 bytes",
            ], "\(run.outputText)")
    }

    @Test("--verbose masks secrets in the request line, and shows the request of a case without a response")
    func secret() async throws {
        let workspace = try Self.workspace([
            "endpoints/good.json":
                #"{"path": "/good", "query": {"key": "{{secret.key}}"}, "expect": {"status": 200}}"#,
            "environments/development.json":
                #"{"baseURL": "http://127.0.0.1:9", "secrets": {"key": {"env": "KEY"}}}"#,
        ])
        let run = try await Tool.run(["check", "--verbose"], in: workspace, environment: ["KEY": "hunter2hunter2"])
        #expect(run.status == 6)
        #expect(run.outputText.contains("GET http://127.0.0.1:9/good?key="), "\(run.outputText)")
        #expect(!run.outputText.contains("hunter2") && !run.outputText.contains("answered"), "\(run.outputText)")
    }

    @Test(
        "options that contradict each other are refused",
        arguments: [
            (["--quiet", "--verbose"], "--verbose and --quiet"), (["--list", "-Q"], "--quiet and --list"),
            (["--list", "-v"], "--verbose and --list"),
        ])
    func contradictions(_ words: [String], _ pair: String) async throws {
        let run = try await Tool.run(["check"] + words, in: Self.workspace())
        #expect(run.status == 2)
        #expect(run.outputText == "")
        #expect(run.errors.contains("\(pair) contradict each other"), "\(run.errors)")
    }
}
