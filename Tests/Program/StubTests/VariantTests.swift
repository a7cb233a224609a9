import Foundation
import TestSupport
import Testing
import ToolSupport

/// One endpoint with four variants, without a network or a server.
struct VariantTests {
    @Test(
        "send breeds.list gives 14 items, none, broken JSON, or 19 items, depending on the variant",
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
        // An empty page contains nothing to select.
        #expect(names.status == (count == 0 ? 1 : 0))
    }

    @Test("--select from broken JSON is an error")
    func malformedSelection() async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", "malformed", "--select", "$.data")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("--select needs JSON, but the body is not JSON"))
    }

    @Test("An unknown variant is an error that lists all variants", arguments: ["nonsense", "breeds.list=nonsense"])
    func unknownVariant(_ choice: String) async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", choice)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                error: breeds.list has no stub variant "nonsense"
                  available: standard, empty, malformed, with_more

                """)
    }

    @Test(
        "send and check accept the same --stub options, and the last one for an endpoint wins",
        arguments: [
            (["--stub=bad", "--stub=good"], true), (["--stub=good", "--stub=bad"], false),
            (["--stub=get=bad", "--stub=get=good"], true), (["--stub=get=good", "--stub=get=bad"], false),
            (["--stub=get=good", "--stub=other=bad"], true), (["--stub=bad", "--stub=get=good"], true),
            (["--stub=get=good", "--stub=bad"], false), (["--stub=get=good", "--stub"], false),
            (["--stub=bad", "--stub=g*=good"], true), (["--stub=g*=good", "--stub=get=bad"], false),
            (["--stub=bad", "--stub=tag:new=good"], true), (["--stub=bad", "--stub=tag:old=good"], false),
        ])
    func severalChoices(_ flags: [String], _ isGood: Bool) async throws {
        let variants = #""variants": { "good": { "text": "good" }, "bad": { "text": "bad" } }"#
        func endpoint(_ tag: String) -> String {
            #"{ "path": "/", "expect": { "body": "good" }, "tags": ["\#(tag)"], "stubs": { "default": "bad", \#(variants) } }"#
        }
        let workspace = try TemporaryFolder.workspace([
            "endpoints/get.json": endpoint("new"), "endpoints/other.json": endpoint("old"),
        ])
        let sent = try await Tool.run(["send", "get"] + flags, in: workspace.path)
        #expect(sent.outputText == (isGood ? "good" : "bad"), "\(sent.errors)")
        let checked = try await Tool.run(["check", "get"] + flags, in: workspace.path)
        #expect(checked.status == (isGood ? 0 : 1), "\(checked.errors)")
    }

    @Test(
        "In check, the word after --stub is a selector, and a hint is printed if it is a variant",
        arguments: [
            (
                "empty", #"there is no endpoint or group "empty""#,
                "this is the name of a stub variant: pass --stub=empty to use it"
            ),
            (
                "breeds.list=empty", #"there is no endpoint or group "breeds.list=empty""#,
                "this is the name of a stub variant: pass --stub=breeds.list=empty to use it"
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

    @Test("A variant of an unknown endpoint is a usage error that suggests a similar name")
    func unknownEndpoint() async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", "breed.list=empty")
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                error: --stub: there is no endpoint or group "breed.list"
                  did you mean "breeds.list"?

                """)
    }

    @Test("A pattern that selects nothing is an error, also if a file that may hold its endpoint has errors")
    func unknownPattern() async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/a.json": #"{ "path": "/", "stubs": { "variants": { "x": {} } } }"#, "endpoints/b.json": "{",
        ])
        #expect(try await Tool.run("send", "a", "--stub=tag:none=x", in: workspace.path).status == 3)
        #expect(try await Tool.run("send", "a", "--stub=b=x", "--stub=a=x", in: workspace.path).status == 0)
        let spaced = try await Tool.run("send", "a", "--stub", "a?=x", in: workspace.path)
        #expect(spaced.status == 2 && spaced.errors.contains("no endpoint's id matches \"a?\""), "\(spaced.errors)")
    }

    @Test("A misspelt variant gets a suggestion and the list of variants")
    func nearVariant() async throws {
        let run = try await Tool.run("send", "breeds.list", "--stub", "standrad")
        #expect(run.errors.contains(#"did you mean "standard"?"#))
        #expect(run.errors.contains("available: standard, empty, malformed, with_more"))
    }

    @Test("--stub without a name and an environment's stubs use the default variant")
    func defaults() async throws {
        let standard = try await Tool.run("send", "breeds.list", "--stub", "standard").output
        #expect(try await Tool.run("send", "breeds.list", "--stub").output == standard)
        #expect(try await Tool.run("send", "breeds.list", "--env", "offline").output == standard)
        #expect(try await Tool.run("send", "breeds.list", "--env", "offline", "--stub", "empty").output != standard)
    }

    @Test("An environment names variants for single endpoints or for all; an endpoint without is an error")
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
        #expect(unnamed.errors.hasPrefix("error: the environment one responds from stubs, but has no stub for b\n"))
    }

    @Test(
        "--stub=NAME applies to the selected endpoints; needed endpoints use their own default",
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

    @Test("A variant that any selected endpoint lacks is an error, even if that endpoint is also needed")
    func variantOfAll() async throws {
        let workspace = try TemporaryFolder.workspace([
            "endpoints/m.json": #"""
            { "defaults": { "expect": { "status": 200 } }, "endpoints": {
                "login": { "path": "/login", "stubs": { "variants": { "standard": {} } } },
                "use": { "path": "/", "needs": { "login": "m.login" }, "stubs": { "variants": { "down": {} } } } } }
            """#
        ])
        // One shard has m.login as a case. The other one needs it.
        for shard in ["2/5", "3/5"] {
            let run = try await Tool.run("check", "--stub=down", "--shard", shard, in: workspace.path)
            #expect(run.status == 2, "\(run)")
            #expect(run.errors.contains(#"m.login has no stub variant "down""#))
        }
    }

    @Test("like inherits from another variant through any number of steps, and own members override it")
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
        // Any member that describes a response makes the variant one.
        #expect(try await answer("back").hasSuffix("\n\n[]"))
        #expect(try await answer("status").hasPrefix("HTTP/1.1 200 OK\n"))
        #expect(try await answer("headers").hasPrefix("HTTP/1.1 418\n"))
    }

    @Test(
        "A stub's status sets the exit code like a server's", arguments: [(200, 0), (302, 0), (404, 4), (503, 5)])
    func statuses(_ status: Int, _ code: Int32) async throws {
        let workspace = try TemporaryFolder.workspace(
            endpoint: #"{ "path": "/", "stubs": { "variants": { "x": { "status": \#(status) } } } }"#)
        #expect(try await Tool.run("send", "a", "--stub", in: workspace.path).status == code)
    }

    @Test("A stubbed call checks params, resolves secrets, applies the policy and prints the request")
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
