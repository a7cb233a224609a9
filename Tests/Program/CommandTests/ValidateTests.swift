import CommandLineKit
import Commands
import ReqcliText
import TestSupport
import Testing

struct ValidateTests {
    @Test("A clean workspace: one line, status 0")
    func clean() async {
        #expect(
            await reqcli("validate", files: Samples.files())
                == Run(status: 0, output: "ok: 4 endpoints, 2 environments in 5 files\n", messages: ""))
    }

    @Test("All problems of all files, the number at the end, status 3 and nothing on stdout")
    func broken() async {
        let files = Samples.files(adding: [
            "/work/endpoints/ping.json": #"{ "metod": "GET", "path": "/ping", "timeout": "soon" }"#,
            "/work/environments/staging.json": #"{ "extends": "develpment" }"#,
        ])
        #expect(
            await reqcli("validate", files: files)
                == Run(
                    status: 3, output: "",
                    messages: #"""
                        endpoints/ping.json:1:3: error: unknown key "metod" in an endpoint
                          1 | { "metod": "GET", "path": "/ping", "timeout": "soon" }
                            |   ^^^^^^^ did you mean "method"?
                        endpoints/ping.json:1:47: error: "timeout" takes seconds or a duration such as "800ms"; found "soon"
                          1 | { "metod": "GET", "path": "/ping", "timeout": "soon" }
                            |                                               ^^^^^^
                        environments/staging.json:1:14: error: there is no environment "develpment"
                          1 | { "extends": "develpment" }
                            |              ^^^^^^^^^^^^ did you mean "development"? available: development, staging
                        3 errors in 2 files

                        """#))
    }

    /// Files of a workspace with one thing in it that no request can have, and where and how that is told.
    static let unsendable: [(path: String, text: String, told: String)] = [
        (
            "endpoints/e.json", #"{ "headers": { "A": "a\nb" } }"#,
            "endpoints/e.json:1:16: error: header A: the value contains LF at character 2, which can't be sent in a header"
        ),
        (
            "endpoints/e.json", #"{ "path": ["", "x", "{{$uuid}}"] }"#,
            "endpoints/e.json:1:12: error: this segment of the path is empty"
        ),
        (
            "endpoints/e.json",
            #"{ "query": { "q": "{{$uuid}}" }, "auth": { "basic": { "user": "u:v", "password": "p" } } }"#,
            #"endpoints/e.json:1:42: error: a user name for Basic authorization can't contain ":""#
        ),
        (
            "endpoints/g.json",
            #"{ "defaults": { "tls": { "ca": "{{nope}}" } }, "endpoints": { "a": { "tls": { "minVersion": "1.2" } } } }"#,
            #"endpoints/g.json:1:33: error: "{{nope}}" is neither a param nor a variable of any environment"#
        ),
        (
            "environments/e.json", #"{ "variables": { "l": null }, "headers": { "A": "{{l}}" } }"#,
            #"environments/e.json:1:50: error: "{{l}}" is not a variable of any environment"#
        ),
        (
            "environments/e.json", #"{ "scheme": "http", "host": "ex..com" }"#,
            #"environments/e.json:1:29: error: "host" takes only a host name or address; found "ex..com""#
        ),
        (
            "endpoints/e.json", #"{ "baseURL": "http://ex..com/" }"#,
            #"endpoints/e.json:1:14: error: "baseURL" needs a host name or address; found "http://ex..com/""#
        ),
        (
            "endpoints/e.json",
            #"{ "params": { "f": { "type": "file" } }, "body": { "file": "{{f}}" }, "checks": [ "#
                + #"{ "name": "c", "with": { "f": "nofile" }, "expect": { "status": 200 } } ] }"#,
            #"endpoints/e.json:1:113: error: there is no file "nofile""#
        ),
        (
            "endpoints/e.json",
            #"{ "method": "POST", "headers": { "Transfer-Encoding": "chunked", "Content-Length": "2" }, "body": { "text": "ab" } }"#,
            "endpoints/e.json:1:66: error: Content-Length can't be sent together with Transfer-Encoding: leave one of them out"
        ),
        (
            "endpoints/e.json", #"{ "headers": { "Content-Length": "5" } }"#,
            "endpoints/e.json:1:16: error: the Content-Length is 5, but the body has 0 bytes: "
                + "leave out the header to send the right one"
        ),
        (
            "endpoints/e.json",
            #"{ "headers": { "Content-Length": "5" }, "body": { "text": "four" }, "path": "/{{$uuid}}" }"#,
            "endpoints/e.json:1:16: error: the Content-Length is 5, but the body has 4 bytes: "
                + "leave out the header to send the right one"
        ),
        (
            "endpoints/e.json", #"{ "environments": { "staging": { "headers": { "A": "\u0000" } } } }"#,
            "endpoints/e.json:1:47: error: header A: the value contains NUL at character 1, which can't be sent in a header"
        ),
        (
            "endpoints/g.json", #"{ "defaults": { "headers": { "A": "\r" } }, "endpoints": { "a": {}, "b": {} } }"#,
            "endpoints/g.json:1:30: error: header A: the value contains CR at character 1, which can't be sent in a header"
        ),
        (
            "environments/e.json", #"{ "headers": { "A": "\u0001" } }"#,
            "environments/e.json:1:16: error: header A: the value contains U+0001 at character 1, "
                + "which can't be sent in a header"
        ),
    ]

    @Test("What no request can have is told in the words of send", arguments: unsendable)
    func isUnsendable(path: String, text: String, told: String) async {
        let run = await reqcli("validate", files: Samples.files(adding: ["/work/\(path)": text]))
        #expect(run.status == 3)
        #expect(run.messages.hasPrefix(told + "\n"))
        #expect(run.messages.hasSuffix("\n1 error in 1 file\n"))
    }

    /// What some request may well have.
    static let sendable: [(path: String, text: String)] =
        [
            ("endpoints/e.json", #"{ "headers": { "Content-Length": "4" }, "body": { "text": "four" } }"#),
            ("endpoints/e.json", #"{ "headers": { "Content-Length": "5" }, "body": { "text": "{{$uuid}}" } }"#),
            ("endpoints/e.json", #"{ "headers": { "Content-Length": "5" }, "body": { "file": "reqcli.json" } }"#),
            ("environments/e.json", #"{ "headers": { "Content-Length": "5" }, "tls": { "ca": "reqcli.json" } }"#),
            (
                "endpoints/e.json",
                #"{ "path": ["{{p}}"], "headers": { "A": "{{p}}" }, "params": { "p": { "type": "string", "default": "" } } }"#
            ),
            (
                "endpoints/g.json",
                #"{ "defaults": { "headers": { "A": "\r" } }, "endpoints": { "a": { "headers": { "A": null } } } }"#
            ),
            (
                "endpoints/e.json",
                #"{ "headers": { "A": "\r" }, "environments": { "staging": { "headers": { "A": "1" } }, "#
                    + #""development": { "headers": { "A": null } } } }"#
            ),
        ]
        + shadowed.map { defaults, own in
            (
                "endpoints/g.json",
                #"{ "defaults": \#(defaults), "endpoints": { "a": { "params": { "tok": { "type": "string", "default": "x" } } }, "#
                    + #""b": \#(own) } }"#
            )
        }

    /// What a group says, with a param that `a` has and `b` hasn't, and what `b` says instead.
    private static let shadowed = [
        (#"{ "auth": { "bearer": "{{tok}}" } }"#, #"{ "headers": { "Authorization": "X" } }"#),
        (
            #"{ "auth": { "apiKey": { "header": "X-Key", "value": "{{tok}}" } } }"#,
            #"{ "headers": { "x-key": null } }"#
        ),
        (#"{ "auth": { "apiKey": { "query": "k", "value": "{{tok}}" } } }"#, #"{ "query": { "k": "1" } }"#),
        (
            #"{ "auth": { "hmac": { "key": "{{tok}}", "sign": "{{tok}}", "headers": { "S": "{{$signature}}" } } } }"#,
            #"{ "auth": { "bearer": "x" } }"#
        ),
        (
            #"{ "auth": { "aws": { "service": "s3", "region": "{{tok}}", "accessKeyID": "i", "secretAccessKey": "{{tok}}" } } }"#,
            #"{ "auth": null }"#
        ),
        (
            #"{ "auth": { "jwt": { "algorithm": "ES256", "key": "{{tok}}", "claims": { "iss": "{{tok}}" } } } }"#,
            #"{ "auth": null }"#
        ),
        (#"{ "headers": { "Content-Type": "{{tok}}" } }"#, #"{ "body": { "json": 1 } }"#),
        (
            #"{ "baseURL": "http://{{tok}}/x" }"#,
            #"{ "scheme": "http", "host": "h", "port": 80, "basePath": "/" }"#
        ),
    ]

    @Test("What a call can make right is no problem of the files", arguments: sendable)
    func isSendable(path: String, text: String) async {
        let files = Samples.files(adding: ["/work/\(path)": text, "/work/reqcli.json": "{}"])
        let run = await reqcli("validate", files: files)
        #expect(run.status == 0, "\(run.messages)")
    }

    @Test("Warnings are shown and counted, and the status is 0")
    func warnings() async {
        let files = Samples.files(adding: [
            "/work/endpoints/ping.json": #"{ "path": "/ping", "cachePolicy": "returnCacheDataElseLoad" }"#
        ])
        let run = await reqcli("validate", files: files)
        #expect(run.status == 0)
        #expect(run.output == "ok: 4 endpoints, 2 environments in 5 files; 1 warning\n")
        #expect(run.messages.hasPrefix("endpoints/ping.json:1:35: warning: "))
        #expect(run.messages.hasSuffix("\n1 warning in 1 file\n"))
    }

    @Test("A file that looks like definitions, but isn't read, is a warning; a file that doesn't is none")
    func otherEndings() async {
        let names = ["x.JSON", "deep/x.json5", "x.yaml", "x.Yml", "x.toml"]
        let silent = ["README.md", ".x.yaml", ".hidden/x.yaml", "json", "x.json.bak", "photo.jpg"]
        let files = Samples.files(
            adding: Dictionary(
                uniqueKeysWithValues: names.map { ("/work/endpoints/\($0)", "{}") }
                    + silent.map { ("/work/endpoints/\($0)", "{}") } + [("/work/environments/y.yml", "{}")]))
        let run = await reqcli("validate", files: files)
        #expect(run.status == 0)
        #expect(run.output == "ok: 4 endpoints, 2 environments in 5 files; 6 warnings\n")
        for name in names.map({ "endpoints/\($0)" }) + ["environments/y.yml"] {
            #expect(
                run.messages.contains(
                    "\(name): warning: the file is ignored because of its name\n  definition files end with .json or .jsonc\n"
                ),
                "\(run.messages)")
        }
        let list = await reqcli("list", files: files)
        #expect(list.status == 0 && list.messages.isEmpty)
    }

    @Test("--json puts the same problems on stdout")
    func json() async throws {
        let files = Samples.files(adding: ["/work/endpoints/ping.json": #"{ "metod": "GET", "path": "/ping" }"#])
        let run = await reqcli("validate", "--json", files: files)
        #expect(run.status == 3)
        #expect(run.messages.isEmpty)
        #expect(
            run.output == """
                {
                  "endpoints": 4,
                  "environments": 2,
                  "scenarios": 0,
                  "loads": 0,
                  "files": 5,
                  "errors": 1,
                  "warnings": 0,
                  "diagnostics": [
                    {
                      "severity": "error",
                      "code": "key.unknown",
                      "message": "unknown key \\"metod\\" in an endpoint",
                      "file": "endpoints/ping.json",
                      "range": {
                        "start": {
                          "line": 1,
                          "column": 3
                        },
                        "end": {
                          "line": 1,
                          "column": 10
                        }
                      },
                      "hint": "did you mean \\"method\\"?"
                    }
                  ]
                }

                """)
    }

    @Test("Without a workspace: where it looked, and how to make one")
    func noWorkspace() async {
        let files = MemoryFiles(["/home/ada": .folder])
        #expect(
            await reqcli("validate", files: files, folder: "/home/ada")
                == Run(
                    status: 2, output: "",
                    messages: """
                        error: no folder "endpoints" in /home/ada or above it
                          run "reqcli init" to make a workspace here, or name one with --workspace DIR

                        """))
        let json = await reqcli("validate", "--json", files: files, folder: "/home/ada")
        #expect(json.status == 2)
        #expect(json.messages.isEmpty)
        #expect(json.output.contains(#""code": "workspace.missing""#))
    }

    @Test("The workspace is the one that the flag names, else the variable, else the nearest upwards")
    func workspace() async {
        let files = Samples.files(adding: [
            "/other/endpoints/a.json": #"{ "path": "/a" }"#, "/work/endpoints/billing/note.txt": "",
        ])
        let others = ["REQCLI_WORKSPACE": "/other"]
        let inside = "/work/endpoints/billing"
        #expect(await reqcli("validate", files: files, folder: inside).output.hasPrefix("ok: 4 "))
        #expect(await reqcli("validate", files: files, folder: inside, variables: others).output.hasPrefix("ok: 1 "))
        #expect(
            await reqcli("validate", "-C", "../..", files: files, folder: inside, variables: others).output
                .hasPrefix("ok: 4 "))
        let wrong = await reqcli("validate", files: files, variables: ["REQCLI_WORKSPACE": "/nowhere"])
        #expect(wrong.status == 2)
        #expect(wrong.messages.hasPrefix("error: there is no folder \"/nowhere\" (from REQCLI_WORKSPACE)\n"))
    }

    @Test("A current folder that is gone is told")
    func noFolder() async {
        let run = await reqcli("validate", files: Samples.files(), folder: nil)
        #expect(run.status == 2)
        #expect(run.messages.hasPrefix("error: the current folder no longer exists\n"))
    }
}
