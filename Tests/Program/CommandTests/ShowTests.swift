import CommandLineKit
import Commands
import TestSupport
import Testing

struct ShowTests {
    @Test("A list is shown with what its items must be, and with an example for each item")
    func list() async {
        let files = Samples.files(adding: [
            "/work/endpoints/l.json": #"""
            {"path": "/", "params": {
                "id": {"type": "list", "items": {"type": "integer", "minimum": 1}, "maxItems": 3, "join": "|", "example": [7, 8]},
                "name": {"type": "string", "minLength": 2, "maxLength": 5, "default": "ada"}}}
            """#
        ])
        let shown = await reqcli("show", "l", files: files).output
        #expect(
            shown.contains(
                """
                  id    list of integer  (required; at most 3 items; each at least 1; joined by "|"; example: [7,8])
                  name  string           (2 to 5 characters; default: ada)
                """), "\(shown)")
        #expect(shown.contains("reqcli send l id=7 id=8\n"), "\(shown)")
        let json = await reqcli("show", "l", "--json", files: files).output
        #expect(json.contains(#""type":"list""#) || json.contains(#""type": "list""#), "\(json)")
        #expect(json.filter { !$0.isWhitespace }.contains(#""items":{"type":"integer","minimum":1}"#), "\(json)")
    }

    @Test("A query as text is shown as it is written")
    func rawQuery() async {
        let files = Samples.files(adding: [
            "/work/endpoints/a.json": #"{"query": "flag&q={{q}}", "params": {"q": {"type": "string"}}}"#,
            "/work/endpoints/b.json": #"{"query": null}"#,
        ])
        let shown = await reqcli("show", "a", files: files).output
        #expect(shown.contains("\nQuery\n  flag&q={{q}}\n"), "\(shown)")
        #expect(await reqcli("show", "b", files: files).output.contains("\nQuery\n  not sent\n"))
        let json = await reqcli("show", "a", "--json", files: files).output
        #expect(json.contains(#"flag&q={{q}}"#), "\(json)")
        let render = await reqcli("render", "a", "q=1+2", "--format", "http", "--base-url", "http://h", files: files)
        #expect(render.output.contains("GET /?flag&q=1%2B2 HTTP/1.1"), "\(render)")
    }

    @Test("What an endpoint takes, sends, expects and answers, a section for each")
    func page() async {
        #expect(
            await reqcli("show", "user.feed", files: Samples.files())
                == Run(
                    status: 0,
                    output: """
                        user.feed
                        A person's feed
                        GET /user/{{userID}}/feed
                        endpoints/user.json:6  tag:people

                        Params
                          userID     integer  Whose feed (required; at least 1; example: 42)
                          ascending  boolean  (default: false)
                          city       string   (optional; one of Berlin, San Francisco)

                        Query
                          order  by {{ascending}}: true → up, false → down
                          city   {{city}}

                        From the group
                          headers  {"X-Tenant":"acme"}

                        Stubs
                          standard (default)  200 JSON: One item
                          empty               200 JSON

                        Try
                          reqcli send user.feed userID=42

                        """, messages: ""))
    }

    @Test("The schema that a response must match is named, or shown")
    func schema() async {
        let files = Samples.files(adding: [
            "/work/endpoints/a.json": #"{ "expect": { "schema": "user.json" } }"#,
            "/work/endpoints/b.json": #"{ "expect": { "schema": { "type": "object" } } }"#,
        ])
        #expect(await reqcli("show", "a", files: files).output.contains("\nExpects\n  schema  user.json\n"))
        #expect(await reqcli("show", "b", files: files).output.contains("  schema  {\"type\":\"object\"}\n"))
    }

    @Test("What a secret param has for a default, or an example, is shown nowhere")
    func secretParameter() async {
        let files = Samples.files(adding: [
            "/work/endpoints/order.json":
                #"""
            {"path": "{{pin}}{{key}}", "params": {
                "pin": {"type": "string", "secret": true, "default": "geheim"},
                "key": {"type": "string", "secret": true, "example": "geheim"}}}
            """#
        ])
        for run in [
            await reqcli("show", "order", files: files), await reqcli("show", "order", "--json", files: files),
        ] {
            #expect(run.status == 0 && run.output.contains("pin") && !run.output.contains("geheim"), "\(run.output)")
        }
        let call = await reqcli("render", "order", files: files)
        #expect(call.status == 2 && call.messages.contains("key") && !call.messages.contains("geheim"))
    }

    @Test("Body, expectations, checks, needs, captures, settings and environments are all there")
    func everything() async {
        let files = Samples.files(adding: [
            "/work/endpoints/order.json": #"""
            {
              "method": "POST",
              "path": ["orders", "{{id}}"],
              "params": { "id": { "type": "string", "required": false } },
              "headers": { "X-Many": ["a", "b"], "Accept": null },
              "body": { "json": { "id": "{{id}}", "by": "{{login.token}}" } },
              "timeout": "10s",
              "needs": { "login": { "endpoint": "auth", "with": { "user": "ada" } } },
              "capture": { "first": { "json": "$.id" } },
              "environments": { "staging": { "timeout": "3s" } },
              "expect": {
                "status": [200, "2xx"], "maxTime": "800ms", "headers": { "ETag": { "exists": true } },
                "body": { "not": { "empty": true } }, "json": { "$.id": { "type": "integer", ">": 0 } }
              },
              "checks": [{ "name": "known", "with": { "id": "7" }, "expect": { "status": 201 } }],
              "stubs": {
                "default": "slow",
                "variants": {
                  "gone": { "status": 404, "expect": "fail" },
                  "slow": { "like": "gone", "delay": "80ms..200ms" },
                  "down": { "error": "refused" },
                  "turns": { "sequence": ["gone", "slow"] }
                }
              }
            }
            """#
        ])
        #expect(
            await reqcli("show", "order", files: files).output == """
                order
                POST orders/{{id}}
                endpoints/order.json:1

                Params
                  id  string  (optional)

                Headers
                  X-Many  a
                  X-Many  b
                  Accept  not sent

                Body (JSON)
                  {
                    "id": "{{id}}",
                    "by": "{{login.token}}"
                  }

                Needs
                  login  auth user=ada

                Captures
                  first  {"json":"$.id"}

                Settings
                  timeout  10s

                In one environment only
                  staging  {"timeout":"3s"}

                Expects
                  status  200, 2xx
                  time    at most 800ms
                  ETag    exists true
                  body    not empty true
                  $.id    type "integer", > 0

                Checks
                  known     id=7
                    status  201

                Stubs
                  gone            404, must fail the checks
                  slow (default)  like gone, after 80ms to 200ms
                  down            error: refused
                  turns           2 responses in turn

                Try
                  reqcli send order

                """)
    }

    @Test("On a terminal explanations are wrapped, none is cut")
    func wrapping() async {
        let run = await reqcli("show", "user.feed", files: Samples.files(), width: 48, terminals: [.output])
        #expect(
            run.output.contains(
                """
                  userID     integer  Whose feed (required; at
                                      least 1; example: 42)
                  ascending  boolean  (default: false)

                """))
    }

    @Test("--json has what is derived, and the definition as its file has it")
    func json() async {
        #expect(
            await reqcli("show", "user.get", "--json", files: Samples.files()).output == """
                {
                  "id": "user.get",
                  "method": "GET",
                  "path": "/user",
                  "description": "Who is logged in",
                  "file": "endpoints/user.json",
                  "line": 5,
                  "group": "user",
                  "tags": [
                    "smoke"
                  ],
                  "params": [],
                  "needs": [],
                  "variants": [],
                  "call": "reqcli send user.get",
                  "definition": {
                    "description": "Who is logged in",
                    "path": "/user",
                    "tags": [
                      "smoke"
                    ]
                  },
                  "defaults": {
                    "headers": {
                      "X-Tenant": "acme"
                    },
                    "tags": [
                      "people"
                    ]
                  }
                }

                """)
    }

    @Test("It reads the file that holds the endpoint, and no other")
    func laziness() async {
        let files = Samples.files()
        #expect(await reqcli("show", "user.feed", files: files).status == 0)
        #expect(files.readFiles == ["/work/endpoints/user.json"])
    }

    @Test("A broken file elsewhere is none of its business")
    func brokenElsewhere() async {
        let files = Samples.files(adding: ["/work/endpoints/broken.json": "{"])
        #expect(await reqcli("show", "ping", files: files).status == 0)
        #expect(await reqcli("show", "broken", files: files).status == 3)
    }

    @Test(
        "An endpoint that isn't there: near names, or what its group holds",
        arguments: [
            (
                "user.fed",
                """
                error: there is no endpoint "user.fed"
                  did you mean "user.feed"?

                """
            ),
            (
                "user",
                """
                error: "user" is a group, not an endpoint
                  endpoints of the group: user.get, user.feed

                """
            ),
            (
                "zebra",
                """
                error: there is no endpoint "zebra"
                  run "reqcli list" to see all endpoints

                """
            ),
        ])
    func unknown(_ id: String, _ message: String) async {
        #expect(await reqcli("show", id, files: Samples.files()) == Run(status: 2, output: "", messages: message))
    }

    @Test("Without an endpoint the usage is told")
    func missingArgument() async {
        #expect(
            await reqcli("show").messages == """
                error: "show" needs ENDPOINT
                  usage: reqcli show [OPTIONS] ENDPOINT; for example: reqcli show user.feed
                See "reqcli help show".

                """)
    }
}
