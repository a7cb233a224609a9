import Importing
import ReqcliDefinitions
import ReqcliText
import Testing

@Suite("Importing collections of Bruno in YAML, and saved responses")
struct OpenCollectionTests {
    static let list = """
        info:
          name: List orders
          type: http
          tags: [read]
        http:
          method: GET
          url: "{{url}}/orders/:id?page=1"
          params:
            - { name: page, value: "{{first}}", type: query }
            - { name: from, value: 2026-01-01, type: query, disabled: true }
            - { name: id, value: "7", type: path }
          headers:
            - name: X-B
              value: 2
          auth: inherit
        runtime:
          variables:
            - { name: first, value: 1 }
          assertions:
            - { expression: res.status, operator: eq, value: "200" }
            - { expression: res.body.name, operator: isTruthy }
          scripts:
            - type: tests
              code: |-
                test("total", function() {
                  expect(res.body.total).to.equal(1);
                });
            - type: before-request
              code: req.setHeader("a", "b");
        settings:
          timeout: 2500
          followRedirects: false
        docs:
          content: |
            All orders.

            More of it.
        examples:
          - name: None there
            response:
              status: 404
              headers:
                - { name: Content-Type, value: application/json }
              body: { type: json, data: '{"error": "none"}' }
          - name: Broken
            response: { body: { data: x } }
        """

    static let files: [(name: String, text: String)] = [
        (
            "c/opencollection.yml",
            """
            opencollection: 1.0.0
            info: { name: Shop }
            config:
              proxy: inherit
            request:
              headers:
                - { name: X-A, value: "1" }
                - { name: X-B, value: "1" }
              auth: { type: bearer, token: "{{token}}" }
              variables:
                - { name: region, value: eu }
            """
        ),
        (
            "c/environments/dev.yml",
            "name: Dev\nvariables:\n- name: url\n  value: http://dev\n- name: pass\n  secret: true\n"
        ),
        ("c/orders/folder.yml", "info: { name: Orders, type: folder }\nrequest:\n  auth: inherit\n"),
        ("c/orders/list.yml", list),
        (
            "c/login.yml",
            """
            info: { name: Log in, type: http }
            http:
              method: POST
              url: "{{url}}/login"
              body:
                type: json
                data: |-
                  { "p": "{{pass}}" }
            runtime:
              actions:
                - type: set-variable
                  phase: after-response
                  selector: { expression: res.body.token, method: jsonq }
                  variable: { name: token, scope: runtime }
            """
        ),
        ("c/stream.yml", "info: { name: S, type: websocket }\nwebsocket: { url: ws://dev }\n"),
        ("c/ci.yml", "jobs: { test: { steps: [] } }\n"),
    ]

    @Test("A collection in files says what one of .bru files says")
    func files() throws {
        try FormatCase(
            "files", Self.files,
            [
                "env:Dev":
                    #"{"baseURL":"http://dev","variables":{"region":"eu"},"secrets":{"pass":{"env":"SHOP_PASS"}}}"#,
                "shop.login":
                    #"{"endpoints":{"log-in":{"method":"POST","path":"/login","headers":{"X-A":"1","X-B":"1"},"auth":null,"body":{"json":{"p":"{{secret.pass}}"}},"capture":{"token":{"json":"$.token","secret":true}}}}}"#,
                "shop.orders":
                    #"{"endpoints":{"list":{"description":"All orders.","tags":["read"],"path":"/orders/{{id}}","params":{"id":{"type":"integer","default":7},"from":{"type":"string","required":false,"example":"2026-01-01"},"first":{"type":"integer","default":1}},"query":{"page":"{{first}}","from":"{{from}}"},"headers":{"X-A":"1","X-B":"2"},"auth":{"bearer":"{{log-in.token}}"},"redirects":{"follow":false},"timeout":"2500ms","needs":{"log-in":"shop.login.log-in"},"expect":{"status":200,"json":{"$.total":1}},"stubs":{"variants":{"none-there":{"expect":"fail","status":404,"json":{"error":"none"}}}}}}}"#,
            ],
            notes: [
                "21:7: lost: an assertion is not converted (res.body.name)",
                "29:13: lost: a script is not converted (script:pre-request)",
                "45:5: lost: a saved response has no status (Broken)",
                "1:7: lost: requests of this protocol are not converted (websocket)",
            ]
        ).check(BrunoImport.self)
    }

