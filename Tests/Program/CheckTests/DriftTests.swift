import Foundation
import HostileServing
import Testing
import ToolSupport

/// `drift` compares stubs with a server: it finds each seeded fault, and nothing else.
@Suite(.serialized) struct DriftTests {
    private static let stub = """
        {
          "id": 1,
          "mail_address": "ada@example.com",
          "active": true,
          "orders": [
            { "sum": 12, "at": "2026-11-23" }
          ],
          "prices": { "tea": 2, "milk": 1 }
        }

        """

    /// The server's answer: like the stub, with other values.
    private static let answer = """
        {"id": 7, "mail_address": "bob@example.com", "active": false, "prices": {"rice": 3}, "orders":
        [{"sum": 1, "at": "2024-02-29"}, {"sum": 2.5, "at": "2025-01-01"}]}
        """

    private static let endpoint = """
        {"path": "/user", "expect": {"status": 200}, "stubs": {"variants": {
          "standard": {"file": "user.json", "drift": {"maps": ["$.prices"]}}}}}
        """

    private static func server(_ answer: String, status: Int = 200) throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(status, ["Content-Type: application/json"], body: answer)
            }
        }
    }

    private static func workspace(
        _ port: Int, endpoint: String = endpoint, environment: String = ""
    ) throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/user.json": endpoint, "stubs/user.json": stub,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(port)"\#(environment)}"#,
        ])
    }

    private struct Fault: Sendable {
        let old: String
        let new: String
        let finding: String
        var isBreaking = true
    }

    private static let seeded = [
        Fault(
            old: #""mail_address""#, new: #""mail""#,
            finding: """
                    gone  $.mail_address  an email address in the stub, nothing in the response  stubs/user.json:3:3
                    new   $.mail          an email address
                """),
        Fault(
            old: #""id": 7"#, new: #""id": "7""#,
            finding: "    type  $.id  a number in the stub, a string in the response  stubs/user.json:2:9"),
        Fault(
            old: #""sum": 2.5"#, new: #""sum": "2.5""#,
            finding: """
                    type  $.orders[*].sum  a number in the stub, a string or a number in the response  stubs/user.json:6:14
                """),
        Fault(
            old: #""active": false"#, new: #""active": null"#,
            finding: "    null  $.active  a boolean in the stub, null in the response  stubs/user.json:4:13"),
        Fault(
            old: "2025-01-01", new: "2025-01-01T00:00:00Z",
            finding: "    format  $.orders[*].at  a date in the stub, a string in the response  stubs/user.json:6:24"),
        Fault(
            old: #"{"rice": 3}"#, new: #"{"rice": [3]}"#,
            finding: "    type  $.prices.*  a number in the stub, a list in the response  stubs/user.json:8:22"),
        Fault(
            old: #""sum": 1"#, new: #""sum": 1, "currency": "EUR""#, finding: "    new  $.orders[*].currency  a string",
            isBreaking: false),
    ]

    @Test("Each fault of the server is found, and nothing else", arguments: seeded.indices)
    func faults(_ index: Int) async throws {
        let fault = Self.seeded[index]
        let server = try Self.server(Self.answer.replacingOccurrences(of: fault.old, with: fault.new))
        defer { server.stop() }
        let workspace = try Self.workspace(server.port)
        let run = try await Tool.run(["drift"], in: workspace)
        #expect(run.status == (fault.isBreaking ? 1 : 0), "\(run.errors)")
        let lines = run.outputText.components(separatedBy: "\n")
        #expect(lines.dropFirst().dropLast(3).joined(separator: "\n") == fault.finding, "\(run.outputText)")
        #expect(lines[0].hasPrefix(fault.isBreaking ? "✗ user standard " : "✓ user standard "))
        let word = fault.isBreaking ? "1 drifted" : "none drifted"
        #expect(run.outputText.hasSuffix("\n1 stub compared (development): \(word)\n"), "\(run.outputText)")
        #expect(try await Tool.run(["drift", "--strict"], in: workspace).status == 1)
    }

    @Test("A server like the stubs is green, in strict runs, too")
    func green() async throws {
        let server = try Self.server(Self.answer)
        defer { server.stop() }
        let run = try await Tool.run(["drift", "user", "--strict"], in: Self.workspace(server.port))
        #expect(run.status == 0, "\(run.outputText) \(run.errors)")
        #expect(!run.outputText.contains("$"))
        #expect(server.requests.map(\.line) == ["GET /user HTTP/1.1"])
    }

    @Test("The placeholders of a filled variant fit every value, and an update leaves them alone")
    func filled() async throws {
        let server = try Self.server(#"{"id": 7, "stars": null, "link": "/r/7", "name": 5}"#)
        defer { server.stop() }
        let stub = #"{"id": "{{id}}", "stars": "{{$randomInt}}", "link": "https://h/{{id}}", "name": "Ada", "gone": 1}"#
        let workspace = try Self.workspace(
            server.port,
            endpoint: """
                {"path": "/user", "params": {"id": {"type": "integer", "default": 7}}, "headers": {"X-ID": "{{id}}"},
                 "stubs": {"variants": {"echo": {"fill": true, "file": "echo.json"}}}}
                """)
        try workspace.write("stubs/echo.json", stub)
        let run = try await Tool.run(["drift"], in: workspace)
        #expect(run.status == 1 && !run.outputText.contains("$.id") && !run.outputText.contains("$.stars"), "\(run)")
        #expect(run.outputText.contains("gone  $.gone") && run.outputText.contains("type  $.name"), "\(run)")
        _ = try await Tool.run(["drift", "--update"], in: workspace)
        let text = String(decoding: workspace.read("stubs/echo.json") ?? [], as: UTF8.self)
        #expect(text == #"{"id": "{{id}}", "stars": "{{$randomInt}}", "link": "https://h/{{id}}", "name": 5}"#)
    }

    @Test("A variant with \"when\" is compared with the responses to requests that meet it, others with the rest")
    func conditions() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let body = request.line.contains("page=2") ? #"{"next": null}"# : #"{"next": 2}"#
                connection.respond(200, ["Content-Type: application/json"], body: body)
            }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(
            server.port,
            endpoint: """
                {"path": "/list", "query": {"page": "{{page}}"}, "params": {"page": {"type": "integer", "default": 1}},
                 "checks": [{"name": "first", "expect": {"status": 200}}, {"name": "second", "with": {"page": 2}, "expect": {"status": 200}}],
                 "stubs": {"variants": {
                   "last": {"when": {"params": {"page": 2}}, "json": {"next": null}},
                   "third": {"when": {"params": {"page": 3}}, "json": {"next": 4}},
                   "first": {"json": {"next": 2}}}}}
                """)
        let run = try await Tool.run(["drift"], in: workspace)
        #expect(run.status == 0, "\(run)")
        #expect(run.outputText.contains("- user third  not compared: no request met its \"when\"\n"), "\(run)")
        #expect(run.outputText.contains("2 stubs compared"), "\(run)")
    }

    @Test("What is not compared is listed with its reason, and a run that compared nothing fails")
    func notCompared() async throws {
        let server = try Self.server("[]")
        defer { server.stop() }
        let variants = """
            "missing": {"status": 404, "json": {}}, "empty": {}, "text": {"text": "x"}, "down": {"error": "refused"},
            "bad": {"json": 1, "expect": "fail"}, "turns": {"sequence": ["empty"]}, "off": {"json": 1, "drift": false},
            "copy": {"like": "missing"}
            """
        let workspace = try ToolWorkspace([
            "endpoints/user.json": #"{"endpoints": {"get": {"path": "/user", "stubs": {"variants": {\#(variants)}}}, "#
                + #""put": {"path": "/user", "method": "PUT", "stubs": {"variants": {"a": {"json": 1}}}}, "#
                + #""bare": {"path": "/bare", "expect": {"status": 200}}}}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
        ])
        let run = try await Tool.run(["drift"], in: workspace)
        #expect(run.status == 2)
        #expect(
            run.outputText == """
                - user.get missing  not compared: the server responded with 200, but the variant has the status 404
                - user.get empty  not compared: the variant has no body
                - user.get text  not compared: the variant's body is not JSON
                - user.get down  not compared: the variant is an error
                - user.get bad  not compared: the variant has "expect": "fail"
                - user.get turns  not compared: the variant is a sequence
                - user.get off  not compared: the variant has "drift": false
                - user.get copy  not compared: the server responded with 200, but the variant has the status 404
                - user.put  not compared: PUT may change something, and the endpoint has neither "expect" nor "checks"

                0 stubs compared (development): none drifted, 9 not compared

                """)
        #expect(run.errors.contains("error: nothing was compared"), "\(run.errors)")
        #expect(server.requests.map(\.line) == ["GET /user HTTP/1.1"])
    }

    @Test("As JSON, findings have their places, and what is not compared has its reason")
    func json() async throws {
        let server = try Self.server(#"{"id": "x", "more": 1}"#)
        defer { server.stop() }
        let endpoint = """
            {"path": "/user", "stubs": {"variants": {
              "standard": {"json": {"id": 1}}, "missing": {"status": 404, "json": {}}}}}
            """
        let workspace = try Self.workspace(server.port, endpoint: endpoint)
        let run = try await Tool.run(["drift", "--json"], in: workspace)
        #expect(run.status == 1, "\(run.errors)")
        let time = try Regex(#""durationMs": [0-9]+"#)
        #expect(
            run.outputText.replacing(time, with: #""durationMs": 1"#) == """
                {
                  "format": "reqcli.drift",
                  "version": 1,
                  "environment": "development",
                  "strict": false,
                  "interrupted": false,
                  "totals": {
                    "compared": 1,
                    "drifted": 1,
                    "updated": 0,
                    "notCompared": 1,
                    "unanswered": 0
                  },
                  "stubs": [
                    {
                      "id": "user standard",
                      "endpoint": "user",
                      "variant": "standard",
                      "verdict": "drifted",
                      "durationMs": 1,
                      "count": 2,
                      "findings": [
                        {
                          "kind": "new",
                          "path": "$.more",
                          "response": "a number",
                          "fails": false
                        },
                        {
                          "kind": "type",
                          "path": "$.id",
                          "stub": "a number",
                          "response": "a string",
                          "fails": true,
                          "file": "endpoints/user.json",
                          "line": 2,
                          "column": 31
                        }
                      ]
                    },
                    {
                      "id": "user missing",
                      "endpoint": "user",
                      "variant": "missing",
                      "verdict": "notCompared",
                      "reasons": [
                        "the server responded with 200, but the variant has the status 404"
                      ]
                    }
                  ]
                }

                """)
        let update = try await Tool.run(["drift", "--json", "--update"], in: workspace)
        #expect(update.status == 0)
        #expect(update.outputText.contains(#""verdict": "updated""#), "\(update.outputText)")
        let silent = try await Tool.run(["drift", "--json"], in: Self.workspace(9))
        #expect(silent.status == 6)
        #expect(silent.outputText.contains(#""verdict": "unanswered""#), "\(silent.outputText)")
    }

    @Test("A check's response is compared with the variant of its status, and paths can be ignored")
    func checks() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isMissing = request.line.contains("id=9")
                connection.respond(
                    isMissing ? 404 : 200, ["Content-Type: application/json"],
                    body: isMissing ? #"{"error": 5}"# : #"{"meta": 1, "id": 1}"#)
            }
        }
        defer { server.stop() }
        let endpoint = """
            {"path": "/user", "params": {"id": {"type": "integer", "example": 1}}, "query": {"id": "{{id}}"},
             "expect": {"status": 200}, "checks": [{"name": "missing", "with": {"id": 9}, "expect": {"status": 200}}],
             "stubs": {"variants": {
               "standard": {"json": {"id": 1, "meta": {}}, "drift": {"ignore": ["$.meta"]}},
               "missing": {"status": 404, "json": {"error": "x"}}}}}
            """
        let run = try await Tool.run(["drift"], in: Self.workspace(server.port, endpoint: endpoint))
        #expect(run.status == 1)
        #expect(run.outputText.contains("✓ user standard"))
        #expect(
            run.outputText.contains(
                "type  $.error  a string in the stub, a number in the response  endpoints/user.json:5:"))
        #expect(run.outputText.hasSuffix("2 stubs compared (development): 1 drifted\n"), "\(run.outputText)")
    }

    @Test("An update writes live values without secrets, keeps all other bytes, and the next run is green")
    func update() async throws {
        let answer = Self.answer.replacingOccurrences(of: #""mail_address""#, with: #""mail""#)
            .replacingOccurrences(of: #""active": false"#, with: #""active": null, "key": "hunter2-secret""#)
        let server = try Self.server(answer)
        defer { server.stop() }
        let endpoint = """
            {
              // Two stubs
              "path": "/user", "headers": {"X-Key": "{{secret.key}}"},
              "stubs": {"variants": {"standard": {"file": "user.json", "drift": {"maps": ["$.prices"]}},
                "short": {"drift": {"ignore": ["$.orders", "$.prices", "$.key"]}, "json": {
                  "id": 1, // the number
                  "mail": "ada@example.com",
                  "gone": [1, 2]
                }}}}
            }

            """
        let workspace = try Self.workspace(
            server.port, endpoint: "{}", environment: #", "secrets": {"key": {"env": "KEY"}}"#)
        try workspace.write("endpoints/user.jsonc", endpoint)
        try FileManager.default.removeItem(atPath: workspace.path("endpoints/user.json"))
        let environment = workspace.environment.merging(["KEY": "hunter2-secret"]) { $1 }
        let run = try await Tool.run(["drift", "--update"], in: workspace, environment: environment)
        #expect(run.status == 0, "\(run.outputText) \(run.errors)")
        #expect(run.outputText.contains("none drifted, 2 updated"), "\(run.outputText)")
        let updated = Self.stub.replacingOccurrences(
            of: #""mail_address": "ada@example.com""#, with: #""mail": "bob@example.com""#
        )
        .replacingOccurrences(of: #""active": true"#, with: #""active": null"#)
        .replacingOccurrences(
            of: #""prices": { "tea": 2, "milk": 1 }"#,
            with: "\"prices\": { \"tea\": 2, \"milk\": 1 },\n  \"key\": \"<secret.key>\"")
        #expect(workspace.read("stubs/user.json").map { String(decoding: $0, as: UTF8.self) } == updated)
        #expect(
            workspace.read("endpoints/user.jsonc").map { String(decoding: $0, as: UTF8.self) }
                == endpoint.replacingOccurrences(of: #""gone": [1, 2]"#, with: #""active": null"#))
        let again = try await Tool.run(["drift", "--strict"], in: workspace, environment: environment)
        #expect(again.status == 0, "\(again.outputText) \(again.errors)")
    }

    @Test("Nothing is written of a body in which a secret could not be found")
    func hidden() async throws {
        let server = try Self.server(#"{"session": {"token": "tok-123456"}, "id": 1}"#)
        defer { server.stop() }
        let endpoint = """
            {"path": "/", "capture": {"token": {"json": "$.token", "secret": true}},
             "stubs": {"variants": {"a": {"json": {"id": "x", "old": 1}}}}}
            """
        let workspace = try Self.workspace(server.port, endpoint: endpoint)
        let run = try await Tool.run(["drift", "--update"], in: workspace)
        #expect(run.status == 1, "\(run.outputText) \(run.errors)")
        #expect(run.outputText.contains("updated in part\n"), "\(run.outputText)")
        let text = workspace.read("endpoints/user.json").map { String(decoding: $0, as: UTF8.self) }
        #expect(text == endpoint.replacingOccurrences(of: #", "old": 1"#, with: ""))
    }

    @Test("A stub that was changed while the server was asked stays as it is")
    func changedMeanwhile() async throws {
        let workspace = try Self.workspace(9)
        let path = workspace.path("stubs/user.json")
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                try? "{}".write(toFile: path, atomically: true, encoding: .utf8)
                connection.respond(200, ["Content-Type: application/json"], body: #"{"id": "x"}"#)
            }
        }
        defer { server.stop() }
        try workspace.write("environments/development.json", #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#)
        let run = try await Tool.run(["drift", "--update"], in: workspace)
        #expect(run.status == 9)
        #expect(run.errors.contains("stubs/user.json was changed while reqcli called the server"), "\(run.errors)")
        #expect(workspace.read("stubs/user.json") == Array("{}".utf8))
    }

    @Test("Methods that change something need what check needs for them, and stubs are no server")
    func refused() async throws {
        let server = try Self.server("{}")
        defer { server.stop() }
        let endpoint = """
            {"path": "/user", "method": "POST", "expect": {"status": 200},
             "stubs": {"variants": {"a": {"json": {}}}}}
            """
        let asking = try Self.workspace(
            server.port, endpoint: endpoint, environment: #", "policy": {"confirm": ["POST"]}"#)
        #expect(try await Tool.run(["drift"], in: asking).status == 8)
        #expect(server.requests.isEmpty)
        #expect(try await Tool.run(["drift", "--yes"], in: asking).status == 0)
        #expect(server.requests.map(\.line) == ["POST /user HTTP/1.1"])
        let stubbed = try Self.workspace(server.port, environment: #", "stubs": {"*": "standard"}"#)
        let run = try await Tool.run(["drift"], in: stubbed)
        #expect(run.status == 2)
        #expect(
            run.errors.contains(
                "drift compares stubs with a server, but the environment development responds from stubs"))
    }

    @Test("Without a server, the run ends as check does")
    func noServer() async throws {
        let run = try await Tool.run(["drift"], in: Self.workspace(9))
        #expect(run.status == 6, "\(run.outputText) \(run.errors)")
        #expect(run.outputText.contains("! user  no response"), "\(run.outputText)")
    }
}
