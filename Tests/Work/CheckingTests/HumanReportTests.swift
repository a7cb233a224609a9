import Checking
import ReqcliAssembly
import ReqcliText
import Testing

struct HumanReportTests {
    static func text(
        _ plan: CheckPlan, _ run: RunResult, inColour: Bool = false, width: Int = 100, isForTerminal: Bool = false,
        detail: HumanReport.Detail = .cases
    ) -> String {
        var report = HumanReport(plan, width: width, isForTerminal: isForTerminal, detail: detail)
        let cases = run.cases.map { report.text(of: $0) }
        return (cases + [report.summary(of: run)]).map { $0.rendered(inColour: inColour) }.joined()
    }

    @Test("A line for each case, what went wrong below it, and a summary")
    func everything() async throws {
        let (plan, run) = try await SampleRun.result("auth.denied", "billing", "ping", "slow", "todos.list")
        #expect(
            Self.text(plan, run) == """
                ✗ auth.denied      1.0s  failed  2 requests
                    status  endpoints/auth.json:3:54
                      expected 200
                      found    403
                    answered 403 with 2 bytes
                ⊘ billing.list           blocked
                    auth.denied failed: status: expected 200, found 403
                      GET https://example.com/
                      HTTP 403
                      Content-Type: application/json

                      {}

                      curl 'https://example.com/'
                ⊘ billing.get            blocked
                    auth.denied failed, as above
                ✓ ping             1.0s  flaky  2 requests
                    at first status: expected 204, found 503
                ! slow             1.0s  error  2 requests
                    no answer within 3s from https://h/?pin=<secret.pin>
                      raise "timeout"
                ✗ todos.list       1.0s  failed  2 requests
                    $  endpoints/todos.json:8:14
                      expected [{"id":1,"title":"Buy milk"},{"id":2,"title":"Write a letter"}]
                      found    [{"id":1,"title":"Buy milk"},{"title":"Write a
                               better","id":3,"token":"<auth.login.token>"}]
                        $[1].id
                        - 2
                        + 3
                        $[1].title
                        - "Write a letter"
                        + "Write a better"
                        $[1].token is not expected
                        + "<auth.login.token>"
                    $[*].id at $[1].id  endpoints/todos.json:9:26
                      expected a number below 3
                      found    3
                    answered 200 with 96 bytes

                6 cases in 4.0s (development): 1 passed, 2 failed, 1 error, 2 blocked, 1 flaky
                slowest: auth.denied 1.0s failed, ping 1.0s, slow 1.0s error
                needed: auth.denied 1.0s failed, auth.login 1ms

                """)
    }

    @Test("A case that a stub has answered says so, and a warning about the run ends it")
    func circumstances() async throws {
        var (plan, run) = try await SampleRun.result("todos.get")
        run.warnings = ["something to know"]
        let lines = Self.text(plan, run).split(separator: "\n")
        #expect(lines.first?.hasPrefix("✓ todos.get/is missing ") == true)
        #expect(lines.first?.hasSuffix("  stub missing, which must fail the checks") == true)
        #expect(lines.last == "warning: something to know")
    }

    @Test("No line is wider than the terminal, and none holds what a terminal would obey", arguments: [40, 60, 100])
    func width(_ width: Int) async throws {
        let (plan, run) = try await SampleRun.result()
        let text = Self.text(plan, run, width: width, isForTerminal: true)
        for line in text.split(separator: "\n") where TerminalText.width(of: line) > width {
            // Ids are to be copied, and no word is broken.
            let isCase = "✓✗!⊘".contains(line.first ?? " ")
            let words = line.split(separator: " ").filter { $0 != "expected" && $0 != "found" }
            #expect(isCase || words.count == 1, "\(line)")
        }
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!text.contains("hunter2") && !text.contains("tok-123456789"))
    }

    @Test("In a pipe a list stays on its line, however long it is")
    func listInPipe() async throws {
        let (plan, run) = try await SampleRun.result()
        let lines = Self.text(plan, run, width: 40).split(separator: "\n")
        let slowest = try #require(lines.first { $0.hasPrefix("slowest: ") })
        #expect(slowest.split(separator: ", ").count == 3, "\(slowest)")
    }

    @Test("On a terminal values are broken, each line below the one before")
    func broken() async throws {
        let (plan, run) = try await SampleRun.result("todos.list")
        var report = HumanReport(plan, width: 40, isForTerminal: true)
        let text = run.cases.map { report.text(of: $0).plain }.joined()
        #expect(
            text.contains(
                """
                      expected [{"id":1,"title":"Buy
                               milk"},{"id":2,"title":"W
                               rite
                               a letter"}]

                """), "\(text)")
        #expect(text.split(separator: "\n").dropFirst().allSatisfy { TerminalText.width(of: $0) <= 40 }, "\(text)")
    }

    @Test("Colour is an addition: without its sequences the text is the same")
    func colour() async throws {
        let (plan, run) = try await SampleRun.result()
        let coloured = Self.text(plan, run, inColour: true)
        #expect(coloured.contains("\u{1B}[32m✓"))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == Self.text(plan, run))
    }

    @Test("What was expected has no colour, and what was found is red")
    func failureColours() async throws {
        let (plan, run) = try await SampleRun.result()
        let lines = Self.text(plan, run, inColour: true).split(separator: "\n")
        let expected = lines.filter { $0.contains("  expected ") }
        let found = lines.filter { $0.contains("  found ") }
        #expect(!expected.isEmpty && expected.allSatisfy { !$0.contains(/\u{1B}\[[0-9;]*3[0-9]/) }, "\(expected)")
        #expect(!found.isEmpty && found.allSatisfy { $0.contains("\u{1B}[31m") }, "\(found)")
    }

    @Test(
        "Cases that took no time to speak of are not among the slowest",
        arguments: [(Duration.microseconds(400), false), (.milliseconds(1), true)])
    func quick(_ tick: Duration, _ isShown: Bool) async throws {
        let files = [
            "endpoints/a.json": #"{"path": "/a", "expect": {"status": 200}}"#,
            "endpoints/b.json": #"{"path": "/b", "expect": {"status": 200}}"#,
        ]
        let stage = Stage(tick: tick) { _, _ in .answer(200) }
        let request = CheckPlan.Request(selectors: [], environment: "development")
        let plan = try CheckPlan.make(request, from: Catalogue(of: Workshop.workspace(files)))
        let run = await CheckRun(plan, options: RunOptions(jobs: .fixed(1)), caller: stage.caller, clock: stage.clock)
            .result()
        let text = Self.text(plan, run)
        #expect(text.contains("slowest: ") == isShown, "\(text)")
    }

    @Test("An interrupted run and an empty shard say so")
    func remarks() async throws {
        let (plan, run) = try await SampleRun.interrupted()
        #expect(
            Self.text(plan, run) == """
                ✓ ping            1ms

                3 cases in 6ms (development): 1 passed, 2 not run
                slowest: ping 1ms
                interrupted: running cases were stopped, and no more cases were started

                """)
        let empty = try await SampleRun.emptyShard()
        let text = HumanReport(plan, width: 100).summary(of: empty).plain
        let shard = try #require(empty.shard?.text)
        #expect(
            text
                == "\nshard \(shard) is empty: none of the one case belongs to this shard, so nothing was checked here\n"
        )
    }

    @Test("A report of failures shows what did not pass and the totals, and that a run was not complete")
    func failuresOnly() async throws {
        let (plan, run) = try await SampleRun.result("billing", "ping")
        #expect(
            Self.text(plan, run, detail: .failures) == """
                ⊘ billing.list           blocked
                    auth.denied failed: status: expected 200, found 403
                      GET https://example.com/
                      HTTP 403
                      Content-Type: application/json

                      {}

                      curl 'https://example.com/'
                ⊘ billing.get            blocked
                    auth.denied failed, as above
                3 cases in 2.0s (development): 1 passed, 2 blocked, 1 flaky

                """)
        let (partPlan, part) = try await SampleRun.interrupted()
        #expect(
            Self.text(partPlan, part, detail: .failures) == """
                3 cases in 6ms (development): 1 passed, 2 not run
                interrupted: running cases were stopped, and no more cases were started

                """)
        let (goodPlan, good) = try await SampleRun.result("ping")
        #expect(Self.text(goodPlan, good, detail: .failures) == "")
    }

    @Test(
        "Progress fits on one line",
        arguments: [
            (40, "7/120, 2 not passed  user.get, user.fe…"), (30, "7/120, 2 not passed  user.ge…"), (6, "7/12…"),
            (1, ""),
        ])
    func progress(_ width: Int, _ text: String) async throws {
        let (plan, _) = try await SampleRun.result("ping")
        let report = HumanReport(plan, width: width)
        let progress = RunProgress(
            total: 120, done: 7, notPassed: 2, running: ["user.get", "user.feed\n", "todos.list"])
        #expect(report.progress(progress).plain == text)
        #expect(TerminalText.width(of: report.progress(progress).plain) < width)
    }

    @Test("What failed in another way is told once more, and what failed in the same way is not")
    func blockers() async throws {
        let files: [String: String] = [
            "endpoints/dep.json": #"{"path": "/{{p}}", "params": {"p": {"type": "integer"}}}"#,
            "endpoints/u.json": """
            {"params": {"p": {"type": "integer"}}, "needs": {"d": {"endpoint": "dep", "with": {"p": "{{p}}"}}}, "checks": [
              {"name": "one", "with": {"p": 500}, "expect": {"status": 200}},
              {"name": "other", "with": {"p": 404}, "expect": {"status": 200}},
              {"name": "one again", "with": {"p": 500}, "expect": {"status": 200}}]}
            """,
        ]
        let stage = Stage { call, _ in .answer(call.arguments.first?.source.shown == "404" ? 404 : 500) }
        let plan = try CheckPlan.make(
            CheckPlan.Request(environment: "development"), from: Catalogue(of: Workshop.workspace(files)))
        let run = await CheckRun(plan, caller: stage.caller, clock: stage.clock).result()
        let lines = Self.text(plan, run).split(separator: "\n").map(String.init).filter { $0.contains("dep failed") }
        #expect(lines.count == 3)
        #expect(lines.first?.hasSuffix("found 500") == true)
        #expect(lines.dropFirst().first?.hasSuffix("found 404") == true)
        #expect(lines.last == "    dep failed, as above")
    }
}
