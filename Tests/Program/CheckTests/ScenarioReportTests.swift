import Foundation
import Testing
import ToolSupport

/// Scenarios in selectors, reports and other commands.
@Suite(.serialized) struct ScenarioReportTests {
    // MARK: Selecting

    @Test(
        "selectors, exclusions, tags and files select scenarios",
        arguments: [
            (["scenario:a"], "scenario:a"), (["scenario:*"], "scenario:a scenario:b.c"),
            (["scenario:b"], "scenario:b.c"),
            (["tag:slow"], "scenario:b.c"), (["--exclude", "scenario:a"], "ping scenario:b.c"),
            (["--exclude", "tag:slow"], "ping scenario:a"), (["ping"], "ping"), ([], "ping scenario:a scenario:b.c"),
            (["--uses", "scenarios/a.json"], "scenario:a"),
            (["--uses", "endpoints/shop.json"], "scenario:a scenario:b.c"),
        ])
    func selected(_ words: [String], _ ids: String) async throws {
        let shop = try Shop()
        defer { shop.stop() }
        let workspace = try shop.workspace(
            ["a": Shop.life, "b/c": Shop.life.replacing(#"{"steps""#, with: #"{"tags": ["slow"], "steps""#)],
            ["endpoints/ping.json": #"{"path": "/", "expect": {"status": 404}}"#])
        let run = try await Tool.run(["check", "--list"] + words, in: workspace)
        let listed = run.outputText.split(separator: "\n").dropLast().compactMap { $0.split(separator: " ").first }
        #expect(listed.joined(separator: " ") == ids, "\(run)")
    }

    @Test(
        "a selector that selects no scenario is status 2 and suggests one",
        arguments: [
            ("scenario:lif", "did you mean \"scenario:life\"?"), ("scenario:life/mad", "did you mean \"made\"?"),
        ])
    func unknown(_ selector: String, _ hint: String) async throws {
        let shop = try Shop()
        defer { shop.stop() }
        let run = try await Tool.run(["check", selector], in: shop.workspace(["life": Shop.life]))
        #expect(run.status == 2)
        #expect(run.errors.contains(hint), "\(run)")
    }

    @Test("only the scenarios that did not pass run again")
    func failedAgain() async throws {
        let shop = try Shop()
        defer { shop.stop() }
        let passing = Shop.life.replacing(
            #"{"name": "changed""#,
            with: #"{"name": "never", "endpoint": "shop.create", "if": {"value": 1, "equals": 2}}, {"name": "changed""#)
        let workspace = try shop.workspace([
            "good": passing, "bad": #"{"steps": [{"name": "a", "endpoint": "shop.get", "with": {"id": 7}}]}"#,
        ])
        let first = try await Tool.run(["check", "--report", "json=last"], in: workspace)
        #expect(first.status == 1, "\(first)")
        let list = try await Tool.run(["check", "--failed", "last", "--list"], in: workspace)
        #expect(list.outputText == "scenario:bad      a\n1 scenario\n", "\(list)")
    }

    // MARK: Reports

    @Test("every report shows the steps")
    func reports() async throws {
        let kinds = ["junit", "tap", "json", "github", "html"]
        let (run, _, workspace) = try await Shop.check(
            Shop.life, kinds.flatMap { ["--report", "\($0)=report.\($0)"] }, refusing: "PUT ")
        #expect(run.status == 1)
        func report(_ kind: String) -> String {
            String(decoding: workspace.read("report.\(kind)") ?? [], as: UTF8.self)
        }
        #expect(report("junit").contains(#"<testsuite id="0" package="reqcli" name="scenarios/a.json""#))
        #expect(report("junit").contains(#"tests="8" failures="1" errors="0" skipped="3""#), "\(report("junit"))")
        #expect(report("junit").contains(#"<testcase classname="scenario:a" name="scenario:a/changed""#))
        #expect(report("junit").contains(#"name="scenario:a/cleanup shop.deletePart""#))
        #expect(
            report("tap").contains("# Subtest: scenario:a\n    1..8\n    ok 1 - made\n    ok 2 - parts\n"),
            "\(report("tap"))")
        #expect(report("tap").contains("    not ok 3 - changed\n"))
        #expect(report("tap").contains("\nnot ok 1 - scenario:a\n"))
        #expect(
            report("github").hasPrefix("::error file=scenarios/a.json,line=4,endLine=4,col="), "\(report("github"))")
        #expect(report("html").contains(#"class="step" data-verdict="failed" open"#))
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(report("json").utf8)) as? [String: Any])
        #expect((json["cases"] as? [Any])?.isEmpty == true)
        let scenario = try #require((json["scenarios"] as? [[String: Any]])?.first)
        #expect(scenario["id"] as? String == "scenario:a" && scenario["verdict"] as? String == "failed")
        let steps = try #require(scenario["steps"] as? [[String: Any]])
        #expect(
            steps.compactMap { $0["verdict"] as? String } == [
                "passed", "passed", "failed", "notRun", "notRun", "notRun", "passed", "passed",
            ])
        #expect(steps.compactMap { $0["line"] as? Int } == [2, 3, 4, 5, 7, 8, 10, 11])
    }

