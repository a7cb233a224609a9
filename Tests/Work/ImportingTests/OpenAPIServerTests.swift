import Importing
import ReqcliDefinitions
import ReqcliText
import Testing

@Suite("Servers and credentials of an OpenAPI description")
struct OpenAPIServerTests {
    private func files(_ head: String, _ operation: String = "{}", url: String? = nil) throws -> [String: String] {
        try ImportedOpenAPI.run(
            "openapi: 3.0.0\ninfo: { title: Shop API }\n\(head)\npaths: { /a: { get: \(operation) } }", url: url
        ).text
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let head: String
        let url: String?
        let files: [String: String]

        init(_ description: String, _ head: String, url: String? = nil, _ files: [String: String]) {
            testDescription = description
            self.head = head
            self.url = url
            self.files = files
        }
    }

    static let serverCases = [
        Case(
            "one server", "servers: [ { url: 'https://shop.example/v1/' } ]",
            [
                "env:development": #"{"baseURL":"https://shop.example/v1"}"#,
                "shop.a": #"{"endpoints":{"list":{"path":"a","expect":{"status":"2xx"}}}}"#,
            ]),
        Case(
            "a host without a scheme", "servers: [ { url: 'localhost:3000/v1' } ]",
            [
                "env:development": #"{"baseURL":"http://localhost:3000/v1"}"#,
                "shop.a": #"{"endpoints":{"list":{"path":"a","expect":{"status":"2xx"}}}}"#,
            ]),
        Case(
            "several, named by their descriptions or hosts",
            "servers: [ { url: https://a.example, description: The production server }, { url: https://api.sandbox.example }, { url: https://eu.shop.example } ]",
            [
                "env:production": #"{"description":"The production server","baseURL":"https://a.example"}"#,
                "env:sandbox": #"{"baseURL":"https://api.sandbox.example"}"#,
                "env:eu-shop": #"{"baseURL":"https://eu.shop.example"}"#,
                "shop.a": #"{"endpoints":{"list":{"path":"/a","expect":{"status":"2xx"}}}}"#,
            ]),
        Case(
            "variables",
            "servers: [ { url: 'https://{region}.shop.example/{v}', variables: { region: { default: eu }, v: { default: v2 } } } ]",
            [
                "env:development":
                    #"{"baseURL":"https://{{region}}.shop.example/{{v}}","variables":{"region":"eu","v":"v2"}}"#,
                "shop.a": #"{"endpoints":{"list":{"path":"a","expect":{"status":"2xx"}}}}"#,
            ]),
        Case(
            "a relative server, against the source's URL", "servers: [ { url: ../v2 } ]",
            url: "https://docs.example/api/spec/openapi.yaml",
            [
                "env:development": #"{"baseURL":"https://docs.example/api/v2"}"#,
                "shop.a": #"{"endpoints":{"list":{"path":"a","expect":{"status":"2xx"}}}}"#,
            ]),
    ]

    @Test("Servers become environments", arguments: serverCases)
    func servers(_ example: Case) throws {
        #expect(try files(example.head, url: example.url) == example.files)
    }