    @Test("A collection in one file has its folders, environments, forms and files in it")
    func bundled() throws {
        let text = """
            opencollection: 1.0.0
            info: { name: Shop }
            bundled: true
            config:
              environments:
                - name: local
                  variables: [{ name: url, value: http://local }]
            items:
              - info: { name: Photos, type: folder }
                request:
                  auth: { type: basic, username: ada, password: "{{pass}}" }
                items:
                  - info: { name: Add photo, type: http }
                    http:
                      method: post
                      url: "{{url}}/photos"
                      auth: inherit
                      body:
                        type: multipart-form
                        data:
                          - { name: title, type: text, value: A }
                          - { name: file, type: file, value: [a.png, b.png], contentType: image/png }
                  - info: { name: Raw, type: http }
                    http:
                      method: PUT
                      url: "{{url}}/photos/raw"
                      body:
                        type: file
                        data: [{ filePath: x.bin, contentType: image/png, selected: true }]
              - info: { name: Find, type: graphql }
                graphql:
                  method: POST
                  url: "{{url}}/graphql"
                  body:
                    query: query { a }
                    variables: '{ "b": 1 }'
            """
        try FormatCase(
            "bundled", [("shop/opencollection.yml", text)],
            [
                "env:local":
                    #"{"baseURL":"http://local","secrets":{"pass":{"env":"SHOP_PASS"},"user":{"env":"SHOP_USER"}}}"#,
                "shop.photos":
                    #"{"endpoints":{"add":{"method":"POST","path":"/photos","auth":{"basic":{"user":"{{secret.user}}","password":"{{secret.pass}}"}},"body":{"multipart":{"title":{"text":"A"},"file":[{"file":"a.png","contentType":"image/png"},{"file":"b.png","contentType":"image/png"}]}}},"raw":{"method":"PUT","path":"/photos/raw","headers":{"Content-Type":"image/png"},"auth":null,"body":{"file":"x.bin"}}}}"#,
                "shop.graphql":
                    #"{"endpoints":{"find":{"method":"POST","path":"/graphql","body":{"graphql":{"query":"query { a }","variables":{"b":1}}}}}}"#,
            ]
        ).check(BrunoImport.self)
    }

    @Test("A saved response of a .bru file is a variant")
    func examples() throws {
        try BrunoFormatTests.one(
            "examples",
            """
            get {
              url: http://h/a
            }
            example {
              name: Found it
              description: '''
                Of many
                lines: {
              '''
              request: {
                url: http://h/a
                body:json: {
                  {"response": 1}
                }
              }
              response: {
                headers: {
                  Content-Type: application/json
                  X-A: b
                }
                status: {
                  code: 201
                  text: Created
                }
                body: {
                  type: json
                  content: '''
                    {
                      "id": 1
                    }
                  '''
                }
              }
            }
            example {
              name: Found it
              response: {
                status: {
                  code: 200
                }
                body: {
                  plain
                    text
                }
              }
            }
            example {
              name: Nothing
              request: {
                url: x
              }
            }
            """,
            #"{"list":{"path":"/a","stubs":{"variants":{"found-it":{"status":201,"headers":{"X-A":"b"},"json":{"id":1}},"found-it-2":{"text":"plain\n  text"}}}}}"#,
            notes: ["50:1: lost: a saved response has no status (Nothing)"]
        ).check(BrunoImport.self)
    }

    @Test(
        "A file of YAML is told from others by its outermost keys",
        arguments: [
            ("c/opencollection.yml", "opencollection: 1.0.0\n", true),
            ("a.yml", "info:\n  name: A\nhttp:\n  url: x\n", true),
            ("a.yml", "openapi: 3.1.0\ninfo:\n  title: A\n", false), ("a.txt", "opencollection: 1.0.0\n", false),
        ])
    func told(_ name: String, _ text: String, _ isOne: Bool) {
        #expect(BrunoImport.looksLike(SourceFile(name: name, text: text)) == isOne)
    }

    @Test("Broken YAML is refused with its place")
    func broken() {
        let problem = #expect(throws: ImportProblem.self) {
            var notes: [ConversionNote] = []
            let files = [SourceFile(name: "c/opencollection.yml", text: "opencollection: [\n")]
            _ = try BrunoImport.read(ImportSource(files), ImportOptions(), &notes)
        }
        #expect(problem?.diagnostics.first?.place?.file.name == "c/opencollection.yml")
    }
}
