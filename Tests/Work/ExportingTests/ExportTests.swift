import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite struct ExportCommandTests {
    private static let workspace = [
        "endpoints/user.json": #"""
        {"endpoints": {
            "login": {
                "method": "POST", "path": "login", "body": {"json": {"password": "{{secret.password}}"}},
                "capture": {"token": {"json": "$.token", "secret": true}}
            },
            "get": {
                "description": "One user", "path": "users/{{id}}", "needs": {"login": "user.login"}, "tags": ["smoke"],
                "params": {"id": {"type": "integer", "minimum": 1, "example": 7}, "q": {"type": "string", "required": false}},
                "query": {"q": "{{q}}"}, "auth": {"bearer": "{{login.token}}"},
                "expect": {"status": 200, "json": {"$.id": {"type": "integer"}}},
                "retry": {"times": 2}
            }
        }}
        """#,
        "environments/development.json": #"""
        {"baseURL": "http://localhost:8080/api", "secrets": {"password": {"env": "PASSWORD"}}}
        """#,
    ]

    private func run(_ words: String...) async throws -> (ToolRun, ToolWorkspace) {
        let workspace = try ToolWorkspace(Self.workspace)
        return (try await Tool.run(["export"] + words, in: workspace, environment: ["PASSWORD": "hunter2"]), workspace)
    }

    @Test(
        "what every format writes has the request and not the secret",
        arguments: [
            ("openapi", #""/users/{id}""#), ("postman", #""raw": "{{baseUrl}}/users/{{id}}""#),
            ("hurl", "GET {{baseUrl}}/users/{{id}}\nAuthorization: Bearer {{token}}\n"),
            ("http", "GET {{baseUrl}}/users/{{id}}\nAuthorization: Bearer {{token}}\n"),
            ("locust", "'path': '/api/users/7'"), ("k6", #""path": "/api/users/7""#),
        ])
    func formats(format: String, part: String) async throws {
        let (run, _) = try await run(format)
        #expect(run.status == 0)
        #expect(run.outputText.contains(part))
        #expect(!run.outputText.contains("hunter2"))
        #expect(!run.errors.contains("hunter2"))
    }

    @Test(
        "a load test asks for each value that it needs, and sends none that it can't capture",
        arguments: ["k6", "locust"])
    func loadTestValues(_ format: String) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/login.json": #"{"path": "login", "capture": {"x": {"json": "$.list[-1]"}}}"#,
            "endpoints/get.json": #"""
            {"path": "items/{{g.x}}", "needs": {"g": "login"},
             "params": {"api-key": {"type": "string", "secret": true, "example": "k"}}, "headers": {"X": "{{api-key}}"},
             "expect": {"json": {"$.x": {"not": {"equals": 5, "type": "null"}}}}}
            """#,
            "environments/development.json": #"{"baseURL": "http://h"}"#,
        ])
        let run = try await Tool.run(["export", format], in: workspace)
        #expect(run.status == 0 && run.errors.contains("captures of this kind are not converted"), "\(run.errors)")
        #expect(!run.outputText.contains("\"captured\": [\"") && !run.outputText.contains("'captured': ['"))
        #expect(run.outputText.contains("API_KEY") && !run.outputText.contains("API-KEY"))
        let titles = run.outputText.matches(of: /[$]\.x not equals[^"']*/).map { String($0.output) }
        #expect(titles.count == 2 && Set(titles).count == 2, "\(titles)")
    }

    @Test("no line of a response handler can end it")
    func endOfHandler() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json":
                #"{"path": "a", "capture": {"x": {"header": "X", "match": "[%}]b"}}, "expect": {"body": {"contains": "%}"}}}"#,
            "environments/development.json": #"{"baseURL": "http://h"}"#,
        ])
        let run = try await Tool.run(["export", "http", "--flavor", "jetbrains"], in: workspace)
        #expect(run.status == 0 && run.outputText.ranges(of: "%}").count == 1, "\(run.outputText)")
    }

    @Test func whatIsLostIsNotedWithItsPlace() async throws {
        let (run, _) = try await run("openapi")
        #expect(run.errors.contains("endpoints/user.json:11:18: note: retries are not converted (user.get)"))
        #expect(run.errors.contains("needs are not converted (user.get)"))
    }

    @Test(
        "a body with carriage returns is left out of a .http file and noted",
        arguments: [[], ["--flavor", "jetbrains"]])
    func carriageReturns(flavor: [String]) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": ##"{"method": "POST", "path": "a", "body": {"text": "one\r\ntwo"}}"##,
            "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        let run = try await Tool.run(["export", "http"] + flavor, in: workspace)
        #expect(run.status == 0 && !run.outputText.contains("two"), "\(run)")
        #expect(run.errors.contains("note: a body with carriage returns is not converted (a)"), "\(run.errors)")
    }

    private static func environment(_ secret: String) -> String {
        #"""
        {"baseURL": "http://\#(secret).example", "auth": {"bearer": "{{secret.\#(secret)}}"},
         "secrets": {"\#(secret)": {"env": "A"}}}
        """#
    }

    @Test(
        "what parts, fields and environments have is carried over or noted",
        arguments: [
            (
                "hurl", ["typed: one", "file: file,files/a.txt; text/x"],
                ["the name of a file in a part is not converted (file", "the type of a part that is text"]
            ),
            (
                "postman", [#""contentType": "text/csv""#, #""contentType": "text/x""#, #""followRedirects": true"#],
                ["the name of a file in a part is not converted (file"]
            ),
            (
                "openapi", [#""const": ["#, #""two""#],
                ["the auth of another environment is not converted (staging)"]
            ),
        ])
    func partsAndFields(format: String, parts: [String], notes: [String]) async throws {
        let workspace = try ToolWorkspace([
            "reqcli.json": #"{"environment": "development"}"#,
            "endpoints/a.json": #"""
            {"endpoints": {
                "parts": {"method": "POST", "path": "/a", "redirects": {"follow": true}, "body": {"multipart": {
                    "typed": {"text": "one", "contentType": "text/csv"},
                    "file": {"file": "files/a.txt", "contentType": "text/x", "filename": "b.txt"}}}},
                "form": {"method": "POST", "path": "/b", "body": {"form": {"f": ["one", "two"]}}}
            }}
            """#,
            "environments/development.json": Self.environment("a"), "environments/staging.json": Self.environment("b"),
        ])
        let run = try await Tool.run(["export", format], in: workspace)
        #expect(run.status == 0, "\(run)")
        for part in parts { #expect(run.outputText.contains(part), "\(part)") }
        for note in notes { #expect(run.errors.contains(note), "\(note) in \(run.errors)") }
    }

    @Test("examples are the responses that --stub gives, and what only a request gives is noted")
    func stubs() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"""
            {"path": "a/{{id}}", "params": {"id": {"type": "integer"}}, "stubs": {"variants": {
                "asked": {"when": {"params": {"id": 5}}, "json": {"n": 101}},
                "down": {"error": "reset"}, "up": {"like": "down", "status": 503, "json": {"n": 102}},
                "cut": {"like": "asked", "error": "truncated"},
                "echo": {"fill": true, "json": {"id": "{{id}}"}}, "still": {"fill": true, "json": {"n": 103}},
                "text": {"text": "plain"}, "file": {"file": "a.json"}, "bytes": {"base64": "cmF3"},
                "missing": {"file": "none.json"}, "image": {"base64": "/w=="},
                "head": {"fill": true, "headers": {"X-Id": "{{id}}"}, "json": {"n": 104}}
            }}}
            """#, "stubs/a.json": #"{"n": 105}"#,
            "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        for format in ["openapi", "postman"] {
            let run = try await Tool.run(["export", format], in: workspace)
            #expect(run.status == 0, "\(run.errors)")
            for number in [101, 102, 103, 105] { #expect(run.outputText.contains("\(number)"), "\(format): \(number)") }
            #expect(run.outputText.contains("503"))
            // The type with which reqcli serves a text.
            #expect(run.outputText.contains(#""text/plain; charset=utf-8""#), "\(format)")
            #expect(run.outputText.contains(#""raw""#) && run.outputText.contains(#""application/octet-stream""#))
            #expect(!run.outputText.contains(": 104") && !run.outputText.contains("X-Id"))
            let notes = run.errors.split(separator: "\n")
            #expect(notes.count { $0.contains("a stub variant that is a fault of the connection") } == 2)
            #expect(notes.count { $0.contains("a stub variant that uses values of the request") } == 2)
            #expect(notes.count { $0.contains("a stub variant that can't be read") } == 1)
            #expect(notes.count { $0.contains("a stub variant whose body is not text") } == 1)
        }
        let sent = try await Tool.run(["send", "a", "id=1", "--stub", "up"], in: workspace)
        #expect(sent.outputText.contains("102"), "\(sent.errors)")
        // The first variant is for one request only, and no default.
        let shown = try await Tool.run(["show", "a", "--json"], in: workspace)
        #expect(shown.outputText.contains(#""defaultVariant": "down""#), "\(shown.outputText)")
    }

    @Test func nothingIsOverwrittenWithoutForce() async throws {
        let (first, workspace) = try await run("openapi", "-o", "api.json")
        #expect(first.status == 0)
        let again = try await Tool.run(["export", "openapi", "-o", "api.json"], in: workspace)
        #expect(again.status == 2)
        #expect(again.errors.contains("api.json already exists"))
        let forced = try await Tool.run(["export", "openapi", "-o", "api.json", "--force"], in: workspace)
        #expect(forced.status == 0)
    }

    @Test func severalFilesGoToAFolder() async throws {
        let (run, workspace) = try await run("http", "-o", "out")
        #expect(run.status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path + "/out").sorted()
        #expect(names == [".vscode", "http-client.env.json", "http-client.private.env.json", "requests.http"])
    }

    @Test func weightsAreGivenToTasksBySelector() async throws {
        let (run, _) = try await run("locust", "--weight", "tag:smoke=3")
        #expect(run.outputText.contains("'id': 'user.get',\n      'weight': 3,\n      'tags': ['smoke'],\n"))
        #expect(run.outputText.contains("'id': 'user.login',\n      'weight': 1,\n"))
    }

    @Test func weightsOfAScriptForK6SayHowOften() async throws {
        let (run, _) = try await run("k6", "--weight", "tag:smoke=3", "--weight", "user.login=0")
        #expect(run.outputText.contains("\"id\": \"user.login\",\n      \"method\""))
        #expect(run.outputText.contains("\"id\": \"user.get\",\n      \"weight\": 3,\n"))
        #expect(run.outputText.contains(#""needs": [{"step": "user.login", "refresh": []}]"#))
    }

    @Test("in place of an OAuth 2 client, a file has a variable for the token, and a description the server")
    func oauth() async throws {
        func auth(_ server: String) -> String {
            #""auth": {"oauth2": {"flow": "clientCredentials", \#(server), "clientID": "me", "clientSecret": "{{secret.key}}", "scopes": ["a"], "parameters": {"audience": "x"}}}"#
        }
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"{"path": "a", \#(auth(#""issuer": "https://i.example""#))}"#,
            "endpoints/b.json": #"{"path": "b", \#(auth(#""tokenURL": "https://i.example/t""#))}"#,
            "environments/development.json": #"{"baseURL": "http://h", "secrets": {"key": {"env": "KEY"}}}"#,
        ])
        for format in ["openapi", "postman", "hurl", "http", "k6", "locust", "html"] {
            let run = try await Tool.run(
                ["export", format, "-o", "\(format)/"], in: workspace, environment: ["KEY": "hunter2"])
            #expect(
                run.errors.contains("logins with OAuth 2 are not converted (a)") == (format != "html"),
                "\(format) \(run.errors)")
            let keepsClients = ["html", "postman"].contains(format)
            #expect(
                run.errors.contains("clients of OAuth 2 are not converted (b)") == !keepsClients,
                "\(format) \(run.errors)")
            let folder = workspace.path(format)
            var text = ""
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                text += (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
            }
            #expect(text.lowercased().contains("accesstoken") && !text.contains("hunter2"), "\(format) \(text)")
            if format == "postman" {
                let keys = ["https://i.example/t", "client_credentials", "{{key}}", "tokenRequestParams", "audience"]
                #expect(keys.allSatisfy(text.contains), "\(text)")
            }
            guard format == "openapi" else { continue }
            #expect(
                text.contains("https://i.example/.well-known/openid-configuration")
                    && text.contains(#""tokenUrl": "https://i.example/t""#), "\(text)")
        }
    }

    @Test("a Hurl file signs for AWS in a header and with the body, and notes say so where the endpoint differs")
    func signatures() async throws {
        func auth(_ more: String) -> String {
            #""auth": {"aws": {"service": "s3", "region": "eu", "accessKeyID": "a", "secretAccessKey": "{{secret.key}}"\#(more)}}"#
        }
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"{"path": "a", \#(auth(""))}"#,
            "endpoints/b.json": #"{"path": "b", \#(auth(#", "in": "query""#))}"#,
            "endpoints/c.json": #"{"path": "c", \#(auth(#", "payload": "unsigned""#))}"#,
            "environments/development.json": #"{"baseURL": "http://h", "secrets": {"key": {"env": "KEY"}}}"#,
        ])
        let run = try await Tool.run(["export", "hurl", "-o", "out/"], in: workspace, environment: ["KEY": "hunter2"])
        #expect(run.errors.contains("puts the signature into the header Authorization (b)"), "\(run.errors)")
        #expect(run.errors.contains("so Hurl signs the body, too (c)"), "\(run.errors)")
        #expect(!run.errors.contains("(a)"), "\(run.errors)")
    }

    @Test(
        "an export without a request writes nothing, says why, and exits 1",
        arguments: [
            (["hurl", "a"], #"note: the endpoint is left out (a: "#),
            (["openapi", "purge"], "note: OpenAPI does not support the method"),
            (["k6", "b", "--weight", "b=0"], "note: each endpoint that can be sent has the weight 0"),
        ])
    func nothing(words: [String], reason: String) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"{"baseURL": "http://a b {{v}}", "path": "a"}"#,
            "endpoints/b.json": #"{"path": "b"}"#, "endpoints/purge.json": #"{"method": "PURGE", "path": "p"}"#,
            "environments/development.json": #"{"baseURL": "http://localhost:8080", "variables": {"v": "no server"}}"#,
        ])
        let run = try await Tool.run(["export"] + words + ["-o", "out/"], in: workspace)
        #expect(run.status == 1)
        #expect(run.errors.contains("error: no request can be exported from the endpoint, so no file is written"))
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(workspace.files.isEmpty)
    }

    @Test("two limits of one length are two checks")
    func limits() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"{"path": "a", "expect": {"json": {"$.l": {"length": {">": 1, "<": 4}}}}}"#,
            "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        for format in ["postman", "locust", "k6"] {
            let run = try await Tool.run(["export", format], in: workspace)
            #expect(run.outputText.contains("$.l length >"), "\(run.outputText)")
            #expect(run.outputText.contains(/\$\.l length \\+u003c/), "\(run.outputText)")
        }
    }

    @Test("the default of a secret param is in no file, not even of a request that another one needs")
    func secretDefault() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/login.json": #"""
            {"path": "{{pin}}", "params": {"pin": {"type": "string", "secret": true, "default": "hunter2"}},
             "capture": {"token": {"json": "$.token"}}}
            """#,
            "endpoints/a.json": #"{"path": "a", "headers": {"X": "{{login.token}}"}, "needs": {"login": "login"}}"#,
            "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        for format in ["openapi", "postman", "hurl", "http", "locust", "k6"] {
            let run = try await Tool.run(["export", format], in: workspace)
            #expect(run.status == 0, "\(run.errors)")
            #expect(!run.outputText.contains("hunter2"), "\(format)")
        }
    }

    @Test("a variable that is a whole server, and a file without an example, are variables of the tool")
    func openServersAndFiles() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"""
            {"endpoints": {
                "own": {"baseURL": "{{other}}", "path": "a"}, "secret": {"baseURL": "{{secret.url}}/v1", "path": "b"},
                "file": {"method": "POST", "path": "c", "params": {"photo": {"type": "file"}}, "body": {"file": "{{photo}}"}}
            }}
            """#,
            "environments/development.json": #"""
            {"baseURL": "http://localhost:8080", "variables": {"other": "https://other.example/v2"}, "secrets": {"url": {"env": "URL"}}}
            """#,
        ])
        let expected: [(String, [String])] = [
            ("hurl", ["GET {{other}}/a\n", "GET {{url}}/v1/b\n", "POST {{baseUrl}}/c\n", "file,{{photo}};"]),
            ("http", ["GET {{other}}/a\n", "GET {{url}}/v1/b\n", "< {{photo}}\n"]),
            ("postman", [#""raw": "{{other}}/a""#, #""raw": "{{url}}/v1/b""#, #""src": "{{photo}}""#]),
            ("openapi", [#""url": "{url}""#, #""url": "https://other.example""#]),
            ("k6", [#""server": "https://other.example""#, #""path": "/v2/a""#, #""server": [{"env": "URL"}]"#]),
        ]
        for (format, parts) in expected {
            let run = try await Tool.run(["export", format], in: workspace)
            #expect(run.status == 0, "\(run.errors)")
            for part in parts { #expect(run.outputText.contains(part), "\(format): \(part)") }
        }
    }

    @Test(
        "a weight that means nothing is refused",
        arguments: [
            ("user.get", "--weight needs SELECTOR=N"), ("user.get=-1", "--weight needs SELECTOR=N"),
            ("nobody=2", "--weight nobody selects none of the endpoints"),
        ])
    func wrongWeights(text: String, message: String) async throws {
        let (run, _) = try await run("locust", "--weight", text)
        #expect(run.status == 2)
        #expect(run.errors.contains(message))
    }
}
