import CommandLineKit
import Commands
import ReqcliText
import TestSupport
import Testing

/// What `env` and `status` say about environments.
struct EnvironmentTests {
    private static let files = Samples.files(adding: [
        "/work/environments/shop.json": #"""
        {
          "description": "The shop", "baseURL": "http://{{host}}/v1",
          "variables": { "host": "shop.test", "apiKey": "abcd1234efgh" },
          "policy": { "confirm": ["DELETE"] },
          "secrets": {
            "token": { "env": "SHOP_TOKEN" }, "other": { "env": "SHOP_OTHER" }, "vault": { "command": ["pass", "show", "x"] }, "disk": { "file": "key.txt" }
          },
          "auth": { "bearer": "{{secret.vault}}{{secret.token}}{{secret.disk}}" }
        }
        """#
    ])

    private static let variables = ["SHOP_OTHER": "s3cr3t-of-ada", "REQCLI_ENV": "shop"]

    @Test("env shows the server, the variables, and the secrets that are missing, and no secret; no program runs")
    func shown() async {
        let run = await reqcli("env", files: Self.files, variables: Self.variables)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("* shop"), "\(run.output)")
        #expect(run.output.contains("shop (from REQCLI_ENV)"), "\(run.output)")
        for line in [
            "server  http://shop.test/v1", "policy  asks before DELETE", "host    shop.test", "apiKey  <not shown>",
        ] { #expect(run.output.contains(line), "\(line) in \(run.output)") }
        func state(_ name: String) -> String {
            let line = run.output.split(separator: "\n").first { $0.contains("  \(name)  ") } ?? ""
            return ["not set", "set", "read when a request needs it"].first { line.contains(" \($0) ") } ?? String(line)
        }
        #expect(state("token") == "not set" && state("other") == "set")
        #expect(state("vault") == "read when a request needs it")
        #expect(!Self.files.readFiles.contains { $0.hasSuffix("key.txt") })
        #expect(!run.output.contains("s3cr3t") && !run.output.contains("abcd1234"))
    }

    @Test("env list lists the environments, as env alone does")
    func listed() async {
        let run = await reqcli("env", "list", files: Self.files, variables: Self.variables)
        #expect(run == (await reqcli("env", files: Self.files, variables: Self.variables)))
    }

    @Test("env NAME shows one environment, and --json has the same for programs")
    func named() async {
        let page = await reqcli("env", "shop", files: Self.files)
        #expect(page.status == 0 && page.output.hasPrefix("shop\n"), "\(page)")
        let json = await reqcli("env", "shop", "--json", files: Self.files, variables: Self.variables)
        #expect(json.output.contains(#""server": "http://shop.test/v1""#), "\(json.output)")
        #expect(json.output.contains(#""missing": true"#) && json.output.contains(#""missing": false"#))
        #expect(!json.output.contains("s3cr3t") && !json.output.contains("abcd1234"))
    }

    @Test("status says what would be used now")
    func status() async {
        let run = await reqcli("status", files: Self.files, variables: Self.variables)
        #expect(
            run
                == Run(
                    status: 0,
                    output: """
                        workspace    /work
                        environment  shop (from REQCLI_ENV)
                        server       http://shop.test/v1
                        policy       asks before DELETE
                        missing      secret token: variable SHOP_TOKEN is not set
                        history      on: command lines of calls at a terminal

                        """, messages: ""))
    }

    @Test("status counts the agreements to what this workspace asked for")
    func agreements() async {
        let lines = [#"{"workspace":"/work","run":["pass"],"files":[]}"#, #"{"workspace":"/other","keep":"a.b"}"#, "x"]
        let files = Samples.files(adding: [
            "/home/.local/state/reqcli/trusted": lines.map { $0 + "\n" }.joined()
        ])
        let run = await reqcli("status", files: files, variables: ["HOME": "/home"])
        #expect(run.output.contains("agreed       1 permission of this workspace, by an earlier answer\n"), "\(run)")
        #expect(await !reqcli("status", files: Self.files, variables: ["HOME": "/home"]).output.contains("agreed"))
    }

    @Test("a server that can't be known is said with its reason")
    func unknownServer() async {
        let files = Samples.files(adding: [
            "/work/environments/none.json": "{}", "/work/environments/typo.json": #"{ "baseURL": "http://{{hots}}/" }"#,
        ])
        #expect(await reqcli("status", "-e", "none", files: files).output.contains("server       not known: "))
        #expect(await reqcli("status", "-e", "typo", files: files).output.contains("hots"))
    }

    @Test(
        "a wrong line of env says what it takes",
        arguments: [
            (["env", "a", "b"], "\"env\" takes one name"), (["env", "use"], "takes the name of one environment"),
            (["env", "use", "a", "b"], "takes the name of one environment"),
            (["env", "use", "a", "--json"], "prints nothing as JSON"),
            (["env", "--none"], "--none can only be used with \"env use\""),
            (["env", "use", "a", "--none"], "takes the name of one environment"),
            (["env", "stagng"], "did you mean \"staging\"?"),
        ])
    func mistakes(_ words: [String], _ message: String) async {
        let run = await reqcli(words, files: Self.files)
        #expect(run.status == 2 && run.messages.contains(message), "\(run)")
    }
}
