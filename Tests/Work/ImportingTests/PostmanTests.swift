import Importing
import ReqcliText
import Testing

@Suite("Collections of Postman")
struct PostmanTests {
    /// A collection with one request at `http://h/a`.
    private static func one(_ request: String, more: String = "", collection: String = "") -> String {
        #"{"info": {"name": "Shop"}\#(collection), "item": [{"name": "Do it", "request": \#(request)\#(more)}]}"#
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let source: String
        let endpoint: String

        init(_ description: String, _ source: String, _ endpoint: String) {
            testDescription = description
            self.source = source
            self.endpoint = endpoint
        }
    }

    static let requests = [
        Case("a request that is a URL", one(#""http://h/a?b=1""#), #"{"path":"/a","query":{"b":"1"}}"#),
        Case(
            "a URL in parts",
            one(#"{"url": {"protocol": "http", "host": ["h"], "port": "8080", "path": ["a", "b"]}}"#),
            #"{"path":"/a/b"}"#),
        Case(
            "path variables",
            one(
                #"{"url": {"raw": "http://h/a/:id/:kind/:x", "variable": [{"key": "id", "value": "7", "description": "Which"}, {"key": "x", "value": "{{y}}"}]}}"#
            ),
            #"{"path":"/a/{{id}}/{{kind}}/{{y}}","params":{"id":{"type":"integer","description":"Which","example":7},"kind":{"type":"string"},"y":{"type":"string"}}}"#
        ),
        Case(
            "disabled items are optional params",
            one(
                #"{"url": {"raw": "http://h/a", "query": [{"key": "q", "value": "1"}, {"key": "limit", "value": "10", "disabled": true, "description": "How many"}]}, "header": [{"key": "X-Debug", "value": "yes", "disabled": true}]}"#
            ),
            #"{"path":"/a","params":{"limit":{"type":"integer","description":"How many","required":false,"example":10},"X-Debug":{"type":"string","required":false,"example":"yes"}},"query":{"q":"1","limit":"{{limit}}"},"headers":{"X-Debug":"{{X-Debug}}"}}"#
        ),
        Case(
            "JSON with variables, comments and a trailing comma",
            one(
                #"{"method": "POST", "url": "http://h/a", "header": [{"key": "Content-Type", "value": "application/json"}], "body": {"mode": "raw", "raw": "{\n \"id\": {{id}}, // the id\n \"name\": \"{{name}}!\",\n}"}}"#
            ),
            #"{"method":"POST","path":"/a","params":{"id":{"type":"json"},"name":{"type":"string"}},"body":{"json":{"id":"{{id}}","name":"{{name}}!"}}}"#
        ),
        Case(
            "generated values in place of JSON values",
            one(
                #"{"method": "POST", "url": "http://h/a", "header": [{"key": "Content-Type", "value": "application/json"}], "body": {"mode": "raw", "raw": "{\"at\": {{$timestamp}}, \"n\": {{$randomInt}}}"}}"#
            ),
            #"{"method":"POST","path":"/a","body":{"json":{"at":"{{$timestamp}}","n":"{{$random.int 0 1000}}"}}}"#
        ),
        Case(
            "text of a language",
            one(
                #"{"method": "POST", "url": "http://h/a", "body": {"mode": "raw", "raw": "<a/>", "options": {"raw": {"language": "xml"}}}}"#
            ),
            #"{"method":"POST","path":"/a","headers":{"Content-Type":"application/xml"},"body":{"text":"<a/>"}}"#),
        Case(
            "a form",
            one(
                #"{"method": "POST", "url": "http://h/a", "body": {"mode": "urlencoded", "urlencoded": [{"key": "a", "value": "1 & 2"}, {"key": "a", "value": "3"}, {"key": "b", "value": "", "disabled": true}]}}"#
            ),
            #"{"method":"POST","path":"/a","params":{"b":{"type":"string","required":false}},"body":{"form":{"a":["1 & 2","3"],"b":"{{b}}"}}}"#
        ),
        Case(
            "parts and files",
            one(
                #"{"method": "POST", "url": "http://h/a", "body": {"mode": "formdata", "formdata": [{"key": "a", "value": "1", "contentType": "text/csv"}, {"key": "f", "type": "file", "src": "/home/me/x.png"}]}}"#
            ),
            #"{"method":"POST","path":"/a","params":{"f":{"type":"file","description":"Such as x.png"}},"body":{"multipart":{"a":{"text":"1","contentType":"text/csv"},"f":{"file":"{{f}}"}}}}"#
        ),
        Case(
            "GraphQL",
            one(
                #"{"method": "POST", "url": "http://h/a", "body": {"mode": "graphql", "graphql": {"query": "query Q($id: ID!) { a(id: $id) }", "variables": "{\"id\": {{id}}}"}}}"#
            ),
            #"{"method":"POST","path":"/a","params":{"id":{"type":"json"}},"body":{"graphql":{"query":"query Q($id: ID!) { a(id: $id) }","variables":{"id":"{{id}}"}}}}"#
        ),
        Case(
            "generated values",
            one(#"{"url": "http://h/a?a={{$guid}}&b={{$timestamp}}&c={{$randomFirstName}}&d={{$randomInt}}"}"#),
            #"{"path":"/a","params":{"randomFirstName":{"type":"string","example":"Ada"}},"query":{"a":"{{$uuid}}","b":"{{$timestamp}}","c":"{{randomFirstName}}","d":"{{$random.int 0 1000}}"}}"#
        ),
        Case(
            "saved responses are variants, without secrets",
            one(
                #""http://h/a""#,
                more:
                    #", "response": [{"name": "All good", "code": 200, "header": [{"key": "Content-Type", "value": "application/json"}, {"key": "Set-Cookie", "value": "sid=1"}], "body": "{\"token\": \"abc\"}"}, {"name": "All good", "code": 404, "body": "no"}]"#
            ),
            #"{"path":"/a","stubs":{"variants":{"all-good":{"headers":{"Set-Cookie":"***"},"json":{"token":"***"}},"all-good-2":{"status":404,"text":"no"}}}}"#
        ),
        Case(
            "an auth of the collection that the request turns off",
            one(
                #"{"url": "http://h/a", "auth": {"type": "noauth"}}"#,
                collection: #", "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "x"}]}"#),
            #"{"path":"/a","auth":null}"#),
        Case(
            "a key of 2.0",
            one(
                #"{"url": "http://h/a", "auth": {"type": "apikey", "apikey": {"key": "X-Key", "value": "abc", "in": "header"}}}"#
            ),
            #"{"path":"/a","auth":{"apiKey":{"header":"X-Key","value":"{{secret.key}}"}}}"#),
        Case(
            "a signature for AWS",
            one(
                #"{"url": "http://h/a", "auth": {"type": "awsv4", "awsv4": {"service": "s3", "region": "{{r}}", "accessKey": "AKIA1", "secretKey": "abc", "addAuthDataToQuery": true}}}"#,
                collection: #", "variable": [{"key": "r", "value": "eu"}]"#),
            #"{"path":"/a","auth":{"aws":{"service":"s3","region":"{{r}}","accessKeyID":"{{secret.accessKeyId}}","secretAccessKey":"{{secret.secretAccessKey}}","in":"query"}}}"#
        ),
        Case(
            "an account whose variables are secrets",
            one(
                #"{"url": "http://h/a", "auth": {"type": "basic", "basic": [{"key": "username", "value": "ada"}, {"key": "password", "value": "{{pw}}"}]}}"#,
                collection: #", "variable": [{"key": "pw", "value": "hunter2"}]"#),
            #"{"path":"/a","auth":{"basic":{"user":"{{secret.user}}","password":"{{secret.pw}}"}}}"#),
    ]

    @Test("A request becomes an endpoint", arguments: requests)
    func request(_ example: Case) throws {
        let imported = try ImportedSource(PostmanImport.self, example.source)
        let group = imported.workspace.groups.first
        #expect(imported.workspace.ids == ["shop.a.do-it"])
        #expect(group?.endpoints.first?.value.compact == example.endpoint)
    }

    @Test("Folders are groups, the nearest auth counts, and what all share moves up")
    func folders() throws {
        let imported = try ImportedSource(
            PostmanImport.self,
            #"""
            {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
             "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]},
             "variable": [{"key": "baseUrl", "value": "https://api.shop.com/v1/"}, {"key": "token", "value": ""}, {"key": "page size", "value": "50"}],
             "item": [
              {"name": "Orders", "item": [
               {"name": "List orders", "request": {"url": {"raw": "{{baseUrl}}/orders?n={{page size}}"}}},
               {"name": "Get order", "request": {"url": "{{baseUrl}}/orders/:id"}}]},
              {"name": "Users", "auth": {"type": "digest", "digest": [{"key": "username", "value": "a"}, {"key": "password", "value": "b"}]}, "item": [
               {"name": "List", "request": {"url": "{{baseUrl}}/users"}}]}]}
            """#)
        #expect(
            imported.text == [
                "env:development":
                    #"{"baseURL":"https://api.shop.com/v1","redirects":{"follow":true},"variables":{"page_size":"50"},"secrets":{"token":{"env":"SHOP_TOKEN"},"user":{"env":"SHOP_USER"},"password":{"env":"SHOP_PASSWORD"}}}"#,
                "shop.orders":
                    #"{"defaults":{"auth":{"bearer":"{{secret.token}}"}},"endpoints":{"list":{"path":"orders","query":{"n":"{{page_size}}"}},"get":{"path":"orders/{{id}}","params":{"id":{"type":"string"}}}}}"#,
                "shop.users":
                    #"{"endpoints":{"list":{"path":"users","auth":{"digest":{"user":"{{secret.user}}","password":"{{secret.password}}"}}}}}"#,
            ])
        #expect(imported.notes == [])
    }

    @Test("Files of environments come together with the collection, and each keeps its own secrets")
    func environments() throws {
        let imported = try ImportedSource(
            PostmanImport.self,
            Self.one(
                #"{"url": "{{host}}/a?k={{key}}&t={{tenant}}", "header": [{"key": "Authorization", "value": "Bearer {{jwt}}"}]}"#
            ),
            #"{"name": "Local", "values": [{"key": "host", "value": "localhost:8080"}, {"key": "key", "value": "one", "type": "secret"}, {"key": "jwt", "value": "aaa"}, {"key": "tenant", "value": "t1"}, {"key": "off", "value": "x", "enabled": false}]}"#,
            #"{"name": "Staging", "values": [{"key": "host", "value": "https://staging.shop.com"}, {"key": "key", "value": "two", "type": "secret"}, {"key": "jwt", "value": "bbb"}, {"key": "tenant", "value": "t2"}]}"#
        )
        func secrets(_ prefix: String) -> String {
            #""secrets":{"key":{"env":"\#(prefix)_KEY"},"jwt":{"env":"\#(prefix)_JWT"}}}"#
        }
        #expect(
            imported.text == [
                "env:local":
                    #"{"baseURL":"http://localhost:8080","redirects":{"follow":true},"variables":{"tenant":"t1"},"#
                    + secrets("SHOP"),
                "env:staging":
                    #"{"baseURL":"https://staging.shop.com","redirects":{"follow":true},"variables":{"tenant":"t2"},"#
                    + secrets("SHOP_STAGING"),
                "shop.a":
                    #"{"endpoints":{"do-it":{"path":"/a","query":{"k":"{{secret.key}}","t":"{{tenant}}"},"auth":{"bearer":"{{secret.jwt}}"}}}}"#,
            ])
    }

    @Test("The variable with which most URLs begin is the base, and another one keeps its requests to itself")
    func servers() throws {
        let imported = try ImportedSource(
            PostmanImport.self,
            #"""
            {"info": {"name": "Shop"}, "variable": [{"key": "api", "value": "https://api.shop.com/v1"}, {"key": "id", "value": "id.shop.com"}, {"key": "host", "value": "https://x.shop.com"}],
             "item": [{"name": "A", "request": "{{api}}/a"}, {"name": "B", "request": "{{api}}/b"}, {"name": "C", "request": "{{id}}/c"}, {"name": "D", "request": "{{host}}:8080/d"}]}
            """#)
        #expect(
            imported.text == [
                "env:development":
                    #"{"baseURL":"https://api.shop.com/v1","redirects":{"follow":true},"variables":{"id":"http://id.shop.com"}}"#,
                "shop.a": #"{"endpoints":{"a":{"path":"a"}}}"#, "shop.b": #"{"endpoints":{"b":{"path":"b"}}}"#,
                "shop.c": #"{"defaults":{"baseURL":"{{id}}","auth":null},"endpoints":{"c":{"path":"c"}}}"#,
                "shop.d":
                    #"{"defaults":{"baseURL":"https://x.shop.com:8080","auth":null},"endpoints":{"d":{"path":"/d"}}}"#,
            ])
    }

    @Test("A value that one response sets and others use makes a chain")
    func chain() throws {
        let imported = try ImportedSource(
            PostmanImport.self,
            #"""
            {"info": {"name": "Shop"}, "item": [
             {"name": "Login", "request": {"method": "POST", "url": "http://h/login"}, "event": [{"listen": "test", "script": {"exec": [
               "const data = pm.response.json();",
               "pm.environment.set('token', data.auth[0].value);"]}}]},
             {"name": "Me", "request": {"url": "http://h/me", "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]}}}]}
            """#)
        #expect(
            imported.text == [
                "env:development":
                    #"{"baseURL":"http://h","redirects":{"follow":true}}"#,
                "shop.login":
                    #"{"endpoints":{"login":{"method":"POST","path":"/login","capture":{"token":{"json":"$.auth[0].value","secret":true}}}}}"#,
                "shop.me":
                    #"{"endpoints":{"me":{"path":"/me","auth":{"bearer":"{{login.token}}"},"needs":{"login":"shop.login.login"}}}}"#,
            ])
    }

    @Test("A variable stays text where JSON has it in quotes, whatever it is elsewhere")
    func texts() throws {
        func item(_ name: String, _ body: String) -> String {
            #"{"name": "\#(name)", "request": {"method": "POST", "url": "http://h/\#(name)", "body": {"mode": "raw", "raw": "\#(body)", "options": {"raw": {"language": "json"}}}}}"#
        }
        let imported = try ImportedSource(
            PostmanImport.self,
            #"""
            {"info": {"name": "Shop"}, "variable": [{"key": "page", "value": "3"}, {"key": "size", "value": 5}],
             "item": [\#(item("a", #"{\"page\": \"{{page}}\", \"size\": \"{{size}}\", \"id\": \"{{id}}\"}"#)), \#(item("b", #"{\"page\": {{page}}, \"id\": {{id}}}"#))]}
            """#)
        #expect(
            imported.text == [
                "env:development":
                    #"{"baseURL":"http://h","redirects":{"follow":true},"variables":{"page":3,"page-text":"3","size":"5"}}"#,
                "shop.a":
                    #"{"endpoints":{"a":{"method":"POST","path":"/a","params":{"id":{"type":"string"}},"body":{"json":{"page":"{{page-text}}","size":"{{size}}","id":"{{id}}"}}}}}"#,
                "shop.b":
                    #"{"endpoints":{"b":{"method":"POST","path":"/b","params":{"id":{"type":"json"}},"body":{"json":{"page":"{{page}}","id":"{{id}}"}}}}}"#,
            ])
    }

    @Test("Of two requests that use each other's values, the first one needs the second")
    func circle() throws {
        let imported = try ImportedSource(
            PostmanImport.self,
            #"""
            {"info": {"name": "Shop"}, "item": [
             {"name": "A", "request": "http://h/{{second}}",
              "event": [{"listen": "test", "script": {"exec": "pm.environment.set('first', pm.response.json().x);"}}]},
             {"name": "B", "request": "http://h/{{first}}",
              "event": [{"listen": "test", "script": {"exec": "pm.environment.set('second', pm.response.json().x);"}}]}]}
            """#)
        let text = imported.text.values.joined()
        #expect(text.contains(#""path":"/{{b.second}}""#))
        #expect(text.contains(#""path":"/{{first}}""#))
        let circles = imported.notes.filter { $0.contains("two requests need a value from each other") }
        #expect(circles.count == 1)
        #expect(circles.first?.hasSuffix("one of them gets a param instead (first)") == true)
    }

    @Test("Scripts that set variables to times, encoded texts and hashes become functions")
    func scripts() throws {
        let imported = try ImportedSource(
            PostmanImport.self,
            #"""
            {"info": {"name": "Shop"}, "variable": [{"key": "order.id", "value": "o1"}], "item": [
             {"name": "A", "request": {"url": "http://h/a", "header": [{"key": "X-A", "value": "{{sig}} {{at}} {{ms}} {{id64}} {{md}} {{both}}"}]},
              "event": [{"listen": "prerequest", "script": {"exec": [
                "pm.variables.set('at', new Date().toISOString());", "pm.environment.set('ms', Date.now());",
                "const id = pm.collectionVariables.get('order.id');", "pm.variables.set('id64', btoa(id));",
                "pm.variables.set('md', CryptoJS.MD5(id).toString());",
                "pm.variables.set('sig', CryptoJS.HmacSHA256(id, id).toString(CryptoJS.enc.Base64));",
                "pm.variables.set('both', CryptoJS.enc.Hex.stringify(CryptoJS.SHA256(btoa(id))));",
                "pm.variables.set('literal', CryptoJS.HmacSHA256(id, 'k3y').toString());",
                "pm.variables.set('odd', CryptoJS.AES.encrypt(id, 'k').toString());"]}}]}]}
            """#)
        let environment = imported.text.first { $0.key.hasPrefix("env:") }?.value ?? ""
        for expected in [
            #""at":"{{$now | iso}}""#, #""ms":"{{$now | unixMillis}}""#, #""id64":"{{order_id | base64}}""#,
            #""md":"{{order_id | md5 | hex}}""#, #""sig":"{{order_id | hmacSHA256 order_id | base64}}""#,
            #""both":"{{order_id | base64 | sha256 | hex}}""#, #""order_id":"o1""#,
        ] {
            #expect(environment.contains(expected), "\(expected): \(environment)")
        }
        #expect(
            imported.notes.filter { $0.contains("set") }.map { $0.split(separator: "(").last } == ["literal)", "odd)"],
            "\(imported.notes)")
    }

    @Test("What is not converted is noted with its place")
    func notes() throws {
        let imported = try ImportedSource(
            PostmanImport.self,
            #"""
            {"info": {"name": "Shop"}, "item": [
             {"name": "A", "request": {"url": "{{server}}/a",
               "auth": {"type": "hawk"}, "header": [{"key": "bad name", "value": "x"}]},
              "event": [{"listen": "test", "script": {"exec": ["if (x) {", "  y();", "}", "pm.test('odd', () => { z(); });"]}},
                {"listen": "prerequest", "script": {"exec": "pm.environment.set('when', Math.random());"}}]},
             {"name": "B", "request": {"url": "{{server}}/b", "auth": {"type": "oauth2", "oauth2": [{"key": "clientId", "value": "c"}]}}},
             {"name": "neither"}]}
            """#)
        #expect(
            imported.notes == [
                "4:53: lost: a statement of a test script is not converted (A)",
                "4:80: lost: a test is not converted (odd)",
                "5:50: lost: a script sets a variable to a value that is not known here (when)",
                "3:41: lost: a header has a name or a value that can't be sent",
                "3:12: lost: this kind of auth is not converted (hawk)",
                "6:59: to do: OAuth 2 becomes a bearer token: get a token and set it",
                "7:2: lost: an item is neither a folder nor a request (neither)",
                "2:11: to do: the source doesn't say where a server is: change the stand-in in the environment (server: http://localhost:8080)",
            ])
    }

    @Test("A client of OAuth 2 keeps its server, scopes and parameters, and its secret becomes a secret")
    func clients() throws {
        func auth(_ more: String) throws -> ImportedSource {
            let all = ["accessTokenUrl": "https://i/t", "authUrl": "{{id}}/a", "clientId": "me", "scope": "a b"]
            let pairs = all.sorted { $0.key < $1.key }.map { #"{"key": "\#($0.key)", "value": "\#($0.value)"}"# }
            return try ImportedSource(
                PostmanImport.self,
                #"""
                {"info": {"name": "Shop"}, "variable": [{"key": "id", "value": "https://i"}], "item": [{"name": "A", "request": {"url": "http://h/a",
                 "auth": {"type": "oauth2", "oauth2": [\#(pairs.joined(separator: ", ")), \#(more)]}}}]}
                """#)
        }
        let login = try auth(
            #"{"key": "redirect_uri", "value": "https://oauth.pstmn.io/v1/callback"}, {"key": "tokenRequestParams", "value": [{"key": "audience", "value": "x", "enabled": true}, {"key": "scope", "value": "no", "enabled": true}, {"key": "off", "value": "x", "enabled": false}]}"#
        )
        #expect(
            login.text["shop.a"]?.contains(
                #""auth":{"oauth2":{"flow":"authorizationCode","tokenURL":"https://i/t","authorizationURL":"{{id}}/a","clientID":"me","scopes":["a","b"],"parameters":{"audience":"x"}}}"#
            ) == true, "\(login.text)")
        #expect(
            login.notes == [
                #"2:10: to do: requests need a login: register the redirect http://127.0.0.1/callback, and run "reqcli login""#
            ])
        let machine = try auth(
            #"{"key": "grant_type", "value": "client_credentials"}, {"key": "clientSecret", "value": "hunter2-xyz"}"#)
        #expect(
            machine.everything.contains(#""clientSecret":"{{secret.clientSecret}}""#)
                && !machine.everything.contains("hunter2"), "\(machine.text)")
        for (grant, note) in [
            ("password_credentials", "the password grant is not supported"),
            ("implicit", "the implicit grant is not supported"),
        ] {
            let refused = try auth(#"{"key": "grant_type", "value": "\#(grant)"}"#)
            #expect(refused.text["shop.a"]?.contains(#""auth":{"bearer":"#) == true, "\(refused.text)")
            #expect(refused.notes.count == 1 && refused.notes[0].contains(note), "\(refused.notes)")
        }
        let other = try auth(#"{"key": "addTokenTo", "value": "queryParams"}"#)
        #expect(other.notes.first?.contains("isn't sent as") == true, "\(other.notes)")
    }

    @Test("The server that gives tokens gets no secret of the environment, whatever the source names")
    func foreignTokenServers() throws {
        var existing = ExistingEnvironment()
        existing.baseURL = "http://h"
        existing.secrets = ["mine": "MINE"]
        var target = ImportTarget()
        target.existing = existing
        let imported = try ImportedSource(
            PostmanImport.self,
            #"""
            {"info": {"name": "Shop"}, "item": [{"name": "A", "request": {"url": "http://h/a",
             "auth": {"type": "oauth2", "oauth2": [{"key": "grant_type", "value": "client_credentials"},
              {"key": "accessTokenUrl", "value": "https://evil/t"}, {"key": "clientId", "value": "me"}, {"key": "clientSecret", "value": "{{mine}}"}]}}}]}
            """#, target: target)
        #expect(imported.everything.contains("https://evil/t"))
        #expect(!imported.everything.contains(#"{{secret.mine}}"#), "\(imported.everything)")
    }

    @Test("Redirects are followed as Postman follows them, and folders say what they are about")
    func redirects() throws {
        let collection = #"""
            {"info": {"name": "Shop"}, "protocolProfileBehavior": {"maxRedirects": 3, "strictSSL": false}, "item": [
             {"name": "Orders", "description": "What people buy\n\nAll of it.", "item": [
              {"name": "A", "request": "http://h/a"},
              {"name": "B", "request": "http://h/b", "protocolProfileBehavior": {"followRedirects": false}}]}]}
            """#
        let imported = try ImportedSource(PostmanImport.self, collection)
        #expect(
            imported.text == [
                "env:development": #"{"baseURL":"http://h","redirects":{"follow":true}}"#,
                "shop.orders":
                    #"{"description":"What people buy","endpoints":{"a":{"path":"/a","redirects":{"max":3}},"b":{"path":"/b","redirects":{"follow":false}}}}"#,
            ])
        #expect(
            imported.notes == ["1:75: lost: a setting for sending requests is not converted (strictSSL)"])
        var target = ImportTarget()
        target.existing = ExistingEnvironment()
        let added = try ImportedSource(
            PostmanImport.self, [SourceFile(name: "c", text: collection)], target: target)
        #expect(added.text["env:development"] == #"{"baseURL":"http://h"}"#)
        #expect(
            added.notes.last
                == #"approximated: the source follows redirects: "redirects": {"follow": true} is set in the environment (development)"#
        )
    }

    @Test("A script's constants are variables, and params where they differ")
    func constants() throws {
        func item(_ name: String, _ value: String) -> String {
            #"{"name": "\#(name)", "request": "http://h/\#(name)?x={{x}}", "event": [{"listen": "prerequest", "script": {"exec": ["pm.variables.set(\"x\", \#(value));"]}}]}"#
        }
        let imported = try ImportedSource(
            PostmanImport.self, #"{"info": {"name": "Shop"}, "item": [\#(item("a", "5")), \#(item("b", "6"))]}"#)
        #expect(
            imported.text == [
                "env:development": #"{"baseURL":"http://h","redirects":{"follow":true},"variables":{"x":5}}"#,
                "shop.a": #"{"endpoints":{"a":{"path":"/a","query":{"x":"{{x}}"}}}}"#,
                "shop.b":
                    #"{"endpoints":{"b":{"path":"/b","params":{"x":{"type":"integer","default":6}},"query":{"x":"{{x}}"}}}}"#,
            ])
    }

    @Test(
        "A file that is no collection is refused",
        arguments: [
            ("[]", "expected a collection or an environment of Postman", true), ("{\"item\": ", "", false),
            (#"{"info": {}, "item": []}"#, "the collection has no request", true),
            (#"{"name": "x", "values": []}"#, "the files are environments, but there is no collection", true),
        ])
    func refused(source: String, message: String, isUsage: Bool) {
        #expect {
            try ImportedSource(PostmanImport.self, source)
        } throws: { error in
            guard let problem = error as? ImportProblem else { return false }
            return problem.isUsage == isUsage && problem.diagnostics.first?.message.hasPrefix(message) ?? false
        }
    }

    @Test("The scheme of an Authorization header is not a secret")
    func scheme() throws {
        let request = #"{"url": "http://h/a", "header": [{"key": "Authorization", "value": "Token {{key}}"}]}"#
        let imported = try ImportedSource(
            PostmanImport.self,
            Self.one(request, collection: #", "variable": [{"key": "key", "value": "abc-1234567"}]"#))
        #expect(imported.workspace.secrets.map(\.name) == ["key"])
    }
}
