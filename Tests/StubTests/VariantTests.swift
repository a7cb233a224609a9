import Foundation
import TestSupport
import Testing
import ToolSupport

/// One endpoint, four answers: with no network and before there is a server.
struct VariantTests {
    @Test(
        "send breeds.list gives 14, none, broken JSON and 19",
        arguments: [
            ("standard", 14), ("empty", 0), ("malformed", nil), ("with_more", 19),
        ])
    func breeds(_ variant: String, _ count: Int?) async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", variant)
        #expect(run.status == 0 && run.errors.isEmpty)
        guard let count else {
            #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(run.output)) }
            return
        }
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        #expect((answer["data"] as? [Any])?.count == count)
        let names = try await Tool.run("send", "breeds.list", "--stub", variant, "--select", "$.data[*].breed")
        #expect(names.outputText.split(separator: "\n").count == count)
        // An empty page has nothing to select.
        #expect(names.status == (count == 0 ? 1 : 0))
    }

    @Test("Broken JSON can't be selected from, and is told so")
    func malformedSelection() async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", "malformed", "--select", "$.data")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("--select takes JSON, and the body is not"))
    }

    @Test("A variant that there isn't is an error with the list", arguments: ["nonsense", "breeds.list=nonsense"])
    func unknownVariant(_ choice: String) async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", choice)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                error: breeds.list has no stub variant "nonsense"
                  it has standard, empty, malformed, with_more

                """)
    }

    @Test(
        "send and check take the same --stub, and the later wins for one endpoint",
        arguments: [
            (["--stub=bad", "--stub=good"], true), (["--stub=good", "--stub=bad"], false),
            (["--stub=get=bad", "--stub=get=good"], true), (["--stub=get=good", "--stub=get=bad"], false),
            (["--stub=get=good", "--stub=other=bad"], true), (["--stub=bad", "--stub=get=good"], true),
            // One that names an endpoint beats one that doesn't.
            (["--stub=get=good", "--stub=bad"], true), (["--stub=get=good", "--stub"], true),
        ])
    func severalChoices(_ flags: [String], _ isGood: Bool) async throws {
        let variants = #""variants": { "good": { "text": "good" }, "bad": { "text": "bad" } }"#
        let endpoint = #"{ "path": "/", "expect": { "body": "good" }, "stubs": { "default": "bad", \#(variants) } }"#
        let workspace = try TemporaryFolder.workspace([
            "endpoints/get.json": endpoint, "endpoints/other.json": endpoint,
        ])
        let sent = try await Tool.run(["send", "get"] + flags, in: workspace.path)
        #expect(sent.outputText == (isGood ? "good" : "bad"), "\(sent.errors)")
        let checked = try await Tool.run(["check", "get"] + flags, in: workspace.path)
        #expect(checked.status == (isGood ? 0 : 1), "\(checked.errors)")
    }

    @Test(
        "In check a word behind --stub is a selector; one that is a variant gets a hint",
        arguments: [
            (
                "empty", #"there is no endpoint or group "empty""#,
                "it is a stub variant: write --stub=empty to have it answer"
            ),
            (
                "breeds.list=empty", #"there is no endpoint or group "breeds.list=empty""#,
                "it is a stub variant: write --stub=breeds.list=empty to have it answer"
            ),
            (
                "breeds.lst=empty", #"there is no endpoint or group "breeds.lst=empty""#,
                "did you mean \"breeds\"?"
            ),
        ])
    func variantAsSelector(_ word: String, _ message: String, _ hint: String) async throws {
        let run = try await Tool.run("check", "--stub", word)
        #expect(run.status == 2)
        #expect(run.errors == "error: \(message)\n  \(hint)\n")
        #expect(try await Tool.run("check", "--stub", "breeds").status == 0)
    }

    @Test("A variant of an endpoint that there isn't is wrong usage, with the near name")
    func unknownEndpoint() async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", "breed.list=empty")
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                error: --stub: there is no endpoint "breed.list"
                  did you mean "breeds.list"?

                """)
    }

    @Test("A near miss gets a question and the list")
    func nearVariant() async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", "standrad")
        #expect(run.errors.contains(#"did you mean "standard"?"#))
        #expect(run.errors.contains("it has standard, empty, malformed, with_more"))
    }

    @Test("Alone, --stub and an environment with stubs take the default variant")
    func defaults() async throws {
        let standard = try await Tool.run("send", "breeds.list", "--stub", "standard").output
        #expect(try await Tool.run("send", "breeds.list", "--stub").output == standard)
        #expect(try await Tool.run("send", "breeds.list", "--env", "offline").output == standard)
        #expect(try await Tool.run("send", "breeds.list", "--env", "offline", "--stub", "empty").output != standard)
    }

    @Test("An environment's stubs name a variant for one endpoint and for the others; one without is an error")
    func environmentStubs() async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json":
                #"{ "path": "/", "stubs": { "variants": { "x": { "text": "x" }, "y": { "text": "y" } } } }"#,
            "endpoints/b.json": #"{ "path": "/", "stubs": { "variants": { "x": { "text": "bx" } } } }"#,
            "endpoints/c.json": #"{ "path": "/" }"#,
            "environments/some.json": #"{ "extends": "development", "stubs": { "*": "x", "a": "y" } }"#,
            "environments/one.json": #"{ "extends": "development", "stubs": { "a": "y" } }"#,
        ])
        #expect(try await Tool.run("send", "a", "-e", "some", in: workspace.path).outputText == "y")
        #expect(try await Tool.run("send", "b", "-e", "some", in: workspace.path).outputText == "bx")
        let none = try await Tool.run("send", "c", "-e", "some", in: workspace.path)
        #expect(none.status == 3)
        #expect(none.errors.hasPrefix("error: c has no stub variants\n"))
        let unnamed = try await Tool.run("send", "b", "-e", "one", in: workspace.path)
        #expect(unnamed.status == 3)
        #expect(unnamed.errors.hasPrefix("error: one answers from stubs, and names none for b\n"))
    }

    @Test(
        "A variant is asked of the endpoints that are asked for; what they need has its own",
        arguments: [["send", "m.use"], ["check", "m.use"], ["check", "m.use", "--shard", "1/1"]])
    func variantAndNeeds(_ words: [String]) async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/m.json": #"""
            { "endpoints": {
                "login": { "path": "/login", "capture": { "token": { "json": "$.token" } }, "expect": { "status": 200 },
                  "stubs": { "variants": { "standard": { "json": { "token": "t" } }, "other": { "status": 500 } } } },
                "use": { "path": "/", "needs": { "login": "m.login" }, "auth": { "bearer": "{{login.token}}" },
                  "expect": { "status": 503 },
                  "stubs": { "variants": { "standard": {}, "down": { "status": 503 } } } } } }
            """#
        ])
        let run = try await Tool.run(words + ["--stub=down"], in: workspace.path)
        #expect(run.status == 0, "\(run)")
        let named = try await Tool.run(words + ["--stub=down", "--stub=m.login=other"], in: workspace.path)
        #expect(named.errors.contains("m.login") || named.outputText.contains("m.login"), "\(named)")
        #expect(named.status != 0)
    }

    @Test("A variant that one of the endpoints that are checked lacks is an error, needed by others or not")
    func variantOfAll() async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/m.json": #"""
            { "defaults": { "expect": { "status": 200 } }, "endpoints": {
                "login": { "path": "/login", "stubs": { "variants": { "standard": {} } } },
                "use": { "path": "/", "needs": { "login": "m.login" }, "stubs": { "variants": { "down": {} } } } } }
            """#
        ])
        // One shard has m.login as a case, the other needs it.
        for shard in ["2/5", "3/5"] {
            let run = try await Tool.run("check", "--stub=down", "--shard", shard, in: workspace.path)
            #expect(run.status == 2, "\(run)")
            #expect(run.errors.contains(#"m.login has no stub variant "down""#))
        }
    }

    @Test("like takes another variant over, through any number of steps, and changes what it says itself")
    func like() async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"""
                { "path": "/", "stubs": { "variants": {
                  "first": { "json": { "a": 1 }, "headers": { "X-One": "1", "X-Two": "2" }, "status": 201 },
                  "second": { "like": "first", "status": 418, "headers": { "x-two": null, "X-Three": "\\{{3}}" } },
                  "third": { "like": "second", "text": "other" },
                  "fault": { "like": "third", "error": "refused" },
                  "back": { "like": "fault", "json": [] },
                  "status": { "like": "fault", "status": 200 },
                  "headers": { "like": "fault", "headers": { "X-One": null } } } } }
                """#)
        func answer(_ variant: String) async throws -> String {
            try await Tool.run("send", "a", "--stub", variant, "-i", in: workspace.path).outputText
        }
        #expect(
            try await answer("second")
                == "HTTP/1.1 418\nContent-Type: application/json\nX-One: 1\nX-Three: {{3}}\n\n{\"a\":1}")
        #expect(
            try await answer("third")
                == "HTTP/1.1 418\nContent-Type: text/plain; charset=utf-8\nX-One: 1\nX-Three: {{3}}\n\nother")
        #expect(try await Tool.run("send", "a", "--stub", "fault", in: workspace.path).status == 6)
        // Whatever is said of an answer makes it one.
        #expect(try await answer("back").hasSuffix("\n\n[]"))
        #expect(try await answer("status").hasPrefix("HTTP/1.1 200 OK\n"))
        #expect(try await answer("headers").hasPrefix("HTTP/1.1 418\n"))
    }

    @Test(
        "A status decides about the exit code as a server's does", arguments: [(200, 0), (302, 0), (404, 4), (503, 5)])
    func statuses(_ status: Int, _ code: Int32) async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "path": "/", "stubs": { "variants": { "x": { "status": \#(status) } } } }"#)
        #expect(try await Tool.run("send", "a", "--stub", in: workspace.path).status == code)
    }

    @Test("A stub goes the whole way: params are checked, secrets resolved, the policy asked, the request told")
    func wholeWay() async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": #"""
            { "method": "DELETE", "path": "/{{id}}", "params": { "id": { "type": "integer" } },
              "stubs": { "variants": { "x": { "status": 204 } } } }
            """#,
            "environments/development.json": #"""
            { "baseURL": "http://a.test", "policy": { "confirm": ["DELETE"] },
              "secrets": { "token": { "env": "TOKEN" } }, "auth": { "bearer": "{{secret.token}}" } }
            """#,
        ])
        let variables = ["TOKEN": "swordfish"]
        #expect(try await Tool.run("send", "a", "--stub", in: workspace.path, variables: variables).status == 2)
        #expect(try await Tool.run("send", "a", "id=1", "--stub", in: workspace.path).status == 3)
        #expect(try await Tool.run("send", "a", "id=1", "--stub", in: workspace.path, variables: variables).status == 8)
        let run = try await Tool.run(
            "send", "a", "id=1", "--stub", "x", "--yes", "-v", in: workspace.path, variables: variables)
        #expect(run.status == 0)
        #expect(run.errors.contains("> DELETE /1\n"))
        #expect(run.errors.contains("> Authorization: Bearer <secret.token>\n"))
        #expect(run.errors.contains("< HTTP/1.1 204 No Content\n"))
        #expect(!run.errors.contains("swordfish"))
    }
}
