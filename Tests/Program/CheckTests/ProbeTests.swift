import Foundation
import HostileServing
import Testing
import ToolSupport

/// `check --probe` against a server: it finds each seeded fault, and nothing else.
@Suite(.serialized) struct ProbeTests {
    private static let endpoints = """
        {"endpoints": {
          "list": {
            "path": "/users",
            "params": {
              "limit": {"type": "integer", "minimum": 1, "maximum": 100, "example": 20},
              "sort": {"type": "string", "enum": ["asc", "desc"], "required": false},
              "tag": {"type": "string", "example": "new"}
            },
            "query": {"limit": "{{limit}}", "sort": "{{sort}}", "tag": "{{tag}}"},
            "expect": {"status": 200}
          },
          "create": {"method": "POST", "path": "/users", "expect": {"status": 201},
            "params": {"age": {"type": "integer", "minimum": 0, "example": 36}},
            "body": {"json": {"age": "{{age}}"}}}
        }}
        """

    /// What a server without faults answers to the query.
    private static func status(of query: [String: String]) -> Int {
        guard let limit = query["limit"].flatMap({ Int($0) }), (1...100).contains(limit), query["tag"] != nil else {
            return 400
        }
        return ["asc", "desc", nil].contains(query["sort"]) ? 200 : 422
    }