    @Test("Without a host, a note says that one has to be set")
    func noHost() throws {
        let made = try ImportedOpenAPI.run("openapi: 3.0.0\nservers: [ { url: /v1 } ]\npaths: { /a: { get: {} } }")
        #expect(made.text["env:development"] == #"{"baseURL":"http://localhost:8080/v1"}"#)
        #expect(
            made.notes.map(\.shown) == [#"2:19 to do: the description names no host: set "baseURL" (/v1)"#])
    }

    @Test("A server that is a placeholder of another tool stands for none", arguments: ["{{baseUrl}}", "{{baseUrl}}/"])
    func placeholder(_ url: String) throws {
        let made = try ImportedOpenAPI.run("openapi: 3.0.0\nservers: [ { url: '\(url)' } ]\npaths: { /a: { get: {} } }")
        #expect(made.text["env:development"] == #"{"baseURL":"http://localhost:8080"}"#)
        #expect(made.notes.first?.kind == .toDo)
        #expect(made.notes.first?.message == "the description names no host: set \"baseURL\"")
    }

    static let duplicates = [
        "openapi: 3.0.0\npaths:\n  /a: { get: {} }\n  /a: { get: {} }",
        #"{"openapi": "3.0.0", "paths": {"/a": {"get": {}}, "/a": {"get": {}}}}"#,
    ]

    @Test("A key that is there twice is noted with its place", arguments: duplicates)
    func duplicateKey(_ text: String) throws {
        let made = try ImportedOpenAPI.run(text)
        let notes = made.notes.map(\.shown).filter { $0.contains("twice") }
        #expect(notes.count == 1)
        #expect(notes.first?.contains("remark: the key \"/a\" occurs twice; the last one counts") == true)
    }

    @Test("The server of an operation is its own base")
    func ownServer() throws {
        let made = try files(
            "servers: [ { url: https://shop.example/v1 } ]", "{ servers: [ { url: https://files.example/v2 } ] }")
        #expect(
            made["shop.a"]
                == #"{"defaults":{"baseURL":"https://files.example/v2","auth":null},"endpoints":{"list":{"path":"a","expect":{"status":"2xx"}}}}"#
        )
    }

