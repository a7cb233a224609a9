import CommandLineKit
import Commands
import ReqcliText
import TestSupport
import Testing

struct ListTests {
    @Test("Endpoints stand in columns, in the order of their files")
    func endpoints() async {
        #expect(
            await reqcli("list", files: Samples.files())
                == Run(
                    status: 0,
                    output: """
                        billing.invoice.create  POST  /invoices
                        ping                    GET   /ping                  Is it there?
                        user.get                GET   /user                  Who is logged in
                        user.feed               GET   /user/{{userID}}/feed  A person's feed

                        """, messages: ""))
    }

    @Test(
        "A selector is an id, a group, a pattern or a tag; several select what any does",
        arguments: [
            (["user.get"], ["user.get"]), (["user"], ["user.get", "user.feed"]),
            (["billing"], ["billing.invoice.create"]),
            (["*.get"], ["user.get"]), (["b*"], ["billing.invoice.create"]), (["user.???"], ["user.get"]),
            (["tag:smoke"], ["ping", "user.get"]), (["tag:people"], ["user.feed"]),
            (["user.feed", "ping"], ["ping", "user.feed"]),
            (["*"], ["billing.invoice.create", "ping", "user.get", "user.feed"]),
        ])
    func selectors(_ words: [String], _ ids: [String]) async {
        let output = Written()
        let context = Context.test(files: Samples.files().fileSystem, output: output.output)
        #expect(await Program.run(["list"] + words, in: context) == .success)
        #expect(output.text.split(separator: "\n").map { $0.prefix { $0 != " " } } == ids.map { $0[...] })
    }

    @Test("A name that is an endpoint's and a group's is the endpoint's")
    func endpointBeforeGroup() async {
        let files = Samples.files(adding: ["/work/endpoints/ping/deep.json": #"{ "path": "/deep" }"#])
        #expect(await reqcli("list", "ping", files: files).output.hasPrefix("ping  GET  /ping"))
        #expect(await reqcli("list", "ping.*", files: files).output == "ping.deep  GET  /deep\n")
    }

    @Test("A selector that selects nothing is an error with near names, and nothing is listed")
    func nothingSelected() async {
        #expect(
            await reqcli(
                "list", "ping", "usr.get", "tag:smoek", "usr.*", "environmets", "zebra", files: Samples.files())
                == Run(
                    status: 2, output: "",
                    messages: """
                        error: there is no endpoint or group "usr.get"
                          did you mean "user.get"?
                        error: no endpoint or case has the tag "smoek"
                          did you mean "smoke"?
                        error: no endpoint's id matches "usr.*"
                          did you mean "user"?
                        error: there is no endpoint or group "environmets"
                          did you mean "environments"?
                        error: there is no endpoint or group "zebra"
                          run "reqcli list" to see all endpoints

                        """))
    }

    @Test("A broken file is told, what could be read is listed, and the status is 3")
    func brokenFile() async {
        let files = Samples.files(adding: ["/work/endpoints/ping.json": "[]"])
        let run = await reqcli("list", files: files)
        #expect(run.status == 3)
        #expect(run.output.split(separator: "\n").count == 3)
        #expect(run.messages.hasPrefix("endpoints/ping.json:1:1: error: "))
        #expect(run.messages.hasSuffix("1 error in 1 file\n"))
        #expect(await reqcli("list", "user", files: files).status == 0, "it has nothing to do with that file")
        #expect(await reqcli("list", "ping", files: files).status == 3, "not: there is no such endpoint")
    }

    @Test("Two files for one id: an error that names both")
    func clash() async {
        let files = Samples.files(adding: ["/work/endpoints/user/get.json": #"{ "path": "/other" }"#])
        let run = await reqcli("list", "user.get", files: files)
        #expect(run.status == 3)
        #expect(run.messages.contains("endpoints/user.json:5:12: "))
        #expect(run.messages.contains("endpoints/user/get.json:1:1: "))
    }

    @Test("On a terminal descriptions are cut to its width, into a pipe they go whole")
    func width() async {
        let long = String(repeating: "word ", count: 40)
        let files = Samples.files(adding: [
            "/work/endpoints/ping.json": "{ \"description\": \"\(long)\", \"path\": \"/p\" }"
        ])
        let shown = await reqcli("list", "ping", files: files, width: 40, terminals: [.output]).output
        #expect(shown == "ping  GET  /p  word word word word word…\n")
        #expect(await reqcli("list", "ping", files: files).output == "ping  GET  /p  \(long)\n")
    }

    @Test("What a terminal would obey is shown instead")
    func harmless() async {
        let files = Samples.files(adding: [
            "/work/endpoints/ping.json": #"{ "description": "a\u001b[31mb\nc", "path": "/p" }"#
        ])
        #expect(await reqcli("list", "ping", files: files).output == "ping  GET  /p  a␛[31mb c\n")
    }

    @Test("--json prints an array of objects")
    func json() async {
        #expect(
            await reqcli("list", "ping", "--json", files: Samples.files()).output == """
                [
                  {
                    "id": "ping",
                    "method": "GET",
                    "path": "/ping",
                    "description": "Is it there?",
                    "tags": [
                      "smoke"
                    ],
                    "file": "endpoints/ping.json",
                    "line": 1
                  }
                ]

                """)
    }

    @Test("With --json problems are JSON too, on stderr")
    func problemsAsJSON() async {
        let run = await reqcli("list", "--json", "png", files: Samples.files())
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.messages == """
                {
                  "errors": 1,
                  "warnings": 0,
                  "diagnostics": [
                    {
                      "severity": "error",
                      "code": "selection.empty",
                      "message": "there is no endpoint or group \\"png\\"",
                      "hint": "did you mean \\"ping\\"?"
                    }
                  ]
                }

                """)
    }

    @Test("An empty workspace says so, on stderr")
    func empty() async {
        let files = MemoryFiles(["/work/endpoints": .folder])
        #expect(
            await reqcli("list", files: files) == Run(status: 0, output: "", messages: "no endpoints in endpoints\n"))
        #expect(await reqcli("list", "--json", files: files).output == "[]\n")
    }

    @Test(
        "list environments marks the one in force",
        arguments: [
            ([], [:], "* development  This machine\n  staging\n"),
            (["-e", "staging"], [:], "  development  This machine\n* staging\n"),
            ([], ["REQCLI_ENV": "staging"], "  development  This machine\n* staging\n"),
        ] as [([String], [String: String], String)])
    func environments(_ words: [String], _ variables: [String: String], _ expected: String) async {
        let output = Written()
        let context = Context.test(files: Samples.files().fileSystem, variables: variables, output: output.output)
        #expect(await Program.run(["list", "environments"] + words, in: context) == .success)
        #expect(output.text == expected)
    }

    @Test(
        "An environment that is asked for has to be there",
        arguments: [
            (["list", "-e", "stagin"], [:], ""), (["list", "environments", "-e", "stagin"], [:], ""),
            (["list", "environments"], ["REQCLI_ENV": "stagin"], " (from REQCLI_ENV)"),
        ] as [([String], [String: String], String)])
    func unknownEnvironment(_ words: [String], _ variables: [String: String], _ origin: String) async {
        let (output, messages) = (Written(), Written())
        let context = Context.test(
            files: Samples.files().fileSystem, variables: variables, output: output.output, messages: messages.output)
        #expect(await Program.run(words, in: context) == .usage)
        #expect(output.text.isEmpty)
        #expect(
            messages.text == """
                error: there is no environment "stagin"\(origin)
                  did you mean "staging"? available: development, staging

                """)
    }

    @Test("What an endpoint says for the environment that is asked for is listed; unasked no environment is read")
    func overlay() async {
        let files = Samples.files(adding: [
            "/work/endpoints/ping.json":
                #"{ "path": "/ping", "environments": { "staging": { "method": "PUT", "path": "/up" } } }"#
        ])
        #expect(await reqcli("list", "ping", "-e", "staging", files: files).output == "ping  PUT  /up\n")
        let json = await reqcli("list", "ping", "-e", "staging", "--json", files: files).output
        #expect(json.contains(#""method": "PUT""#) && json.contains(#""path": "/up""#))
        #expect(await reqcli("list", "ping", "-e", "development", files: files).output == "ping  GET  /ping\n")
        #expect(await reqcli("list", "ping", files: files).output == "ping  GET  /ping\n")
        #expect(files.readFiles.allSatisfy { $0.hasPrefix("/work/endpoints/") })
    }

    @Test("list environments --json")
    func environmentsAsJSON() async {
        let files = Samples.files(adding: ["/work/reqcli.json": #"{ "environment": "staging" }"#])
        #expect(
            await reqcli("list", "environments", "--json", files: files).output == """
                [
                  {
                    "name": "development",
                    "current": false,
                    "description": "This machine",
                    "extends": [],
                    "file": "environments/development.json"
                  },
                  {
                    "name": "staging",
                    "current": true,
                    "extends": [
                      "development"
                    ],
                    "file": "environments/staging.json"
                  }
                ]

                """)
    }
}
