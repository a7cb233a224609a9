import HostileServing
import Testing
import ToolSupport

/// Every error that can be found in advance is reported before the first request is sent.
@Suite(.serialized) struct NothingSentTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The file `endpoints/z.json`: the last one, after forty valid cases.
        let last: String
        var environment = ""
        var files: [String: String] = [:]
        var words: [String] = []
        let status: Int32
        /// The errors that are reported, each with its place.
        let tells: [String]
        /// Text that must not be shown.
        var hides: [String] = []
    }

    private static let secretParameters = """
        {"path": "/{{a}}/{{n}}", "params": {"a": {"type": "string", "secret": true, "default": "x"},
         "n": {"type": "integer", "secret": true, "maximum": 10, "default": 1}}, "expect": {"status": 200}}
        """

    private static let cases = [
        Case(
            testDescription: "a value that nothing gives", last: #"{"path": "/{{nope}}", "expect": {"status": 200}}"#,
            status: 3, tells: [#"endpoints/z.json:1:12: error: "{{nope}}" is neither a param of z"#]),
        Case(
            testDescription: "a secret that isn't there",
            last: #"{"path": "/z", "auth": {"bearer": "{{secret.t}}"}, "expect": {"status": 200}}"#,
            environment: #", "secrets": {"t": {"env": "NO_SUCH_TOKEN"}}"#, status: 3,
            tells: ["environments/development.json:1:", "NO_SUCH_TOKEN"]),
        Case(
            testDescription: "a file that isn't there",
            last: #"{"method": "POST", "path": "/z", "body": {"file": "none.bin"}, "expect": {"status": 200}}"#,
            status: 3, tells: ["endpoints/z.json:1:", #"there is no file "none.bin""#]),
        Case(
            testDescription: "a value that an expectation can't compare with",
            last: #"{"path": "/z", "expect": {"json": {"$.n": {"<": "{{word}}"}}}}"#, status: 3,
            tells: ["endpoints/z.json:1:", #""<" takes a number; found "word""#]),
        Case(
            testDescription: "an expectation whose value nothing gives",
            last: #"{"path": "/z", "expect": {"json": {"$.n": "{{wrod}}"}}}"#, status: 3,
            tells: ["endpoints/z.json:1:", #"did you mean "word"?"#]),
        Case(
            testDescription: "a param's value of the wrong type, by way of a variable",
            last: """
                {"path": "/{{id}}", "params": {"id": {"type": "integer"}},
                 "checks": [{"name": "odd", "with": {"id": "{{word}}"}, "expect": {"status": 200}}]}
                """, status: 2, tells: ["endpoints/z.json:2:", "id takes a whole number"]),
        Case(
            testDescription: "a row whose value does not match",
            last: #"{"path": "/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"status": 200}}"#,
            files: ["rows.csv": "id\n" + (1...40).map { "\($0)\n" }.joined() + "last\n"],
            words: ["z", "--data", "rows.csv"], status: 2, tells: ["rows.csv:42:1: error: id takes a whole number"]),
        Case(
            testDescription: "a row whose value does not match, with a secret beside it", last: secretParameters,
            files: ["rows.csv": "a,n\nhunter2secret,99\n"], words: ["z", "--data", "rows.csv"], status: 2,
            tells: ["rows.csv:2:1: error: n must be at most 10"], hides: ["hunter2", "99"]),
        Case(
            testDescription: "a row that can't be read, with a secret in it", last: secretParameters,
            files: ["rows.csv": "a,n\nhunter2secret,9,9\n"], words: ["z", "--data", "rows.csv"], status: 2,
            tells: ["rows.csv:2:1: error: this line has 3 fields"], hides: ["hunter2"]),
        Case(
            testDescription: "a column that nothing takes, with a secret beside it", last: secretParameters,
            files: ["rows.json": #"[{"a": "hunter2secret", "n": 1, "b": 2}]"#],
            words: ["z", "--data", "rows.json"], status: 2, tells: [#"has a param "b""#], hides: ["hunter2"]),
        Case(
            testDescription: "a row without secrets is shown", last: secretParameters,
            files: ["rows.csv": "x\nword\n"], words: ["z", "--data", "rows.csv"], status: 2,
            tells: [#"has a param "x""#, "1 | x"]),
        Case(
            testDescription: "a capture that the endpoint behind the alias doesn't make",
            last:
                #"{"path": "/z", "needs": {"l": "login"}, "auth": {"bearer": "{{l.tokn}}"}, "expect": {"status": 200}}"#,
            status: 3, tells: ["endpoints/z.json:1:", #"has no capture "tokn""#, #"did you mean "token"?"#]),
        Case(
            testDescription: "something wrong beside a capture that is to come",
            last: """
                {"path": "/{{l.token}}/{{nope}}", "needs": {"l": "login"}, "expect": {"status": 200}}
                """, status: 3, tells: ["endpoints/z.json:1:", "nope"]),
        Case(
            testDescription: "something wrong with what is handed on to a need",
            last: """
                {"path": "/z", "needs": {"i": {"endpoint": "item", "with": {"id": "{{word}}"}}}, "expect": {"status": 200}}
                """, status: 2, tells: ["endpoints/z.json:1:", "id takes a whole number"]),
        Case(
            testDescription: "a capture that a check hands on to another need",
            last: """
                {"params": {"t": {"type": "string"}}, "query": {"t": "{{t}}"},
                 "needs": {"l": "login", "d": {"endpoint": "tenant", "with": {"tenant": "{{t}}"}}},
                 "checks": [{"name": "c", "with": {"t": "{{l.token}}"}, "expect": {"status": 200}}]}
                """, status: 3,
            tells: [
                #"endpoints/z.json:2:74: error: the "with" of a need can't use "t", which the check "c" sets to a capture"#
            ]),
        Case(
            testDescription: "a capture that a need hands on to another need",
            last: """
                {"needs": {"l": "login", "d": {"endpoint": "tenant", "with": {"tenant": "{{l.token}}"}}},
                 "expect": {"status": 200}}
                """, status: 3,
            tells: [#"endpoints/z.json:1:74: error: the "with" of a need can't use the capture "l.token""#]),
        Case(
            testDescription: "an operand with nothing in place of what is included",
            last: """
                {"params": {"title": {"type": "string", "required": false}}, "query": {"t": "{{title}}"},
                 "expect": {"json": {"$.a": {"includes": {"title": "{{title}}", "id": 1}}}}}
                """, status: 3, tells: ["endpoints/z.json:2:", "the expected value is missing", "{{title}}"]),
        Case(
            testDescription: "an operand with nothing in place of an element",
            last: """
                {"params": {"title": {"type": "string", "required": false}}, "query": {"t": "{{title}}"},
                 "expect": {"json": {"$.a": {"not": {"in": ["{{title}}"]}}}}}
                """, status: 3, tells: ["endpoints/z.json:2:", "the expected value is missing", "{{title}}"]),
        Case(
            testDescription: "a secret where a number is compared with",
            last: #"{"path": "/z", "expect": {"json": {"$.a": {"<": "{{secret.tok}}"}}}}"#, environment: secret,
            files: secretFile, status: 3, tells: [#""<" takes a number; found "<secret.tok>""#], hides: ["S3cr"]),
        Case(
            testDescription: "a secret for a param that takes something else",
            last: """
                {"path": "/z/{{p}}/{{e}}", "params": {"p": {"type": "integer"}, "e": {"type": "string", "enum": ["a"]}},
                 "checks": [{"name": "c", "with": {"p": "{{secret.tok}}", "e": "{{secret.tok}}"}, "expect": {"status": 200}}]}
                """, environment: secret, files: secretFile, status: 2,
            tells: [
                #"p takes a whole number; found "<secret.tok>""#, #"e takes one of "a"; found "<secret.tok>""#,
            ], hides: ["S3cr"]),
        Case(
            testDescription: "a stub variant of an endpoint that there isn't",
            last: #"{"path": "/z", "expect": {"status": 200}}"#, words: ["--stub=lgin=bad"], status: 2,
            tells: [#"there is no endpoint or group "lgin""#, #"did you mean "login"?"#]),
        Case(
            testDescription: "a variant where a selector stands",
            last: #"{"path": "/z", "expect": {"status": 200}, "stubs": {"variants": {"empty": {}}}}"#,
            words: ["--stub", "empty"], status: 2,
            tells: [#"there is no endpoint or group "empty""#, "--stub=empty"]),
        Case(
            testDescription: "a missing param beside what is wrong elsewhere",
            last: """
                {"endpoints": {
                  "one": {"path": "/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"status": 200}},
                  "two": {"path": "/{{never}}", "expect": {"status": 200}}}}
                """, words: ["--report", "junit=none/report.xml"], status: 3,
            tells: [#"z.one needs the param "id""#, "endpoints/z.json:3:", "never", "none/report.xml"]),
        Case(
            testDescription: "two reports in one file", last: #"{"path": "/z", "expect": {"status": 200}}"#,
            words: ["--report", "junit=r.xml", "--report", "json=./r.xml"], status: 2,
            tells: [#"two reports go to "./r.xml": junit and json"#]),
        Case(
            testDescription: "a report in place of a definition", last: #"{"path": "/z", "expect": {"status": 200}}"#,
            words: ["--report", "json=endpoints/a.json"], status: 2,
            tells: [#"the json report "endpoints/a.json" would be inside the folders of definitions"#]),
        Case(
            testDescription: "a column for no param, without a value in any row",
            last: #"{"path": "/{{id}}", "params": {"id": {"type": "integer"}}, "expect": {"status": 200}}"#,
            files: ["rows.csv": "id,nmae\n1,\n2,\n"], words: ["z", "--data", "rows.csv"], status: 2,
            tells: [#"rows.csv:1:4: error: none of the selected cases has a param "nmae""#]),
        Case(
            testDescription: "a method that the policy refuses",
            last: #"{"method": "DELETE", "path": "/z", "expect": {"status": 200}}"#,
            environment: #", "policy": {"methods": ["GET"]}"#, status: 8,
            tells: ["development does not allow DELETE: its policy allows only GET"]),
        Case(
            testDescription: "a method that nobody is there to confirm",
            last: #"{"method": "DELETE", "path": "/z", "expect": {"status": 200}}"#,
            environment: #", "policy": {"confirm": ["DELETE"]}"#, status: 8, tells: ["--yes"]),
        Case(
            testDescription: "a report that can't be written", last: #"{"path": "/z", "expect": {"status": 200}}"#,
            words: ["--report", "tap=-", "--report", "junit=none/report.xml"], status: 9,
            tells: [#"cannot write the junit report "none/report.xml": no such file or directory"#]),
        Case(
            testDescription: "several things at once, all of them told",
            last: """
                {"endpoints": {
                  "one": {"path": "/{{nope}}", "expect": {"status": 200}},
                  "two": {"path": "/{{never}}", "expect": {"status": 200}}}}
                """, words: ["--report", "junit=none/report.xml"], status: 3,
            tells: ["endpoints/z.json:2:", "nope", "endpoints/z.json:3:", "never", "none/report.xml"]),
    ]

    private static let secret = #", "secrets": {"tok": {"file": "token"}}"#
    private static let secretFile = ["token": "S3cr3t-" + String(repeating: "and-more-of-it-", count: 12)]

    private static let common = [
        "endpoints/a.json": """
        {"endpoints": {\((1...40).map { "\"e\($0)\": {\"path\": \"/\($0)\", \"expect\": {\"status\": 200}}" }
            .joined(separator: ", "))}}
        """,
        "endpoints/login.json": #"{"path": "/login", "capture": {"token": {"json": "$.token"}}}"#,
        "endpoints/tenant.json":
            #"{"path": "/t", "params": {"tenant": {"type": "string", "default": "public"}}, "query": {"t": "{{tenant}}"}}"#,
        "endpoints/item.json": #"{"path": "/item/{{id}}", "params": {"id": {"type": "integer"}}}"#,
    ]

    @Test("all errors are reported at once and nothing is sent", arguments: cases)
    func nothingSent(_ each: Case) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, body: "{}") }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(Self.common.merging(each.files) { $1 })
        try workspace.write("endpoints/z.json", each.last)
        try workspace.write(
            "environments/development.json",
            #"{"baseURL": "http://127.0.0.1:\#(server.port)", "variables": {"word": "word"}\#(each.environment)}"#)
        let run = try await Tool.run(["check"] + each.words, in: workspace)
        #expect(run.status == each.status, "\(run.errors)")
        #expect(run.outputText == "")
        for text in each.tells { #expect(run.errors.contains(text), "\(run.errors)") }
        for text in each.hides { #expect(!run.errors.contains(text), "\(run.errors)") }
        #expect(server.requests.isEmpty)
    }

    @Test("a run starts even if values are only captured during it")
    func captured() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, body: #"{"token": 7, "n": 3}"#) }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([
            "endpoints/login.json": #"{"path": "/login", "capture": {"token": {"json": "$.token"}}}"#,
            "endpoints/me.json": """
            {"path": "/{{id}}/{{l.token}}", "params": {"id": {"type": "integer"}}, "needs": {"l": "login"},
             "query": {"kind": {"$switch": "{{l.token}}", "7": "seven"}},
             "checks": [{"name": "captured", "with": {"id": "{{l.token}}"}, "expect": {"json": {"$.n": {"<": "{{l.token}}"}}}}]}
            """, "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
        ])
        let run = try await Tool.run(["check"], in: workspace)
        #expect(run.status == 0, "\(run.outputText) \(run.errors)")
        #expect(server.requests.map(\.line) == ["GET /login HTTP/1.1", "GET /7/7?kind=seven HTTP/1.1"])
    }

    @Test("a secret's command runs once for all cases")
    func secretOnce() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200) }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(Self.common)
        try workspace.write(
            "environments/development.json",
            """
            {"baseURL": "http://127.0.0.1:\(server.port)", "auth": {"bearer": "{{secret.t}}"},
             "secrets": {"t": {"command": ["sh", "-c", "echo run >> runs; echo token"]}}}
            """)
        let run = try await Tool.run(["check", "a", "--trust"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.count == 40)
        #expect(server.requests.allSatisfy { $0.values("Authorization") == ["Bearer token"] })
        #expect(workspace.read("runs").map { String(decoding: $0, as: UTF8.self) } == "run\n")
    }

    @Test("at a terminal, one question confirms all requests of a run", arguments: [("y", 0, 3), ("n", 8, 0)])
    func confirmed(_ answer: String, _ status: Int32, _ requests: Int) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200) }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([
            "endpoints/a.json": """
            {"endpoints": {"get": {"path": "/", "expect": {"status": 200}},
              "one": {"method": "DELETE", "path": "/1", "expect": {"status": 200}},
              "two": {"method": "DELETE", "path": "/2", "expect": {"status": 200}}}}
            """,
            "environments/development.json":
                #"{"baseURL": "http://127.0.0.1:\#(server.port)", "policy": {"confirm": ["DELETE"]}}"#,
        ])
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["check"], in: workspace, input: terminal.program, errors: .descriptor(terminal.program))
        #expect(await terminal.shows("DELETE a.one"))
        #expect(await terminal.shows("Send them? [y/N] "))
        #expect(server.requests.isEmpty)
        terminal.type(answer + "\n")
        #expect(try await tool.end().status == status)
        #expect(server.requests.count == requests)
    }
}
