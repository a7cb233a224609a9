import Checking
import ReqcliText
import Testing

/// Reading the report of an earlier run for `--failed`.
@Suite struct EarlierRunTests {
    private static func read(_ text: String) throws(Failure) -> EarlierRun {
        try EarlierRun(SourceFile(name: "report", bytes: Array(text.utf8)))
    }

    @Test("the cases that did not pass are read from the JSON report")
    func notPassed() async throws {
        let run = try await SampleRun.result().run
        let earlier = try Self.read(ReportKind.json.report.text(of: run))
        #expect(earlier.environment == run.environment)
        #expect(!earlier.notPassed.isEmpty)
        #expect(earlier.notPassed == run.cases.filter { $0.verdict != .passed }.map { TerminalText.harmless($0.id) })
    }

    @Test(
        "anything else is no report",
        arguments: [
            "", "TAP version 14", "{}", #"{"format": "reqcli.check"}"#, "[]", "<testsuites></testsuites>",
            #"{"format": "reqcli.check", "environment": "e", "cases": [{"id": "a"}]}"#,
        ])
    func noReports(_ text: String) {
        let failure = #expect(throws: Failure.self) { try Self.read(text) }
        #expect(failure?.status == .usage)
        #expect(failure?.diagnostics.first?.message == "\"report\" is not a JSON report of check")
    }

    @Test("damaged reports neither trap nor hang")
    func damaged() async throws {
        let run = try await SampleRun.result().run
        let bytes = Array(ReportKind.json.report.text(of: run).utf8)
        for end in stride(from: 0, to: bytes.count, by: 7) {
            _ = try? EarlierRun(SourceFile(name: "report", bytes: Array(bytes[..<end])))
        }
    }
}
