import Importing
import ReqcliDefinitions
import ReqcliText
import Testing

@Suite("Collections of Postman v3")
struct PostmanFolderTests {
    /// A request with the URL `http://h/a` in the collection `Shop`.
    private static func one(
        _ name: String, _ text: String, _ definition: String, environment: String = redirects, notes: [String] = [],
        more: [(name: String, text: String)] = []
    ) -> FormatCase {
        let file = (name: "postman/collections/Shop/Do it.request.yaml", text: "$kind: http-request\n\(text)\n")
        return FormatCase(
            name, [file] + more,
            ["shop.a": #"{"endpoints":{"do-it":\#(definition)}}"#, "env:development": environment], notes: notes)
    }

    private static let redirects = #"{"baseURL":"http://h","redirects":{"follow":true}}"#
    private static let url = "url: http://h/a\n"

    static let cases: [FormatCase] = [
        one("the name of the file", url, #"{"path":"/a"}"#),
        one(
            "headers as a map", url + "headers:\n  Accept: text/plain\n  X-N: 5",
            #"{"path":"/a","headers":{"Accept":"text/plain","X-N":"5"}}"#),
        one(
            "headers as a list", url + "headers:\n- key: X-A\n  value: b\n- key: X-B\n  value: c\n  disabled: true",
            #"{"path":"/a","params":{"X-B":{"type":"string","required":false,"example":"c"}},"headers":{"X-A":"b","X-B":"{{X-B}}"}}"#
        ),
        one(
            "items of the query in the URL and in the list",
            "url: http://h/a?x=1&y=2\nqueryParams:\n- key: y\n  value: '2'\n- key: z\n  value: '3'\n  disabled: true",
            #"{"path":"/a","params":{"z":{"type":"integer","required":false,"example":3}},"query":{"x":"1","y":"2","z":"{{z}}"}}"#
        ),
        one(
            "items of the query that are not in the URL", url + "queryParams:\n- key: y\n  value: '2'",
            #"{"path":"/a","query":{"y":"2"}}"#),
        one(
            "path variables",
            "url: http://h/a/:id\npathVariables:\n- key: id\n  value: '7'\n  description: Which",
            #"{"path":"/a/{{id}}","params":{"id":{"type":"integer","description":"Which","example":7}}}"#),
        one(
            "a JSON body", "method: POST\n" + url + "body:\n  type: json\n  content: |-\n    {\"a\": {{b}}}",
            #"{"method":"POST","path":"/a","params":{"b":{"type":"json"}},"body":{"json":{"a":"{{b}}"}}}"#),
        one(
            "a text body", "method: POST\n" + url + "body:\n  type: xml\n  content: <a/>",
            #"{"method":"POST","path":"/a","headers":{"Content-Type":"application/xml"},"body":{"text":"<a/>"}}"#),
        one(
            "a form", "method: POST\n" + url + "body:\n  type: urlencoded\n  content:\n  - key: a\n    value: b",
            #"{"method":"POST","path":"/a","body":{"form":{"a":"b"}}}"#),
        one(
            "parts and files",
            "method: POST\n" + url
                + "body:\n  type: formdata\n  content:\n  - key: a\n    value: b\n  - key: f\n    type: file\n    src: /x/y.png",
            #"{"method":"POST","path":"/a","params":{"f":{"type":"file","description":"Such as y.png"}},"body":{"multipart":{"a":{"text":"b"},"f":{"file":"{{f}}"}}}}"#
        ),
        one(
            "a file", "method: PUT\n" + url + "body:\n  type: file\n  content: ./book.pdf",
            #"{"method":"PUT","path":"/a","params":{"file":{"type":"file","description":"Such as book.pdf"}},"body":{"file":"{{file}}"}}"#
        ),
        one("no body", "method: POST\n" + url + "body:\n  type: none", #"{"method":"POST","path":"/a"}"#),
        one(
            "a body of an unknown kind", "method: POST\n" + url + "body:\n  type: odd",
            #"{"method":"POST","path":"/a"}"#,
            notes: ["5:3: lost: a body of an unknown kind is not converted"]),
        one(
            "auth with settings in a map",
            url + "auth:\n  type: basic\n  credentials:\n    username: ada\n    password: '{{password}}'",
            #"{"path":"/a","auth":{"basic":{"user":"{{secret.user}}","password":"{{secret.password}}"}}}"#,
            environment:
                #"{"baseURL":"http://h","redirects":{"follow":true},"secrets":{"password":{"env":"SHOP_PASSWORD"},"user":{"env":"SHOP_USER"}}}"#
        ),
        one(
            "several kinds of auth",
            url
                + "auth:\n- type: apikey\n  credentials:\n  - {key: key, value: X-K}\n  - {key: value, value: abc}\n- type: basic",
            #"{"path":"/a","auth":{"apiKey":{"header":"X-K","value":"{{secret.k}}"}}}"#,
            environment:
                #"{"baseURL":"http://h","redirects":{"follow":true},"secrets":{"k":{"env":"SHOP_K"}}}"#,
            notes: ["4:1: approximated: of several kinds of auth, the first one is used"]),
        one(
            "scripts",
            url
                + "scripts:\n- type: beforeRequest\n  code: pm.environment.set('n', 5);\n- type: afterResponse\n  code: |-\n    pm.test('ok', () => pm.response.to.have.status(200));\n    odd();\n- type: beforeQuery\n  code: x()",
            #"{"path":"/a","expect":{"status":200}}"#,
            environment: #"{"baseURL":"http://h","redirects":{"follow":true},"variables":{"n":5}}"#,
            notes: [
                "10:3: lost: a script is not converted (beforeQuery)",
                "7:9: lost: a statement of a test script is not converted (Do it)",
            ]),
        one(
            "settings", url + "settings:\n  maxRedirects: 3\n  strictSSL: true",
            #"{"path":"/a","redirects":{"max":3}}"#,
            notes: ["5:3: lost: a setting for sending requests is not converted (strictSSL)"]),
        one(
            "saved responses", url,
            #"{"path":"/a","stubs":{"variants":{"ok":{"json":{"a":1}},"gone":{"status":410}}}}"#,
            notes: ["1:1: lost: a saved response belongs to no request (x)"],
            more: [
                (
                    "postman/collections/Shop/.resources/Do it.resources/examples/OK.example.yaml",
                    "$kind: http-example\nresponse:\n  statusCode: 200\n  headers:\n  - {key: Content-Type, value: application/json}\n  body:\n    type: json\n    content: '{\"a\": 1}'\n"
                ),
                (
                    "postman/collections/Shop/.resources/Do it.resources/examples/b.example.yaml",
                    "$kind: http-example\nname: Gone\nresponse:\n  statusCode: 410\n  body: {}\n"
                ),
                (
                    "postman/collections/Shop/.resources/Other.resources/examples/x.example.yaml",
                    "$kind: http-example\nresponse: {statusCode: 200}\n"
                ),
            ]),
    ]

    @Test("Each part of a request", arguments: cases)
    func parts(example: FormatCase) throws { try example.check(PostmanImport.self) }

    static let folder: [(name: String, text: String)] = [
        ("postman/README.md", "Our API"), ("postman/specs/api.yaml", "openapi: 3.1.0\n"),
        ("postman/old.json", #"{"info": {"name": "Old"}, "item": []}"#),
        (
            "postman/collections/Shop/.resources/definition.yaml",
            "$kind: collection\nname: My shop\nvariables:\n  base: http://h/v1\n  size: 5\nauth:\n  type: bearer\n  credentials:\n  - {key: token, value: '{{token}}'}\nscripts:\n- type: http:afterResponse\n  code: pm.test('fast', () => pm.expect(pm.response.responseTime).to.be.below(500));\n"
        ),
        ("postman/collections/Shop/b.request.yaml", "$kind: http-request\nurl: '{{base}}/b'\norder: 3000\n"),
        (
            "postman/collections/Shop/Orders/.resources/definition.yaml",
            "$kind: collection\nname: All orders\ndescription: What is ordered\norder: 2000\nvariables:\n- {key: page, value: '1'}\nauth:\n  type: noauth\n"
        ),
        (
            "postman/collections/Shop/Orders/last.request.yaml",
            "$kind: http-request\nurl: '{{base}}/orders/last'\norder: 2\n"
        ),
        (
            "postman/collections/Shop/Orders/list.request.yaml",
            "$kind: http-request\nurl: '{{base}}/orders?page={{page}}&size={{size}}'\norder: 1\n"
        ),
        (
            "postman/collections/Shop/search.request.yaml",
            "$kind: graphql-request\nurl: '{{base}}/graphql'\nquery: 'query($q: String) { find(q: $q) { id } }'\nvariables: '{\"q\": \"tea\"}'\n"
        ),
        ("postman/collections/Shop/live.request.yaml", "$kind: websocket-request\nurl: ws://h/live\n"),
        (
            "postman/environments/Staging.environment.yaml",
            "name: Staging\nvalues:\n- {key: base, value: http://s/v1, enabled: true}\n- {key: token, value: s3cret-t0ken, enabled: true, type: secret}\n- {key: off, value: x, enabled: false}\n"
        ),
        ("postman/globals/workspace.globals.yaml", "name: Globals\nvalues:\n- {key: size, value: '9'}\n"),
    ]

    @Test("Folders, inheritance, order, environments and other files")
    func whole() throws {
        let files = Self.folder.map { SourceFile(name: $0.name, text: $0.text, isSecret: true) }
        let imported = try ImportedSource(PostmanImport.self, files)
        #expect(
            imported.text == [
                "env:staging":
                    #"{"baseURL":"http://s/v1","redirects":{"follow":true},"variables":{"size":5},"secrets":{"token":{"env":"MY_SHOP_TOKEN"}}}"#,
                "my-shop.all-orders":
                    #"{"description":"What is ordered","defaults":{"auth":null,"expect":{"maxTime":"500ms"}},"endpoints":{"list":{"path":"orders","params":{"page":{"type":"string","default":"1"}},"query":{"page":"{{page}}","size":"{{size}}"}},"last":{"path":"orders/last"}}}"#,
                "my-shop.b":
                    #"{"endpoints":{"b":{"path":"b","auth":{"bearer":"{{secret.token}}"},"expect":{"maxTime":"500ms"}}}}"#,
                "my-shop.graphql":
                    #"{"endpoints":{"search":{"method":"POST","path":"graphql","auth":{"bearer":"{{secret.token}}"},"body":{"graphql":{"query":"query($q: String) { find(q: $q) { id } }","variables":{"q":"tea"}}},"expect":{"maxTime":"500ms"}}}}"#,
            ])
        #expect(
            imported.workspace.ids == [
                "my-shop.all-orders.list", "my-shop.all-orders.last", "my-shop.b.b", "my-shop.graphql.search",
            ])
        #expect(
            imported.notes == [
                "1:1: remark: a collection is left out: the folder has collections v3",
                "1:1: lost: requests of this protocol are not converted (websocket-request)",
            ])
    }

    @Test("A collection v3 becomes the same files as the same collection 2.1")
    func sameAsOlderFormat() throws {
        let old = #"""
            {"info": {"name": "Shop"}, "variable": [{"key": "base", "value": "http://h/v1"}],
             "auth": {"type": "basic", "basic": [{"key": "username", "value": "ada"}, {"key": "password", "value": "{{pw}}"}]},
             "item": [{"name": "Orders", "description": "What is ordered", "item": [
              {"name": "Add order", "event": [{"listen": "test", "script": {"exec": ["pm.test('made', () => pm.response.to.have.status(201));", "pm.environment.set('order', pm.response.json().id);"]}}],
               "request": {"method": "POST", "url": {"raw": "{{base}}/orders?dry=1", "query": [{"key": "dry", "value": "1"}, {"key": "lang", "value": "en", "disabled": true}]},
                "header": [{"key": "X-A", "value": "b"}], "body": {"mode": "raw", "raw": "{\"n\": {{n}}}", "options": {"raw": {"language": "json"}}}},
               "response": [{"name": "Made", "code": 201, "body": "{\"id\": 1}", "header": [{"key": "Content-Type", "value": "application/json"}]}]},
              {"name": "Get order", "request": {"url": {"raw": "{{base}}/orders/:id", "variable": [{"key": "id", "value": "{{order}}"}]}}}]}]}
            """#
        let new = [
            (
                "c/Shop/.resources/definition.yaml",
                "$kind: collection\nvariables: [ { key: base, value: http://h/v1 } ]\nauth: { type: basic, credentials: { username: ada, password: '{{pw}}' } }\n"
            ),
            ("c/Shop/Orders/.resources/definition.yaml", "$kind: collection\ndescription: What is ordered\n"),
            (
                "c/Shop/Orders/Add order.request.yaml",
                """
                $kind: http-request
                method: POST
                url: '{{base}}/orders?dry=1'
                queryParams: [ { key: dry, value: '1' }, { key: lang, value: en, disabled: true } ]
                headers: { X-A: b }
                body: { type: json, content: '{"n": {{n}}}' }
                scripts:
                  - type: afterResponse
                    code: |-
                      pm.test('made', () => pm.response.to.have.status(201));
                      pm.environment.set('order', pm.response.json().id);
                """
            ),
            (
                "c/Shop/Orders/Get order.request.yaml",
                "$kind: http-request\nurl: '{{base}}/orders/:id'\npathVariables: [ { key: id, value: '{{order}}' } ]\n"
            ),
            (
                "c/Shop/Orders/.resources/Add order.resources/examples/Made.example.yaml",
                "$kind: http-example\nresponse:\n  statusCode: 201\n  headers: { Content-Type: application/json }\n  body: { type: json, content: '{\"id\": 1}' }\n"
            ),
        ].map { SourceFile(name: $0.0, text: $0.1, isSecret: true) }
        let (first, second) = (try ImportedSource(PostmanImport.self, old), try ImportedSource(PostmanImport.self, new))
        #expect(first.text == second.text)
        #expect(first.text["shop.orders"]?.contains(#""needs""#) == true && first.notes == second.notes)
    }

    @Test("A collection in one file, with lists of items")
    func oneFile() throws {
        let source = """
            $kind: collection
            name: Shop
            items:
              - $kind: collection
                name: Orders
                items:
                  - { $kind: http-request, name: List, url: http://h/orders }
              - { $kind: http-request, name: Health, url: http://h/health }
            """
        let file = SourceFile(name: "shop.yaml", text: source, isSecret: true)
        let imported = try ImportedSource(PostmanImport.self, [file])
        #expect(imported.workspace.ids == ["shop.orders.list", "shop.health.health"])
    }

    @Test("Several collections are groups, and other values of a variable are noted")
    func several() throws {
        let files = ["A", "B"].flatMap { name in
            [
                SourceFile(
                    name: "collections/\(name)/.resources/definition.yaml",
                    text: "$kind: collection\nvariables: { v: \(name), w: x }\n"),
                SourceFile(
                    name: "collections/\(name)/get.request.yaml",
                    text: "$kind: http-request\nurl: http://h/\(name)?v={{v}}\n"),
            ]
        }
        let imported = try ImportedSource(PostmanImport.self, files)
        #expect(imported.workspace.ids == ["a.get", "b.get"])
        #expect(
            imported.notes == [
                "1:1: to do: another collection has another value for a variable: import the collections one by one (v)"
            ])
    }

    @Test("Files are told apart by their kind and their names")
    func recognised() {
        let kinds = [
            ("a.yaml", "$kind: http-request\nurl: x", true), ("a.yml", "\"$kind\": \"collection\"", true),
            ("a.yaml", "name: x\n$kind: graphql-request", true), ("Local.environment.yaml", "values: []", true),
            ("a.yaml", "$kind: Deployment", false), ("a.txt", "$kind: http-request", false),
            ("a.yaml", "kind: collection", false), ("index.yaml", "openapi: 3.1.0", false),
        ]
        for (name, text, isPostman) in kinds {
            #expect(PostmanImport.looksLike(SourceFile(name: name, text: text)) == isPostman, "\(text)")
        }
    }

    @Test("Mistakes in YAML are errors with their places, for all files together")
    func broken() {
        let files = ["a", "b"].map { SourceFile(name: "\($0).yaml", text: "$kind: collection\nname: [") }
        do throws(ImportProblem) {
            _ = try ImportedSource(PostmanImport.self, files)
            Issue.record("no error")
        } catch {
            #expect(Set(error.diagnostics.compactMap(\.place?.file.name)) == ["a.yaml", "b.yaml"])
        }
    }

    @Test("Environments alone are an error that says what is missing")
    func environmentsAlone() {
        let file = SourceFile(name: "a.environment.yaml", text: "values:\n- {key: a, value: b}\n")
        #expect {
            _ = try ImportedSource(PostmanImport.self, [file])
        } throws: { error in
            (error as? ImportProblem)?.diagnostics.first?.hint == "also name the file of the collection"
        }
    }
}
