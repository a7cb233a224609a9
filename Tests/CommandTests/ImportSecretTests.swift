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
        let source = sources.count == 1 ? sources.keys.first ?? "" : "s"
        for words in [
            ["--dry-run"], ["--dry-run", "--json"], [], ["--exact", "--force"], ["--force", "--stubs", "all"],
        ] {
            let files = MemoryFiles(Dictionary(texts + [("reqcli.json", "{}")]) { $1 })
            let run = await reqcli(["import", format, source] + words, files: files)
            #expect(run.status == 0, "\(run)")
            let written = files.texts.filter { !$0.key.hasPrefix("/work/s/") }
            let everything =
                (written.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } + [run.output, run.messages])
            for line in everything.joined(separator: "\n").split(separator: "\n") {
                // Names are split into words, and written in upper or lower case.
                let plain = line.lowercased().filter { $0.isLetter || $0.isNumber }
                let isLeak =
                    plain.contains("namedsecret") || line.contains(Self.password)
                    || (0..<count).contains { plain.contains(Self.token($0).dropFirst(4).lowercased()) }
                #expect(!isLeak, "\(format) \(words): \(line)")
            }
        }
    }
}
