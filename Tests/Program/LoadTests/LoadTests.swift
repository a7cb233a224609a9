import Foundation
import HostileServing
import Testing
import ToolSupport

/// Whole loads against a server on loopback.
@Suite(.serialized) struct LoadTests {
    @Test("Every planned request is sent once, after one call of each endpoint that is checked as by check")
    func count() async throws {
        let (run, server) = try await LoadServer.load(
            "it.get=3", "it.list", "--rate", "200/s", "--count", "100", "--seed", "1")
        #expect(run.status == 0, "\(run)")
        #expect(server.lines.count == 102)
        #expect((65...85).contains(server.lines.count { $0 == "GET /things/1" }))
        #expect(run.outputText.contains("✓ errors = 0   0"), "\(run)")
        #expect(run.outputText.contains("✓ rate >= 99 %   100 %"), "\(run)")
        #expect(run.outputText.contains("requests  errors"), "\(run)")
    }

    @Test("Several threads send the requests of one schedule, each over its own connections")
    func threads() async throws {
        // Requests that don't overlap share a connection of their thread.
        let (run, server) = try await LoadServer.load("it.get", "--rate", "20/s", "--count", "12", "--threads", "3")
        #expect(run.status == 0, "\(run)")
        #expect(server.lines.count == 13)
        #expect(server.connections >= 4)
    }

    @Test("--no-reuse opens a connection for each request")
    func noReuse() async throws {
        let (run, server) = try await LoadServer.load("it.get", "--rate", "50/s", "--count", "20", "--no-reuse")
        #expect(run.status == 0, "\(run)")
        #expect(server.connections == 21)
    }

    @Test("With --connections, requests wait for a connection, and the wait counts", arguments: ["1", "3"])
    func connections(_ threads: String) async throws {
        let (run, server) = try await LoadServer.load(
            "it.get", "--rate", "100/s", "--count", "20", "--connections", "2", "--threads", threads, "--threshold",
            "max < 200ms"
        ) { _, connection in
            usleep(50_000)
            connection.respond(200, body: "{}")
        }
        #expect(run.status == 1, "\(run)")
        // The first call before the load has a connection, too.
        #expect(server.connections == 3)
        #expect(server.lines.count == 21)
    }

    @Test("The same seed chooses the same requests")
    func seed() async throws {
        var all: [[String]] = []
        for seed in ["1", "1", "2"] {
            let (_, server) = try await LoadServer.load(
                "it.get", "it.list", "--rate", "500/s", "--count", "60", "--seed", seed)
            all.append(server.lines.sorted())
        }
        #expect(all[0] == all[1])
        #expect(all[0] != all[2])
    }

    @Test("A condition that is not met gives status 1, and the table shows what was measured")
    func threshold() async throws {
        let (run, _) = try await LoadServer.load(
            "it.get", "--rate", "50/s", "--count", "25", "--threshold", "it.get: p50 < 10ms", "--threshold", "p50 < 30s"
        ) { _, connection in
            usleep(30_000)
            connection.respond(200, body: "{}")
        }
        #expect(run.status == 1, "\(run)")
        #expect(run.outputText.contains("✗ it.get: p50 < 10ms   "), "\(run)")
        #expect(run.outputText.contains("✓ p50 < 30s   "), "\(run)")
    }

    @Test("Failing fast doesn't help: failed requests are slower than any other, and are counted by their cause")
    func failing() async throws {
        let (run, _) = try await LoadServer.load(
            "it.get", "--rate", "200/s", "--count", "40", "--threshold", "errors < 90 %", "--threshold", "p90 < 10s",
            "--report", "json=-"
        ) { number, connection in connection.respond(number % 2 == 0 ? 503 : 200, body: "{}")
        }
        #expect(run.status == 1, "\(run)")
        #expect(run.errors.contains("✗ p90 < 10s   a request that failed"), "\(run)")
        #expect(run.errors.contains("20 × status 503"), "\(run)")
        let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
        #expect(report?["exitCode"] as? Int == 1)
    }

