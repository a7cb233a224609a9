import CommandLineKit
import Commands
import TestSupport
import Testing

/// `render` and `explain` send nothing: what a need would capture appears under its name.
struct NeededCaptureTests {
    private static let shop = #"""
        {"endpoints": {
          "login": {"method": "POST", "path": "/login", "params": {"user": {"type": "string"}},
            "capture": {"token": {"json": "$.token", "secret": true}, "id": {"json": "$.id"},
                        "etag": {"header": "ETag"}, "page": {"body": true}}},
          "me": {"path": "/me", "needs": {"login": {"endpoint": "shop.login", "with": {"user": "Ada L"}}},
            "auth": {"bearer": "{{login.token}}"}},
          "basic": {"path": "/", "needs": {"a-b": {"endpoint": "shop.login", "with": {"user": "x"}}},
            "auth": {"basic": {"user": "ada", "password": "{{a-b.token}}"}}},
          "cart": {"method": "POST", "path": "/cart/{{login.id}}", "body": {"json": {"id": "{{login.id}}"}},
            "needs": {"login": {"endpoint": "shop.login", "with": {"user": "x"}}}},
          "cached": {"path": "/", "headers": {"If-None-Match": "{{login.etag}}", "X-Page": "{{login.page}}"},
            "needs": {"login": {"endpoint": "shop.login", "with": {"user": "x"}}}},
          "choice": {"path": "/", "query": {"a": {"$switch": "{{login.id}}", "1": "one", "$default": "other"}},
            "needs": {"login": {"endpoint": "shop.login", "with": {"user": "x"}}}},
          "wrong": {"path": "/", "headers": {"X-A": "{{login.tokn}}"},
            "needs": {"login": {"endpoint": "shop.login", "with": {"user": "x"}}}}}}
        """#

    private func run(_ words: String...) async -> Run {
        await reqcli(words, files: Samples.files(adding: ["/work/endpoints/shop.json": Self.shop]))
    }

    @Test("A capture is a shell variable in the command, and a note has a command that sets it")
    func variable() async {
        let run = await run("render", "shop.me", "--env", "staging", "--one-line")
        #expect(run.status == 0)
        #expect(run.output.contains(#"-H 'Authorization: Bearer '"${LOGIN_TOKEN:?}""#), "\(run)")
        #expect(
            run.messages == """
                note: LOGIN_TOKEN is captured from shop.login: export LOGIN_TOKEN="$(reqcli send shop.login \
                'user=Ada L' --env staging --select '$.token')"

                """, "\(run)")
    }

    @Test(
        "Each shell has its own words for it",
        arguments: [
            ("fish", #"set -x LOGIN_TOKEN "$(reqcli send shop.login 'user=Ada L' --select '$.token')""#),
            ("powershell", "$env:LOGIN_TOKEN = & reqcli send shop.login 'user=Ada L' --select '$.token'"),
        ])
    func shells(_ shell: String, _ assignment: String) async {
        let run = await run("render", "shop.me", "--shell", shell)
        #expect(run.messages == "note: LOGIN_TOKEN is captured from shop.login: \(assignment)\n")
    }

    @Test("A password of Basic authentication stays outside the base64")
    func basic() async {
        let run = await run("render", "shop.basic", "--one-line")
        #expect(run.output.contains(#"-u ada:"${A_B_TOKEN:?}""#), "\(run)")
    }

    @Test("What the shell does not encode is said: a part of the URL, and text in JSON")
    func encoding() async {
        let run = await run("render", "shop.cart", "--one-line")
        #expect(
            run.output.contains(#"/cart/'"${LOGIN_ID:?}""#) || run.output.contains(#"/cart/"${LOGIN_ID:?}""#), "\(run)")
        #expect(run.output.contains(#"--data-raw '{"id":"'"${LOGIN_ID:?}"'"}'"#), "\(run)")
        #expect(run.messages.contains("note: LOGIN_ID is not percent-encoded here: "), "\(run)")
        #expect(run.messages.contains("note: LOGIN_ID is inside a JSON string: "), "\(run)")
    }

    @Test("A capture that is not in the body says where to look")
    func otherSources() async {
        let run = await run("render", "shop.cached")
        #expect(
            run.messages == """
                note: LOGIN_ETAG is captured from shop.login: set the variable to the header ETag that \
                reqcli send shop.login 'user=x' --headers shows
                note: LOGIN_PAGE is captured from shop.login: \
                export LOGIN_PAGE="$(reqcli send shop.login 'user=x' --content)"

                """, "\(run)")
    }

    @Test(
        "Other formats, explain and --diff show the name, and --reveal shows nothing else",
        arguments: [
            ["render", "shop.me", "--format", "http"], ["render", "shop.me", "--format", "json"],
            ["render", "shop.me", "--format", "http", "--reveal"], ["explain", "shop.me"],
            ["explain", "shop.me", "--json"],
        ])
    func formats(_ words: [String]) async {
        let run = await reqcli(words, files: Samples.files(adding: ["/work/endpoints/shop.json": Self.shop]))
        #expect(run.status == 0 && run.output.contains("Bearer <login.token>"), "\(run)")
        #expect(!run.output.contains("captured."))
        let note =
            "note: <login.token> stands for a value that shop.login captures; \"send\" calls that endpoint first\n"
        #expect(run.messages == (words[0] == "render" ? note : ""), "\(run)")
    }

    @Test("A comparison takes a capture for the same in both environments")
    func comparison() async {
        let run = await run("render", "shop.me", "--diff", "staging")
        #expect(run.status == 0 && run.output.contains("host") && !run.output.contains("Authorization"), "\(run)")
    }

    @Test("A value that is given takes its place, and nothing is said about the need")
    func given() async {
        let run = await run("render", "shop.cart", "login.id=7", "--one-line")
        #expect(run.output.contains("/cart/7") && run.messages == "", "\(run)")
    }

    @Test("A choice that depends on a capture can't be shown")
    func choice() async {
        let run = await run("render", "shop.choice")
        #expect(run.status == 3 && run.output == "")
        #expect(
            run.messages.contains("the case of this $switch depends on login.id, which has no value yet"), "\(run)"
        )
        #expect(run.messages.contains("give it as login.id=…"))
    }

    @Test("A capture that the needed endpoint does not have is an error, as it is for send")
    func unknown() async {
        let run = await run("render", "shop.wrong")
        #expect(run.status == 3 && run.output == "")
        #expect(run.messages.contains(#"shop.login, the endpoint of "login", has no capture "tokn""#), "\(run)")
    }
}
