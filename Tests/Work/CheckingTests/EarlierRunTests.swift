import Checking
import ReqcliText
import Testing

/// What `--failed` reads from reports.
@Suite struct EarlierRunTests {
    private static func read(_ text: String) throws(Failure) -> EarlierRun {
        try EarlierRun(SourceFile(name: "report", bytes: Array(text.utf8)))
    }

    @Test("the cases that did not pass are read from both kinds of report", arguments: [ReportKind.json, .junit])
    func kinds(_ kind: ReportKind) async throws {
        let run = try await SampleRun.result().run
        let earlier = try Self.read(kind.report.text(of: run))
        #expect(earlier.environments == [run.environment])
        #expect(!earlier.notPassed.isEmpty)
        #expect(earlier.notPassed == run.cases.filter { $0.verdict != .passed }.map { TerminalText.harmless($0.id) })
    }

    @Test(
        "a JUnit report of another program is read, too",
        arguments: [
            #"<testsuite><testcase name="a"/><testcase name='b'><skipped/></testcase></testsuite>"#,
            #"<?xml version="1.0"?><!-- <testcase name="c"> --><testsuites><testcase name = "b"><failure>x</failure><error/></testcase><testcase name="d"></testcase></testsuites>"#,
            #"<testsuites><testcase name="b"><failure><![CDATA[</testcase><error/>]]></failure></testcase></testsuites>"#,
            "\u{FEFF}<testsuites><testcase name=\"&#98;\"><failure message=\"a > b / c\"/></testcase></testsuites>",
        ])
    func otherPrograms(_ text: String) throws {
        #expect(try Self.read(text).notPassed == ["b"])
    }

    @Test("references in ids are read")
    func references() throws {
        let text = #"<testsuite><testcase name="a &amp; &lt;&#39;&#x41;&odd; &"><error/></testcase></testsuite>"#
        #expect(try Self.read(text).notPassed == ["a & <'A&odd; &"])
    }

    @Test(
        "anything else is no report",
        arguments: [
            "", "TAP version 14", "{}", #"{"format": "reqcli.check"}"#, "[]", "<html></html>", "<testsuites><",
            #"{"format": "reqcli.check", "environment": "e", "cases": [{"id": "a"}]}"#,
            "<testsuites><testcase/></testsuites>", #"<testsuites><testcase name="a/></testsuites>"#,
            "<testsuites><!-- </testsuites>",
        ])
    func noReports(_ text: String) {
        let failure = #expect(throws: Failure.self) { try Self.read(text) }
        #expect(failure?.status == .usage)
        #expect(failure?.diagnostics.first?.message == "\"report\" is not a JSON or JUnit report of check")
    }

    @Test("damaged reports neither trap nor hang")
    func damaged() async throws {
        let run = try await SampleRun.result().run
        for kind in [ReportKind.json, .junit] {
            let bytes = Array(kind.report.text(of: run).utf8)
            for end in stride(from: 0, to: bytes.count, by: 7) {
                _ = try? EarlierRun(SourceFile(name: "report", bytes: Array(bytes[..<end])))
            }
        }
    }
}