    private static func server(_ fault: @escaping @Sendable ([String: String]) -> Int?) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let target = request.line.split(separator: " ")[1]
                let items = URLComponents(string: String(target))?.queryItems ?? []
                var query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
                if request.line.hasPrefix("POST") {
                    query = ["body": String(decoding: request.body, as: UTF8.self)]
                    let isRight = [#"{"age":36}"#, #"{"age":0}"#].contains(query["body"])
                    connection.respond(fault(query) ?? (isRight ? 201 : 400), [], body: "")
                } else {
                    connection.respond(fault(query) ?? status(of: query), [], body: "[]")
                }
            }
        }
    }

    private static func workspace(_ port: Int, environment: String = "") throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/user.json": endpoints,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(port)"\#(environment)}"#,
        ])
    }

    private struct Fault: Sendable {
        let probe: String
        let status: Int
        let place: String
        let expected: String
        var arrives: @Sendable ([String: String]) -> Bool
    }

    private static let seeded = [
        Fault(
            probe: "limit=101", status: 200, place: "5:7", expected: "4xx, because limit must be at most 100"
        ) { $0["limit"] == "101" },
        Fault(
            probe: "limit=100", status: 400, place: "5:7", expected: "200, because limit may be 100"
        ) { $0["limit"] == "100" },
        Fault(
            probe: "limit=abc", status: 500, place: "5:7", expected: "4xx, because limit takes a whole number"
        ) { $0["limit"] == "abc" },
        Fault(probe: "tag left out", status: 200, place: "7:7", expected: "4xx, because tag is required") {
            $0["tag"] == nil
        },
        Fault(
            probe: "sort=desc", status: 503, place: "6:7", expected: #"200, because sort may be "desc""#
        ) { $0["sort"] == "desc" },
    ]

    @Test(
        "Each fault of the server is found with its param, value and command, and nothing else",
        arguments: seeded.indices)
    func faults(_ index: Int) async throws {
        let fault = Self.seeded[index]
        let server = try Self.server { fault.arrives($0) ? fault.status : nil }
        defer { server.stop() }
        let workspace = try Self.workspace(server.port)
        let run = try await Tool.run(["check", "user.list", "--probe"], in: workspace)
        #expect(run.status == 1, "\(run.errors)")
        let lines = run.outputText.components(separatedBy: "\n")
        #expect(lines.count { $0.hasPrefix("✗") } == 1, "\(run.outputText)")
        #expect(lines.count { $0.hasPrefix("✓") } == 11)
        let start = try #require(lines.firstIndex { $0.hasPrefix("✗ user.list/probe:\(fault.probe) ") })
        #expect(lines[start + 1] == "    \(fault.probe)  endpoints/user.json:\(fault.place)")
        #expect(lines[start + 2] == "      expected \(fault.expected)")
        #expect(lines[start + 3].hasPrefix("      found    \(fault.status)"))
        #expect(lines[start + 4] == "    answered \(fault.status) with 2 bytes")
        #expect(lines[start + 5].hasPrefix("    curl "))
        // Selected alone, it is found, too.
        let alone = try await Tool.run(["check", "user.list/probe:\(fault.probe)", "--probe"], in: workspace)
        #expect(alone.status == 1)
        #expect(alone.outputText.contains("1 case in"), "\(alone.outputText)")
    }

    @Test("A server without faults is green; what is not probed is told")
    func green() async throws {
        let server = try Self.server { _ in nil }
        defer { server.stop() }
        let workspace = try Self.workspace(server.port)
        let run = try await Tool.run(["check", "--probe"], in: workspace)
        #expect(run.status == 0, "\(run.outputText) \(run.errors)")
        #expect(run.outputText.contains("13 passed"), "\(run.outputText)")
        #expect(run.outputText.contains("not probed: user.create is POST, which may change something"))
        #expect(server.requests.count == 13)
        #expect(server.requests.contains { $0.line.contains("limit=abc&tag=new") })
        let list = try await Tool.run(["check", "user.list/probe:limit=10*", "--probe", "--list"], in: workspace)
        #expect(
            list.outputText == """
                user.list/probe:limit=101  GET  /users  must be rejected: limit must be at most 100
                user.list/probe:limit=100  GET  /users  must pass: limit may be 100
                2 cases

                """, "\(list.errors)")
    }

    @Test("The environment's policy allows probes of unsafe methods, in whose JSON a wrong value keeps its type")
    func unsafe() async throws {
        let server = try Self.server { _ in nil }
        defer { server.stop() }
        let workspace = try Self.workspace(server.port, environment: #", "policy": {"probe": true}"#)
        let run = try await Tool.run(["check", "user.create", "--probe", "-j", "1"], in: workspace)
        #expect(run.status == 0, "\(run.outputText) \(run.errors)")
        #expect(
            server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"age":36}"#, "{}", #"{"age":36.5}"#, #"{"age":"abc"}"#, #"{"age":-1}"#, #"{"age":0}"#,
            ])
    }

    @Test("Responses that prove nothing are told, and a run that proved nothing fails")
    func notJudged() async throws {
        let server = try Self.server { $0["limit"] == "20" && $0["tag"] != nil && $0["sort"] == nil ? nil : 401 }
        defer { server.stop() }
        let workspace = try Self.workspace(server.port)
        let run = try await Tool.run(
            ["check", "user.list", "--probe", "--report", "json=r.json", "--report", "junit=r.xml"], in: workspace)
        #expect(run.status == 2, "\(run.outputText) \(run.errors)")
        #expect(run.outputText.contains("not judged: the server responded with 401"))
        #expect(run.outputText.hasSuffix("nothing was probed: no probe got a verdict\n"), "\(run.outputText)")
        let json = try String(contentsOfFile: workspace.path("r.json"), encoding: .utf8)
        #expect(json.contains(#""notJudged": 11"#))
        #expect(json.contains(#""expects": "4xx""#))
        let junit = try String(contentsOfFile: workspace.path("r.xml"), encoding: .utf8)
        #expect(junit.contains(#"skipped="11""#))
        // What was not judged did not pass.
        let again = try await Tool.run(["check", "--probe", "--failed", "r.json", "--list"], in: workspace)
        #expect(again.outputText.contains("\n11 cases"), "\(again.outputText) \(again.errors)")
        let forgotten = try await Tool.run(["check", "--failed", "r.json"], in: workspace)
        #expect(forgotten.status == 2)
        #expect(forgotten.errors.contains("also pass --probe"), "\(forgotten.errors)")
    }

    @Test("There is nothing to probe in stubs, and in endpoints without rules")
    func refused() async throws {
        let workspace = try Self.workspace(1)
        let stubs = try await Tool.run(["check", "--probe", "--stub"], in: workspace)
        #expect(stubs.status == 2)
        let post = try await Tool.run(["check", "user.create", "--probe"], in: workspace)
        #expect(post.status == 2)
        #expect(
            post.errors == """
                error: there is nothing to probe: user.create is POST, which may change something
                  to allow it, set "policy": {"probe": true} in the environment

                """, "\(post.errors)")
        try workspace.write(
            "environments/development.json", #"{"baseURL": "http://127.0.0.1:1", "stubs": {"*": "standard"}}"#)
        let environment = try await Tool.run(["check", "--probe"], in: workspace)
        #expect(environment.status == 2)
        #expect(
            environment.errors.contains("--probe needs a server, but the environment development responds from stubs"))
    }
}
