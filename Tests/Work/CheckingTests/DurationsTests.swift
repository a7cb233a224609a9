import Testing

@testable import Checking

/// Percentiles and the histogram of the HTML report.
struct DurationsTests {
    @Test(
        "A percentile is the smallest duration that at least as many are not above",
        arguments: [
            ([7], [7, 7, 7]), ([3, 1, 2], [2, 3, 3]), (Array(1...100), [50, 90, 99]), (Array(1...10), [5, 9, 10]),
        ])
    func percentiles(_ durations: [Int], _ expected: [Int]) {
        #expect([50, 90, 99].map(Durations(durations).percentile) == expected)
    }

    private static func text(_ durations: [Int]) async throws -> String {
        var run = try await SampleRun.result("ping").run
        run.cases = durations.enumerated().map { index, duration in
            var each = run.cases[0]
            each.id = "case <\(index + 1)>"
            each.outcome.duration = .milliseconds(duration)
            return each
        }
        return HTMLReport().durations(run)
    }

    @Test("The histogram counts each duration once, in steps of 1, 2, 5, 10 and so on, and links to the slowest cases")
    func histogram() async throws {
        let text = try await Self.text([0, 1, 2, 30, 100, 101, 900])
        #expect(
            text.contains(
                "aria-label=\"Durations: 2 up to 1ms, 1 up to 2ms, 1 up to 50ms, 1 up to 100ms, 1 up to 200ms, 1 up to 1.0s\""
            ))
        #expect(
            text.contains("<a href=\"#case-7\" class=\"name\">case &lt;7&gt;</a> <span class=\"time\">900ms</span>"))
        #expect(text.components("<li><a href") == 5)
        #expect(text.contains("<span>p50</span> 30ms</li>"))
    }

    @Test("Cases with the same milliseconds are in the order of the run, as in a report that is made from JSON")
    func sameMilliseconds() async throws {
        var run = try await SampleRun.result("ping").run
        run.cases.append(run.cases[0])
        run.cases[0].outcome.duration = .microseconds(50_900)
        run.cases[1].outcome.duration = .microseconds(51_200)
        #expect(run.slowest(2) == [0, 1])
    }

    @Test("Cases that took no time have no durations")
    func none() async throws {
        #expect(try await Self.text([0, 0]) == "")
        #expect(try await Self.text([]) == "")
        #expect(try await Self.text([400]).components("<rect") == 5)
    }
}
