import Importing
import ReqcliDefinitions
import ReqcliText
import Testing

@Suite("Importing collections of Bruno")
struct BrunoFormatTests {
    static func one(
        _ name: String, _ text: String, _ definition: String, environment: String = #"{"baseURL":"http://h"}"#,
        notes: [String] = []
    ) -> FormatCase {
        FormatCase(
            name, [("x/a.bru", "meta {\n  name: List\n}\n" + text)],
            ["a": #"{"endpoints":\#(definition)}"#, "env:development": environment], notes: notes)
    }

    static let cases: [FormatCase] = [
        one("a request", "get {\n  url: http://h/a\n}\n", #"{"list":{"path":"/a"}}"#),
        one(
            "a method of its own", "http {\n  method: PURGE\n  url: http://h/a\n}\n",
            #"{"list":{"method":"PURGE","path":"/a"}}"#),
        one(
            "disabled items are optional params",
            "get {\n  url: http://h/a?x=1\n}\nparams:query {\n  x: 1\n  ~y: 2\n}\nheaders {\n  ~X-A: b\n  X-C: {{d}}\n}\n",
            #"{"list":{"path":"/a","params":{"y":{"type":"integer","required":false,"example":2},"X-A":{"type":"string","required":false,"example":"b"},"d":{"type":"string"}},"query":{"x":"1","y":"{{y}}"},"headers":{"X-A":"{{X-A}}","X-C":"{{d}}"}}}"#
        ),
        one(
            "params of the path", "get {\n  url: http://h/a/:id/:x\n}\nparams:path {\n  id: 7\n  x: {{y}}\n}\n",
            #"{"list":{"path":"/a/{{id}}/{{y}}","params":{"id":{"type":"integer","default":7},"y":{"type":"string"}}}}"#
        ),
        one(
            "bodies",
            "post {\n  url: http://h/a\n  body: json\n}\nbody:json {\n  {\"a\": {{b}}}\n}\nbody:text {\n  x\n}\n",
            #"{"list":{"method":"POST","path":"/a","params":{"b":{"type":"json"}},"body":{"json":{"a":"{{b}}"}}}}"#,
            notes: [#"11:1: lost: only the selected body is converted (body:text)"#]),
        one(
            "a form",
            "post {\n  url: http://h/a\n  body: formUrlEncoded\n}\nbody:form-urlencoded {\n  a: 1\n  ~b: 2\n}\n",
            #"{"list":{"method":"POST","path":"/a","params":{"b":{"type":"integer","required":false,"example":2}},"body":{"form":{"a":"1","b":"{{b}}"}}}}"#
        ),
        one(
            "parts",
            "post {\n  url: http://h/a\n  body: multipartForm\n}\nbody:multipart-form {\n  a: '''\n    x\n    y\n  '''\n  f: @file(p.png|q.png) @contentType(image/png)\n}\n",
            #"{"list":{"method":"POST","path":"/a","body":{"multipart":{"a":{"text":"x\ny"},"f":[{"file":"p.png","contentType":"image/png"},{"file":"q.png","contentType":"image/png"}]}}}}"#
        ),
        one(
            "GraphQL",
            "post {\n  url: http://h/a\n  body: graphql\n}\nbody:graphql {\n  query { a }\n}\nbody:graphql:vars {\n  {\"b\": 1}\n}\n",
            #"{"list":{"method":"POST","path":"/a","body":{"graphql":{"query":"query { a }","variables":{"b":1}}}}}"#),
        one(
            "a key",
            "get {\n  url: http://h/a\n  auth: apikey\n}\nauth:apikey {\n  key: X-Key\n  value: abc\n  placement: header\n}\n",
            #"{"list":{"path":"/a","auth":{"apiKey":{"header":"X-Key","value":"{{secret.key}}"}}}}"#,
            environment: #"{"baseURL":"http://h","secrets":{"key":{"env":"H_KEY"}}}"#),
        one(
            "a signature for AWS",
            "get {\n  url: http://h/a\n  auth: awsv4\n}\nauth:awsv4 {\n  accessKeyId: AKIA1\n  secretAccessKey: abc\n  service: s3\n  region: eu\n}\n",
            #"{"list":{"path":"/a","auth":{"aws":{"service":"s3","region":"eu","accessKeyID":"{{secret.accessKeyId}}","secretAccessKey":"{{secret.secretAccessKey}}"}}}}"#,
            environment:
                #"{"baseURL":"http://h","secrets":{"accessKeyId":{"env":"H_ACCESS_KEY_ID"},"secretAccessKey":{"env":"H_SECRET_ACCESS_KEY"}}}"#
        ),
        one(
            "OAuth 2", "get {\n  url: http://h/a\n  auth: oauth2\n}\nauth:oauth2 {\n  client_secret: abc\n}\n",
            #"{"list":{"path":"/a","auth":{"bearer":"{{secret.accessToken}}"}}}"#,
            environment: #"{"baseURL":"http://h","secrets":{"accessToken":{"env":"H_ACCESS_TOKEN"}}}"#,
            notes: [#"8:1: to do: OAuth 2 becomes a bearer token: get a token and set it (accessToken)"#]),
        one(
            "a client of OAuth 2",
            "get {\n  url: http://h/a\n  auth: oauth2\n}\nauth:oauth2 {\n  grant_type: authorization_code\n  access_token_url: https://i/t\n  authorization_url: https://i/a\n  callback_url: http://localhost:8484/\n  client_id: me\n}\n",
            #"{"list":{"path":"/a","auth":{"oauth2":{"flow":"authorizationCode","tokenURL":"https://i/t","authorizationURL":"https://i/a","clientID":"me","redirect":"http://localhost:8484/"}}}}"#,
            notes: [#"8:1: to do: requests need a login: run "reqcli login""#]),
        one(
            "a client of OAuth 2 with additional parameters",
            "get {\n  url: http://h/a\n  auth: oauth2\n}\nauth:oauth2 {\n  grant_type: client_credentials\n  access_token_url: https://i/t\n  client_id: me\n  client_secret: {{s}}\n}\nauth:oauth2:additional_params:access_token_req:body {\n  audience: a\n}\n",
            #"{"list":{"path":"/a","auth":{"oauth2":{"flow":"clientCredentials","tokenURL":"https://i/t","clientID":"me","clientSecret":"{{secret.s}}"}}}}"#,
            environment: #"{"baseURL":"http://h","secrets":{"s":{"env":"H_S"}}}"#,
            notes: [#"8:1: lost: additional parameters of OAuth 2 are not converted: write them to "parameters""#]),
        one(
            "assertions",
            """
            get {
              url: http://h/a
            }
            assert {
              res.status: eq 200
              res.body.id: eq 7
              res.body.name: neq "x"
              res.body.list: length 2
              res.body['a-b'][0]: matches ^\\d+$
              res.headers.content-type: contains json
              res.responseTime: lte 900
              res.body.n: between 1, 9
              res.body.s: in a, b
              ~res.body.off: eq 1
              res.body.t: isTruthy
            }
            """,
            #"{"list":{"path":"/a","expect":{"status":200,"maxTime":"900ms","headers":{"content-type":{"contains":"json"}},"json":{"$.id":7,"$.name":{"not":{"equals":"x"}},"$.list":{"length":2},"$['a-b'][0]":{"matches":"^[0-9]+$"},"$.n":{">=":1,"<=":9},"$.s":{"in":["a","b"]}}}}}"#,
            notes: [#"18:3: lost: an assertion is not converted (res.body.t)"#]),
        one(
            "tests and scripts",
            """
            get {
              url: http://h/a
            }
            tests {
              test("one", function() {
                expect(res.status).to.equal(200);
                expect(res.body.a).to.be.a('string');
              });
              test("two", () => { expect(res.body.b).to.satisfy(x); });
            }
            script:post-response {
              bru.setVar("id", res.body.id);
            }
            script:pre-request {
              req.setHeader("a", "b");
            }
            """,
            #"{"list":{"path":"/a","capture":{"id":{"json":"$.id"}},"expect":{"status":200,"json":{"$.a":{"type":"string"}}}}}"#,
            notes: [
                #"12:3: lost: a test is not converted (two)"#,
                #"18:3: lost: a script is not converted (script:pre-request)"#,
            ]),
        one(
            "variables of a script before the request",
            """
            get {
              url: http://h/a?m={{mac}}&t={{time}}&b={{basic}}&k={{kind}}
            }
            vars:pre-request {
              kind: outer
              open: {{a}}-{{b}}
            }
            script:pre-request {
              const key = bru.getEnvVar("key");
              bru.setVar("mac", CryptoJS.HmacSHA256(bru.getVar("user"), key).toString());
              bru.setVar('basic', "Basic " + btoa(bru.getVar("user")));
              bru.setVar("time", Date.now()); bru.setVar("kind", "x");
              bru.setVar("kind", "inner");
              bru.setVar("lost", btoa(bru.getVar("open")));
              bru.setVar("lost", uuid());
            }
            """,
            #"{"list":{"path":"/a","params":{"kind":{"type":"string","default":"inner"},"user":{"type":"string"},"key":{"type":"string"}},"query":{"m":"{{user | hmacSHA256 key | hex}}","t":"{{$now | unixMillis}}","b":"Basic {{user | base64}}","k":"{{kind}}"}}}"#,
            notes: [
                "17:3: lost: a script is not converted (lost)", "18:3: lost: a script is not converted (lost)",
            ]),
        one(
            "variables and docs",
            "get {\n  url: http://h/a?x={{x}}&y={{y}}&e={{process.env.HOME}}\n}\nvars:pre-request {\n  x: 1\n  y: {{x}}-\n}\ndocs {\n  What\n  it does.\n\n  More.\n}\n",
            #"{"list":{"description":"What it does.","path":"/a","params":{"x":{"type":"integer","default":1}},"query":{"x":"{{x}}","y":"{{x}}-","e":"{{$env.HOME}}"}}}"#,
            notes: [#"4:1: remark: a request sends the value of an environment variable (HOME)"#]
        ),
    ]

    @Test("Requests become endpoints", arguments: cases)
    func requests(_ example: FormatCase) throws { try example.check(BrunoImport.self) }

    @Test("What a collection and its folders say holds for their requests")
    func collection() throws {
        try FormatCase(
            "a collection",
            [
                ("c/bruno.json", #"{"name": "Shop", "version": "1"}"#),
                (
                    "c/collection.bru",
                    "headers {\n  X-A: 1\n  X-B: 1\n}\nauth {\n  mode: bearer\n}\nauth:bearer {\n  token: {{token}}\n}\nvars:pre-request {\n  region: eu\n}\n"
                ),
                (
                    "c/environments/Dev.bru",
                    "vars {\n  url: http://dev\n  ~off: 1\n}\nvars:secret [\n  pass,\n  ~old\n]\n"
                ),
                ("c/orders/folder.bru", "auth {\n  mode: none\n}\nvars:pre-request {\n  size: 20\n}\n"),
                (
                    "c/orders/all.bru",
                    "meta {\n  name: All\n}\nget {\n  url: {{url}}/orders?n={{size}}\n  auth: inherit\n}\nheaders {\n  x-b: 2\n}\n"
                ),
                (
                    "c/login.bru",
                    "meta {\n  name: Log in\n}\npost {\n  url: {{url}}/login\n  body: json\n  auth: none\n}\nbody:json {\n  {\"p\": \"{{pass}}\"}\n}\nvars:post-response {\n  token: res.body.token\n}\n"
                ),
                ("c/me.bru", "meta {\n  name: Me\n}\nget {\n  url: {{url}}/me\n  auth: inherit\n}\n"),
            ],
            [
                "env:Dev":
                    #"{"baseURL":"http://dev","variables":{"region":"eu"},"secrets":{"pass":{"env":"SHOP_PASS"}}}"#,
                "shop.login":
                    #"{"endpoints":{"log-in":{"method":"POST","path":"/login","headers":{"X-A":"1","X-B":"1"},"auth":null,"body":{"json":{"p":"{{secret.pass}}"}},"capture":{"token":{"json":"$.token","secret":true}}}}}"#,
                "shop.me":
                    #"{"endpoints":{"me":{"path":"/me","headers":{"X-A":"1","X-B":"1"},"auth":{"bearer":"{{log-in.token}}"},"needs":{"log-in":"shop.login.log-in"}}}}"#,
                "shop.orders":
                    #"{"endpoints":{"all":{"path":"/orders","params":{"size":{"type":"integer","default":20}},"query":{"n":"{{size}}"},"headers":{"X-A":"1","x-b":"2"},"auth":null}}}"#,
            ]
        ).check(BrunoImport.self)
    }

    @Test("A file that isn't Bruno's is refused with its place")
    func broken() throws {
        for (text, place) in [("x\n", "1:1"), ("meta {\n  a: b\n", "1:1"), ("meta {\n}\n} {\n", "3:1")] {
            let problem = #expect(throws: ImportProblem.self) {
                var notes: [ConversionNote] = []
                _ = try BrunoImport.read(ImportSource([SourceFile(name: "a", text: text)]), ImportOptions(), &notes)
            }
            #expect(problem?.diagnostics.first?.place?.description == "a:\(place)")
        }
    }
}
