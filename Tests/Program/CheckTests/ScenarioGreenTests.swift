import Testing
import ToolSupport

/// What is never green, and what is found out before the first request.
@Suite(.serialized) struct ScenarioGreenTests {
    private struct Red: Sendable {
        let name: String
        let scenario: String
        let status: Int32
        let text: String
    }

    private static let red: [Red] = [
        Red(
            name: "all steps skipped",
            scenario: #"{"steps": [{"name": "a", "endpoint": "shop.create", "if": {"value": 1, "equals": 2}}]}"#,
            status: 1, text: "expected at least one step that runs"),
        Red(
            name: "a captured list that is empty",
            scenario: """
                {"steps": [\(Shop.made), {"name": "b", "endpoint": "shop.create", "if": {"value": 1, "equals": 1}, "forEach": [1],
                "orNone": true}, {"name": "none", "endpoint": "shop.get", "forEach": "{{c}}", "with": {"id": 1}}], \
                "params": {"c": {"type": "json", "example": []}}, \
                "cleanup": [\(Shop.delete), {"endpoint": "shop.delete", "forEach": "{{b.id}}", "with": {"id": "{{item}}"}}]}
                """, status: 1, text: "expected at least one element"),
        Red(
            name: "only loops over nothing",
            scenario: """
                {"steps": [{"name": "a", "endpoint": "shop.get", "forEach": [], "orNone": true, "with": {"id": 1}}]}
                """, status: 1, text: "expected at least one step that runs"),
        Red(
            name: "a poll that never held",
            scenario: """
                {"steps": [\(Shop.made), {"name": "b", "endpoint": "shop.get", "with": {"id": "{{made.id}}"}, "poll": \
                {"until": {"json": {"$.state": "never"}}, "every": "10ms", "within": "100ms"}}], "cleanup": [\(Shop.delete)]}
                """, status: 1, text: #"expected "never" within 100ms"#),
        Red(
            name: "a poll that gave up",
            scenario: """
                {"steps": [\(Shop.made), {"name": "b", "endpoint": "shop.get", "with": {"id": "{{made.id}}"}, "poll": \
                {"until": {"json": {"$.state": "never"}}, "giveUp": {"json": {"$.state": "ready"}}, "every": "1ms", \
                "within": "20s"}}], "cleanup": [\(Shop.delete)]}
                """, status: 1, text: #"found    "ready", which meets "giveUp""#),
        Red(
            name: "an expectation after a poll",
            scenario: """
                {"steps": [\(Shop.made), {"name": "b", "endpoint": "shop.get", "with": {"id": "{{made.id}}"}, "poll": \
                {"until": {"json": {"$.state": "ready"}}, "every": "1ms"}, "expect": {"json": {"$.asked": 2}}}], \
                "cleanup": [\(Shop.delete)]}
                """, status: 1, text: "found    3"),
        Red(
            name: "a capture that found nothing",
            scenario: """
                {"steps": [{"name": "made", "endpoint": "shop.create", "capture": {"name": {"json": "$.name"}}}], \
                "cleanup": [\(Shop.delete)]}
                """, status: 1, text: "capture name"),
        Red(
            name: "a step without an expectation that is refused",
            scenario: #"{"steps": [{"name": "a", "endpoint": "shop.get", "with": {"id": 7}}]}"#, status: 1,
            text: "expected 2xx (the default)"),
        Red(
            name: "a condition on the capture of a step that was skipped",
            scenario: """
                {"steps": [\(Shop.made), {"name": "b", "endpoint": "shop.create", "if": {"value": 1, "equals": 2}}, \
                {"name": "c", "endpoint": "shop.create", "if": {"value": "{{b.id}}", ">": 0}}], "cleanup": [\(Shop.delete)]}
                """, status: 3, text: #"has no value: the step "b" has no capture "id""#),
        Red(
            name: "an element without the member that is used",
            scenario: """
                {"params": {"list": {"type": "json", "example": [{"id": 1}]}}, "steps": [\(Shop.made), {"name": "b", \
                "endpoint": "shop.get", "forEach": "{{list}}", "with": {"id": "{{item.nr}}"}}], "cleanup": [\(Shop.delete)]}
                """, status: 3, text: "item.nr"),
    ]

    @Test("is red", arguments: red.map(\.name))
    func neverGreen(_ name: String) async throws {
        let red = try #require(Self.red.first { $0.name == name })
        let (run, shop, _) = try await Shop.check(red.scenario)
        #expect(run.status == red.status, "\(run)")
        #expect((run.outputText + run.errors).contains(red.text), "\(run)")
        #expect(shop.left == [], "\(run)")
    }

    @Test("a broken scenario is status 3 before the first request, and nothing is sent for others")
    func broken() async throws {
        let (run, shop, _) = try await Shop.check(#"{"steps": [{"name": "a", "endpoint": "shop.creat"}]}"#)
        #expect(run.status == 3)
        #expect(run.errors.contains("scenarios/a.json:1:38: error: there is no endpoint \"shop.creat\""), "\(run)")
        #expect(shop.requests == [])
    }

    @Test("a broken scenario does not stop the cases of endpoints")
    func brokenBesideCases() async throws {
        let (run, shop, _) = try await Shop.check(
            "{", ["ping"], ["endpoints/ping.json": #"{"path": "/things/0", "expect": {"status": 404}}"#])
        #expect(run.status == 0, "\(run)")
        #expect(shop.requests == ["GET /things/0"])
    }

    @Test("each value that is missing in a step is told before anything is sent")
    func missingValues() async throws {
        let (run, shop, _) = try await Shop.check(
            """
            {"params": {"none": {"type": "json", "example": []}},
             "steps": [\(Shop.made), {"name": "empty", "endpoint": "shop.create", "forEach": "{{none}}"},
              {"name": "parts", "endpoint": "shop.part", "forEach": ["a"], "with": {"id": "{{made.id}}"}},
              {"name": "b", "endpoint": "shop.get", "forEach": "{{parts.id}}", "with": {"id": "{{item}}"},
                "if": {"value": "{{$env.NO_IF}}", "equals": "{{$env.NO_OPERAND}}"}},
              {"name": "c", "endpoint": "shop.get", "with": {"id": "{{made.id}}"}, "expect": {"json": {"$.a": "{{$env.NO_EXPECT}}"}},
                "poll": {"until": {"json": {"$.b": "{{$env.NO_UNTIL}}"}}, "giveUp": {"json": {"$.c": "{{$env.NO_GIVE_UP}}"}}}},
              {"name": "d", "endpoint": "shop.login", "with": {"user": "{{$env.NO_WITH}}"}}],
             "cleanup": [{"endpoint": "shop.delete", "with": {"id": "{{$env.NO_CLEANUP}}"}}]}
            """)
        #expect(run.status == 3, "\(run)")
        for name in ["NO_IF", "NO_OPERAND", "NO_EXPECT", "NO_UNTIL", "NO_GIVE_UP", "NO_WITH", "NO_CLEANUP"] {
            #expect(run.errors.contains(name), "\(name): \(run)")
        }
        #expect(shop.requests == [])
    }

    @Test("a method that the policy refuses is told before anything is sent")
    func policy() async throws {
        let shop = try Shop()
        defer { shop.stop() }
        let workspace = try shop.workspace(["a": Shop.life])
        try workspace.write(
            "environments/development.json",
            #"{"baseURL": "http://127.0.0.1:\#(shop.port)", "policy": {"methods": ["GET", "POST", "PUT"]}}"#)
        #expect(try await Tool.run(["check"], in: workspace).status == 8)
        try workspace.write(
            "environments/development.json",
            #"{"baseURL": "http://127.0.0.1:\#(shop.port)", "policy": {"confirm": ["DELETE"]}}"#)
        #expect(try await Tool.run(["check"], in: workspace).status == 8)
        #expect(shop.requests == [])
        #expect(try await Tool.run(["check", "--yes"], in: workspace).status == 0)
    }
}
