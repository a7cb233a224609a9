import Foundation
import TestSupport
import Testing

/// Tokens in each place of each format, and a password that stands once where its place betrays it and again elsewhere.
@Suite("Secrets of imports")
struct ImportSecretTests {
    /// `T` alone is a token of a well-known kind, another one in each place. `P` alone is the password.
    static let planted: [(format: String, files: [String: String])] = [
        (
            "curl",
            [
                "s/a": """
                curl 'https://api.example/T/a?q=T&b=P&api_key=named-secret-1' -X POST -u 'ann:P' -H 'X-A: T' -H 'X-B: P' \\
                  -b 'c=named-secret-2' -A 'T' -e 'https://r.example/T' --data-raw '{"a": "T", "b": "P", "password": "named-secret-3"}' \\
                  -x 'http://T@proxy' --resolve 'T:443:127.0.0.1' -o T
                curl 'https://api.example/b' -F 'a=T' -F 'b=P' -F 'f=@T;filename=T;type=image/png'
                curl 'https://api.example/c' -d 'a=T&token=named-secret-4&b=P' --oauth2-bearer 'named-secret-5'
                curl 'https://api.example/d' -H 'Authorization: Token named-secret-6' --cert 'T:P' --aws-sigv4 'T'
                """
            ]
        ),
        (
            "openapi",
            [
                "s/a.yaml": """
                openapi: 3.1.0
                info: { title: Shop T, version: 1.0.0, description: T }
                servers: [ { url: 'https://api.example/T', description: T }, { url: 'https://b.example/x', description: a T } ]
                components: { securitySchemes: { a: { type: apiKey, in: header, name: X-Key, description: T } } }
                security: [ { a: [] } ]
                paths:
                  /a/T/{id}:
                    post:
                      tags: [ T ]
                      summary: T
                      parameters:
                        - { name: id, in: path, required: true, example: T, schema: { type: string } }
                        - { name: q, in: query, description: T, schema: { type: string, default: T } }
                        - { name: api_key, in: query, example: named-secret-1, schema: { type: string } }
                        - { name: X-A, in: header, schema: { type: string, enum: [ T ] } }
                      requestBody: { content: { application/json: { example: { password: named-secret-2, a: T },
                        schema: { type: object, properties: { a: { type: string, example: T, description: T } } } } } }
                      callbacks: { T: { } }
                      responses:
                        200: { description: T, content: { application/json: { example: { a: T, token: named-secret-3 } } } }
                  /b: { get: { operationId: T, responses: { 200: { description: ok, headers: { X: { example: T } } } } } }
                """
            ]
        ),
        (
            "postman",
            [
                "s/c.json": #"""
                {"info": {"name": "Shop T", "description": "T"}, "auth": {"type": "basic", "basic": [{"key": "username", "value": "ann"}, {"key": "password", "value": "P"}]},
                "variable": [{"key": "v", "value": "T"}, {"key": "w", "value": "P"}, {"key": "password", "value": "named-secret-1"}, {"key": "x", "value": "named-secret-2", "type": "secret"}],
                "event": [{"listen": "prerequest", "script": {"exec": ["pm.environment.set('z', 'T'); eval('T')"]}}],
                "item": [{"name": "T", "item": [
                {"name": "T", "request": {"method": "POST", "description": "T and P", "url": {"raw": "https://api.example/T/a/:p?q=T&r=P", "query": [{"key": "q", "value": "T"}, {"key": "r", "value": "P"}, {"key": "o", "value": "T", "disabled": true, "description": "T"}], "variable": [{"key": "p", "value": "T"}]}, "header": [{"key": "X-A", "value": "T"}, {"key": "X-B", "value": "P"}, {"key": "X-C", "value": "P", "disabled": true}, {"key": "Cookie", "value": "a=named-secret-3"}], "body": {"mode": "raw", "raw": "{\"a\": \"T\", \"b\": \"P\", \"client_secret\": \"named-secret-4\"}"}},
                 "event": [{"listen": "test", "script": {"exec": ["pm.test('T', function () { pm.expect(x).to.eql('T'); });", "pm.test('P is not understood', function () { foo(); });"]}}],
                 "response": [{"name": "T", "code": 200, "header": [{"key": "X-A", "value": "T"}, {"key": "Set-Cookie", "value": "a=named-secret-5"}], "body": "{\"a\": \"T\", \"b\": \"P\", \"access_token\": \"named-secret-6\"}"}]},
                {"name": "b", "request": {"method": "POST", "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "named-secret-7"}]}, "url": "https://u:named-secret-8@api.example/b", "body": {"mode": "urlencoded", "urlencoded": [{"key": "a", "value": "T"}, {"key": "b", "value": "P"}, {"key": "c", "value": "T", "disabled": true}]}}},
                {"name": "c", "request": {"method": "POST", "url": "https://api.example/c", "auth": {"type": "hawk", "hawk": [{"key": "authKey", "value": "named-secret-9"}]}, "body": {"mode": "formdata", "formdata": [{"key": "a", "value": "T"}, {"key": "b", "value": "P"}, {"key": "f", "type": "file", "src": "/x/T"}]}}},
                {"name": "d", "request": {"method": "POST", "url": "https://api.example/d", "body": {"mode": "graphql", "graphql": {"query": "{ a(b: \"T\") }", "variables": "{\"a\": \"P\"}"}}}}]}]}
                """#,
                "s/e.json":
                    #"{"name": "T", "_postman_variable_scope": "environment", "values": [{"key": "v", "value": "T"}, {"key": "u", "value": "P"}]}"#,
            ]
        ),
        (
            "har",
            [
                "s/a.har": #"""
                {"log": {"entries": [
                {"request": {"method": "POST", "url": "https://api.example/T/a?q=T&r=P&token=named-secret-1", "headers": [{"name": "Authorization", "value": "Bearer P"}, {"name": "X-A", "value": "T"}, {"name": "X-B", "value": "P"}, {"name": "Cookie", "value": "a=named-secret-2"}], "postData": {"mimeType": "application/json", "text": "{\"a\": \"T\", \"b\": \"P\", \"password\": \"named-secret-3\"}"}},
                 "response": {"status": 200, "headers": [{"name": "X-A", "value": "T"}, {"name": "Set-Cookie", "value": "named-secret-4"}], "content": {"mimeType": "application/json", "text": "{\"a\": \"T\", \"b\": \"P\", \"token\": \"named-secret-5\"}"}}},
                {"request": {"method": "POST", "url": "https://api.example/T/a?q=T&r=x", "headers": []}},
                {"request": {"method": "POST", "url": "https://api.example/b", "headers": [], "postData": {"mimeType": "multipart/form-data", "params": [{"name": "a", "value": "T"}, {"name": "b", "value": "P"}, {"name": "f", "fileName": "T"}]}}}]}}
                """#
            ]
        ),
        (
            "hurl",
            [
                "s/a.hurl": """
                # T and P
                POST https://api.example/T/a?q=T&r=P
                X-A: T
                X-B: P
                Authorization: Bearer P
                [Query]
                token: named-secret-1
                [Cookies]
                c: named-secret-2
                [Options]
                variable: v=T
                proxy: http://T@x
                unknown: P
                { "a": "T", "b": "P", "password": "named-secret-3", "v": "{{v}}" }
                HTTP 200
                [Captures]
                d: regex "T"
                [Asserts]
                jsonpath "$.a" == "T"
                xpath "P" == "T"
                body contains "P"
                [P]
                x: T
                """, "s/vars.env": "a=T\nb=P\nmy_password=named-secret-4\n",
            ]
        ),
        (
            "http",
            [
                "s/a.http": """
                @v = T
                @w = P
                @apiKey = named-secret-1
                ### T
                # P
                # @custom P
                POST https://api.example/T/a?q=T&r=P
                Authorization: Basic ann P
                X-A: T
                X-B: P

                {"a": "T", "b": "P", "password": "named-secret-2", "v": "{{v}}{{w}}{{apiKey}}"}

                > {% client.test("P", function() { if (T) {} }); %}
                ### d
                GRAPHQL https://api.example/d

                query { a(b: "P") }
                """, "s/http-client.env.json": #"{"dev": {"a": "T", "b": "P", "token": "named-secret-3", "l": ["T"]}}"#,
                "s/http-client.private.env.json": #"{"dev": {"c": "named-secret-4"}, "prod": {"c": "named-secret-5"}}"#,
            ]
        ),
        (
            "bruno",
            [
                "s/bruno.json": #"{"name": "T"}"#,
                "s/collection.bru":
                    "headers {\n  X-A: T\n  X-B: P\n}\nauth {\n  mode: basic\n}\nauth:basic {\n  username: ann\n  password: P\n}\nvars:pre-request {\n  t: T\n}\n",
                "s/environments/dev.bru": "vars {\n  a: T\n  b: P\n  password: named-secret-1\n}\n",
                "s/a.bru": """
                meta {
                  name: T
                }
                post {
                  url: https://api.example/T/a?q=T
                  body: json
                  auth: inherit
                }
                params:query {
                  q: T
                  r: P
                  ~s: P
                }
                headers {
                  X-C: P
                  ~X-D: P
                  Cookie: named-secret-2
                }
                body:json {
                  {"a": "T", "b": "P", "secret": "named-secret-3"}
                }
                vars:pre-request {
                  x: P
                }
                assert {
                  res.body.a: eq P
                  P: eq T
                }
                tests {
                  test("P", function() { if (T) {} });
                }
                docs {
                  T and P
                }
                """,
            ]
        ),
    ]

    // MARK: Places in values

    private static let query = [
        "pwd": "named-secret-21", "pass": "named-secret-22", "jwt": "named-secret-23", "sig": "named-secret-24",
        "X-Amz-Signature": "named-secret-25", "key": "namedSecret26a1b2c3", "code": "namedSecret27a1b2c3",
        "next": "https://h.example/?token=named-secret-28",
    ].sorted { $0.key < $1.key }
    private static let headers = [
        "X-Pwd": "named-secret-31", "X-Key": "named-secret-32",
        "X-Callback": "https://h.example/?token=named-secret-33",
        "Referer": "https://ann:named-secret-34@h.example/x", "X-Auth": "Bearer named-secret-35",
        "Location": "https://h.example/cb?a=1&session=named-secret-36#x",
    ].sorted { $0.key < $1.key }
    private static let json =
        #"{"pass": "named-secret-41", "otp": "named-secret-42", "pin": "named-secret-43", "#
        + #""url": "https://ann:named-secret-44@h.example/x", "auth": "Bearer named-secret-45", "#
        + #""basic": ["Basic bmFtZWQtc2VjcmV0OjI1"], "hook": "https://hooks.slack.com/services/T000/B000/namedSecret46a", "#
        + #""key": "namedSecret47a1b2c3", "pins": {"pin": ["named-secret-48"]}, "#
        + #""inner": "{\"password\": \"named-secret-49\"}", "form": "token=named-secret-40", "xml": "<pwd>named-secret-4</pwd>"}"#
    private static let urls = [
        "https://api.telegram.org/bot123456:AAnamedSecret51abcd/sendMessage",
        "https://hooks.slack.com/services/T000/B000/namedSecret52abcd", "https://h.example/hooks/namedSecret53a1b2c3",
    ]
    private static var url: String { "https://api.example/a?" + query.map { "\($0)=\($1)" }.joined(separator: "&") }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func objects(_ pairs: [(key: String, value: String)], _ name: String) -> String {
        pairs.map { "{\"\(name)\": \"\($0)\", \"value\": \"\($1)\"}" }.joined(separator: ", ")
    }

    static let inValues: [(format: String, name: String, text: String)] = [
        (
            "curl", "s/a",
            (["curl '\(url)'" + headers.map { " -H '\($0): \($1)'" }.joined() + " --json '\(json)'"]
                + urls.map { "curl '\($0)'" }).joined(separator: "\n")
        ),
        (
            "openapi", "s/a.json",
            #"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "\#(urls[1])"}], "paths": {"#
                + #""/bot123456:AAnamedSecret51abcd/send": {"get": {"responses": {"200": {"description": "ok"}}}}, "#
                + #""/hooks/namedSecret53a1b2c3": {"get": {"responses": {"200": {"description": "ok"}}}}, "#
                + #""/a": {"post": {"parameters": ["#
                + query.map {
                    #"{"name": "\#($0)", "in": "query", "example": "\#($1)", "schema": {"default": "\#($1)"}}"#
                }
                .joined(separator: ", ") + ", "
                + headers.map { #"{"name": "\#($0)", "in": "header", "required": true, "example": "\#($1)"}"# }
                .joined(separator: ", ")
                + #"], "requestBody": {"content": {"application/json": {"example": \#(json)}}}, "#
                + #""responses": {"200": {"description": "ok", "headers": {"Location": {"example": "\#(urls[1])"}}, "#
                + #""content": {"application/json": {"example": \#(json), "schema": {"type": "object", "example": \#(json)}}}}}}}}}"#
        ),
        (
            "postman", "s/c.json",
            #"{"info": {"name": "Shop"}, "variable": [\#(objects(query, "key"))], "item": [{"name": "a", "request": {"method": "POST", "#
                + #""url": "\#(url)", "header": [\#(objects(headers, "key"))], "body": {"mode": "raw", "raw": \#(quoted(json))}}, "#
                + #""response": [{"name": "x", "code": 200, "header": [\#(objects(headers, "key"))], "body": \#(quoted(json))}]}, "#
                + urls.map { #"{"name": "b", "request": {"url": "\#($0)"}}"# }.joined(separator: ", ") + "]}"
        ),
        (
            "har", "s/a.har",
            #"{"log": {"entries": [{"request": {"method": "POST", "url": "\#(url)", "headers": [\#(objects(headers, "name"))], "#
                + #""postData": {"mimeType": "application/json", "text": \#(quoted(json))}}, "#
                + #""response": {"status": 302, "headers": [\#(objects(headers, "name"))], "#
                + #""content": {"mimeType": "application/json", "text": \#(quoted(json))}}}, "#
                + urls.map { #"{"request": {"method": "POST", "url": "\#($0)", "headers": []}}"# }.joined(
                    separator: ", ")
                + "]}}"
        ),
        (
            "hurl", "s/a.hurl",
            "POST \(url)\n" + headers.map { "\($0): \($1)\n" }.joined() + json + "\nHTTP 200\n[Asserts]\n"
                + "header \"Location\" == \"\(urls[1])\"\n" + urls.map { "GET \($0)\n" }.joined()
        ),
        (
            "http", "s/a.http",
            "@sig = named-secret-61\n@back = https://ann:named-secret-62@h.example/\n### a\nPOST \(url)\n"
                + headers.map { "\($0): \($1)\n" }.joined() + "X-Back: {{back}}{{sig}}\n\n" + json + "\n"
                + urls.map { "### b\nGET \($0)\n" }.joined()
        ),
        (
            "bruno", "s/a.bru",
            "meta {\n  name: a\n}\npost {\n  url: \(url)\n  body: json\n}\nheaders {\n"
                + headers.map { "  \($0): \($1)\n" }.joined() + "}\nbody:json {\n  \(json)\n}\nvars:pre-request {\n"
                + urls.enumerated().map { "  v\($0): \($1)\n" }.joined() + "}\n"
        ),
    ]

    private static let password = "correct-horse-battery"

    private static func token(_ number: Int) -> String {
        "ghp_" + String(repeating: "\(number % 10)aB", count: 11) + "xyz" + String(100 + number)
    }

    /// The text with values in place of the letters `T` and `P` that stand alone.
    private static func fill(_ text: String, _ count: inout Int) -> String {
        var filled: [UInt8] = []
        let bytes = Array(text.utf8)
        func isLetter(_ index: Int) -> Bool {
            guard bytes.indices.contains(index) else { return false }
            return bytes[index] | 0x20 >= 0x61 && bytes[index] | 0x20 <= 0x7A || bytes[index] == UInt8(ascii: "_")
        }
        for (index, byte) in bytes.enumerated() {
            let isPlace = !isLetter(index - 1) && !isLetter(index + 1)
            if byte == UInt8(ascii: "T"), isPlace {
                filled += token(count).utf8
                count += 1
            } else if byte == UInt8(ascii: "P"), isPlace {
                filled += password.utf8
            } else {
                filled.append(byte)
            }
        }
        return String(decoding: filled, as: UTF8.self)
    }

    @Test("No secret of any place is written, shown, noted or recorded", arguments: planted.indices)
    func secrets(_ index: Int) async {
        let (format, sources) = Self.planted[index]
        var count = 0
        let texts = sources.sorted { $0.key < $1.key }.map { ($0.key, Self.fill($0.value, &count)) }
        #expect(count > 8)
        await Self.expectNoSecret(format, Dictionary(texts) { $1 }, tokens: count)
    }

    @Test("No secret in a value is, such as one in a URL", arguments: inValues.indices)
    func secretsInValues(_ index: Int) async {
        let (format, name, text) = Self.inValues[index]
        await Self.expectNoSecret(format, [name: text], tokens: 0)
    }

    private static func expectNoSecret(_ format: String, _ sources: [String: String], tokens count: Int) async {
        let source = sources.count == 1 ? sources.keys.first ?? "" : "s"
        for words in [
            ["--dry-run"], ["--dry-run", "--json"], [], ["--exact", "--force"], ["--force", "--stubs", "all"],
        ] {
            let files = MemoryFiles(sources.merging(["reqcli.json": "{}"]) { $1 })
            let run = await reqcli(["import", format, source] + words, files: files)
            #expect(run.status == 0, "\(run)")
            let written = files.texts.filter { !$0.key.hasPrefix("/work/s/") }
            let everything =
                (written.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } + [run.output, run.messages])
            for line in everything.joined(separator: "\n").split(separator: "\n") {
                // Names are split into words, and written in upper or lower case.
                let plain = line.lowercased().filter { $0.isLetter || $0.isNumber }
                let isLeak =
                    plain.contains("namedsecret") || line.contains(password) || line.contains("bmFtZWQtc2VjcmV0")
                    || (0..<count).contains { plain.contains(token($0).dropFirst(4).lowercased()) }
                #expect(!isLeak, "\(format) \(words): \(line)")
            }
        }
    }

    @Test("A captured value is secret if its name, its source or its use says so")
    func captures() async throws {
        let source = """
            ### login
            POST https://api.example/login

            {}

            > {%
            client.global.set("a", response.body.access_token);
            client.global.set("b", response.body.b);
            client.global.set("c", response.body.c);
            %}
            ### me
            GET https://api.example/me/{{c}}
            Authorization: Bearer {{b}}
            """
        let files = MemoryFiles(["reqcli.json": "{}", "a.http": source])
        #expect(await reqcli("import", "http", "a.http", files: files).status == 0)
        let text = try #require(files.texts["/work/endpoints/login.json"])
        #expect(text.contains(#""a": { "json": "$.access_token", "secret": true }"#), "\(text)")
        #expect(text.contains(#""b": { "json": "$.b", "secret": true }"#) && text.contains(#""c": { "json": "$.c" }"#))
    }

    @Test("A URL with a secret is not fetched, and a typed command is not quoted by errors")
    func refusals() async {
        for part in [
            "?pwd=named-secret", "?key=namedSecret1a2b3c4d", "/hooks/namedSecret1a2b3c", "/bot12:AAnamedSecret1a2b3c",
        ] {
            let run = await reqcli(
                "import", "openapi", "https://api.example/x" + part, files: MemoryFiles(["reqcli.json": "{}"]))
            #expect(run.status == 2 && run.messages.contains("looks like a secret"), "\(run)")
        }
        let command = ["curl", "-H", "Authorization: Bearer named-secret", "https://api.example/{a", "--frob"]
        let run = await reqcli(["import", "curl", "--"] + command, files: MemoryFiles(["reqcli.json": "{}"]))
        #expect(run.status == 3 && run.messages.contains("--frob") && !run.messages.contains("named-secret"), "\(run)")
    }
}