    @Test("A condition on the errors of one endpoint allows no errors of another")
    func errorsOfOthers() async throws {
        let (run, _) = try await LoadServer.load(
            "it.get", "it.create", "--yes", "--rate", "200/s", "--count", "60", "--threshold", "it.get: errors < 50 %"
        ) { number, connection in connection.respond(number > 20 && number % 4 == 0 ? 500 : 200, body: "{}") }
        #expect(run.status == 1, "\(run)")
        #expect(run.outputText.contains("✗ it.create: errors = 0"), "\(run)")
        #expect(run.outputText.contains("✓ it.get: errors < 50 %"), "\(run)")
    }

    @Test("A load that doesn't begin leaves no report of an earlier one")
    func staleReport() async throws {
        let server = try LoadServer()
        let workspace = try server.workspace(["load.json": #"{"format": "reqcli.load"}"#])
        server.stop()
        let run = try await Tool.run(
            ["load", "it.get", "--rate", "10/s", "--count", "5", "--report", "json=load.json"], in: workspace)
        #expect(run.status == 6, "\(run)")
        #expect(workspace.read("load.json") == nil)
    }

    @Test("If the first call does not pass, no load begins")
    func broken() async throws {
        let (run, server) = try await LoadServer.load("it.get", "--rate", "200/s", "--count", "40") { _, connection in
            connection.respond(500, body: "{}")
        }
        #expect(run.status == 1, "\(run)")
        #expect(run.errors.contains("the load did not begin"), "\(run)")
        #expect(server.lines.count == 1)
    }

    @Test("A load that only fails is ended, and says when")
    func abort() async throws {
        let (run, server) = try await LoadServer.load("it.get", "--rate", "200/s", "--for", "50s") {
            number, connection in connection.respond(number > 10 ? 500 : 200, body: "{}")
        }
        #expect(run.status == 1, "\(run)")
        #expect(run.outputText.contains("aborted after "), "\(run)")
        #expect(server.lines.count < 5000)
    }

    @Test("While the server stands still, requests are still due, and their latency counts from then")
    func stall() async throws {
        // Responds to each request of half a second at the end of this half second.
        let (run, server) = try await LoadServer.load(
            "it.get", "--rate", "100/s", "--for", "3s", "--threshold", "p90 < 150ms", "--report", "json=-"
        ) { number, connection in
            if (100..<150).contains(number) { usleep(UInt32(150 - number) * 10_000) }
            connection.respond(200, body: "{}")
        }
        #expect(run.status == 1, "\(run)")
        #expect(server.lines.count == 301)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let windows = try #require((report["windows"] as? [String: Any])?["rows"] as? [[String: Any]])
        #expect(windows.prefix(3).map { $0["due"] as? Int } == [100, 100, 100])
        let action = try #require((report["actions"] as? [[String: Any]])?.first)
        let buckets = try #require((action["latencyUs"] as? [String: Any])?["buckets"] as? [[Int]])
        // Of the 50 requests of the pause, 40 waited for 100 ms or longer.
        #expect(buckets.filter { $0[0] >= 95_000 }.reduce(0) { $0 + $1[1] } >= 38, "\(buckets)")
    }

    @Test("Users without a rate wait for each response")
    func users() async throws {
        let (run, server) = try await LoadServer.load("it.get", "--users", "3", "--count", "30")
        #expect(run.status == 0, "\(run)")
        #expect(server.lines.count == 31)
        #expect(server.connections <= 4)
        #expect(run.outputText.contains("latencies hide its pauses"), "\(run)")
    }

    @Test("Each user logs in once, and requests use the logins in turn")
    func logins() async throws {
        let (run, server) = try await LoadServer.load(
            "it.me", "--yes", "--users", "4", "--rate", "200/s", "--count", "40", "--report", "json=load.json")
        #expect(run.status == 0, "\(run)")
        #expect(server.lines.count { $0 == "POST /login" } == 4)
        #expect(server.tokens.count == 4)
        #expect(server.tokens.values.allSatisfy { (10...11).contains($0) })
        #expect(!run.description.contains("4711"))
    }

    @Test("Rows of a table are taken in turn")
    func rows() async throws {
        let (run, server) = try await LoadServer.load(
            "it.get", "--rate", "200/s", "--count", "30", "--data", "ids.csv", files: ["ids.csv": "id\n5\n6\n7\n"])
        #expect(run.status == 0, "\(run)")
        #expect(server.lines.count { $0 == "GET /things/6" } == 10)
        #expect(server.lines.count { $0 == "GET /things/5" } == 11)
    }

    @Test("With --stub nothing is sent, and no condition is checked")
    func stub() async throws {
        let server = try LoadServer()
        defer { server.stop() }
        let endpoint = #"{"path": "/", "stubs": {"variants": {"standard": {"json": {}}}}}"#
        let workspace = try server.workspace(["endpoints/stubbed.json": endpoint])
        let run = try await Tool.run(["load", "stubbed", "--rate", "100/s", "--count", "20", "--stub"], in: workspace)
        #expect(run.status == 0, "\(run)")
        #expect(run.outputText.contains("only rehearsed"), "\(run)")
        #expect(server.connections == 0)
    }

    @Test("A generator that was stopped for a second proves nothing, whatever the conditions say")
    func stopped() async throws {
        let server = try LoadServer()
        defer { server.stop() }
        let workspace = try server.workspace()
        let tool = try Tool.start(["load", "it.get", "--rate", "100/s", "--for", "3s"], in: workspace)
        server.wait(for: 20)
        try await tool.pause(for: .seconds(1))
        let run = try await tool.end()
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains("error: the load proves nothing: "), "\(run)")
        #expect(run.errors.contains("began more than 10 ms late"), "\(run)")
        #expect(run.errors.contains("the generator stood still for "), "\(run)")
    }

    @Test("Ctrl-C ends a load, and its measurements are still shown")
    func interrupted() async throws {
        let server = try LoadServer()
        defer { server.stop() }
        let workspace = try server.workspace()
        let tool = try Tool.start(
            ["load", "it.get", "--rate", "100/s", "--for", "50s", "--report", "json=load.json"], in: workspace)
        server.wait(for: 20)
        tool.send(signal: .interrupt)
        let run = try await tool.end()
        #expect(run.status == 130, "\(run)")
        #expect(run.outputText.contains("interrupted: the remaining requests were not sent"), "\(run)")
        #expect(workspace.read("load.json") != nil)
    }
}

/// The servers that a load may send to, and the requests.
@Suite(.serialized) struct LoadSafetyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(words.joined(separator: " ")), \(host), \(policy ?? "no policy")" }
        let words: [String]
        var host = "127.0.0.1"
        var policy: String?
        let status: Int32
        let says: String
    }

    private static let few = ["--rate", "40/s", "--count", "4"]
    private static let cases = [
        Case(words: ["it.get"] + few, status: 0, says: ""),
        Case(words: ["it.get"] + few, policy: #""load": "40/s""#, status: 0, says: ""),
        Case(words: ["it.get"] + few, policy: #""load": "39/s""#, status: 8, says: "40/s can be more than 39/s"),
        Case(words: ["it.get", "--yes"] + few, policy: #""load": false"#, status: 8, says: "allows no load"),
        Case(words: ["it.create"] + few, status: 8, says: "load asks before it sends 4 POST to 127.0.0.1"),
        Case(words: ["it.create", "--yes"] + few, status: 0, says: ""),
        Case(words: ["it.me"] + few, status: 8, says: "sends 4 GET and, for logins of 1 user, POST to"),
        Case(
            words: ["it.create", "--yes"] + few, policy: #""methods": ["GET"]"#, status: 8, says: "does not allow POST"),
        Case(
            words: ["it.get", "it.create"] + few, policy: #""confirm": ["POST"]"#, status: 8,
            says: "asks before each POST"),
        Case(
            words: ["it.get"] + few, host: "load.test", status: 8, says: "load asks before it sends 4 GET to load.test"),
        Case(words: ["it.get", "--yes"] + few, host: "load.test", status: 0, says: ""),
        Case(words: ["it.get", "--yes", "--rate", "51/s"], host: "load.test", status: 8, says: "at most 50/s"),
        Case(words: ["it.get", "--yes", "--stage", "1..51/s:1s"], host: "load.test", status: 8, says: "at most 50/s"),
        Case(
            words: ["it.get", "--yes", "--rate", "1/s", "--users", "51"], host: "load.test", status: 8, says: "51 users"
        ),
        Case(
            words: ["it.get", "--yes", "--rate", "1/s", "--for", "601s"], host: "load.test", status: 8,
            says: "10 minutes"),
        Case(words: ["it.get", "--yes", "--users", "2"], host: "load.test", status: 8, says: "users without --think"),
        Case(
            words: ["it.get", "--yes", "--users", "2", "--think", "100ms", "--for", "300ms"], host: "load.test",
            status: 0,
            says: ""),
        Case(
            words: ["it.get", "--yes", "--rate", "60/s", "--count", "6"], host: "load.test", policy: #""load": "60/s""#,
            status: 0, says: ""),
        Case(
            words: ["it.get", "--yes", "--rate", "61/s"], host: "load.test", policy: #""load": "60/s""#, status: 8,
            says: "61/s can be more than 60/s"),
        Case(
            words: ["it.get", "--yes", "--users", "2"], policy: #""load": "60/s""#, status: 8,
            says: "users without --think"),
    ]

    @Test(
        "What may be sent depends on the server, the policy and the methods, and nothing else is sent", arguments: cases
    )
    func permission(_ each: Case) async throws {
        let server = try LoadServer()
        defer { server.stop() }
        let policy = each.policy.map { #", "policy": {\#($0)}"# } ?? ""
        let workspace = try server.workspace(environment: policy, host: each.host)
        // Another address for the name doesn't make the server local.
        let address = each.host == "load.test" ? ["--resolve", "load.test:\(server.port):127.0.0.1"] : []
        let run = try await Tool.run(["load"] + each.words + address, in: workspace)
        // What a busy machine measures may prove nothing.
        let provesNothing = each.status == 0 && run.status == 2 && run.errors.contains("the load proves nothing")
        #expect(run.status == each.status || provesNothing, "\(run)")
        #expect(run.errors.contains(each.says) || each.says.isEmpty, "\(run)")
        if each.status == 8 { #expect(server.connections == 0) } else { #expect(server.connections > 0) }
    }

    @Test("A redirect to another server is not followed")
    func redirect() async throws {
        let other = try LoadServer()
        defer { other.stop() }
        let (run, _) = try await LoadServer.load(
            "it.get", "--rate", "40/s", "--count", "4", environment: #", "redirects": {"follow": true}"#
        ) { _, connection in
            connection.respond(302, ["Location: http://localhost:\(other.port)/"], body: "")
        }
        #expect(run.status == 8, "\(run)")
        #expect(run.outputText.contains("load sends nothing to \"localhost\""), "\(run)")
        #expect(other.connections == 0)
    }

    @Test(
        "What can't be a load is a wrong usage",
        arguments: [
            (["it.get"], "load needs a rate or users"), (["it.get", "--rate", "200"], "write 200/s"),
            (["it.get", "it.get", "--rate", "1/s"], "it.get is given twice"),
            (["it.get", "--rate", "1/s", "--threshold", "it.list: p50 < 1s"], "which the load doesn't call"),
            (["it.get", "--rate", "1/s", "--threshold", "p50 < 1"], "takes a condition such as"),
            (["it.get", "--rate", "1/s", "--think", "1s", "--users", "2"], "--think is for users without a rate"),
            (["it", "--rate", "1/s"], "is not the id of an endpoint"),
            (["it.gte", "--rate", "1/s"], "there is no endpoint or group \"it.gte\""),
            (["it.get", "--rate", "1/s", "--count", "3", "--for", "3s"], "--count and --for contradict"),
            (["it.get", "--rate", "0.1/h", "--count", "100000"], "last longer than"),
            (["it.get", "--rate", "0.0000000000000001/s", "--count", "2"], "--rate takes a rate"),
            (["it.get", "--users", "3", "--in-flight", "2"], "pass --in-flight 3"),
        ])
    func usage(_ words: [String], _ says: String) async throws {
        let server = try LoadServer()
        defer { server.stop() }
        let run = try await Tool.run(["load"] + words, in: try server.workspace())
        #expect(run.status == 2, "\(run)")
        #expect(run.errors.contains(says), "\(run)")
        #expect(server.connections == 0)
    }
}
