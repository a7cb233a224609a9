import Foundation
import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

@testable import Importing

@Suite("What imported endpoints send")
struct SentRequestsTests {
    struct Source: CustomTestStringConvertible {
        let testDescription: String
        let format: String
        let files: [String: String]
        let differences: [String]
        /// The note that tells of the differences.
        let note: String?

        init(
            _ description: String, _ format: String, _ files: [String: String], _ differences: [String] = [],
            note: String? = nil
        ) {
            testDescription = description
            self.format = format
            self.files = files
            self.differences = differences
            self.note = note
        }
    }

    private static func postman(_ requests: String, more: String = "") -> [String: String] {
        ["source/c.json": #"{"info": {"name": "Shop"}\#(more), "item": [\#(requests)]}"#]
    }

    static let sources = [
        Source(
            "Postman: variables, auth and every kind of body", "postman",
            postman(
                #"""
                {"name": "a", "request": {"url": {"raw": "{{base}}/a/:x/:y?q={{v}}&r", "query": [{"key": "q", "value": "{{v}}"}, {"key": "r", "value": null}, {"key": "off", "value": "1", "disabled": true}], "variable": [{"key": "x", "value": "7"}]}, "header": [{"key": "X", "value": "{{w}}!"}]}},
                {"name": "b", "request": {"method": "POST", "url": "{{base}}/b", "body": {"mode": "raw", "raw": "{\"id\": {{v}}, \"n\": \"{{open}}\", \"o\": {{other}}, \"g\": \"{{$guid}}\" // c\n}", "options": {"raw": {"language": "json"}}}}},
                {"name": "c", "request": {"method": "POST", "url": "{{base}}/c", "auth": {"type": "basic", "basic": [{"key": "username", "value": "ann"}, {"key": "password", "value": "pw"}]}, "body": {"mode": "urlencoded", "urlencoded": [{"key": "a b", "value": "1&2"}]}}},
                {"name": "d", "request": {"method": "POST", "url": "{{base}}/d", "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "k"}, {"key": "value", "value": "{{token}}"}, {"key": "in", "value": "query"}]}, "body": {"mode": "formdata", "formdata": [{"key": "a", "value": "t"}, {"key": "f", "type": "file", "src": "/x"}]}}},
                {"name": "e", "request": {"method": "POST", "url": "{{base}}/e", "auth": {"type": "noauth"}, "body": {"mode": "graphql", "graphql": {"query": "query Q($a: Int) { b(a: $a) }", "variables": "{\"a\": {{v}}}", "operationName": "Q"}}}},
                {"name": "F", "variable": [{"key": "v", "value": "inner"}], "item": [{"name": "f", "request": "{{base}}/f/{{v}}"}]}
                """#,
                more: #"""
                    , "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]}, "variable": [
                    {"key": "base", "value": "https://api.example/v1"}, {"key": "v", "value": "5"}, {"key": "w", "value": "x{{v}}"},
                    {"key": "token", "value": "not-for-files"}]
                    """#)),
        Source(
            "Postman: text without a type is text, whatever it looks like", "postman",
            postman(
                #"{"name": "a", "request": {"method": "POST", "url": "http://h/a", "body": {"mode": "raw", "raw": "[1]"}}}"#
            ),
            ["header content-type"], note: "JSON without a Content-Type is sent as application/json"),
        Source(
            "Postman: no body with GET", "postman",
            postman(#"{"name": "a", "request": {"url": "http://h/a", "body": {"mode": "raw", "raw": "[1]"}}}"#)),
        Source(
            "Postman: a variable that has to be a number and a text", "postman",
            postman(
                #"{"name": "a", "request": {"method": "POST", "url": "http://h/a", "body": {"mode": "raw", "raw": "[{{v}}, \"{{v}}\"]", "options": {"raw": {"language": "json"}}}}}"#,
                more: #", "variable": [{"key": "v", "value": "5"}]"#),
            []),
        Source(
            "Postman: a generated number in quotes", "postman",
            postman(
                #"{"name": "a", "request": {"method": "POST", "url": "http://h/a", "body": {"mode": "raw", "raw": "{\"a\": [{{$timestamp}}, \"{{$guid}}\", \"{{$timestamp}}\"], \"b\": \"{{$randomInt}}\"}", "options": {"raw": {"language": "json"}}}}}"#
            ),
            []),
        Source(
            "Hurl: options, captures, and every kind of body", "hurl",
            [
                "source/a.hurl": """
                POST https://h/login?x=1
                X: {{v}}
                [Options]
                variable: v=12
                user: ann:pw
                [Query]
                q: a b&c
                [Form]
                a: 1 2
                HTTP 200
                [Captures]
                t: jsonpath "$.t"

                PUT https://h/a/{{t}}/5
                Authorization: Bearer {{t}}
                { "a": "{{v}}", "c": {{open}}, "d": "{{newUuid}}" }

                PUT https://h/b
                [Cookies]
                a: b
                ```
                hello {{v}}
                ```

                PUT https://h/c
                [Multipart]
                a: {{v}}
                f: file,a.png;

                PUT https://h/d
                `one line`

                PUT https://h/e
                ```graphql
                query { a }
                ```

                PUT https://h/f
                base64,aGVsbG8=;
                """, "source/vars.env": "open=7\n",
            ]),
        Source(
            ".http: variables, accounts and bodies", "http",
            [
                "source/a.http": """
                @host = https://h
                @id = 7
                @t = abc{{id}}
                ### a
                GET {{host}}/a/42?b={{t}}
                    &c={{%t}} HTTP/1.1
                Authorization: Bearer {{t}}
                X: {{id}}

                ### b
                POST {{host}}/b
                Content-Type: application/json

                {"id": "{{id}}", "u": "{{$guid}}", "o": "{{open}}"}

                ### c
                POST {{host}}/c
                Content-Type: application/x-www-form-urlencoded
                Authorization: Basic ann pw

                a=1
                &b=x y

                ### d
                POST /d
                Host: other:81

                hello

                ### e
                GRAPHQL {{host}}/e

                query { a }
                """
            ]),
        Source(
            "GraphQL with variables", "hurl",
            [
                "source/a.hurl":
                    "PUT https://h/e\n```graphql\nquery Q($a: Int) { a(a: $a) }\nvariables { \"a\": {{newUuid}}, \"b\": \"{{c}}\", \"d\": 1 }\n```\n"
            ]),
        Source(
            ".http: GraphQL and parts", "http",
            [
                "source/a.http": """
                ### a
                POST https://h/a
                X-REQUEST-TYPE: GraphQL
                Content-Type: application/json

                query Q($a: Int) { a(a: $a) }

                { "a": {{a}} }

                ### b
                POST https://h/b
                Content-Type: multipart/form-data; boundary="x y"

                --x y
                Content-Disposition: form-data; name="a"

                one
                two {{b}}
                --x y
                Content-Disposition: form-data; name="f"; filename="a.png"
                Content-Type: image/png

                < a.png
                --x y--
                """
            ]),
        Source(
            ".http: GraphQL with a number for text", "http",
            [
                "source/a.http":
                    "GRAPHQL https://h/a\n\nquery Q($a: String) { a(a: $a) }\n\n{ \"a\": \"{{$timestamp}}\" }\n"
            ], ["body, where $.variables.a is a number instead of a string"],
            note:
                "a placeholder in quotes stands for a number or other JSON, and is sent without the quotes ({{$timestamp}})"
        ),
        Source(
            ".http: a part without a name", "http",
            [
                "source/a.http":
                    "POST https://h/a\nContent-Type: multipart/form-data; boundary=x\n\n--x\nContent-Disposition: form-data; name=\"a\"\n\n1\n--x\nContent-Disposition: form-data\n\n2\n--x--\n"
            ], ["body"], note: "a part without a name is not converted"),
        Source(
            "Bruno: what the collection, its folders and the environment say", "bruno",
            [
                "source/bruno.json": #"{"name": "B"}"#,
                "source/collection.bru":
                    "headers {\n  X: {{v}}\n}\nauth {\n  mode: bearer\n}\nauth:bearer {\n  token: {{t}}\n}\nvars:pre-request {\n  v: outer\n}\n",
                "source/environments/dev.bru":
                    "vars {\n  base: https://h/v1\n  t: not-for-files\n}\nvars:secret [\n  key\n]\n",
                "source/a.bru": """
                meta {
                  name: a
                }
                post {
                  url: {{base}}/a/:id?q={{v}}
                  body: json
                  auth: inherit
                }
                params:query {
                  q: {{v}} x
                  ~off: 1
                }
                params:path {
                  id: 5
                }
                headers {
                  Y: {{key}}
                  ~Z: 1
                }
                body:json {
                  {"a": "{{local}}", // c
                   "b": {{n}}, "o": {{open}}}
                }
                vars:pre-request {
                  local: L{{v}}
                  n: 12
                }
                """,
                "source/b.bru": """
                meta {
                  name: b
                }
                post {
                  url: {{base}}/b
                  body: multipart-form
                  auth: basic
                }
                auth:basic {
                  username: ann
                  password: {{key}}
                }
                body:multipart-form {
                  a: {{v}}
                  f: @file(a.png|b.png)
                }
                """,
            ]),
        Source(
            "HAR: a multipart body with the header that says so", "har",
            [
                "source/a.json":
                    #"{"method": "POST", "url": "http://h/a", "headers": [{"name": "Content-Type", "value": "multipart/form-data"}], "postData": {"mimeType": "multipart/form-data", "params": [{"name": "a", "value": "1"}, {"name": "f", "fileName": "x.png"}]}}"#
            ]),
        Source(
            "curl: a form, and a path with a param without a value", "curl",
            ["source/a": "curl http://h/a/$X -F a=1 -F f=@x"]),
        Source(
            "curl: a token counts for more than an account", "curl",
            ["source/a": "curl http://h -u a:b --oauth2-bearer c"]),
    ]

    @Test("An endpoint sends what its source sends, but for the differences that a note tells", arguments: sources)
    func differences(_ source: Source) throws {
        let files = source.files.sorted { $0.key < $1.key }.map { SourceFile(name: $0, text: $1, isSecret: true) }
        let format = try #require(ImportFormats.all.first { $0.name == source.format })
        let sent = try SentRequests(format, files)
        #expect(sent.statedCount > 0)
        #expect(try sent.differences() == source.differences)
        #expect((source.note == nil) == source.differences.isEmpty)
        if let note = source.note { #expect(sent.notes.contains { $0.text == note }, "\(sent.notes.map(\.text))") }
    }

    @Test("Where curl lets the server choose between an account and a token, a note says so")
    func choice() throws {
        let file = SourceFile(name: "a", text: "curl http://h -u a:b --digest --oauth2-bearer c", isSecret: true)
        let sent = try SentRequests(CurlImport.self, [file])
        #expect(
            sent.notes.map(\.text).contains(
                "curl lets the server choose between the bearer token and the user with its password; the endpoint has only the last of them"
            ))
    }

    private static let corpora = [("curl", "curl-commands", ".sh"), ("har", "har", ".json")]
    private static let isThere = corpora.allSatisfy { FileManager.default.fileExists(atPath: Repository.corpus($0.1)) }

    @Test(
        "Endpoints of commands and requests from the wild send what their sources send",
        .enabled(
            if: isThere, "not run: there are no \(corpora.map { Repository.corpus($0.1) }); set REQCLI_CORPORA"),
        arguments: corpora)
    func corpus(_ format: String, _ folder: String, _ suffix: String) throws {
        let folder = Repository.corpus(folder)
        let type = try #require(ImportFormats.all.first { $0.name == format })
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(suffix) {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            // Other tests look at the reasons why sources are refused.
            guard let sent = try? SentRequests(type, [SourceFile(name: name, text: text, isSecret: true)]) else {
                continue
            }
            count += sent.statedCount
            #expect(try sent.differences() == [], "\(name)")
        }
        #expect(count >= 10)
    }
}
