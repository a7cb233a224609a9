import TestSupport
import Testing

@Suite("Credentials of imports, and the endpoints that are not of the import")
struct ImportCredentialTests {
    private static func shop(_ paths: String = orders, scheme: String = "type: http, scheme: bearer") -> String {
        """
        openapi: 3.1.0
        info: { title: Shop, version: 1.0.0 }
        servers: [ { url: 'https://api.shop.example/v1' } ]
        components: { securitySchemes: { a: { \(scheme) }, b: { type: http, scheme: basic } } }
        security: [ { a: [] } ]
        paths:
        \(paths)
        """
    }

    private static let orders = """
          /orders:
            get: { operationId: orders/list, tags: [orders], responses: { 200: { description: ok } } }
            post: { operationId: orders/create, tags: [orders], responses: { 201: { description: ok } } }
          /users:
            get: { operationId: users/list, tags: [users], responses: { 200: { description: ok } } }
        """

    private static let withBasic =
        orders + """

              /login:
                get: { operationId: login/get, tags: [login], security: [ { b: [] } ], responses: { 200: { description: ok } } }
            """

    private static let postman = """
        {"info": {"name": "Shop"}, "item": [
          {"name": "a", "item": [{"name": "list", "request": {"url": "https://api.shop.example/a", "header": \
        [{"key": "X-Api-Key", "value": "named-secret-1"}]}}]},
          {"name": "b", "item": [{"name": "list", "request": {"url": "https://api.shop.example/b", "header": \
        [{"key": "X-Api-Key", "value": "named-secret-1"}]}}]}]}
        """

    private static let mine = #"{ "endpoints": { "other": { "baseURL": "https://mine.example", "path": "/" } } }"#

    private static func render(_ id: String, _ files: MemoryFiles, _ environment: String = "development") async
        -> String
    {
        let variables = [
            "SHOP_TOKEN": "token", "SHOP_USER": "u", "SHOP_PASSWORD": "p", "SHOP_API_KEY": "key",
            "SHOP_X_API_KEY": "key",
            "SHOP_XAPI_KEY": "key", "SHOP_KEY": "key",
        ]
        let run = await reqcli("render", id, "--env", environment, files: files, variables: variables)
        #expect(run.status == 0, "\(run)")
        return run.output.lowercased()
    }

    private static func sendsCredential(_ request: String) -> Bool {
        ["authorization", "x-api-key", "x-key", "--user", "--oauth2-bearer"].contains { request.contains($0) }
    }

    @Test(
        "An environment with credentials and no server sends them to no server that a source names",
        arguments: [
            #"{ "auth": { "bearer": "{{secret.own}}" }, "secrets": { "own": { "env": "OWN" } } }"#,
            #"{ "headers": { "X-Own": "{{secret.own}}" }, "secrets": { "own": { "env": "OWN" } } }"#,
            #"{ "query": { "q": "{{secret.own}}" }, "secrets": { "own": { "env": "OWN" } } }"#,
        ])
    func environmentWithoutServer(_ environment: String) async {
        let sources = [
            ("openapi", Self.shop(), "shop.users.list"), ("postman", Self.postman, "shop.a.list"),
            ("curl", "curl https://api.shop.example/things", "things.list"),
        ]
        for (format, source, id) in sources {
            let files = MemoryFiles([
                "reqcli.json": "{}", "shop": source, "environments/development.json": environment,
                "endpoints/mine.json": Self.mine,
            ])
            let run = await reqcli("import", format, "shop", files: files)
            #expect(run.status == 0, "\(run)")
            #expect(!(files.texts["/work/environments/development.json"] ?? "").contains("baseURL"))
            let rendered = await reqcli(
                "render", id, "--reveal", files: files,
                variables: ["OWN": "own-s3cret", "SHOP_TOKEN": "t", "SHOP_X_API_KEY": "k", "SHOP_API_KEY": "k"])
            #expect(rendered.status == 0 && !rendered.output.contains("own-s3cret"), "\(rendered) \(files.texts)")
        }
    }

    // MARK: Servers that a source names