    @Test("An environment that exists keeps its server and its credentials")
    func existing() throws {
        var target = ImportTarget()
        var existing = ExistingEnvironment()
        existing.baseURL = "https://other.example"
        existing.hasAuth = true
        target.existing = existing
        let made = try ImportedOpenAPI.run(
            """
            openapi: 3.0.0
            servers: [ { url: https://shop.example/v1 } ]
            security: [ { key: [] } ]
            paths: { /a: { get: {} }, /b: { get: { security: [] } } }
            components: { securitySchemes: { key: { type: http, scheme: bearer } } }
            """, target: target)
        #expect(
            made.text["a"]
                == #"{"defaults":{"baseURL":"https://shop.example/v1","auth":null},"endpoints":{"list":{"path":"a","auth":{"bearer":"{{secret.token}}"},"expect":{"status":"2xx"}}}}"#
        )
        #expect(
            made.text["b"]
                == #"{"defaults":{"baseURL":"https://shop.example/v1","auth":null},"endpoints":{"list":{"path":"b","expect":{"status":"2xx"}}}}"#
        )
    }

    struct AuthCase: CustomTestStringConvertible {
        let testDescription: String
        let schemes: String
        let security: String
        let environment: String
        let endpoint: String
        let notes: [String]

        init(
            _ description: String, _ schemes: String, _ security: String, _ environment: String,
            _ endpoint: String = "",
            _ notes: String...
        ) {
            testDescription = description
            self.schemes = schemes
            self.security = security
            self.environment = environment
            self.endpoint = endpoint
            self.notes = notes
        }
    }

    static let authCases = [
        AuthCase(
            "a bearer token", "t: { type: http, scheme: bearer }", "[ { t: [] } ]",
            #","auth":{"bearer":"{{secret.token}}"},"secrets":{"token":{"env":"SHOP_TOKEN"}}"#),
        AuthCase(
            "an account", "t: { type: http, scheme: Basic }", "[ { t: [] } ]",
            #","auth":{"basic":{"user":"{{secret.user}}","password":"{{secret.password}}"}},"secrets":{"user":{"env":"SHOP_USER"},"password":{"env":"SHOP_PASSWORD"}}"#
        ),
        AuthCase(
            "keys that belong together",
            "a: { type: apiKey, in: header, name: X-Api-Key }\n  b: { type: apiKey, in: query, name: app }",
            "[ { a: [], b: [] } ]", #","secrets":{"app":{"env":"SHOP_APP"},"apiKey":{"env":"SHOP_API_KEY"}}"#,
            #""query":{"app":"{{secret.app}}"},"auth":{"apiKey":{"header":"X-Api-Key","value":"{{secret.apiKey}}"}},"#),
        AuthCase(
            "of alternatives, the first that can be done",
            "o: { type: oauth2, flows: {} }\n  k: { type: http, scheme: digest }", "[ { o: [] }, { k: [] } ]",
            #","auth":{"digest":{"user":"{{secret.user}}","password":"{{secret.password}}"}},"secrets":{"user":{"env":"SHOP_USER"},"password":{"env":"SHOP_PASSWORD"}}"#
        ),
        AuthCase(
            "a scheme without flows is a token", "o: { type: oauth2, flows: {} }", "[ { o: [] } ]",
            #","auth":{"bearer":"{{secret.token}}"},"secrets":{"token":{"env":"SHOP_TOKEN"}}"#, "",
            "7:6 to do: OAuth 2 becomes a bearer token: get a token and set it (o)"),
        AuthCase(
            "a client with a secret",
            "o: { type: oauth2, flows: { implicit: { authorizationUrl: https://i/a }, clientCredentials: { tokenUrl: https://i/t, scopes: { r: x, w: y } } } }",
            "[ { o: [ r ] } ]",
            #","auth":{"oauth2":{"flow":"clientCredentials","tokenURL":"https://i/t","clientID":"{{secret.clientId}}","clientSecret":"{{secret.clientSecret}}","scopes":["r"]}},"secrets":{"clientId":{"env":"SHOP_CLIENT_ID"},"clientSecret":{"env":"SHOP_CLIENT_SECRET"}}"#
        ),
        AuthCase(
            "OpenID Connect",
            "o: { type: openIdConnect, openIdConnectUrl: 'https://i/x/.well-known/openid-configuration' }",
            "[ { o: [] } ]",
            #","auth":{"oauth2":{"flow":"authorizationCode","issuer":"https://i/x","clientID":"{{secret.clientId}}"}},"secrets":{"clientId":{"env":"SHOP_CLIENT_ID"}}"#,
            "",
            #"7:6 to do: requests need a login: register the redirect http://127.0.0.1/callback, and run "reqcli login", or choose another flow (o)"#
        ),
        AuthCase(
            "a grant that is not supported", "o: { type: oauth2, flows: { password: { tokenUrl: https://i/t } } }",
            "[ { o: [] } ]",
            #","auth":{"bearer":"{{secret.token}}"},"secrets":{"token":{"env":"SHOP_TOKEN"}}"#, "",
            "7:6 to do: the password grant is not supported: set a token, or get it in an endpoint that others name in \"needs\" (o)"
        ),
        AuthCase(
            "a token URL without https",
            "o: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'http://i/t' } } }", "[ { o: [] } ]",
            #","auth":{"bearer":"{{secret.token}}"},"secrets":{"token":{"env":"SHOP_TOKEN"}}"#, "",
            "7:6 to do: the token URL is not https, so OAuth 2 becomes a bearer token: get a token and set it (o)"),
        AuthCase(
            "a cookie", "c: { type: apiKey, in: cookie, name: sid }", "[ { c: [] } ]",
            #","secrets":{"cookie":{"env":"SHOP_SID"}}"#, #""headers":{"Cookie":"sid={{secret.cookie}}"},"#),
        AuthCase("none", "c: { type: http, scheme: bearer }", "[]", ""),
    ]

    @Test("Credentials become secrets", arguments: authCases)
    func credentials(_ example: AuthCase) throws {
        let made = try ImportedOpenAPI.run(
            """
            openapi: 3.0.0
            info: { title: Shop API }
            servers: [ { url: https://shop.example } ]
            security: \(example.security)
            paths: { /a: { get: {} } }
            components: { securitySchemes: {
              \(example.schemes.replacing("\n", with: ",\n")) } }
            """)
        #expect(made.text["env:development"] == #"{"baseURL":"https://shop.example"\#(example.environment)}"#)
        #expect(
            made.text["shop.a"]
                == #"{"endpoints":{"list":{"path":"/a",\#(example.endpoint)"expect":{"status":"2xx"}}}}"#)
        #expect(made.notes.map(\.shown) == example.notes)
    }
}
