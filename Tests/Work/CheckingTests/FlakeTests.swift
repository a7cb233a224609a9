import Calling
import Checking
import ReqcliAssembly
import ReqcliDefinitions
import ReqcliText
import Testing

/// A case that passes only on a later attempt is marked as flaky, and fails with `--fail-on-flaky`.
struct FlakeTests {
    private static let files = [
        "endpoints/fine.json": #"{"path": "/", "expect": {"status": 200}}"#,
        "endpoints/shy.json": #"{"path": "/", "expect": {"status": 200}}"#,
        "endpoints/slow.json": #"{"path": "/", "expect": {"status": 200}}"#,
    ]

    private static func run(failing: Bool = false, retries: Int = 3) async throws -> RunResult {
        let stage = Stage { call, number in
            switch call.endpoint.id {
            case "shy": number < 3 ? .answer(503) : .answer(200)
            // Repeated by a "retry" in the files.
            case "slow": CallResult(.success(.json("{}")), requests: 2, firstFailure: "the response was 502")
            default: .answer(200)
            }
        }
        let options = RunOptions(jobs: .fixed(1), retries: retries, failsOnFlaky: failing)
        return try await stage.run(files, options: options)
    }

    @Test("what passed only on a later attempt is marked, with the reason of the first")
    func marked() async throws {
        let run = try await Self.run()
        #expect(run.outcome("fine")?.flake == nil)
        #expect(run.outcome("shy")?.flake?.attempt == 3)
        #expect(run.outcome("shy")?.flake?.reasons == ["status: expected 200, found 503"])
        #expect(run.outcome("slow")?.flake?.reasons == ["the response was 502"])
        #expect(run.flakyCount == 2)
        #expect(run.exitStatus == .success)
    }

    @Test("every report marks it", arguments: ReportKind.allCases)
    func reports(_ kind: ReportKind) async throws {
        let run = try await Self.run()
        let text = kind.report.text(of: run)
        let expected: [ReportKind: [String]] = [
            .junit: ["shy: flaky, 3 requests; at first status: expected 200, found 503"],
            .tap: [#"flaky: "flaky: passed at attempt 3; at first status: expected 200, found 503""#],
            .json: [#""flaky": 2"#, #""attempt": 3"#, #""status: expected 200, found 503""#],
            .html: ["<span class=\"badge flaky\">flaky</span>", "<span class=\"flaky\">2 flaky</span>"],
            .github: [
                "::warning file=endpoints/shy.json,line=1,endLine=1,col=1,title=shy (flaky)::flaky: passed at attempt 3"
            ],
        ]
        for part in expected[kind] ?? ["?"] { #expect(text.contains(part), "\(text)") }
    }

    @Test("the output names it, and the totals count it")
    func output() async throws {
        let run = try await Self.run()
        var report = HumanReport(ids: run.cases.map(\.id), width: 100)
        let text = (run.cases.map { report.text(of: $0) } + [report.summary(of: run)])
            .map { $0.rendered(inColour: false) }.joined()
        #expect(
            text.contains(
                """
                  flaky  3 requests
                    at first status: expected 200, found 503

                """), "\(text)")
        #expect(text.contains("(development): 3 passed, 2 flaky\n"), "\(text)")
    }

    @Test("with --fail-on-flaky it has failed, in every report", arguments: ReportKind.allCases)
    func failing(_ kind: ReportKind) async throws {
        let run = try await Self.run(failing: true)
        #expect(run.exitStatus == .expectationFailed)
        #expect(run.lines == ["fine: passed", "shy: failed", "slow: failed"])
        let text = kind.report.text(of: run)
        #expect(text.contains("passed at attempt 3"))
        let red: [ReportKind: String] = [
            .junit: "failures=\"1\"", .tap: "not ok 2 - shy", .json: "\"exitCode\": 1",
            .html: "data-verdict=\"failed\"",
            .github: "::error file=endpoints/shy.json",
        ]
        #expect(text.contains(red[kind] ?? "?"), "\(text)")
    }

    @Test("a case that never passes, and one that passes at once, are not flaky")
    func others() async throws {
        let run = try await Self.run(failing: true, retries: 1)
        #expect(run.outcome("shy")?.flake == nil)
        #expect(run.outcome("shy")?.reasons == ["status: expected 200, found 503"])
        #expect(run.outcome("fine")?.verdict == .passed)
    }
}
