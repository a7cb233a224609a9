import Importing
import ReqcliDefinitions
import ReqcliText
import Testing

@Suite("Importing Hurl files")
struct HurlFormatTests {
    /// One entry for `http://h/a`, with the definition of its endpoint.
    static func one(
        _ name: String, _ text: String, _ definition: String, environment: String = #"{"baseURL":"http://h"}"#,
        notes: [String] = []
    ) -> FormatCase {
        FormatCase(
            name, [("x/list.hurl", text)], ["a": #"{"endpoints":\#(definition)}"#, "env:development": environment],
            notes: notes)
    }

    static let requests: [FormatCase] = [
        one("a request", "GET http://h/a\n", #"{"list":{"path":"/a"}}"#),
        FormatCase(
            "an address with variables that have no value",
            [("x/list.hurl", "GET https://{{region}}.h.example:{{port}}/v1/a\n")],
            [
                "a": #"{"endpoints":{"list":{"path":"a"}}}"#,
                "env:development":
                    #"{"baseURL":"https://{{region}}.h.example:{{port}}/v1","variables":{"region":"region","port":"8080"}}"#,
            ],
            notes: [
                "1:1: to do: the source doesn't say where a server is: change the stand-in in the environment (region: region)",
                "1:1: to do: the source doesn't say where a server is: change the stand-in in the environment (port: 8080)",
            ]),
        one(
            "a comment is the description", "# All a\n# of them\nGET http://h/a # now",
            #"{"list":{"description":"All a","path":"/a"}}"#),
        one(
            "headers, escapes, comments", "GET http://h/a\nX-A: a \\# b # c\n\"X-B\": \\{\\{x\\}\\}\nX-A: 2\n",
            #"{"list":{"path":"/a","headers":{"X-A":["a # b","2"],"X-B":"\\{{x}}"}}}"#),
        one(
            "items of a query", "GET http://h/a?x=1\n[QueryStringParams]\ny: a b\ny: {{z}}\n[Query]\n{{n}}: 1\n",
            #"{"list":{"path":"/a","params":{"z":{"type":"string"},"n":{"type":"string"}},"query":"x=1&y=a%20b&y={{z}}&{{n}}=1"}}"#
        ),
        one(
            "a form", "POST http://h/a\n[FormParams]\nx: 1\nx: 2\ny: {{z}}\n",
            #"{"list":{"method":"POST","path":"/a","params":{"z":{"type":"string"}},"body":{"form":{"x":["1","2"],"y":"{{z}}"}}}}"#
        ),
        one(
            "parts", "POST http://h/a\n[Multipart]\nt: x\nf: file,a b.png; image/png\ng: file,{{p}};\n",
            #"{"list":{"method":"POST","path":"/a","params":{"p":{"type":"string"}},"body":{"multipart":{"t":{"text":"x"},"f":{"file":"a b.png","contentType":"image/png"},"g":{"file":"{{p}}"}}}}}"#
        ),
        one(
            "cookies", "GET http://h/a\n[Cookies]\na: 1\nb: 2\n",
            #"{"list":{"path":"/a","headers":{"Cookie":"{{secret.cookie}}"}}}"#,
            environment: #"{"baseURL":"http://h","secrets":{"cookie":{"env":"H_COOKIE"}}}"#),
        one(
            "a user", "GET http://h/a\n[BasicAuth]\nann: pass\n",
            #"{"list":{"path":"/a","auth":{"basic":{"user":"{{secret.user}}","password":"{{secret.password}}"}}}}"#,
            environment: #"{"baseURL":"http://h","secrets":{"user":{"env":"H_USER"},"password":{"env":"H_PASSWORD"}}}"#),
        one(
            "a signature for another provider",
            "GET http://h/a\n[Options]\nuser: ann:pass\naws-sigv4: goog:storage:eu:svc\n", #"{"list":{"path":"/a"}}"#,
            notes: ["4:1: lost: only signatures for AWS are converted; the endpoint has no credentials"]),
        one(
            "JSON", "PUT http://h/a\n{\n  \"a\": [1.50, {{x}}],\n  \"b\": \"{{y}} \\\"}\"\n}\n",
            #"{"list":{"method":"PUT","path":"/a","params":{"x":{"type":"json"},"y":{"type":"string"}},"body":{"json":{"a":[1.50,"{{x}}"],"b":"{{y}} \"}"}}}}"#
        ),
        one(
            "XML", "PUT http://h/a\n<?xml version=\"1.0\"?>\n<a b=\">\"><c/><!-- </a> --></a>\nHTTP 200\n",
            #"{"list":{"method":"PUT","path":"/a","headers":{"Content-Type":"application/xml"},"body":{"text":"<?xml version=\"1.0\"?>\n<a b=\">\"><c/><!-- </a> --></a>"},"expect":{"status":200}}}"#
        ),
        one(
            "a text", "PUT http://h/a\n`a {{x}}`\n",
            #"{"list":{"method":"PUT","path":"/a","params":{"x":{"type":"string"}},"headers":{"Content-Type":null},"body":{"text":"a {{x}}"}}}"#
        ),
        one(
            "lines of text", "PUT http://h/a\n```\na\n  b\n```\n",
            #"{"list":{"method":"PUT","path":"/a","headers":{"Content-Type":null},"body":{"text":"a\n  b\n"}}}"#
        ),
        one(
            "JSON between backquotes", "PUT http://h/a\n```json\n[1]\n```\n",
            #"{"list":{"method":"PUT","path":"/a","body":{"json":[1]}}}"#),
        one(
            "GraphQL", "POST http://h/a\n```graphql\nquery { a }\n\nvariables {\n  \"b\": {{c}}\n}\n```\n",
            #"{"list":{"method":"POST","path":"/a","params":{"c":{"type":"json"}},"body":{"graphql":{"query":"query { a }","variables":{"b":"{{c}}"}}}}}"#
        ),
        one(
            "bytes", "PUT http://h/a\nhex, 00 ff ;\n",
            #"{"list":{"method":"PUT","path":"/a","headers":{"Content-Type":null},"body":{"base64":"AP8="}}}"#),
        one(
            "a file", "PUT http://h/a\nfile,x/y.bin;\n",
            #"{"list":{"method":"PUT","path":"/a","headers":{"Content-Type":null},"body":{"file":"x/y.bin"}}}"#),
        one(
            "options",
            """
            GET http://h/a
            [Options]
            location: true
            max-redirs: 3
            insecure: true
            max-time: 1500ms
            connect-timeout: 2
            retry: 2
            retry-interval: 500
            compressed: true
            variable: id=7
            proxy: localhost:80
            delay: 1s
            skip: true
            X: {{id}}
            """,
            #"{"list":{"path":"/a","timeout":{"total":"1500ms","connect":"2s"},"redirects":{"follow":true,"max":3},"retry":{"times":2,"delay":"500ms"},"tls":{"insecure":true}}}"#,
            notes: [
                #"8:1: approximated: Hurl repeats a request until its assertions are met; "retry" only looks at the status"#,
                #"12:1: lost: an option is not converted (proxy)"#,
                #"13:1: lost: an option is not converted (delay)"#,
                #"14:1: lost: Hurl skips an entry; its endpoint is imported all the same"#,
                #"15:1: lost: an option is not converted (X)"#,
                #"1:1: remark: a request doesn't check the certificate of the server (/a)"#,
            ]),
        one(
            "functions",
            "GET http://h/a\nX: {{newUuid}} {{newDate}} {{getEnv \"HOME\"}} {{x urlEncode}} {{y base64Encode urlEncode}} {{z split \",\"}}\nY: {{newUuid urlEncode}} {{newDate format \"%Y\"}}\n",
            #"{"list":{"path":"/a","params":{"x":{"type":"string"},"y":{"type":"string"},"z":{"type":"string"}},"headers":{"X":"{{$uuid}} {{$isoTimestamp}} {{$env.HOME}} {{x | url}} {{y | base64 | url}} {{z}}","Y":"{{$uuid | url}} {{$isoTimestamp}}"}}}"#,
            notes: [
                #"2:91: lost: the filters and functions of a template are not converted (z)"#,
                #"3:26: lost: the filters and functions of a template are not converted ($isoTimestamp)"#,
                #"1:1: remark: a request sends the value of an environment variable (HOME)"#,
            ]),
    ]

    static let responses: [FormatCase] = [
        one(
            "a status and a header", "GET http://h/a\nHTTP 201\nX-A: b\n",
            #"{"list":{"path":"/a","expect":{"status":201,"headers":{"X-A":"b"}}}}"#),
        one(
            "any status with an assertion", "GET http://h/a\nHTTP *\n[Asserts]\nbody == \"x\"\n",
            #"{"list":{"path":"/a","expect":{"status":["2xx","3xx","4xx","5xx"],"body":"x"}}}"#),
        one(
            "a class of status", "GET http://h/a\nHTTP *\n[Asserts]\nstatus >= 200\nstatus < 400\n",
            #"{"list":{"path":"/a","expect":{"status":["2xx","3xx"]}}}"#),
        one(
            "a version", "GET http://h/a\nHTTP/2 200\n", #"{"list":{"path":"/a","expect":{"status":200}}}"#,
            notes: [#"2:1: lost: the version of HTTP is not checked (HTTP/2)"#]),
        one(
            "a body", "GET http://h/a\nHTTP 200\n{\"a\": 1}\n",
            #"{"list":{"path":"/a","expect":{"status":200,"body":{"equals":{"a":1}}}}}"#),
        one(
            "assertions",
            """
            GET http://h/a
            HTTP 200
            [Asserts]
            header "X" not exists
            header "Y" matches /^\\d+$/
            duration < 800
            body contains "a{{b}}"
            body not endsWith "z"
            jsonpath "$.a" == 1.5
            jsonpath "$.b" != null
            jsonpath "$.c-d.e" isString
            jsonpath "$.f" count >= 2
            jsonpath "$.g[*]" count == 3
            jsonpath "$.h" isEmpty
            jsonpath "$.i" > 1
            jsonpath "$.i" <= 9
            jsonpath "$.j" includes "x"
            jsonpath "$.k" exists
            """,
            #"{"list":{"path":"/a","params":{"b":{"type":"string"}},"expect":{"status":200,"maxTime":"800ms","headers":{"X":{"exists":false},"Y":{"matches":"^[0-9]+$"}},"body":{"contains":"a{{b}}","not":{"endsWith":"z"}},"json":{"$.a":1.5,"$.b":{"not":{"equals":null}},"$['c-d'].e":{"type":"string"},"$.f":{"length":{">=":2}},"$.g":{"length":3},"$.h":{"length":0},"$.i":{">":1,"<=":9},"$.j":{"contains":"x"},"$.k":{"exists":true}}}}}"#
        ),
        one(
            "what is lost",
            """
            GET http://h/a
            HTTP 200
            [Asserts]
            xpath "//a" exists
            cookie "c" == "1"
            sha256 == hex,00;
            jsonpath "$..a" == 1
            jsonpath "$.a" nth 0 == 1
            jsonpath "$.a" matches /(?=x)/
            header "X" count == 2
            certificate "Subject" == "x"
            status != 500
            bytes count == 3
            """, #"{"list":{"path":"/a","expect":{"status":200}}}"#,
            notes: [
                #"4:1: lost: an assertion is not converted (xpath)"#,
                #"5:1: lost: an assertion is not converted (cookie equals)"#,
                #"6:1: lost: an assertion is not converted (sha256)"#,
                #"7:1: lost: an assertion is not converted (jsonpath that selects several values, or that is not valid in RFC 9535)"#,
                #"8:1: lost: an assertion is not converted (jsonpath with the filter nth)"#,
                #"9:1: lost: an assertion is not converted (jsonpath matches a regular expression that RFC 9485 doesn't have)"#,
                #"10:1: lost: an assertion is not converted (header with the filter count)"#,
                #"11:1: lost: an assertion is not converted (certificate)"#,
                #"13:1: lost: an assertion is not converted (bytes)"#,
            ]),
        one(
            "captures",
            """
            GET http://h/a
            HTTP 200
            [Captures]
            id: jsonpath "$.id"
            my_token: header "X-Token"
            c: cookie "sid"
            b: body
            s: status
            r: jsonpath "$.x" redact
            n: jsonpath "$.x" regex "a(b)"
            """,
            #"{"list":{"path":"/a","capture":{"id":{"json":"$.id"},"my_token":{"header":"X-Token","secret":true},"c":{"cookie":"sid"},"b":{"body":true},"s":{"status":true},"r":{"json":"$.x","secret":true}},"expect":{"status":200}}}"#,
            notes: [
                #"10:1: lost: a capture is not converted; requests that use "n" get a param instead (jsonpath with the filter regex)"#
            ]),
    ]

    @Test("Entries become endpoints", arguments: requests + responses)
    func entries(_ example: FormatCase) throws { try example.check(HurlImport.self) }

    @Test("A folder with files of variables becomes groups and environments")
    func folder() throws {
        try FormatCase(
            "a folder",
            [
                (
                    "api/login.hurl",
                    "POST {{host}}/v1/login\n{\"user\": \"{{user}}\"}\nHTTP 200\n[Captures]\nsession: jsonpath \"$.s\"\n"
                ),
                ("api/orders/all.hurl", "GET {{host}}/v1/orders\nX-Session: {{session}}\nHTTP 200\n"),
                ("api/orders/one.hurl", "GET {{host}}/v1/orders/{{id}}\nX-Session: {{session}}\nHTTP 200\n"),
                ("api/vars.staging.env", "host=https://staging.h.com\nuser=ann\n"),
                ("api/staging-secrets.env", "key=1234\n"),
                ("api/README.md", "no Hurl"),
            ],
            [
                "env:staging":
                    #"{"baseURL":"https://staging.h.com/v1","variables":{"user":"ann"},"secrets":{"key":{"env":"H_KEY"}}}"#,
                "login":
                    #"{"endpoints":{"login":{"method":"POST","path":"login","body":{"json":{"user":"{{user}}"}},"capture":{"session":{"json":"$.s","secret":true}},"expect":{"status":200}}}}"#,
                "orders":
                    #"{"defaults":{"expect":{"status":200},"needs":{"login":"login.login"}},"endpoints":{"all":{"path":"orders","headers":{"X-Session":"{{login.session}}"}},"one":{"path":"orders/{{id}}","params":{"id":{"type":"string"}},"headers":{"X-Session":"{{login.session}}"}}}}"#,
            ]
        ).check(HurlImport.self)
    }

    @Test("A variable that JSON has without quotes keeps its JSON, and one in quotes its text")
    func typedVariables() throws {
        try FormatCase(
            "types",
            [
                (
                    "a.hurl",
                    "POST http://h/{{size}}\n{\"n\": {{size}}, \"o\": {{filter}}, \"t\": \"{{zip}}\", \"d\": {{own}}}\n[Options]\nvariable: own=2.5\n"
                ),
                ("dev.env", "size=1.5\nfilter={\"a\": [1, \"b\"]}\nzip=8001\n"),
            ],
            [
                "env:dev": #"{"baseURL":"http://h","variables":{"size":1.5,"filter":{"a":[1,"b"]},"zip":"8001"}}"#,
                "h":
                    #"{"endpoints":{"a":{"method":"POST","path":"/{{size}}","params":{"own":{"type":"number","default":2.5}},"body":{"json":{"n":"{{size}}","o":"{{filter}}","t":"{{zip}}","d":"{{own}}"}}}}}"#,
            ]
        ).check(HurlImport.self)
    }

    @Test(
        "A file that isn't Hurl is refused with its place",
        arguments: [
            ("GET http://h/a\nno header\n", "2:1"), ("{}", "1:1"), ("GET http://h/a\n{\"a\": 1\n", "2:1"),
            ("GET http://h/a\n```\nx\n", "2:1"), ("GET http://h/a\n[Query]\nx\n", "3:1"),
            ("GET http://h/{{a\n", "1:14"), ("GET http://h/a\n<a><b></a>\n", "2:1"),
            ("GET http://h/a\nHTTP 200\n[Asserts]\nbody == \"x\n", "4:9"), ("GET http://h/a\nhex,0;\n", "2:1"),
        ])
    func broken(_ text: String, _ place: String) throws {
        let problem = #expect(throws: ImportProblem.self) {
            var notes: [ConversionNote] = []
            _ = try HurlImport.read(ImportSource([SourceFile(name: "a", text: text)]), ImportOptions(), &notes)
        }
        #expect(problem?.diagnostics.first?.place?.description == "a:\(place)")
    }
}