    private static let own = #""baseURL": "https://mine.example", "secrets": { "own": { "env": "OWN" } }"#

    /// A workspace whose files have the secret `own`, and words of `import` for a source with another server.
    private static let foreign: [(name: String, files: [String: String], words: [String])] = [
        (
            "the auth and a header of another environment",
            [
                "environments/staging.json":
                    #"{ \#(own), "auth": { "bearer": "{{secret.own}}" }, "headers": { "X-A": "{{secret.own}}" } }"#
            ], ["--", "curl", "https://api.shop.example/things"]
        ),
        (
            "a query item beside those of a group",
            [
                "environments/development.json": #"{ \#(own), "query": { "q": "{{secret.own}}" } }"#,
                "a": "curl 'https://api.shop.example/a/1?page=1'\ncurl 'https://api.shop.example/a/2/x?page=1'",
            ], ["a"]
        ),
        (
            "a variable with a secret in a header",
            [
                "environments/development.json":
                    #"{ \#(own), "variables": { "u": "{{t}}", "t": "a{{secret.own}}" }, "headers": { "X-A": "{{u}}" } }"#
            ], ["--", "curl", "https://api.shop.example/things"]
        ),
        (
            "the defaults of a group",
            [
                "environments/development.json": #"{ \#(own), "variables": { "t": "{{secret.own}}" } }"#,
                "endpoints/things.json": #"""
                { "defaults": { "auth": { "bearer": "{{secret.own}}" }, "headers": { "X-A": "{{t}}" }, "query": { "q": "{{secret.own}}" } },
                  "endpoints": { "mine": { "path": "/" } } }
                """#,
            ], ["--", "curl", "https://api.shop.example/things?a=1"]
        ),
        (
            "the defaults of a group, for several endpoints",
            [
                "environments/development.json": #"{ \#(own) }"#,
                "endpoints/things.json":
                    #"{ "defaults": { "auth": { "bearer": "{{secret.own}}" } }, "endpoints": { "mine": { "path": "/" } } }"#,
                "a":
                    "curl 'https://api.shop.example/things/1?page=1'\ncurl 'https://api.shop.example/things/2/x?page=1'",
            ], ["a"]
        ),
    ]

    @Test("No secret of the workspace goes to a server that a source names", arguments: foreign.indices)
    func foreignServers(_ index: Int) async {
        let (name, start, words) = Self.foreign[index]
        var files = MemoryFiles(start.merging(["reqcli.json": "{}"]) { $1 })
        if start["environments/development.json"] == nil {
            files = MemoryFiles(
                start.merging(["reqcli.json": "{}", "environments/development.json": "{ \(Self.own) }"]) { $1 })
        }
        await Self.expectNoSecret(of: files, words, name)
    }

    @Test(
        "A name in a source stands for no secret of the workspace at another server",
        arguments: ["own", "secret.own", "t", "u"])
    func names(_ name: String) async {
        let environment = #"{ \#(Self.own), "variables": { "u": "{{t}}", "t": "a{{secret.own}}" } }"#
        let sources = [
            "c.json":
                #"{"info": {"name": "Shop"}, "variable": [{"key": "v", "value": "{{\#(name)}}"}], "item": ["#
                + [
                    #"{"url": "https://api.shop.example/a", "header": [{"key": "Authorization", "value": "Bearer {{\#(name)}}"}]}"#,
                    #"{"url": "https://api.shop.example/b?q={{\#(name)}}", "header": [{"key": "X-A", "value": "{{\#(name)}}"}]}"#,
                    #"{"url": "https://{{\#(name)}}.example/c"}"#, #"{"url": "https://api.shop.example/d?v={{v}}"}"#,
                ].map { #"{"name": "x", "request": \#($0)}"# }.joined(separator: ", ") + "]}",
            "a.hurl":
                "GET https://api.shop.example/a\nAuthorization: Bearer {{\(name)}}\nGET https://api.shop.example/b\nX-A: {{\(name)}}\n",
            "a.http":
                "GET https://api.shop.example/a\nAuthorization: Bearer {{\(name)}}\n###\nGET https://api.shop.example/b\nX-A: {{\(name)}}\n",
            "i.json": #"{"_type": "export", "resources": ["#
                + [
                    #""url": "https://api.shop.example/a", "headers": [{"name": "Authorization", "value": "Bearer {{ _.\#(name) }}"}]"#,
                    #""url": "https://api.shop.example/b?q={{ \#(name) }}", "authentication": {"type": "bearer", "token": "{{ \#(name) }}"}"#,
                ].map { #"{"_type": "request", "name": "x", \#($0)}"# }.joined(separator: ", ") + "]}",
            "x.request.yaml":
                "$kind: http-request\nurl: https://api.shop.example/a?q={{\(name)}}\nheaders: { Authorization: 'Bearer {{\(name)}}' }\n",
            "a.bru":
                "meta {\n  name: x\n}\nget {\n  url: https://api.shop.example/a\n}\nheaders {\n  X-A: {{\(name)}}\n  Authorization: Bearer {{\(name)}}\n}\n",
        ]
        for (source, text) in sources {
            let files = MemoryFiles([
                "reqcli.json": "{}", "environments/development.json": environment, source: text,
            ])
            await Self.expectNoSecret(of: files, [source], source)
        }
        // At the server of the environment, a name means what the environment has.
        let files = MemoryFiles([
            "reqcli.json": "{}", "environments/development.json": environment,
            "a.hurl": "GET https://mine.example/a\nAuthorization: Bearer {{\(name)}}\n",
        ])
        #expect(await reqcli("import", "a.hurl", files: files).status == 0)
        if name != "secret.own" {
            let run = await reqcli("render", "a.a", "--reveal", files: files, variables: ["OWN": "own-s3cret"])
            #expect(run.output.contains("own-s3cret"), "\(run)")
        }
    }

    private static func expectNoSecret(of files: MemoryFiles, _ words: [String], _ name: String) async {
        let run = await reqcli(["import"] + words, files: files)
        #expect(run.status == 0, "\(name): \(run)")
        let list = await reqcli("list", files: files).output.split(separator: "\n")
        let ids = list.compactMap { $0.split(separator: " ").first.map(String.init) }.filter { !$0.hasSuffix("mine") }
        #expect(!ids.isEmpty)
        let environments = files.texts.keys.filter { $0.hasPrefix("/work/environments/") }.map {
            String($0.dropFirst("/work/environments/".count).dropLast(".json".count))
        }
        for id in ids {
            for environment in environments {
                let text = files.texts.values.joined()
                let variables = Dictionary(
                    text.split(separator: "\"").filter { $0.hasPrefix("SHOP_") || $0.hasPrefix("B_") }.map {
                        (String($0), "value")
                    }, uniquingKeysWith: { first, _ in first })
                let run = await reqcli(
                    "render", id, "--env", environment, "--reveal", files: files,
                    variables: variables.merging(["OWN": "own-s3cret"]) { $1 })
                #expect(!run.output.contains("own-s3cret"), "\(name): \(run)")
                #expect(run.status == 0 || run.messages.contains("--help") || run.messages.contains("param"), "\(run)")
            }
        }
    }

    @Test("A group with a server of its own takes no endpoints of another one")
    func groupServer() async {
        let group = #"{ "defaults": { "baseURL": "https://other.example" }, "endpoints": { "mine": { "path": "/" } } }"#
        let start = [
            "reqcli.json": "{}", "environments/development.json": "{ \(Self.own) }", "endpoints/things.json": group,
        ]
        for words in [["--"], ["--as", "things.get", "--"]] {
            let files = MemoryFiles(start)
            let run = await reqcli(["import"] + words + ["curl", "https://mine.example/things"], files: files)
            #expect(run.status == 2 && run.messages.contains("things.json:1:17: error: \"baseURL\""), "\(run)")
            #expect(files.texts["/work/endpoints/things.json"] == group)
        }
        let files = MemoryFiles(start)
        #expect(await reqcli("import", "--", "curl", "https://other.example/things", files: files).status == 0)
    }

    @Test("A secret in a query that is one text goes to no server of a source: the import is refused")
    func queryText() async {
        let environment = #"{ \#(Self.own), "query": "q={{secret.own}}" }"#
        let files = MemoryFiles(["reqcli.json": "{}", "environments/development.json": environment])
        let run = await reqcli("import", "--", "curl", "https://api.shop.example/things?a=1", files: files)
        #expect(run.status == 2 && run.messages.contains("https://api.shop.example"), "\(run)")
        #expect(files.texts.count == 2)
        #expect(await reqcli("import", "--", "curl", "https://mine.example/things", files: files).status == 0)
    }

    @Test(
        "An endpoint that was there sends no credential of an import",
        arguments: [
            ("openapi", shop(), #"{ "baseURL": "https://api.shop.example/v1" }"#, true),
            ("openapi", shop(), nil, true),
            ("openapi", shop(), nil, false),
            ("openapi", shop(scheme: "type: apiKey, in: header, name: X-Key"), nil, true),
            ("postman", postman, nil, true),
        ])
    func othersAreLeftAlone(_ format: String, _ source: String, _ environment: String?, hasOther: Bool) async {
        var start = ["reqcli.json": "{}", "shop": source]
        start["environments/development.json"] = environment
        if hasOther { start["endpoints/mine.json"] = Self.mine }
        let files = MemoryFiles(start)
        let run = await reqcli("import", format, "shop", files: files)
        #expect(run.status == 0, "\(run)")
        let own = format == "openapi" ? "shop.users.list" : "shop.a.list"
        #expect(Self.sendsCredential(await Self.render(own, files)), "\(files.texts)")
        let written = files.texts["/work/environments/development.json"] ?? ""
        if hasOther {
            #expect(!Self.sendsCredential(await Self.render("mine.other", files)))
        } else {
            #expect(written.contains(#""auth""#))
        }
    }

    @Test("An environment that another server brings gets no credential where one exists already")
    func secondEnvironment() async {
        let source = Self.shop().replacing(
            "[ { url: 'https://api.shop.example/v1' } ]",
            with:
                "[ { url: 'https://p.example', description: prod }, { url: 'https://s.example', description: staging } ]"
        )
        let staging = #"{ "baseURL": "https://s.example" }"#
        let files = MemoryFiles(["reqcli.json": "{}", "shop": source, "environments/staging.json": staging])
        let run = await reqcli("import", "openapi", "shop", files: files)
        #expect(run.status == 0, "\(run)")
        #expect(files.texts["/work/environments/staging.json"]?.contains(#""auth""#) == false)
        for name in ["prod", "staging"] {
            #expect(Self.sendsCredential(await Self.render("shop.users.list", files, name)))
        }
    }

    @Test("An update moves no credential to an environment", arguments: [false, true])
    func update(isMineFirst: Bool) async throws {
        let files = MemoryFiles(["reqcli.json": "{}", "shop.yaml": Self.shop(Self.withBasic)])
        if isMineFirst { try files.write(.text(Self.mine), at: "/work/endpoints/mine.json") }
        #expect(await reqcli("import", "openapi", "shop.yaml", files: files).status == 0)
        try files.write(.text(Self.mine), at: "/work/endpoints/mine.json")
        let before = files.texts["/work/environments/development.json"]
        let again = await reqcli("import", "--update", files: files)
        #expect(again.output.contains("nothing to change"), "\(again)")

        try files.write(.text(Self.shop()), at: "/work/shop.yaml")
        #expect(await reqcli("import", "--update", files: files).status == 0)
        #expect(files.texts["/work/environments/development.json"] == before)
        let basic = Self.shop(scheme: "type: http, scheme: basic")
        try files.write(.text(basic), at: "/work/shop.yaml")
        let run = await reqcli("import", "--update", files: files)
        #expect(run.status == 0, "\(run)")
        let written = files.texts["/work/environments/development.json"] ?? ""
        #expect(!written.contains(#""basic""#))
        #expect(await Self.render("shop.users.list", files).contains("-u "))
        #expect(await reqcli("import", "--update", files: files).output.contains("nothing to change"))
    }
}
