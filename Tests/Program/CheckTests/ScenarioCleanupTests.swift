import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// Whatever happens to 40 flows, nothing is left behind on the server.
@Suite(.serialized) struct ScenarioCleanupTests {
    @Test("40 flows in which nothing fails leave nothing behind")
    func passed() async throws {
        let shop = try Shop()
        defer { shop.stop() }
        let run = try await Tool.run(["check", "--jobs", "8"], in: shop.flows(40))
        #expect(run.status == 0, "\(run)")
        #expect(run.outputText.contains("40 scenarios in "))
        #expect(run.outputText.contains("40 passed"))
        #expect(shop.count == 120 && shop.left == [])
    }

    @Test(
        "40 flows leave nothing behind after a failure at each step",
        arguments: [
            "POST /things", "POST /things/", "PUT /things/", "GET /things/", "DELETE /things/",
        ])
    func failed(_ refused: String) async throws {
        // With the slash only parts are refused.
        let shop = try Shop(refusing: refused == "DELETE /things/" ? "GET /things/1" : refused)
        defer { shop.stop() }
        let run = try await Tool.run(["check", "--jobs", "8"], in: shop.flows(40, patience: "200ms"))
        #expect(run.status == 1, "\(run)")
        #expect(run.outputText.contains(" failed"))
        #expect(shop.left == [])
    }

    @Test("a cleanup that is refused fails the scenario, and the others of its entries run")
    func cleanupFailed() async throws {
        let shop = try Shop(refusing: "DELETE /things")
        defer { shop.stop() }
        let scenario = Shop.life.replacing(
            #"{"name": "deleted", "endpoint": "shop.delete", "with": {"id": "{{made.id}}"}},"#, with: ""
        )
        .replacing(#", "expect": {"status": 404}"#, with: "")
        let run = try await Tool.run(["check"], in: shop.workspace(["a": scenario]))
        #expect(run.status == 1, "\(run)")
        #expect(run.outputText.contains("✗ cleanup shop.delete"), "\(run)")
        #expect(run.outputText.contains("✓ cleanup shop.deletePart"), "\(run)")
        #expect(shop.left == ["/things/1"])
    }

    @Test("--fail-fast stops the other flows between two steps, and all clean up")
    func failFast() async throws {
        let shop = try Shop(delay: 2000)
        defer { shop.stop() }
        let workspace = try shop.flows(40)
        try workspace.write(
            "scenarios/bad.json",
            #"{"steps": [{"name": "a", "endpoint": "shop.get", "with": {"id": 0}}]}"#)
        let run = try await Tool.run(["check", "--jobs", "8", "--fail-fast"], in: workspace)
        #expect(run.status == 1, "\(run)")
        #expect(run.outputText.contains("not run"))
        #expect(shop.count < 120, "not all flows have run")
        #expect(shop.left == [])
    }

    @Test("after SIGINT at random moments nothing is left behind")
    func interrupted() async throws {
        // `REQCLI_MOMENTS=200` for a longer run.
        let moments = ProcessInfo.processInfo.environment["REQCLI_MOMENTS"].flatMap(Int.init) ?? 8
        var generator = SeededGenerator(seed: 24)
        var interrupted = 0
        for moment in 0..<moments {
            let shop = try Shop(delay: 1500)
            defer { shop.stop() }
            let tool = try Tool.start(["check", "--jobs", "8"], in: shop.flows(40))
            let made = Int.random(in: 1...110, using: &generator)
            while shop.count < made { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...3000, using: &generator)))
            tool.send(signal: .interrupt)
            let run = try await tool.end(within: .seconds(30))
            if run.status == 130 { interrupted += 1 }
            #expect(run.status == 130 || run.status == 0 && run.outputText.contains("40 passed"), "\(moment): \(run)")
            #expect(shop.left == [], "moment \(moment), after \(made) things: \(run)")
        }
        #expect(interrupted >= moments / 2)
    }

    @Test("a cleanup that hangs is given up after 10 seconds, and a second Ctrl-C leaves it at once")
    func hanging() async throws {
        for isTwice in [true, false] {
            let server = try HostileServer { connection in
                _ = connection.readRequest()
                connection.waitForClose()
            }
            defer { server.stop() }
            let workspace = try ToolWorkspace([
                "endpoints/a.json": #"{"path": "/"}"#,
                "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
                "scenarios/a.json":
                    #"{"steps": [{"name": "a", "endpoint": "a"}], "cleanup": [{"endpoint": "a"}]}"#,
            ])
            let tool = try Tool.start(["check"], in: workspace)
            #expect(await eventually { server.requests.count == 1 })
            let start = ContinuousClock.now
            tool.send(signal: .interrupt)
            if isTwice {
                try await Task.sleep(for: .milliseconds(300))
                tool.send(signal: .interrupt)
            }
            let run = try await tool.end(within: .seconds(30))
            let time = run.end - start
            #expect(run.status == 130)
            #expect(isTwice ? time < .seconds(3) : time > .seconds(9) && time < .seconds(14), "\(time)")
        }
    }

    @Test("a step that hangs at Ctrl-C leaves time for the cleanup")
    func hangingStep() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                if request.line.hasPrefix("GET /hang") { return connection.waitForClose() }
                connection.respond(200, body: "{}")
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"{"endpoints": {"hang": {"path": "/hang"}, "tidy": {"path": "/tidy"}}}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
            "scenarios/a.json": """
            {"steps": [{"name": "a", "endpoint": "a.hang"}], "cleanup": [{"endpoint": "a.tidy"}, {"endpoint": "a.tidy"}]}
            """,
        ])
        let tool = try Tool.start(["check"], in: workspace)
        #expect(await eventually { server.requests.count == 1 })
        tool.send(signal: .interrupt)
        let run = try await tool.end(within: .seconds(30))
        #expect(run.status == 130)
        #expect(server.requests.map(\.line).filter { $0.hasPrefix("GET /tidy") }.count == 2, "\(run)")
    }
}
