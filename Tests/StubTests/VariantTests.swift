import Foundation
import Testing

/// One endpoint, four answers: with no network and before there is a server.
struct VariantTests {
    @Test(
        "send breeds.list gives 14, none, broken JSON and 19",
        arguments: [
            ("standard", 14), ("empty", 0), ("malformed", nil), ("with_more", 19),
        ])
    func breeds(_ variant: String, _ count: Int?) throws {
        let run = try Reqcli.run("send", "breeds.list", "--stub", variant)
        #expect(run.status == 0 && run.messages.isEmpty)
        guard let count else {
            #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(run.body)) }
            return
        }
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(run.body)) as? [String: Any])
        #expect((answer["data"] as? [Any])?.count == count)
        let names = try Reqcli.run("send", "breeds.list", "--stub", variant, "--select", "$.data[*].breed")
        #expect(names.output.split(separator: "\n").count == count)
        // An empty page has nothing to select.
        #expect(names.status == (count == 0 ? 1 : 0))
    }

    @Test("Broken JSON can't be selected from, and is told so")
    func malformedSelection() throws {
        let run = try Reqcli.run("send", "breeds.list", "--stub", "malformed", "--select", "$.data")
        #expect(run.status == 1)
        #expect(run.body.isEmpty)
        #expect(run.messages.contains("--select takes JSON, and the body is not"))
    }

    @Test("A variant that there isn't is an error with the list", arguments: ["nonsense", "breeds.list=nonsense"])
    func unknownVariant(_ choice: String) throws {
        let run = try Reqcli.run("send", "breeds.list", "--stub", choice)
        #expect(run.status == 2)
        #expect(run.body.isEmpty)
        #expect(
            run.messages == """
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
    func severalChoices(_ flags: [String], _ isGood: Bool) throws {
        let variants = #""variants": { "good": { "text": "good" }, "bad": { "text": "bad" } }"#
        let endpoint = #"{ "path": "/", "expect": { "body": "good" }, "stubs": { "default": "bad", \#(variants) } }"#
        let workspace = try TestWorkspace(["endpoints/get.json": endpoint, "endpoints/other.json": endpoint])
        let sent = try Reqcli.start(["send", "get"] + flags, in: workspace.path).end()
        #expect(sent.output == (isGood ? "good" : "bad"), "\(sent.messages)")
        let checked = try Reqcli.start(["check", "get"] + flags, in: workspace.path).end()
        #expect(checked.status == (isGood ? 0 : 1), "\(checked.messages)")
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
    func variantAsSelector(_ word: String, _ message: String, _ hint: String) throws {
        let run = try Reqcli.run("check", "--stub", word)
        #expect(run.status == 2)
        #expect(run.messages == "error: \(message)\n  \(hint)\n")
        #expect(try Reqcli.run("check", "--stub", "breeds").status == 0)
    }

    @Test("A stub has no body where no server can send one: to HEAD, and with 204 or 304")
    func noBody() throws {
        let variants =
            #""variants": { "a": { "json": 1 }, "n": { "status": 204, "json": 1 }, "u": { "status": 304, "text": "x" } }"#
        let workspace = try TestWorkspace([
            "endpoints/head.json": #"{ "method": "HEAD", "path": "/", "stubs": { \#(variants) } }"#,
            "endpoints/get.json": #"{ "path": "/", "stubs": { \#(variants) } }"#,
        ])
        for (endpoint, variant) in [("head", "a"), ("get", "n"), ("get", "u")] {
            let run = try Reqcli.run("send", endpoint, "--stub", variant, in: workspace.path)
            #expect(run.status == 0 && run.body.isEmpty, "\(endpoint) \(variant)")
        }
        #expect(try Reqcli.run("send", "get", "--stub", "a", in: workspace.path).output == "1")
    }

    @Test("A variant of an endpoint that there isn't is wrong usage, with the near name")
    func unknownEndpoint() throws {
        let run = try Reqcli.run("send", "breeds.list", "--stub", "breed.list=empty")
        #expect(run.status == 2)
        #expect(run.body.isEmpty)
        #expect(
            run.messages == """
                error: --stub: there is no endpoint "breed.list"
                  did you mean "breeds.list"?

                """)
    }

    @Test("A near miss gets a question and the list")
    func nearVariant() throws {
        let run = try Reqcli.run("send", "breeds.list", "--stub", "standrad")
        #expect(run.messages.contains(#"did you mean "standard"?"#))
        #expect(run.messages.contains("it has standard, empty, malformed, with_more"))
    }

    @Test("Alone, --stub and an environment with stubs take the default variant")
    func defaults() throws {
        let standard = try Reqcli.run("send", "breeds.list", "--stub", "standard").body
        #expect(try Reqcli.run("send", "breeds.list", "--stub").body == standard)
        #expect(try Reqcli.run("send", "breeds.list", "--env", "offline").body == standard)
        #expect(try Reqcli.run("send", "breeds.list", "--env", "offline", "--stub", "empty").body != standard)
    }

    @Test("An environment's stubs name a variant for one endpoint and for the others; one without is an error")
    func environmentStubs() throws {
        let workspace = try TestWorkspace([
            "endpoints/a.json":
                #"{ "path": "/", "stubs": { "variants": { "x": { "text": "x" }, "y": { "text": "y" } } } }"#,
            "endpoints/b.json": #"{ "path": "/", "stubs": { "variants": { "x": { "text": "bx" } } } }"#,
            "endpoints/c.json": #"{ "path": "/" }"#,
            "environments/some.json": #"{ "extends": "development", "stubs": { "*": "x", "a": "y" } }"#,
            "environments/one.json": #"{ "extends": "development", "stubs": { "a": "y" } }"#,
        ])
        #expect(try Reqcli.run("send", "a", "-e", "some", in: workspace.path).output == "y")
        #expect(try Reqcli.run("send", "b", "-e", "some", in: workspace.path).output == "bx")
        let none = try Reqcli.run("send", "c", "-e", "some", in: workspace.path)
        #expect(none.status == 3)
        #expect(none.messages.hasPrefix("error: c has no stub variants\n"))
        let unnamed = try Reqcli.run("send", "b", "-e", "one", in: workspace.path)
        #expect(unnamed.status == 3)
        #expect(unnamed.messages.hasPrefix("error: one answers from stubs, and names none for b\n"))
    }

    @Test(
        "A variant is asked of the endpoints that are asked for; what they need has its own",
        arguments: [["send", "m.use"], ["check", "m.use"], ["check", "m.use", "--shard", "1/1"]])
    func variantAndNeeds(_ words: [String]) throws {
        let workspace = try TestWorkspace([
            "endpoints/m.json": #"""
            { "endpoints": {
                "login": { "path": "/login", "capture": { "token": { "json": "$.token" } }, "expect": { "status": 200 },
                  "stubs": { "variants": { "standard": { "json": { "token": "t" } }, "other": { "status": 500 } } } },
                "use": { "path": "/", "needs": { "login": "m.login" }, "auth": { "bearer": "{{login.token}}" },
                  "expect": { "status": 503 },
                  "stubs": { "variants": { "standard": {}, "down": { "status": 503 } } } } } }
            """#
        ])
        let run = try Reqcli.start(words + ["--stub=down"], in: workspace.path).end()
        #expect(run.status == 0, "\(run)")
        let named = try Reqcli.start(words + ["--stub=down", "--stub=m.login=other"], in: workspace.path).end()
        #expect(named.messages.contains("m.login") || named.output.contains("m.login"), "\(named)")
        #expect(named.status != 0)
    }

    @Test("A variant that one of the endpoints that are checked lacks is an error, needed by others or not")
    func variantOfAll() throws {
        let workspace = try TestWorkspace([
            "endpoints/m.json": #"""
            { "defaults": { "expect": { "status": 200 } }, "endpoints": {
                "login": { "path": "/login", "stubs": { "variants": { "standard": {} } } },
                "use": { "path": "/", "needs": { "login": "m.login" }, "stubs": { "variants": { "down": {} } } } } }
            """#
        ])
        // One shard has m.login as a case, the other needs it.
        for shard in ["2/5", "3/5"] {
            let run = try Reqcli.run("check", "--stub=down", "--shard", shard, in: workspace.path)
            #expect(run.status == 2, "\(run)")
            #expect(run.messages.contains(#"m.login has no stub variant "down""#))
        }
    }

    @Test("like takes another variant over, through any number of steps, and changes what it says itself")
    func like() throws {
        let workspace = try TestWorkspace(
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
        func answer(_ variant: String) throws -> String {
            try Reqcli.run("send", "a", "--stub", variant, "-i", in: workspace.path).output
        }
        #expect(
            try answer("second")
                == "HTTP/1.1 418\nContent-Type: application/json\nX-One: 1\nX-Three: {{3}}\n\n{\"a\":1}")
        #expect(
            try answer("third")
                == "HTTP/1.1 418\nContent-Type: text/plain; charset=utf-8\nX-One: 1\nX-Three: {{3}}\n\nother")
        #expect(try Reqcli.run("send", "a", "--stub", "fault", in: workspace.path).status == 6)
        // Whatever is said of an answer makes it one.
        #expect(try answer("back").hasSuffix("\n\n[]"))
        #expect(try answer("status").hasPrefix("HTTP/1.1 200 OK\n"))
        #expect(try answer("headers").hasPrefix("HTTP/1.1 418\n"))
    }

    @Test(
        "A status decides about the exit code as a server's does", arguments: [(200, 0), (302, 0), (404, 4), (503, 5)])
    func statuses(_ status: Int, _ code: Int32) throws {
        let workspace = try TestWorkspace(
            endpoint: #"{ "path": "/", "stubs": { "variants": { "x": { "status": \#(status) } } } }"#)
        #expect(try Reqcli.run("send", "a", "--stub", in: workspace.path).status == code)
    }

    @Test("A stub goes the whole way: params are checked, secrets resolved, the policy asked, the request told")
    func wholeWay() throws {
        let workspace = try TestWorkspace([
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
        #expect(try Reqcli.run("send", "a", "--stub", in: workspace.path, variables: variables).status == 2)
        #expect(try Reqcli.run("send", "a", "id=1", "--stub", in: workspace.path).status == 3)
        #expect(try Reqcli.run("send", "a", "id=1", "--stub", in: workspace.path, variables: variables).status == 8)
        let run = try Reqcli.run(
            "send", "a", "id=1", "--stub", "x", "--yes", "-v", in: workspace.path, variables: variables)
        #expect(run.status == 0)
        #expect(run.messages.contains("> DELETE /1\n"))
        #expect(run.messages.contains("> Authorization: Bearer <secret.token>\n"))
        #expect(run.messages.contains("< HTTP/1.1 204 No Content\n"))
        #expect(!run.messages.contains("swordfish"))
    }
}
