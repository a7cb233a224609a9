import Testing
import ToolSupport

/// Flows through the built program: order, users, rows, stubs.
@Suite(.serialized) struct ScenarioTests {
    @Test("steps run in their order, and the cleanup follows")
    func order() async throws {
        let (run, shop, _) = try await Shop.check(Shop.life)
        #expect(run.status == 0, "\(run)")
        #expect(
            shop.requests == [
                "POST /things", "POST /things/1/parts", "POST /things/1/parts", "PUT /things/1", "GET /things/1",
                "GET /things/1", "GET /things/1", "DELETE /things/1", "GET /things/1", "DELETE /things/1",
                "DELETE /parts/2", "DELETE /parts/3",
            ])
    }

    @Test("a selector with a step runs up to that step, and then the cleanup")
    func upToStep() async throws {
        let (run, shop, _) = try await Shop.check(Shop.life, ["scenario:a/parts"])
        #expect(run.status == 0, "\(run)")
        #expect(
            shop.requests == [
                "POST /things", "POST /things/1/parts", "POST /things/1/parts", "DELETE /things/1", "DELETE /parts/2",
                "DELETE /parts/3",
            ])
    }

    @Test("what names a capture that was never made is left out of the cleanup, and said")
    func leftOut() async throws {
        let (run, shop, _) = try await Shop.check(Shop.life, refusing: "POST /things/")
        #expect(run.status == 1)
        #expect(run.outputText.contains("✗ parts"), "\(run)")
        #expect(run.outputText.contains("- changed"))
        #expect(
            run.outputText.contains(
                "- cleanup shop.deletePart           left out: the step \"parts\" has no capture \"id\""), "\(run)")
        #expect(shop.left == [])
    }

    // MARK: Users

    private static let users = """
        {"cookies": COOKIES, "steps": [
          {"name": "bob", "endpoint": "shop.login", "with": {"user": "bob"}},
          {"name": "asBob", "endpoint": "shop.me", "needs": {"login": "bob"},
            "expect": {"json": {"$.auth": "Bearer {{bob.token}}"}}, "capture": {"cookie": {"json": "$.cookie"}}},
          {"name": "asAda", "endpoint": "shop.me", "expect": {"json": {"$.auth": "Bearer token-ada-4711"}},
            "capture": {"cookie": {"json": "$.cookie"}}},
          {"name": "plain", "endpoint": "shop.create", "if": [
            {"value": "{{asBob.cookie}}", "equals": "sid=cookie-bob-4711"},
            {"value": "{{asAda.cookie}}", "equals": "sid=cookie-SECOND-4711"}]}],
         "cleanup": [{"endpoint": "shop.delete", "with": {"id": "{{plain.id}}"}}]}
        """

    @Test(
        "a need is met by the step's own needs, else as ever, and cookies follow",
        arguments: [("true", "bob"), ("false", "ada")])
    func users(_ cookies: String, _ second: String) async throws {
        let scenario = Self.users.replacing("COOKIES", with: cookies).replacing("SECOND", with: second)
        let (run, shop, _) = try await Shop.check(scenario, ["-v"])
        #expect(run.status == 0, "\(run)")
        #expect(!run.outputText.contains("skipped"), "\(run)")
        #expect(shop.count == 1 && shop.left == [])
        #expect(shop.requests.filter { $0 == "POST /login" }.count == 2)
    }

    @Test("an earlier step that made the very call meets a need")
    func earlierStep() async throws {
        let scenario = """
            {"steps": [{"name": "ada", "endpoint": "shop.login", "with": {"user": "ada"}},
              {"name": "me", "endpoint": "shop.me", "expect": {"json": {"$.auth": "Bearer {{ada.token}}"}}}]}
            """
        let (run, shop, _) = try await Shop.check(scenario)
        #expect(run.status == 0, "\(run)")
        #expect(shop.requests == ["POST /login", "GET /me"])
    }

    @Test("a token that a step captures is in no report and no output")
    func secrets() async throws {
        let scenario = """
            {"steps": [{"name": "ada", "endpoint": "shop.login", "with": {"user": "ada"}},
              {"name": "me", "endpoint": "shop.me", "expect": {"json": {"$.auth": "Bearer nobody", "$.cookie": "{{ada.token}}"}}}]}
            """
        let kinds = ["junit", "tap", "json", "github", "html"]
        let (run, _, workspace) = try await Shop.check(
            scenario, ["-v"] + kinds.flatMap { ["--report", "\($0)=report.\($0)"] })
        #expect(run.status == 1, "\(run)")
        for text in [run.outputText, run.errors]
            + kinds.map({ String(decoding: workspace.read("report.\($0)") ?? [], as: UTF8.self) })
        {
            #expect(!text.contains("token-ada-4711"))
            #expect(!text.contains("cookie-ada-4711"))
        }
    }

    // MARK: Rows, stubs, elements of files

    @Test("each row of --data is a scenario of its own, which #2 selects")
    func rows() async throws {
        let scenario = """
            {"params": {"nr": {"type": "integer"}}, "steps": [\(Shop.made), {"name": "b", "endpoint": "shop.get", \
            "with": {"id": "{{nr}}"}, "expect": {"status": 404}}], "cleanup": [\(Shop.delete)]}
            """
        let rows = ["rows.csv": "nr\n901\n902\n903\n"]
        let (all, _, _) = try await Shop.check(scenario, ["--data", "rows.csv"], rows)
        #expect(all.status == 0, "\(all)")
        #expect(all.outputText.contains("✓ scenario:a#3"))
        let (second, shop, _) = try await Shop.check(scenario, ["scenario:a#2", "--data", "rows.csv"], rows)
        #expect(second.status == 0, "\(second)")
        #expect(shop.requests == ["POST /things", "GET /things/902", "DELETE /things/1"])
        #expect(try await Shop.check(scenario, ["scenario:a#2"]).run.status == 2)
        #expect(try await Shop.check(scenario, ["scenario:a#4", "--data", "rows.csv"], rows).run.status == 2)
        #expect(try await Shop.check(scenario).run.status == 3, "nothing gives the param a value")
    }

    @Test("a loop takes the rows of a table, whose numbers become numbers")
    func table() async throws {
        let scenario = """
            {"steps": [{"name": "a", "endpoint": "shop.get", "forEach": "rows.csv", "with": {"id": "{{item.nr}}"}, \
            "expect": {"status": 404}}, {"name": "b", "endpoint": "shop.get", "forEach": "list.json", "as": "nr", \
            "with": {"id": "{{nr}}"}, "expect": {"status": 404}}]}
            """
        let (run, shop, _) = try await Shop.check(scenario, [], ["rows.csv": "nr\n901\n902\n", "list.json": "[903]"])
        #expect(run.status == 0, "\(run)")
        #expect(shop.requests == ["GET /things/901", "GET /things/902", "GET /things/903"])
    }

    @Test("with stubs each scenario has the turns of a sequence for itself")
    func stubs() async throws {
        let endpoint = """
            {"path": "/job", "stubs": {"default": "turns", "variants": {"waiting": {"json": {"state": "waiting"}}, \
            "done": {"json": {"state": "done"}}, "turns": {"sequence": ["waiting", "waiting", "done"], "then": "fail"}}}}
            """
        let scenario = """
            {"steps": [{"name": "a", "endpoint": "job", "poll": {"until": {"json": {"$.state": "done"}}, "every": "1ms"}}]}
            """
        let workspace = try ToolWorkspace([
            "endpoints/job.json": endpoint, "environments/development.json": #"{"baseURL": "http://127.0.0.1:9"}"#,
            "scenarios/a.json": scenario, "scenarios/b.json": scenario,
        ])
        let run = try await Tool.run(["check", "--stub"], in: workspace)
        #expect(run.status == 0, "\(run)")
        #expect(run.outputText.contains("2 passed"))
        #expect(run.outputText.contains("✓ scenario:a"))
        #expect(run.outputText.contains("3 requests"))
    }
}
