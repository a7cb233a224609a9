import ReqcliText
import Testing

@testable import Checking

/// The trend of the cases of several runs.
struct TrendTests {
    /// A run, in which each case is written as `name verdict milliseconds`; a star marks a case that passed on a later attempt.
    private static func run(
        _ day: Int, commit: String? = nil, environment: String = "development", _ cases: String...
    ) throws -> Trend.Run {
        let members = cases.map { each in
            let words = each.split(separator: " ")
            let flaky = words[1].hasSuffix("*") ? #", "flaky": {"attempt": 2, "reasons": []}"# : ""
            let verdict = words[1].filter { $0 != "*" }
            return
                #"{"id": "\#(words[0])", "verdict": "\#(verdict)", "attempts": 1, "durationMs": \#(words[2])\#(flaky)}"#
        }
        let text = """
            {"format": "reqcli.check", "environment": "\(environment)", \(commit.map { "\"commit\": \"\($0)\"," } ?? "")
             "startedAt": "2026-03-0\(day)T08:00:00Z", "durationMs": 100, "cases": [\(members.joined(separator: ", "))]}
            """
        return try Trend.Run(reading: SourceFile(name: "\(day).json", text: text))
    }

    private static func flakiness(_ runs: [Trend.Run]) -> [String] { Trend(runs).cases[0].flakiness.map(\.word) }

    @Test(
        "Runs are in the order of their times, and the latest duration is compared with the median of the earlier ones")
    func durations() throws {
        let runs = [
            try Self.run(3, "a passed 150"), try Self.run(1, "a passed 90"), try Self.run(4, "a failed 210"),
            try Self.run(2, "a passed 100"),
        ]
        let trend = Trend(runs)
        #expect(trend.runs.map(\.name) == ["1.json", "2.json", "3.json", "4.json"])
        let each = trend.cases[0]
        #expect(each.results.map(\.duration) == [90, 100, 150, 210])
        #expect((each.median, each.latest.duration, each.change) == (100, 210, 110))
        #expect(each.failures == 1 && each.flakiness.isEmpty)
        #expect(
            trend.summary
                == "4 runs from 2026-03-01 08:00 to 2026-03-04 08:00 UTC: 1 case, 1 not passed in the latest run")
    }

    @Test("Without a response there is no duration, and without an earlier duration no change")
    func missing() throws {
        let error = Trend([try Self.run(1, "a passed 80"), try Self.run(2, "a error 30000")]).cases[0]
        #expect((error.median, error.latest.duration, error.change) == (80, nil, nil))
        let first = Trend([try Self.run(1, "a passed 80")]).cases[0]
        #expect((first.median, first.latest.duration, first.change) == (80, 80, nil))
        let quick = Trend([try Self.run(1, "a passed 0"), try Self.run(2, "a passed 5")]).cases[0]
        #expect(quick.change == nil)
    }

    @Test("A case is flaky if it passed and failed at one commit, on a later attempt, or in turn")
    func flaky() throws {
        func runs(_ words: (commit: String?, verdict: String)...) throws -> [Trend.Run] {
            try words.enumerated().map { try Self.run($0 + 1, commit: $1.commit, "a \($1.verdict) 1") }
        }
        #expect(try Self.flakiness(runs(("x", "passed"), ("y", "failed"), ("x", "error"))) == ["commit"])
        #expect(try Self.flakiness(runs(("x", "passed"), ("y", "failed"), ("z", "passed"))) == [])
        #expect(try Self.flakiness(runs((nil, "passed"), (nil, "failed"), (nil, "passed"))) == [])
        #expect(
            try Self.flakiness(runs((nil, "passed"), (nil, "failed"), (nil, "passed"), (nil, "failed")))
                == ["alternation"])
        #expect(try Self.flakiness(runs(("x", "passed*"), ("y", "passed"))) == ["retry"])
    }

    @Test(
        "A blocked case says nothing about itself; each environment has its own line; flaky and failing cases are first"
    )
    func cases() throws {
        let trend = Trend([
            try Self.run(1, "calm passed 1", "gone failed 1", "shy passed* 1", "kept blocked 0"),
            try Self.run(2, environment: "staging", "calm failed 1"), try Self.run(3, "gone passed 1", "calm passed 1"),
        ])
        #expect(
            trend.cases.map(trend.title)
                == ["shy (development)", "calm (staging)", "gone (development)", "calm (development)"])
        #expect(trend.cases.map(\.results.count) == [1, 1, 2, 2])
    }

    @Test("A report without a time, and a file that is no report, have no place in a trend")
    func unreadable() {
        for text in [#"{"format": "reqcli.check", "environment": "e", "cases": []}"#, "{}", "<testsuites/>"] {
            #expect(throws: UnreadableReport.self) { try Trend.Run(reading: SourceFile(name: "x", text: text)) }
        }
    }

    @Test("JSON: runs and cases, with all results")
    func json() throws {
        let trend = Trend([try Self.run(1, commit: "abc", "a passed 80"), try Self.run(2, commit: "abc", "a error 5")])
        #expect(
            trend.json.compact == """
                {"format":"reqcli.trend","version":1,"runs":[{"file":"1.json","environment":"development","startedAt":\
                "2026-03-01T08:00:00Z","commit":"abc","durationMs":100,"passed":1,"failed":0},{"file":"2.json","environment":\
                "development","startedAt":"2026-03-02T08:00:00Z","commit":"abc","durationMs":100,"passed":0,"failed":1}],\
                "cases":[{"id":"a","environment":"development","runs":2,"failed":1,"medianMs":80,"flaky":["commit"],\
                "results":[{"run":1,"verdict":"passed","durationMs":80},{"run":2,"verdict":"error"}]}]}
                """)
    }

    @Test("The page names flaky cases, has no script, and shows names as text")
    func page() throws {
        let name = "<script>alert(1)</script>"
        let runs = try ["passed", "failed", "passed", "failed"].enumerated().map {
            try Self.run($0 + 1, "\(name) \($1) \($0 * 10)", "calm passed 5")
        }
        let text = TrendPage(Trend(runs)).text
        #expect(!text.contains("<script") && text.contains("script-src 'none'"))
        #expect(text.components("&lt;script&gt;alert(1)&lt;/script&gt;") == 2)
        #expect(text.contains("changed 3 times between passing and failing"))
        #expect(text.contains(#"aria-label="passed, failed, passed, failed""#))
        #expect(text.components("<tr id=\"case-") == 2)
    }
}
