import Importing
import ReqcliDefinitions
import ReqcliText
import Testing

@Suite("Collections of Insomnia")
struct InsomniaTests {
    /// A request in the format v5, without the URL `http://h/a`.
    private static func one(
        _ name: String, _ text: String, _ definition: String, environment: String? = nil, data: String = "",
        notes: [String] = [], file: String = "shop.a"
    ) -> FormatCase {
        let source = """
            type: collection.insomnia.rest/5.0
            name: Shop
            collection:
              - name: Do it
                meta: { id: req_1 }
                method: \(text.contains("body:") ? "POST" : "GET")
            \(text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n"))
            environments:
              data: { \(data) }
            """
        return FormatCase(
            name, [("shop.yaml", source)],
            [
                file: #"{"endpoints":{"do-it":\#(definition)}}"#,
                "env:development": environment ?? #"{"baseURL":"http://h","redirects":{"follow":true}}"#,
            ], notes: notes)
    }

    private static let url = "url: http://h/a\n"
    private static func environment(_ more: String) -> String {
        #"{"baseURL":"http://h","redirects":{"follow":true},\#(more)}"#
    }

    static let requests: [FormatCase] = [
        one("a request", url + "description: \"The first.\\n\\nMore.\"", #"{"description":"The first.","path":"/a"}"#),
        one(
            "a query, with items that a URL has to encode",
            "url: http://h/a?x=1\nparameters:\n- {name: q, value: a & b+c}\n- {name: n, value: 5, disabled: true, description: How many}\n- {name: '', value: ''}",
            #"{"path":"/a","params":{"n":{"type":"integer","description":"How many","required":false,"example":5}},"query":{"x":"1","q":"a & b+c","n":"{{n}}"}}"#
        ),
        one(
            "path parameters", "url: http://h/a/:id\npathParameters:\n- {name: id, value: '7'}",
            #"{"path":"/a/{{id}}","params":{"id":{"type":"integer","example":7}}}"#),
        one(
            "headers",
            url
                + "headers:\n- {name: User-Agent, value: insomnia/11.0.0}\n- {name: X-A, value: b}\n- {name: X-B, value: c, disabled: true}",
            #"{"path":"/a","params":{"X-B":{"type":"string","required":false,"example":"c"}},"headers":{"X-A":"b","X-B":"{{X-B}}"}}"#
        ),
        one(
            "settings", url + "settings: { followRedirects: 'off', encodeUrl: false, renderRequestBody: true }",
            #"{"path":"/a"}"#, environment: #"{"baseURL":"http://h"}"#,
            notes: ["8:52: lost: a setting for sending requests is not converted"]),
        one(
            "scripts",
            url
                + "scripts:\n  preRequest: insomnia.environment.set('n', 5);\n  afterResponse: |-\n    insomnia.test('ok', () => {\n      insomnia.expect(insomnia.response.code).to.eql(200);\n    });\n    odd();",
            #"{"path":"/a","expect":{"status":200}}"#, environment: environment(#""variables":{"n":5}"#),
            notes: ["10:22: lost: a statement of a test script is not converted (Do it)"]),
    ]

    static let bodies: [FormatCase] = [
        one(
            "JSON", url + "body:\n  mimeType: application/json\n  text: '{\"a\": {{ _.b }}, \"c\": \"{{ _.d }}!\"}'",
            #"{"method":"POST","path":"/a","params":{"b":{"type":"json"},"d":{"type":"string"}},"body":{"json":{"a":"{{b}}","c":"{{d}}!"}}}"#
        ),
        one(
            "GraphQL",
            url
                + "body:\n  mimeType: application/graphql\n  text: '{\"query\": \"query Q($a: Int) { b(a: $a) }\", \"variables\": {\"a\": 1}, \"operationName\": \"Q\"}'",
            #"{"method":"POST","path":"/a","body":{"graphql":{"query":"query Q($a: Int) { b(a: $a) }","variables":{"a":1},"operationName":"Q"}}}"#
        ),
        one(
            "a form",
            url
                + "body:\n  mimeType: application/x-www-form-urlencoded\n  params:\n  - {name: a, value: 1 & 2}\n  - {name: b, value: x, disabled: true}",
            #"{"method":"POST","path":"/a","params":{"b":{"type":"string","required":false,"example":"x"}},"body":{"form":{"a":"1 & 2","b":"{{b}}"}}}"#
        ),
        one(
            "parts and files",
            url
                + "body:\n  mimeType: multipart/form-data\n  params:\n  - {name: a, value: b}\n  - {name: f, type: file, fileName: /x/y.png}",
            #"{"method":"POST","path":"/a","params":{"f":{"type":"file","description":"Such as y.png"}},"body":{"multipart":{"a":{"text":"b"},"f":{"file":"{{f}}"}}}}"#
        ),
        one(
            "a file", url + "body:\n  mimeType: application/octet-stream\n  fileName: /x/y.bin",
            #"{"method":"POST","path":"/a","params":{"file":{"type":"file","description":"Such as y.bin"}},"body":{"file":"{{file}}"}}"#
        ),
        one(
            "a text of another type", url + "body:\n  mimeType: text/yaml\n  text: 'a: b'",
            #"{"method":"POST","path":"/a","headers":{"Content-Type":"text/yaml"},"body":{"text":"a: b"}}"#),
        one("no body", url + "body: {}", #"{"method":"POST","path":"/a"}"#),
    ]

    static let auth: [FormatCase] = [
        one(
            "basic", url + "authentication: { type: basic, username: ada, password: '{{ _.password }}' }",
            #"{"path":"/a","auth":{"basic":{"user":"{{secret.user}}","password":"{{secret.password}}"}}}"#,
            environment: environment(#""secrets":{"password":{"env":"SHOP_PASSWORD"},"user":{"env":"SHOP_USER"}}"#),
            data: "password: pw-1234567"),
        one(
            "bearer with a prefix",
            url + "authentication: { type: bearer, token: '{{ _.key }}', prefix: Token }",
            #"{"path":"/a","headers":{"Authorization":"Token {{secret.key}}"},"auth":null}"#,
            environment: environment(#""secrets":{"key":{"env":"SHOP_KEY"}}"#), data: "key: abc-1234567"),
        one(
            "an API key in the query",
            url + "authentication: { type: apikey, key: k, value: abc-1234567, addTo: queryParams }",
            #"{"path":"/a","auth":{"apiKey":{"query":"k","value":"{{secret.k}}"}}}"#,
            environment: environment(#""secrets":{"k":{"env":"SHOP_K"}}"#)),
        one(
            "an API key in a cookie",
            url + "authentication: { type: apikey, key: sid, value: abc-1234567, addTo: cookie }",
            #"{"path":"/a","headers":{"Cookie":"{{secret.cookie}}"},"auth":null}"#,
            environment: environment(#""secrets":{"cookie":{"env":"SHOP_COOKIE"}}"#)),
        one(
            "a signature for AWS",
            url
                + "authentication: { type: iam, service: s3, region: eu, accessKeyId: AKIA1, secretAccessKey: abc-1234567, sessionToken: '' }",
            #"{"path":"/a","auth":{"aws":{"service":"s3","region":"eu","accessKeyID":"{{secret.accessKeyId}}","secretAccessKey":"{{secret.secretAccessKey}}"}}}"#,
            environment: environment(
                #""secrets":{"accessKeyId":{"env":"SHOP_ACCESS_KEY_ID"},"secretAccessKey":{"env":"SHOP_SECRET_ACCESS_KEY"}}"#
            )),
        one(
            "OAuth 2",
            url + "authentication: { type: oauth2, clientSecret: abc-1234567, grantType: client_credentials }",
            #"{"path":"/a","auth":{"bearer":"{{secret.secretAccessToken}}"}}"#,
            environment: environment(#""secrets":{"secretAccessToken":{"env":"SHOP_SECRET_ACCESS_TOKEN"}}"#),
            notes: ["8:21: to do: OAuth 2 becomes a bearer token: get a token and set it"]),
        one(
            "a client of OAuth 2",
            url
                + "authentication: { type: oauth2, grantType: client_credentials, accessTokenUrl: 'https://i/t', clientId: me, clientSecret: abc-1234567, scope: a b, audience: x, credentialsInBody: true }",
            #"{"path":"/a","auth":{"oauth2":{"flow":"clientCredentials","tokenURL":"https://i/t","clientID":"me","clientSecret":"{{secret.clientSecret}}","clientAuth":"post","scopes":["a","b"],"parameters":{"audience":"x"}}}}"#,
            environment: environment(#""secrets":{"clientSecret":{"env":"SHOP_CLIENT_SECRET"}}"#)),
        one("none", url + "authentication: { type: none }", #"{"path":"/a","auth":null}"#),
        one(
            "disabled", url + "authentication: { type: basic, username: a, password: b, disabled: true }",
            #"{"path":"/a","auth":null}"#),
        one(
            "another kind", url + "authentication: { type: ntlm, username: a }", #"{"path":"/a","auth":null}"#,
            notes: ["8:21: lost: this kind of auth is not converted (ntlm)"]),
        one("nothing", url + "authentication: {}", #"{"path":"/a"}"#),
    ]

    static let templates: [FormatCase] = [
        one(
            "names of variables", "url: \"{{ _.base }}/{{ a.b }}/{{ _['a']['c'] }}/{{_.d}}{# no #}\"",
            #"{"path":"/{{a_b}}/{{a_c}}/{{d}}","params":{"d":{"type":"string"}}}"#,
            environment: environment(#""variables":{"a_b":1,"a_c":"x"}"#), data: "base: 'http://h', a: { b: 1, c: x }",
            file: "shop"),
        one(
            "generated values",
            url
                + "headers:\n- name: X-A\n  value: \"{% uuid 'v4' %} {% now 'iso-8601', '' %} {% now 'unix' %} {% now 'custom', 'YYYY' %}\"",
            #"{"path":"/a","headers":{"X-A":"{{$uuid}} {{$isoTimestamp}} {{$timestamp}} {{$isoTimestamp}}"}}"#,
            notes: ["9:7: approximated: the format of a date is not converted"]),
        one(
            "values that the user gives",
            url + "headers:\n- name: X-A\n  value: \"{% prompt 'Your name', '' %} {% os 'arch' %}\"",
            #"{"path":"/a","params":{"your_name":{"type":"string"},"os":{"type":"string"}},"headers":{"X-A":"{{your_name}} {{os}}"}}"#,
            notes: ["9:7: to do: a template tag becomes a param: give it a value (os)"]),
        one(
            "random values", url + "headers:\n- name: X-A\n  value: \"{% faker 'randomCity' %}\"",
            #"{"path":"/a","params":{"randomCity":{"type":"string","example":"London"}},"headers":{"X-A":"{{randomCity}}"}}"#
        ),
        one(
            "filters and other expressions", "url: \"http://h/{{ _.a | lower }}/{{ 1 + 1 }}\"",
            #"{"path":"/{{a}}/{{value}}","params":{"a":{"type":"string"},"value":{"type":"string"}}}"#,
            notes: [
                "4:11: approximated: a filter of a template is not converted (a)",
                "4:11: to do: a template is not converted: give a value for the param",
            ], file: "shop"),
    ]

    @Test("Each part of a request", arguments: requests + bodies + auth + templates)
    func parts(example: FormatCase) throws { try example.check(InsomniaImport.self) }

    // MARK: Whole collections

    /// The same collection in both formats.
    static let v5 = #"""
        type: collection.insomnia.rest/5.0
        name: Shop
        meta: { id: wrk_1 }
        collection:
          - name: Orders
            meta: { id: fld_1, description: What is ordered, sortKey: 2 }
            authentication: { type: bearer, token: "{% response 'body', 'req_3', 'b64::JC5kYXRhLnRva2Vu::46b', 'never', 60 %}" }
            headers: [ { name: X-Tenant, value: shop }, { name: X-Other, value: a } ]
            environment: { base: "{{ _.host }}/v1", size: 5 }
            scripts: { afterResponse: "insomnia.test('fast', () => insomnia.expect(insomnia.response.responseTime).to.be.below(500));" }
            children:
              - { name: Last order, url: "{{ _.base }}/orders/last", method: GET, meta: { id: req_1, sortKey: 2 } }
              - name: List orders
                url: "{{ _.base }}/orders"
                method: get
                meta: { id: req_2, sortKey: 1 }
                parameters: [ { name: size, value: "{{ _.size }}" } ]
                headers: [ { name: x-tenant, value: other } ]
          - { name: Log in, url: "{{ _.host }}/login", method: POST, meta: { id: req_3, sortKey: 1 } }
          - { name: Live, url: "ws://h/live", meta: { id: ws-req_1 } }
        environments:
          name: Base
          meta: { id: env_1 }
          data: { host: "http://h", customer: "{% response 'header', 'req_1', 'X-Customer' %}" }
          subEnvironments:
            - { name: Staging, meta: { id: env_2 }, data: { host: "http://s" } }
            - { name: Live, meta: { id: env_3 }, data: {}, kvPairData: [ { name: pin, value: "U2FsdGVk", type: secret, enabled: true } ] }
        testSuites: [ { name: Smoke } ]
        """#

    static let v4 = #"""
        {"_type": "export", "__export_format": 4, "resources": [
          {"_id": "req_1", "_type": "request", "parentId": "fld_1", "name": "Last order", "url": "{{ _.base }}/orders/last", "method": "GET", "metaSortKey": 2},
          {"_id": "req_2", "_type": "request", "parentId": "fld_1", "name": "List orders", "url": "{{ _.base }}/orders", "method": "GET", "metaSortKey": 1,
           "parameters": [{"name": "size", "value": "{{ _.size }}"}], "headers": [{"name": "x-tenant", "value": "other"}]},
          {"_id": "fld_1", "_type": "request_group", "parentId": "wrk_1", "name": "Orders", "description": "What is ordered", "metaSortKey": 2,
           "authentication": {"type": "bearer", "token": "{% response 'body', 'req_3', '$.data.token', 'never', 60 %}"},
           "headers": [{"name": "X-Tenant", "value": "shop"}, {"name": "X-Other", "value": "a"}], "environment": {"base": "{{ _.host }}/v1", "size": 5},
           "afterResponseScript": "insomnia.test('fast', () => insomnia.expect(insomnia.response.responseTime).to.be.below(500));"},
          {"_id": "req_3", "_type": "request", "parentId": "wrk_1", "name": "Log in", "url": "{{ _.host }}/login", "method": "POST", "metaSortKey": 1},
          {"_id": "ws-req_1", "_type": "websocket_request", "parentId": "wrk_1", "name": "Live", "url": "ws://h/live"},
          {"_id": "wrk_1", "_type": "workspace", "parentId": null, "name": "Shop"},
          {"_id": "env_1", "_type": "environment", "parentId": "wrk_1", "name": "Base", "data": {"host": "http://h", "customer": "{% response 'header', 'req_1', 'X-Customer' %}"}},
          {"_id": "env_2", "_type": "environment", "parentId": "env_1", "name": "Staging", "data": {"host": "http://s"}},
          {"_id": "env_3", "_type": "environment", "parentId": "env_1", "name": "Live", "data": {}, "kvPairData": [{"name": "pin", "value": "U2FsdGVk", "type": "secret", "enabled": true}]},
          {"_id": "jar_1", "_type": "cookie_jar", "parentId": "wrk_1", "name": "Jar", "cookies": []},
          {"_id": "uts_1", "_type": "unit_test_suite", "parentId": "wrk_1", "name": "Smoke"},
          {"_id": "ut_1", "_type": "unit_test", "parentId": "uts_1", "name": "Returns 200", "code": "x"}]}
        """#

    @Test("Folders, inheritance, order, responses and environments", arguments: ["v4", "v5"])
    func whole(format: String) throws {
        let imported = try ImportedSource(InsomniaImport.self, format == "v4" ? Self.v4 : Self.v5)
        #expect(
            imported.text == [
                "env:staging":
                    #"{"baseURL":"http://s","redirects":{"follow":true},"secrets":{"pin":{"env":"SHOP_PIN"}}}"#,
                "env:live":
                    #"{"baseURL":"http://h","redirects":{"follow":true},"secrets":{"pin":{"env":"SHOP_PIN"}}}"#,
                "shop.login":
                    #"{"endpoints":{"log-in":{"method":"POST","path":"/login","capture":{"token":{"json":"$.data.token","secret":true}}}}}"#,
                "shop.orders":
                    #"{"description":"What is ordered","defaults":{"headers":{"X-Other":"a"},"auth":{"bearer":"{{log-in.token}}"},"expect":{"maxTime":"500ms"},"needs":{"log-in":"shop.login.log-in"}},"endpoints":{"list":{"path":"/v1/orders","params":{"size":{"type":"integer","default":5}},"query":{"size":"{{size}}"},"headers":{"x-tenant":"other"}},"last":{"path":"/v1/orders/last","headers":{"X-Tenant":"shop"},"capture":{"customer":{"header":"X-Customer"}}}}}"#,
            ])
        #expect(
            imported.notes.map { $0.drop { $0 != " " } } == [
                " lost: unit tests are not converted (Smoke)",
                " lost: requests of this protocol are not converted (Live)",
            ])
    }

    @Test("A response of a request that is not in the source is a param, with a note")
    func missingResponse() throws {
        let source = #"""
            {"_type": "export", "__export_format": 4, "resources": [{"_id": "r", "_type": "request", "name": "A", "url": "http://h/{% response 'raw', 'req_9' %}/{% response 'body', 'r', '/xpath' %}"}]}
            """#
        let imported = try ImportedSource(InsomniaImport.self, source)
        #expect(imported.workspace.requests.first?.path == "/{{body}}/{{response}}")
        #expect(
            imported.notes.map { $0.drop { $0 != " " } } == [
                "to do: a template refers to the response of a request that is not in the source (body)".drop {
                    $0 != " "
                },
                " to do: a template tag becomes a param: give it a value (response)",
            ])
    }

    @Test("Folders that contain each other, and resources without a workspace, are read once")
    func circle() throws {
        let source = #"""
            {"_type": "export", "__export_format": 4, "resources": [
              {"_id": "a", "parentId": "b", "_type": "request_group", "name": "A"},
              {"_id": "b", "parentId": "a", "_type": "request_group", "name": "B"},
              {"_id": "r", "parentId": "a", "_type": "request", "name": "One", "url": "http://h/one", "method": "GET"},
              {"_id": "r", "parentId": "zzz", "_type": "request", "name": "Two", "url": "http://h/two", "method": "GET"}]}
            """#
        #expect(try ImportedSource(InsomniaImport.self, source).workspace.requests.count == 2)
    }

    @Test("Folders in folders up to a limit")
    func nesting() {
        let folders = (0..<501).map {
            #"{"_id": "f\#($0)", "parentId": "f\#($0 - 1)", "_type": "request_group", "name": "F"}"#
        }
        let source = #"{"_type": "export", "resources": [\#(folders.joined(separator: ", "))]}"#
        #expect {
            _ = try ImportedSource(InsomniaImport.self, source)
        } throws: { error in
            (error as? ImportProblem)?.diagnostics.first?.message.contains("500 levels") == true
        }
    }

    @Test("Other files are told apart")
    func recognised() {
        for (text, isInsomnia) in [
            (Self.v4, true), (Self.v5, true), ("type: environment.insomnia.rest/5.0\nname: x", true),
            (#"{"type": "collection.insomnia.rest/5.0"}"#, true), (#"{"_type": "export"}"#, false),
            ("type: object\n", false), ("a:\n  type: collection.insomnia.rest/5.0\n", false),
        ] {
            #expect(InsomniaImport.looksLike(SourceFile(name: "a", text: text)) == isInsomnia, "\(text)")
        }
    }
}
