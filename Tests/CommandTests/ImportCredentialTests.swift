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
