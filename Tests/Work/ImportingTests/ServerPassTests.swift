import Importing
import Testing

@Suite("Servers that are variables")
struct ServerPassTests {
    private static func one(
        _ name: String, _ text: String, _ definition: String, environment: String, unknown: [String] = []
    ) -> FormatCase {
        FormatCase(
            name, [("x/a.http", text)], ["a": definition, "env:development": environment],
            notes: unknown.map {
                "1:1: to do: the source doesn't say where a server is: change the stand-in in the environment (\($0))"
            })
    }

    static let cases: [FormatCase] = [
        one(
            "an undefined server", "GET {{apiUrl}}/a\n", #"{"endpoints":{"list":{"path":"/a"}}}"#,
            environment: #"{"baseURL":"http://localhost:8080"}"#, unknown: ["apiUrl: http://localhost:8080"]),
        one(
            "an undefined host", "GET http://{{host}}/a\n", #"{"endpoints":{"list":{"path":"/a"}}}"#,
            environment: #"{"baseURL":"http://{{host}}","variables":{"host":"localhost:8080"}}"#,
            unknown: ["host: localhost:8080"]),
        one(
            "an undefined scheme, host and port", "GET {{scheme}}://{{host}}:{{port}}/a\n",
            #"{"endpoints":{"list":{"path":"/a"}}}"#,
            environment:
                #"{"baseURL":"http://{{host}}:{{port}}","variables":{"host":"localhost","port":"8080"}}"#,
            unknown: ["scheme: http", "host: localhost", "port: 8080"]),
        one(
            "a host without a scheme", "@host = localhost:8080\nGET {{host}}/a\n",
            #"{"endpoints":{"list":{"path":"/a"}}}"#, environment: #"{"baseURL":"http://localhost:8080"}"#),
        one(
            "a host that a header has, too", "@host = localhost:8080\nGET {{host}}/a\nX-Host: {{host}}\n",
            #"{"endpoints":{"list":{"path":"/a","headers":{"X-Host":"{{host}}"}}}}"#,
            environment: #"{"baseURL":"http://localhost:8080","variables":{"host":"localhost:8080"}}"#),
        one(
            "a host with a path", "@svc = localhost:80/api\nGET http://{{svc}}/v1/a\n",
            #"{"endpoints":{"list":{"path":"a"}}}"#, environment: #"{"baseURL":"http://localhost:80/api/v1"}"#),
        one(
            "a host and a path", "@host = h.example\n@base = /v2\nGET https://{{host}}{{base}}/a\n",
            #"{"endpoints":{"list":{"path":"a"}}}"#,
            environment: #"{"baseURL":"https://{{host}}/v2","variables":{"host":"h.example"}}"#),
        one(
            "a whole URL", "@url = https://a.example/graphql\n@x = 1\nPOST {{url}}?x={{x}}\n",
            #"{"endpoints":{"create":{"method":"POST","path":"","query":{"x":"{{x}}"}}}}"#,
            environment: #"{"baseURL":"https://a.example/graphql","variables":{"x":1}}"#),
        one(
            "a URL made of another", "@host = http://h.example\n@base = {{host}}/v1\nGET {{base}}/a\n",
            #"{"endpoints":{"list":{"path":"a"}}}"#,
            environment: #"{"baseURL":"http://h.example/v1","variables":{"host":"http://h.example"}}"#),
        one(
            "a base that ends with a slash", "@base = http://h/v1/\n@things = {{base}}things\nGET {{base}}a\n",
            #"{"endpoints":{"list":{"path":"a"}}}"#,
            environment:
                #"{"baseURL":"http://h/v1","variables":{"base":"http://h/v1/","things":"{{base}}things"}}"#),
        FormatCase(
            "a host that ends with a slash", [("x/a.http", "@base = https://h.example/\nGET {{base}}users\n")],
            [
                "users": #"{"endpoints":{"list":{"path":"/users"}}}"#,
                "env:development": #"{"baseURL":"https://h.example"}"#,
            ]),
        one(
            "a variable that is the query", "@q = x=1&y=2\nGET http://h/a?{{q}}\n",
            #"{"endpoints":{"list":{"path":"/a","query":{"x":"1","y":"2"}}}}"#,
            environment: #"{"baseURL":"http://h","variables":{"q":"x=1&y=2"}}"#),
        one(
            "a path that is a variable", "@host = h\n@path = /v1/a\nGET http://{{host}}{{path}}\n",
            #"{"endpoints":{"list":{"path":"a"}}}"#,
            environment: #"{"baseURL":"http://{{host}}/v1","variables":{"host":"h"}}"#),
        one(
            "a slash behind a whole URL", "@full = http://h/v1/a\nGET {{full}}/\n",
            #"{"endpoints":{"list":{"path":"/v1/a/"}}}"#, environment: #"{"baseURL":"http://h/v1/a"}"#),
        FormatCase(
            "a host that differs by environment",
            [
                ("x/a.http", "GET http://{{svc}}/a\n"),
                ("x/http-client.env.json", #"{"one": {"svc": "h/v1"}, "two": {"svc": "k"}}"#),
            ],
            [
                "a": #"{"endpoints":{"list":{"path":"a"}}}"#,
                "env:one": #"{"baseURL":"http://h/v1","variables":{"svc":"h/v1"}}"#,
                "env:two": #"{"baseURL":"http://{{svc}}","variables":{"svc":"k"}}"#,
            ]),
        FormatCase(
            "a server that one environment lacks",
            [
                ("x/a.http", "GET {{url}}/a\n"),
                ("x/http-client.env.json", #"{"one": {"url": "http://h"}, "two": {"x": "k"}}"#),
            ],
            [
                "a": #"{"endpoints":{"list":{"path":"/a"}}}"#,
                "env:one": #"{"baseURL":"http://h"}"#,
                "env:two": #"{"baseURL":"http://localhost:8080","variables":{"x":"k"}}"#,
            ],
            notes: [
                "1:1: to do: the source doesn't say where a server is: change the stand-in in the environment (url: http://localhost:8080)"
            ]),
        FormatCase(
            "a variable of a file before one of the environment",
            [
                ("x/a.http", "@host = http://one.example\nGET {{host}}/a\n"),
                ("x/b.http", "@host = http://two.example\nGET {{host}}/b\nX-Host: {{host}}\n"),
                ("x/http-client.env.json", #"{"dev": {"host": "evil.example"}}"#),
            ],
            [
                "a":
                    #"{"endpoints":{"list":{"path":"/a","params":{"host":{"type":"string","default":"http://one.example"}}}}}"#,
                "b":
                    #"{"defaults":{"baseURL":"http://two.example","auth":null},"endpoints":{"list":{"path":"/b","params":{"host":{"type":"string","default":"http://two.example"}},"headers":{"X-Host":"{{host}}"}}}}"#,
                "env:dev": #"{"baseURL":"http://one.example","variables":{"host":"evil.example"}}"#,
            ]),
    ]

    @Test("A server is a complete URL, and has a stand-in if the source doesn't define it", arguments: cases)
    func servers(_ example: FormatCase) throws { try example.check(HTTPFileImport.self) }
}
