import Foundation
import HostileServing
import Testing
import ToolSupport

/// Loads from files, with scenarios, and on several machines.
@Suite(.serialized) struct LoadFileTests {
    private static let scenario = """
        {"steps": [
          {"name": "look", "endpoint": "it.get", "with": {"id": 7}},
          {"name": "buy", "endpoint": "it.create"}],
         "cleanup": [{"endpoint": "it.list"}]}
        """

    private static func file(_ mix: String, _ rest: String) -> String { #"{"mix": [\#(mix)], \#(rest)}"# }

    @Test("A file has calls with params from a table, scenarios and conditions with their places")
    func file() async throws {
        let load = Self.file(
            #"{"endpoint": "it.get", "name": "thing", "with": {"id": "{{number}}"}}, {"scenario": "shopping"}"#,
            """
            "data": "numbers.csv", "seed": 1,
            "stages": [{"rate": "50/s", "for": "400ms", "judged": false}, {"rate": "100/s", "for": "400ms"}],
            "thresholds": {"thing": "p50 < 1ms"}
            """)
        let (run, server) = try await LoadServer.load(
            "afternoon", "--yes",
            files: [
                "loads/afternoon.json": load, "scenarios/shopping.json": Self.scenario,
                "numbers.csv": "number\n5\n6\n",
            ]
        ) { _, connection in
            usleep(2000)
            connection.respond(200, body: "{}")
        }
        #expect(run.status == 1, "\(run)")
        #expect(run.outputText.contains("✗ thing: p50 < 1ms   "), "\(run)")
        #expect(run.outputText.contains("loads/afternoon.json:3:25"), "\(run)")
        for row in ["thing ", "shopping/look", "shopping/buy", "shopping/it.list"] {
            #expect(run.outputText.contains("\n\(row)"), "\(run)")
        }
        #expect(run.outputText.contains("of stages that are not judged are not counted"), "\(run)")
        #expect(server.lines.contains("GET /things/6"))
        // A scenario runs its cleanup each time, after one run before the load.
        let counts = ["GET /things/7", "POST /things", "GET /things"].map { line in server.lines.count { $0 == line } }
        #expect(Set(counts).count == 1 && counts[0] > 10, "\(counts)")
    }

    @Test("Flags replace keys of the file")
    func flags() async throws {
        let (run, server) = try await LoadServer.load(
            "afternoon", "--rate", "100/s", "--count", "10", "--threshold", "p50 < 10s",
            files: [
                "loads/afternoon.json": Self.file(
                    #"{"endpoint": "it.get"}"#,
                    #""stages": [{"rate": "1/s", "for": "1h"}], "thresholds": {"*": "max < 1ms"}"#)
            ])
        #expect(run.status == 0, "\(run)")
        #expect(server.lines.count == 11)
        #expect(!run.outputText.contains("max <"), "\(run)")
    }

    @Test(
        "A mistake in a file is reported with its place, and nothing is sent",
        arguments: [
            (#"{"endpoint": "it.gte"}"#, #""users": 1"#, "there is no endpoint \"it.gte\""),
            (#"{"endpoint": "it.get", "with": {"di": 1}}"#, #""users": 1"#, "it.get has no param \"di\""),
            (#"{"scenario": "buying"}"#, #""users": 1"#, "there is no scenario \"buying\""),
            (
                #"{"endpoint": "it.get"}"#, #""users": 1, "thresholds": {"it.gte": "p50 < 1s"}"#,
                "the load has no \"it.gte\""
            ),
            (#"{"endpoint": "it.get"}, {"endpoint": "it.get"}"#, #""users": 1"#, "have the name \"it.get\""),
            (#"{"endpoint": "it.get"}"#, #""users": 1, "data": "none.csv""#, "there is no file \"none.csv\""),
        ])
    func mistakes(mix: String, rest: String, message: String) async throws {
        let server = try LoadServer()
        defer { server.stop() }
        let workspace = try server.workspace(["loads/afternoon.json": Self.file(mix, rest)])
        for words in [["load", "afternoon"], ["validate"]] {
            let run = try await Tool.run(words, in: workspace)
            #expect(run.status == 3, "\(run)")
            #expect(run.errors.contains("loads/afternoon.json:1:"), "\(run)")
            #expect(run.errors.contains(message), "\(run)")
        }
        #expect(server.lines.isEmpty)
    }

    @Test("A table that may not be used again refuses a longer load")
    func again() async throws {
        let server = try LoadServer()
        defer { server.stop() }
        let workspace = try server.workspace([
            "loads/afternoon.json": Self.file(
                #"{"endpoint": "it.get"}"#,
                #""data": "ids.csv", "again": false, "stages": [{"rate": "10/s", "for": 1}]"#), "ids.csv": "id\n5\n6\n",
        ])
        let run = try await Tool.run(["load", "afternoon"], in: workspace)
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains("the table has 2 rows for 10 arrivals"), "\(run)")
    }

    @Test("A scenario that breaks at the second element of a loop counts an error")
    func brokenElement() async throws {
        let (run, _) = try await LoadServer.load(
            "scenario:many", "--rate", "50/s", "--count", "20",
            files: [
                "scenarios/many.json": """
                {"steps": [
                  {"name": "all", "endpoint": "it.list", "capture": {"items": {"json": "$.items"}}},
                  {"name": "one", "endpoint": "it.get", "forEach": "{{all.items}}", "with": {"id": "{{item.id}}"}}]}
                """
            ]
        ) { number, connection in
            let second = number > 20 ? #"{"x": 2}"# : #"{"id": 2}"#
            connection.respond(200, body: #"{"items": [{"id": 1}, \#(second)]}"#)
        }
        #expect(run.status == 1, "\(run)")
        #expect(run.outputText.contains("✗ errors = 0"), "\(run)")
        #expect(run.outputText.contains("the element has no \"id\""), "\(run)")
    }

    @Test(
        "A limit is one of requests: all elements and repetitions count, and what can't be counted is refused",
        arguments: [
            (
                #"{"name": "a", "endpoint": "it.get", "forEach": [1, 2, 3], "with": {"id": "{{item}}"}}"#,
                "30/s can be more than 10/s"
            ),
            (
                #"{"name": "a", "endpoint": "it.list"}, {"name": "b", "endpoint": "it.list"}"#,
                "20/s can be more than 10/s"
            ),
            (
                #"{"name": "a", "endpoint": "it.list", "poll": {"until": {"status": 200}, "every": 1, "within": 3}}"#,
                "50/s can be more than 10/s"
            ),
            (#"{"name": "a", "endpoint": "it.mine"}"#, "30/s can be more than 10/s"),
            (
                #"{"name": "all", "endpoint": "it.list", "capture": {"items": {"json": "$.items"}}}, "#
                    + #"{"name": "b", "endpoint": "it.get", "forEach": "{{all.items}}", "with": {"id": "{{item}}"}}"#,
                "the requests of many can't be counted before the load"
            ),
        ])
    func limit(steps: String, says: String) async throws {
        let server = try LoadServer()
        defer { server.stop() }
        let mine = #""mine": {"path": "/me", "needs": {"login": {"endpoint": "it.login", "refreshOn": [401]}}}, "me""#
        let workspace = try server.workspace(
            environment: #", "policy": {"load": "10/s"}"#,
            [
                "scenarios/many.json": #"{"steps": [\#(steps)]}"#,
                "endpoints/it.json": LoadServer.endpoints.replacingOccurrences(of: #""me""#, with: mine),
            ])
        let run = try await Tool.run(
            ["load", "scenario:many", "--yes", "--rate", "10/s", "--count", "5"], in: workspace)
        #expect(run.status == 8, "\(run)")
        #expect(run.errors.contains(says), "\(run)")
        #expect(server.connections == 0)
    }

    @Test("A token of a login that another arrival has repeated is in no report")
    func secretOfAnother() async throws {
        let endpoints = LoadServer.endpoints.replacingOccurrences(
            of: #"{"login": "it.login"}"#, with: #"{"login": {"endpoint": "it.login", "refreshOn": [401]}}"#
        ).replacingOccurrences(
            of: #""list": {"path": "/things"}"#,
            with: #""list": {"path": "/things", "expect": {"json": {"$.echo": "ok"}}}"#)
        let (run, server) = try await LoadServer.load(
            "scenario:echo", "--yes", "--rate", "50/s", "--count", "40",
            files: [
                "endpoints/it.json": endpoints,
                "scenarios/echo.json":
                    #"{"steps": [{"name": "a", "endpoint": "it.me"}, {"name": "b", "endpoint": "it.list"}]}"#,
            ]
        ) { number, connection in
            let echo = number > 25 ? "token-2-4711" : "ok"
            connection.respond([20, 21].contains(number) ? 401 : 200, body: #"{"echo": "\#(echo)"}"#)
        }
        #expect(run.status == 1, "\(run)")
        #expect(server.lines.count { $0 == "POST /login" } == 2)
        #expect(run.description.contains("$.echo"), "\(run)")
        #expect(!run.description.contains("token-2"), "\(run)")
    }

    @Test("Parts send one load together, and the merged report compares it with the conditions")
    func shards() async throws {
        var attempts = 0
        while true {
            let server = try LoadServer()
            let workspace = try server.workspace()
            let start = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 4))
            let words = [
                "load", "it.get", "--rate", "100/s", "--count", "60", "--seed", "1", "--threshold", "p50 < 0.001ms",
                "--start-at", start,
            ]
            let tools = try (1...2).map {
                try Tool.start(words + ["--shard", "\($0)/2", "--report", "json=part-\($0).json"], in: workspace)
            }
            var statuses: [Int32] = []
            for tool in tools { statuses.append(try await tool.end().status) }
            let late = try await Tool.run(words + ["--shard", "2/2", "--report", "json=late.json"], in: workspace)
            server.stop()
            attempts += 1
            if statuses != [0, 0], attempts < 10 { continue }
            #expect(statuses == [0, 0])
            // Each part and the late one have called the endpoint once before.
            #expect(server.lines.count == 63)
            let merged = try await Tool.run(["report", "merge", "part-1.json", "part-2.json"], in: workspace)
            #expect(merged.status == 1, "\(merged)")
            #expect(merged.outputText.contains("✗ p50 < 0.001ms"), "\(merged)")
            #expect(merged.outputText.contains("✓ rate >= 99 %   100 %"), "\(merged)")
            #expect(late.status == 2, "\(late)")
            #expect(late.errors.contains("after the start, and sent nothing"), "\(late)")
            let twoLate = try await Tool.run(["report", "merge", "part-1.json", "late.json"], in: workspace)
            #expect(twoLate.status == 2, "\(twoLate)")
            #expect(twoLate.errors.contains("part 2/2: this part was ready "), "\(twoLate)")
            return
        }
    }

    @Test("A login that fails once is tried again, so that its user goes on")
    func relogin() async throws {
        // The server rejects one token, and then one login.
        let state = Locked((rejected: false, refused: false))
        let endpoints = LoadServer.endpoints.replacingOccurrences(
            of: #"{"login": "it.login"}"#, with: #"{"login": {"endpoint": "it.enter", "refreshOn": [401]}}"#
        ).replacingOccurrences(
            of: #""login": {"method""#,
            with:
                #""enter": {"method": "POST", "path": "/enter", "capture": {"token": {"json": "$.token"}}}, "login": {"method""#
        )
        let (run, server) = try await LoadServer.load(
            "it.me", "--yes", "--rate", "100/s", "--count", "60", "--threshold", "errors < 50 %",
            files: ["endpoints/it.json": endpoints]
        ) { number, connection in
            let (rejects, refuses) = state.withLock { state in
                let isDue = number > 20
                if isDue, !state.rejected {
                    state.rejected = true
                    return (true, false)
                }
                if state.rejected, !state.refused {
                    state.refused = true
                    return (false, true)
                }
                return (false, false)
            }
            connection.respond(rejects ? 401 : refuses ? 503 : 200, body: #"{"token": "t"}"#)
        }
        #expect(run.status == 0, "\(run)")
        #expect(server.lines.count >= 62, "\(server.lines.count)")
    }
}
