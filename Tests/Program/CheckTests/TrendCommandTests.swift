import Testing
import ToolSupport

/// `report trend` by the built program.
struct TrendCommandTests {
    private static func report(_ day: Int, _ verdict: String, commit: String = "3f2a91c0") -> String {
        """
        {"format": "reqcli.check", "environment": "staging", "commit": "\(commit)", "startedAt": "2026-03-0\(day)T08:00:00Z",
         "cases": [{"id": "orders.create", "verdict": "\(verdict)", "attempts": 1, "durationMs": \(day * 40)},
                   {"id": "orders.list", "verdict": "passed", "attempts": 1, "durationMs": 50}]}
        """
    }

    private static func workspace() throws -> ToolWorkspace {
        try ToolWorkspace([
            "runs/b.json": report(1, "passed"), "runs/a.json": report(2, "failed"), "runs/notes.txt": "not read",
            "runs/package.json": "{}", "later.json": report(3, "passed"), "junit.xml": "<testsuites/>",
            "empty/other.json": "[]", "endpoints/a.json": #"{"path": "/"}"#,
        ])
    }

    @Test("reports of a folder and files make a table, and a page on request")
    func table() async throws {
        let workspace = try Self.workspace()
        let run = try await Tool.run(
            ["report", "trend", "runs", "later.json", "runs/a.json", "-o", "trend.html"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.outputText == """
                case           runs  failed  median  latest  change  last 10
                orders.create  3     1       80ms    120ms   +200%   ✓✗✓
                orders.list    3     0       50ms    50ms    0%      ✓✓✓

                flaky: orders.create: passed and failed at commit 3f2a91c0
                3 runs from 2026-03-01 08:00 to 2026-03-03 08:00 UTC: 2 cases, 1 flaky

                """)
        #expect(run.errors.hasPrefix("note: \"runs/package.json\" is not a JSON report of check: "), "\(run.errors)")
        #expect(run.errors.hasSuffix(", and is left out\n"))
        let page = String(decoding: try #require(workspace.read("trend.html")), as: UTF8.self)
        #expect(page.contains("orders.create") && page.contains("passed and failed at commit"))
    }

    @Test("the trend as JSON, and the page on standard output")
    func output() async throws {
        let workspace = try Self.workspace()
        let json = try await Tool.run(["report", "trend", "later.json", "--json"], in: workspace)
        #expect(json.status == 0 && json.outputText.contains(#""format": "reqcli.trend""#))
        let page = try await Tool.run(["report", "trend", "later.json", "-o", "-"], in: workspace)
        #expect(
            page.status == 0 && page.outputText.hasPrefix("<!DOCTYPE html>") && !page.outputText.contains("last 10"))
    }

    @Test(
        "what cannot be read is named, with what to do",
        arguments: [
            (["junit.xml"], "error: \"junit.xml\" is not a JSON report of check: "),
            (["empty"], "error: \"empty\" has no JSON report of check\n"),
            (["none.json"], "error: cannot read \"none.json\": there is no such file"),
            (["later.json", "none"], "error: cannot read \"none\": there is no such file"),
            (["later.json", "empty"], "error: \"empty\" has no JSON report of check\n"),
            ([], "error: \"report trend\" needs the JSON reports of several runs, or a folder of them\n"),
            (["later.json", "--report", "tap=-"], "error: --report cannot be used with \"report trend\"\n"),
            (
                ["later.json", "-o", "environments/x.json"],
                "error: the html report \"environments/x.json\" would be inside"
            ),
        ])
    func mistakes(_ words: [String], _ message: String) async throws {
        let workspace = try Self.workspace()
        let run = try await Tool.run(
            ["report", "trend"] + words + ["-o", "t.html"].prefix(words.contains("-o") ? 0 : 2), in: workspace)
        #expect(run.status == 2)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.outputText == "" && !workspace.files.contains("t.html"))
    }
}
