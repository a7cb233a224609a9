import Checking
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing
import ToolSupport

/// What all reports have to keep, and each of them for itself.
struct ReportTests {
    static func text(_ kind: ReportKind, _ run: RunResult) -> String { kind.report.text(of: run) }

    // MARK: All

    @Test("No secret is in any report, whatever is asked for", arguments: ReportKind.allCases)
    func secrets(_ kind: ReportKind) async throws {
        let text = Self.text(kind, try await SampleRun.result().run)
        for secret in ["hunter2", "tok-123456789", "abcdef"] { #expect(!text.contains(secret), "\(secret)") }
        #expect(text.contains("secret.pin"))
    }

    @Test(
        "Control characters, marks that turn text around and large bodies break no report",
        arguments: ReportKind.allCases)
    func hostile(_ kind: ReportKind) async throws {
        let text = Self.text(kind, try await SampleRun.result("hostile").run)
        for scalar in text.unicodeScalars where scalar != "\n" {
            let isHarmless = scalar.properties.generalCategory != .control && scalar != "\u{202E}"
            #expect(isHarmless, "\(kind): \(scalar.escaped(asASCII: true))")
            if kind == .junit || kind == .html { #expect(scalar != "\u{FFFF}") }
        }
        #expect(text.utf8.count < 64 << 10)
    }

    @Test("Nothing that a server sent is a command to a CI server in any report", arguments: ReportKind.allCases)
    func commands(_ kind: ReportKind) async throws {
        var run = try await SampleRun.result("hostile").run
        run.warnings = ["::stop-commands::x", "a ##[error]b ###vso[task.complete] ##teamcity[buildStop]"]
        let text = Self.text(kind, run)
        for name in ["##[", "##vso[", "##teamcity["] { #expect(kind == .github || !text.contains(name), "\(name)") }
        for line in text.split(whereSeparator: \.isNewline).map({ $0.drop(while: \.isWhitespace) }) {
            let isOwn = kind == .github && (line.hasPrefix("::error file=") || line.hasPrefix("::warning "))
            #expect(isOwn || !line.hasPrefix("::"), "\(line)")
        }
    }

    @Test("An empty shard is told as what it is", arguments: ReportKind.allCases)
    func empty(_ kind: ReportKind) async throws {
        let run = try await SampleRun.emptyShard()
        #expect(run.exitStatus == .success)
        let text = Self.text(kind, run)
        if kind != .junit { #expect(text.contains("nothing was checked")) }
    }

    @Test("A warning about the run stands in every report", arguments: ReportKind.allCases)
    func warnings(_ kind: ReportKind) async throws {
        var run = try await SampleRun.result("ping").run
        #expect(!Self.text(kind, run).replacing("::warning file=", with: "").contains("warning"), "\(kind)")
        run.warnings = ["certificates are not checked in <b>: ]]>\u{1B}"]
        let text = Self.text(kind, run)
        #expect(text.contains("certificates are not checked in"), "\(kind)")
        #expect(!text.contains("\u{1B}"))
    }

    @Test("Each report but the annotations says which cases were answered by stubs, and which took several requests")
    func circumstances() async throws {
        let run = try await SampleRun.result("ping", "todos.get").run
        #expect(
            Self.text(.tap, run) == """
                TAP version 14
                1..2
                ok 1 - ping
                  ---
                  requests: 2
                  flaky: "flaky: passed at attempt 2; at first status: expected 204, found 503"
                  ...
                ok 2 - todos.get/is missing
                  ---
                  stub: "missing"
                  must_fail: true
                  ...

                """)
        #expect(
            Self.text(.junit, run).contains(
                "    <system-out>ping: flaky, 2 requests; at first status: expected 204, found 503</system-out>\n"))
        #expect(
            Self.text(.junit, run).contains(
                "<system-out>todos.get/is missing: stub missing, which must fail the checks</system-out>"))
        #expect(Self.text(.html, run).contains("2 requests"))
        #expect(Self.text(.html, run).contains("stub missing, which must fail the checks"))
    }

    // MARK: JUnit

    @Test("JUnit: a suite for each file, counts that add up, blocked cases as errors")
    func junit() async throws {
        let text = Self.text(.junit, try await SampleRun.result("billing.list", "ping", "slow", "todos").run)
        #expect(
            text.contains(
                "<testsuite id=\"0\" package=\"reqcli\" name=\"endpoints/billing.json\" hostname=\"localhost\" timestamp=\"2023-11-14T22:13:20\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.000\">"
            ))
        #expect(
            text.contains(
                "name=\"endpoints/todos.json\" hostname=\"localhost\" timestamp=\"2023-11-14T22:13:20\" tests=\"2\" failures=\"1\" errors=\"0\""
            ))
        #expect(text.contains("<testcase classname=\"ping\" name=\"ping\" time=\"1.0"))
        #expect(
            text.contains(
                "<error type=\"blocked\" message=\"auth.denied failed: status: expected 200, found 403\">endpoints/billing.json:2:11\n"
            ))
        #expect(text.contains("<property name=\"environment\" value=\"development\"/>"))
        #expect(text.contains("- 2\n  + 3\n"))
    }

    @Test(
        "JUnit: what an outsider checks against the schema is valid",
        .enabled(if: Tool.path(of: "xmllint") != nil, "xmllint is not installed"))
    func junitSchema() async throws {
        let xmllint = try #require(Tool.path(of: "xmllint"))
        var runs = [
            try await SampleRun.result().run, try await SampleRun.emptyShard(), try await SampleRun.interrupted().run,
        ]
        runs[0].warnings = ["something to know"]
        let folder = try TemporaryFolder()
        for (index, run) in runs.enumerated() {
            let name = "report-\(index).xml"
            try folder.write(name, Self.text(.junit, run))
            let outcome = try await Tool.run(
                "--noout", "--nonet", "--schema", Fixture.path("junit.xsd"), folder.path(name), in: folder.path,
                program: [xmllint])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try folder.write("bad.xml", "<testsuites><testsuite/></testsuites>")
        let bad = try await Tool.run(
            "--noout", "--schema", Fixture.path("junit.xsd"), folder.path("bad.xml"), in: folder.path,
            program: [xmllint])
        #expect(bad.status != 0, "the schema accepts anything")
    }

    // MARK: TAP

    @Test("TAP: a line for each case, the reasons as YAML, directives and new lines escaped")
    func tap() async throws {
        let text = Self.text(.tap, try await SampleRun.result("billing.list", "hostile", "ping").run)
        #expect(
            text.hasPrefix(
                ##"""
                TAP version 14
                1..3
                not ok 1 - billing.list
                  ---
                  verdict: blocked
                  at: "endpoints/billing.json:2:11"
                  duration_ms: 0
                  reasons:
                    - message: "auth.denied failed: status: expected 200, found 403"
                  ...
                not ok 2 - hostile/is \# not \\ <b>"markup"</b> & ]]> or␊::error::
                  ---
                """##))
        #expect(
            text.hasSuffix(
                "ok 3 - ping\n  ---\n  requests: 2\n  flaky: \"flaky: passed at attempt 2; at first status: expected 204, found 503\"\n  ...\n"
            ))
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("ok 99") || $0.hasPrefix("::") })
    }

    @Test(
        "TAP: an outsider counts the same",
        .enabled(if: Tool.path(of: "prove") != nil, "prove is not installed"),
        arguments: [0, 1, 2])
    func tapParser(_ index: Int) async throws {
        let prove = try #require(Tool.path(of: "prove"))
        let folder = try TemporaryFolder()
        let run =
            switch index {
            case 0: try await SampleRun.result().run
            case 1: try await SampleRun.emptyShard()
            default: try await SampleRun.result("todos.get", "ping").run
            }
        // Perl's harness has not heard of 14, and nothing that only 14 has is used.
        let text = Self.text(.tap, run).replacing("TAP version 14", with: "TAP version 13")
        try folder.write("report.tap", text)
        let outcome = try await Tool.run(
            "--verbose", "--exec", "cat", folder.path("report.tap"), in: folder.path, program: [prove])
        #expect((outcome.status == 0) == (run.exitStatus == .success), "\(outcome.outputText) \(outcome.errors)")
        #expect(!outcome.outputText.contains("Parse errors"))
        if index == 0 { #expect(outcome.outputText.contains("Failed 6/8 subtests"), "\(outcome.outputText)") }
        if index == 1 { #expect(outcome.outputText.contains("skipped: shard")) }
    }

    @Test("TAP: an interrupted run bails out")
    func tapInterrupted() async throws {
        let text = Self.text(.tap, try await SampleRun.interrupted().run)
        #expect(text == "TAP version 14\n1..3\nok 1 - ping\nBail out! interrupted\n")
    }

    // MARK: GitHub

    @Test("GitHub: an annotation for each failure at its place, escaped")
    func github() async throws {
        let text = Self.text(.github, try await SampleRun.result("billing.list", "slow", "todos.list").run)
        #expect(
            text == """
                ::error file=endpoints/billing.json,line=2,endLine=2,col=11,title=billing.list (blocked)::auth.denied failed: status: expected 200, found 403
                ::error file=endpoints/slow.json,line=1,endLine=1,col=1,title=slow::no answer within 3s from https://h/?pin=<secret.pin>%0Araise "timeout"
                ::error file=endpoints/todos.json,line=8,endLine=8,col=14,title=todos.list::$: expected [{"id":1,"title":"Buy milk"},{"id":2,"title":"Write a letter"}], found [{"id":1,"title":"Buy milk"},{"title":"Write a better","id":3,"token":"<auth.login.token>"}]%0A$[1].id%0A- 2%0A+ 3%0A$[1].title%0A- "Write a letter"%0A+ "Write a better"%0A$[1].token is not expected%0A+ "<auth.login.token>"
                ::error file=endpoints/todos.json,line=9,endLine=9,col=26,title=todos.list::$[*].id at $[1].id: expected a number below 3, found 3

                """)
        let hostile = Self.text(.github, try await SampleRun.result("hostile").run)
        #expect(
            hostile.contains("title=hostile/is # not \\ <b>\"markup\"</b> & ]]> or%0A%3A%3Aerror%3A%3A::body: expected")
        )
        #expect(hostile.split(separator: "\n").allSatisfy { $0.hasPrefix("::error file=endpoints/hostile.json,") })
    }

    // MARK: JSON

    @Test("JSON: everything about a run, and nothing that the documentation doesn't name")
    func json() async throws {
        let text = Self.text(.json, try await SampleRun.result().run)
        let document = JSONDocument.read(SourceFile(name: "report.json", text: text))
        #expect(document.problems.isEmpty)
        let root = try #require(document.root)
        #expect(root["format"]?.string == "reqcli.check")
        #expect(root["version"]?.number?.int == 1)
        #expect(root["exitCode"]?.number?.int == 1)
        #expect(root["startedAt"]?.string == "2023-11-14T22:13:20Z")
        let totals = try #require(root["totals"])
        #expect(
            totals.text.filter { !" \n".contains($0) }
                == #"{"selected":8,"cases":8,"passed":2,"failed":3,"error":1,"blocked":2,"notRun":0,"flaky":1}"#)
        #expect(root["cases"]?.count == 8)
        let names = Set(root.descendants.filter { $0.kind == .object }.flatMap { $0.members.map(\.name) })
        let page = try Fixture.documentation("reports.md")
        for name in names.sorted() {
            #expect(page.contains("`\(name)`"), "docs/reference/reports.md doesn't name \(name)")
        }
    }

    // MARK: HTML

    @Test("HTML: one page that fetches nothing, with an entry for each case and each thing that was needed")
    func html() async throws {
        let run = try await SampleRun.result().run
        let text = Self.text(.html, run)
        #expect(
            text.components("<details ") == run.cases.count + run.dependencies.count
                + text.components("id=\"timeline\""))
        #expect(
            text.components("class=\"headline\"><span class=\"failed\">") == 1
                && text.components(" passed, <span class=\"flaky\">1 flaky</span></p>") == 1)
        let titles = text.matches(of: /data-verdict="(\w+)"/).prefix(run.cases.count).map(\.output.1)
        #expect(titles.drop { $0 != "passed" && $0 != "notRun" }.allSatisfy { $0 == "passed" || $0 == "notRun" })
        #expect(
            text.contains("{\n    &quot;id&quot;: 1,\n") && text.contains("<span class=\"exchange\">GET 200</span>"))
        #expect(text.components("<script") == 1)
        #expect(text.components("<style") == 1)
        #expect(text.contains("; script-src 'sha256-") && text.components("'unsafe-inline'") == 1)
        for outside in ["src=", "@import", "url(", "http-equiv=\"refresh\""] {
            #expect(!text.contains(outside), "\(outside)")
        }
        #expect(!text.contains("<script>alert") && !text.contains("<b>\"markup") && !text.contains("<i>harm"))
        #expect(text.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"))
        #expect(
            text.contains(
                "curl -H &#39;X-Pin: &lt;secret.pin&gt;&#39; \\\n  &#39;https://example.com/hostile?a=1&amp;b=&lt;c&gt;&#39;"
            ))
        #expect(text.contains("Failed as expected"))
        let times = "DNS 0.4ms · connect 1.1ms · TLS 10ms · first byte 68ms · body 4.0ms"
        #expect(text.contains("<p class=\"about\">\(times)</p>"))
        for phase in ["dns", "connect", "tls", "wait", "receive"] {
            #expect(text.components("<i class=\"\(phase)\"") == 2, "one in the legend, one in the bar: \(phase)")
        }
    }

    @Test(
        "HTML: a browser shows it without a complaint, and its filter, keyboard and narrow screens work",
        .enabled(
            if: Tool.path(of: "chromium") != nil && Tool.path(of: "node") != nil,
            "chromium and node are not installed"))
    func browser() async throws {
        let node = try #require(Tool.path(of: "node"))
        let folder = try TemporaryFolder()
        try folder.write("report.html", Self.text(.html, try await SampleRun.result().run))
        let outcome = try await Tool.run(
            Fixture.script("report.mjs"), folder.path("report.html"), in: folder.path,
            variables: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path], program: [node])
        #expect(outcome.status == 0, "\(outcome.outputText) \(outcome.errors)")
    }

    // MARK: Requests

    @Test("A report is asked for by its kind and where it goes")
    func requests() throws {
        let requests = try ReportRequest.parse(["junit=out/a=b.xml", "tap=-"])
        #expect(requests == [.init(kind: .junit, path: "out/a=b.xml"), .init(kind: .tap, path: "-")])
    }

    @Test(
        "A mistake in what is asked for is told with the near name",
        arguments: [
            (["junit"], "--report takes KIND=FILE, KIND one of junit, tap, json, html, github; found \"junit\""),
            (["junit="], "--report takes KIND=FILE, KIND one of junit, tap, json, html, github; found \"junit=\""),
            (["juint=a"], "there is no report \"juint\""),
            (["tap=-", "json=-"], "two reports go to standard output: tap and json"),
            (["tap=a", "json=a"], "two reports go to \"a\": tap and json"),
        ])
    func badRequests(_ texts: [String], _ message: String) {
        let failure = #expect(throws: Failure.self) { try ReportRequest.parse(texts) }
        #expect(failure?.diagnostics.map(\.message) == [message])
        #expect(failure?.status == .usage)
    }

    @Test("A report that can't be written is told, and keeps no other from being written")
    func unwritable() async throws {
        let run = try await SampleRun.result("ping").run
        var written: [String: String] = [:]
        var output = ""
        let requests = try ReportRequest.parse(["junit=no/report.xml", "json=report.json", "tap=-"])
        let problems = requests.write(
            { $0.kind.report.write(run, to: $1) },
            toFile: { (path, pieces) throws(WritingProblem) in
                if path.hasPrefix("no/") { throw WritingProblem("there is no folder \"no\"") }
                pieces { written[path, default: ""] += $0 }
            }, toStandardOutput: { output += $0 })
        #expect(
            problems.map(\.message) == [
                "cannot write the junit report \"no/report.xml\": there is no folder \"no\""
            ])
        #expect(problems.map(\.status) == [.outputFailed])
        #expect(Array(written.keys) == ["report.json"])
        #expect(output.hasPrefix("TAP version 14\n"))
    }
}

/// Files beside the tests.
enum Fixture {
    static func path(_ name: String) -> String { "\(Repository.root)/Tests/Fixtures/\(name)" }

    static func script(_ name: String) -> String { "\(Repository.root)/Tests/browser/\(name)" }

    static func documentation(_ name: String) throws -> String {
        String(decoding: try FileSystem.live.read("\(Repository.root)/docs/reference/\(name)", 1 << 20), as: UTF8.self)
    }
}

extension String {
    /// How often a text stands in it.
    func components(_ text: String) -> Int { ranges(of: text).count }
}
