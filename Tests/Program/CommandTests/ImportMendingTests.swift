import TestSupport
import Testing

/// Sources with parts that no workspace can say: the rest is imported, and a note names what isn't.
@Suite("Imports of odd sources")
struct ImportMendingTests {
    private static func collection(_ items: [String], variables: String = "") -> String {
        #"{"info": {"name": "2nd API"}, "variable": [\#(variables)], "item": ["#
            + items.enumerated().map { #"{"name": "r\#($0)", "request": \#($1)}"# }.joined(separator: ", ") + "]}"
    }

    @Test(
        "A request that can't be an endpoint is left out with a note, and the others are imported",
        arguments: [
            (#""http://""#, "a request without a valid URL is not converted (r1)"),
            (#""http://a b/c""#, "a request without a valid URL is not converted (r1)"),
            (#""ftp://h.example/x""#, "a request without a valid URL is not converted (r1)"),
        ])
    func leftOut(_ request: String, _ note: String) async {
        let files = MemoryFiles([
            "reqcli.json": "{}", "c.json": Self.collection([#""https://h.example/a""#, request]),
        ])
        let run = await reqcli("import", "postman", "c.json", files: files)
        #expect(run.status == 0 && run.messages.contains(note), "\(run)")
        #expect(await reqcli("list", files: files).output.split(separator: "\n").count == 1)
        #expect(await reqcli("validate", files: files).status == 0)
        let strict = await reqcli("import", "postman", "c.json", "--force", "--strict", files: files)
        #expect(strict.status == 1)
        #expect(await reqcli("import", "--update", files: files).output.contains("nothing to change"))
    }

    @Test("An endpoint that the values of its source can't be sent with gets a note, and no other one does")
    func unsendable() async {
        func request(_ user: String) -> String {
            #"{"url": "https://h.example/a", "auth": {"type": "basic", "basic": [{"key": "username", "value": "\#(user)"}]}}"#
        }
        for (user, isNoted) in [("ann:pw", true), ("ann", false), ("{{who}}", false)] {
            let files = MemoryFiles(["reqcli.json": "{}", "c.json": Self.collection([request(user)])])
            let run = await reqcli("import", "postman", "c.json", files: files)
            #expect(run.status == 0)
            let isTold =
                run.messages.contains("the endpoint can't be sent as it is (")
                && run.messages.contains(#"a user name for Basic authorization can't contain ":")"#)
            #expect(isTold == isNoted, "\(user): \(run.messages)")
        }
    }

    @Test("A request that uses what another one captures is tried like all others")
    func unsendableAfterAnother() async {
        let login = #"""
            {"name": "login", "request": {"method": "POST", "url": "https://h.example/login"}, "event": [{"listen": "test", "script":
             {"exec": ["pm.environment.set('token', pm.response.json().token);"]}}]}
            """#
        for (user, isNoted) in [("ann:pw", true), ("ann", false)] {
            let request = #"""
                {"name": "user", "request": {"url": "https://h.example/a?session={{token}}", "auth": {"type": "basic",
                 "basic": [{"key": "username", "value": "\#(user)"}]}}}
                """#
            let files = MemoryFiles([
                "reqcli.json": "{}",
                "c.json": #"{"info": {"name": "S"}, "item": [\#(login), \#(request)]}"#,
            ])
            let run = await reqcli("import", "postman", "c.json", files: files)
            #expect(run.status == 0)
            #expect(run.messages.contains("the endpoint can't be sent as it is (") == isNoted, "\(run.messages)")
            #expect(files.texts.values.contains { $0.contains("{{login.token}}") }, "\(run.messages)")
        }
    }

    @Test("An import runs no program for a secret that the environment has", arguments: ["curl", "openapi"])
    func programs(_ format: String) async {
        let files = MemoryFiles([
            "reqcli.json": "{}",
            "environments/development.json": #"""
            {"baseURL": "https://h.example", "secrets": {"token": {"command": ["pass", "token"]}},
             "auth": {"bearer": "{{secret.token}}"}}
            """#,
            "copied.curl": "curl https://h.example/a",
            "copied.openapi": """
            openapi: 3.1.0
            info: { title: Shop, version: 1.0.0 }
            servers: [ { url: 'https://h.example' } ]
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """,
        ])
        let run = await reqcli("import", format, "copied.\(format)", files: files)
        #expect(run.status == 0, "\(run)")
        #expect(!run.messages.contains("can't be sent"), "\(run.messages)")
    }

    @Test("An endpoint that would not be valid is left out with a note, and the others are imported")
    func invalid() async {
        let source = """
            openapi: 3.1.0
            info: { title: Shop, version: 1.0.0 }
            servers: [ { url: 'https://h.example' } ]
            paths:
              /a: { get: { responses: { 200: { description: ok } } } }
              /b:
                get:
                  operationId: odd
                  parameters: [ { name: '', in: query, schema: { type: string } } ]
                  responses: { 200: { description: ok } }
            """
        let files = MemoryFiles(["reqcli.json": "{}", "a.yaml": source])
        let run = await reqcli("import", "a.yaml", files: files)
        #expect(run.status == 0 && run.messages.contains("an endpoint cannot express it (odd: "), "\(run)")
        #expect(await reqcli("list", files: files).output.split(separator: "\n").count == 1)
        #expect(await reqcli("validate", files: files).status == 0)
        #expect(await reqcli("import", "--update", files: files).output.contains("nothing to change"))
    }

    @Test("A source of which no request is left is an error with its place")
    func nothingLeft() async {
        let files = MemoryFiles(["reqcli.json": "{}", "c.json": Self.collection([#""http://""#])])
        let run = await reqcli("import", "postman", "c.json", files: files)
        #expect(run.status == 3 && run.messages.contains("c.json:1:"), "\(run)")
        #expect(files.texts.count == 2)
    }

    @Test("Known methods are written in capitals, and no variable of a secret begins with a digit")
    func spelling() async {
        let request =
            #"{"method": "post", "url": "https://h.example/a", "header": [{"key": "X-Api-Key", "value": "k1"}]}"#
        let files = MemoryFiles(["reqcli.json": "{}", "c.json": Self.collection([request])])
        let run = await reqcli("import", "postman", "c.json", files: files)
        #expect(run.status == 0 && run.messages.contains("set API_2ND_API_API_KEY for"), "\(run)")
        #expect(files.texts.values.contains { $0.contains(#""method": "POST""#) })
    }

    @Test("A description whose title begins with a digit is imported with its secrets")
    func title() async {
        let source = """
            openapi: 3.1.0
            info: { title: 2nd API, version: 1.0.0 }
            servers: [ { url: 'https://h.example' } ]
            components: { securitySchemes: { a: { type: http, scheme: bearer } } }
            security: [ { a: [] } ]
            paths: { /a: { get: { responses: { 200: { description: ok } } } } }
            """
        let run = await reqcli("import", "a.yaml", files: MemoryFiles(["reqcli.json": "{}", "a.yaml": source]))
        #expect(run.status == 0 && run.messages.contains("set API_2ND_TOKEN for the secret token"), "\(run)")
    }

    @Test(
        "Variables that the source doesn't define are declared without a value, in every format",
        arguments: [
            (
                "c.json",
                collection(
                    [#""{{base}}/a?g={{greeting}}""#],
                    variables: [("base", "https://{{host}}/x"), ("greeting", "hi {{name}}")]
                        .map { #"{"key": "\#($0)", "value": "\#($1)"}"# }.joined(separator: ", ")),
                ["host", "name"]
            ),
            ("c.http", "@greeting = hi {{name}}\nGET https://h.example/a?g={{greeting}}\n", ["name"]),
            (
                "c.bru",
                "meta {\n  name: a\n}\nget {\n  url: https://h.example/a?g={{greeting}}\n}\n"
                    + "vars:pre-request {\n  greeting: hi {{name}}\n}\n", []
            ),
        ])
    func undefined(_ source: String, _ text: String, _ names: [String]) async {
        let files = MemoryFiles(["reqcli.json": "{}", source: text])
        let run = await reqcli("import", source, files: files)
        #expect(run.status == 0, "\(run)")
        for name in names {
            #expect(run.messages.contains("give the variable a value in the environment (\(name))"), "\(run)")
            #expect(files.texts["/work/environments/development.json"]?.contains("\"\(name)\": \"\"") == true)
        }
        #expect(await reqcli("validate", files: files).status == 0)
        if source == "c.json" {
            #expect(await reqcli("import", "--update", files: files).output.contains("nothing to change"))
        }
    }

    @Test("Variables that refer to each other in a circle lose their values, with a note")
    func circle() async {
        let variables = [("a", "{{b}}"), ("b", "x{{a}}"), ("c", "1")].map { #"{"key": "\#($0)", "value": "\#($1)"}"# }
        let files = MemoryFiles([
            "reqcli.json": "{}",
            "c.json": Self.collection(
                [#""https://h.example/{{a}}/{{c}}""#], variables: variables.joined(separator: ", ")),
        ])
        let run = await reqcli("import", "postman", "c.json", files: files)
        #expect(run.status == 0 && run.messages.contains("refers to itself"), "\(run)")
        #expect(await reqcli("validate", files: files).status == 0)
    }

    @Test("A variable of a source that names a secret variable of the environment gets none of it")
    func foreignVariable() async {
        let files = MemoryFiles([
            "reqcli.json": "{}",
            "environments/development.json":
                #"{ "baseURL": "https://mine.example", "secrets": { "own": { "env": "OWN" } }, "variables": { "t": "a{{secret.own}}" } }"#,
            "c.json": Self.collection(
                [#""https://other.example/a?v={{v}}""#], variables: #"{"key": "v", "value": "{{t}}"}"#),
        ])
        let run = await reqcli("import", "postman", "c.json", files: files)
        #expect(run.status == 0, "\(run)")
        let id = await reqcli("list", files: files).output.split(separator: " ").first.map(String.init) ?? ""
        let rendered = await reqcli("render", id, "--reveal", files: files, variables: ["OWN": "own-s3cret"])
        #expect(rendered.status == 0 && !rendered.output.contains("own-s3cret"), "\(rendered)")
    }

    @Test("Empty credentials become secrets, since a request can't be sent with them")
    func emptyCredentials() async {
        let source =
            "meta {\n  name: a\n}\nget {\n  url: https://h.example/a\n  auth: bearer\n}\nauth:bearer {\n  token: \n}\n"
        let files = MemoryFiles(["reqcli.json": "{}", "c.bru": source])
        let run = await reqcli("import", "c.bru", files: files)
        #expect(run.status == 0 && run.messages.contains("for the secret token"), "\(run)")
        #expect(await reqcli("validate", files: files).status == 0)
    }

    @Test("Other commands that browsers copy name what to choose there, without the format, too")
    func foreignCommands() async {
        for text in ["fetch(\"https://h.example\", {});", "Invoke-WebRequest -Uri \"https://h.example\""] {
            let files = MemoryFiles(["reqcli.json": "{}", "a": text])
            let run = await reqcli("import", "a", files: files)
            #expect(run.status == 3 && run.messages.contains("Copy as cURL (bash)"), "\(run)")
        }
    }

    @Test("A copied request with an operation of GraphQL differs in nothing that is worth a note")
    func graphQL() async {
        let text =
            "curl 'https://h.example/graphql' -H 'User-Agent: Mozilla/5.0' -H 'Accept: */*' "
            + #"-H 'content-type: application/json' --data-raw '{"query":"query Q { a }","operationName":"Q","variables":{}}'"#
        let files = MemoryFiles(["reqcli.json": "{}", "a": text])
        let run = await reqcli("import", "curl", "a", files: files)
        #expect(run.status == 0 && !run.messages.contains("something else"), "\(run)")
    }
}