    @Test("the parts of a run are merged with their scenarios")
    func merged() async throws {
        let shop = try Shop()
        defer { shop.stop() }
        let bad = #"{"steps": [{"name": "a", "endpoint": "shop.get", "with": {"id": 0}}]}"#
        let workspace = try shop.workspace(
            ["a": Shop.life, "b": bad, "c": Shop.life, "d": Shop.life],
            ["endpoints/ping.json": #"{"path": "/", "expect": {"status": 404}}"#])
        for part in 1...2 {
            _ = try await Tool.run(["check", "--shard", "\(part)/2", "--report", "json=\(part).json"], in: workspace)
        }
        let whole = try await Tool.run(["check", "--report", "json=whole.json"], in: workspace)
        let run = try await Tool.run(
            ["report", "merge", "1.json", "2.json", "--report", "json=merged.json", "--report", "junit=merged.xml"],
            in: workspace)
        #expect(whole.status == 1 && run.status == 1, "\(run)")
        #expect(run.outputText.contains("1 case and 4 scenarios"), "\(run)")
        func verdicts(_ name: String) throws -> [String] {
            let data = Data(workspace.read(name) ?? [])
            let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            return (json?["scenarios"] as? [[String: Any]] ?? []).map { each in
                let steps = (each["steps"] as? [[String: Any]] ?? []).compactMap { $0["verdict"] as? String }
                return "\(each["id"] ?? ""): \(each["verdict"] ?? "") \(steps)"
            }
        }
        let expected = try verdicts("whole.json")
        #expect(expected.count == 4)
        #expect(try verdicts("merged.json") == expected)
        #expect(String(decoding: workspace.read("merged.xml") ?? [], as: UTF8.self).contains("scenario:b/a"))
    }

    @Test("list, show, validate and completions know scenarios")
    func commands() async throws {
        let shop = try Shop()
        defer { shop.stop() }
        let workspace = try shop.workspace([
            "life": Shop.life.replacing(#"{"steps""#, with: #"{"description": "A life", "steps""#)
        ])
        let list = try await Tool.run(["list", "scenario:*"], in: workspace)
        #expect(list.outputText == "scenario:life    6 steps  A life\n", "\(list)")
        let show = try await Tool.run(["show", "scenario:life"], in: workspace)
        #expect(
            show.outputText.hasPrefix(
                "scenario:life\nA life\nscenarios/life.json:1\n\nSteps\n  made     shop.create\n"), "\(show)")
        #expect(try await Tool.run(["show", "scenario:lif"], in: workspace).errors.contains("did you mean"))
        let validate = try await Tool.run(["validate"], in: workspace)
        #expect(validate.outputText == "ok: 8 endpoints, 1 environment, 1 scenario in 3 files\n", "\(validate)")
        let words = try await Tool.run(["__complete", "bash", "1", "check", "scenario:"], in: workspace)
        #expect(words.outputText.contains("life"), "\(words)")
    }
}
