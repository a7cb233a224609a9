import TestSupport
import Testing

/// Values of the user that an import or an update would send to a server of the source.
struct ImportedFlowTests {
    private static func collection(_ items: String...) -> String {
        #"{"info": {"name": "S"}, "item": [\#(items.joined(separator: ", "))]}"#
    }

    private static func item(_ name: String, _ url: String, capturing variable: String? = nil) -> String {
        let script = variable.map { #""pm.collectionVariables.set(\"\#($0)\", pm.response.json().\#($0));""# }
        let event = script.map { #", "event": [{"listen": "test", "script": {"exec": [\#($0)]}}]"# } ?? ""
        return #"{"name": "\#(name)", "request": {"method": "GET", "url": "\#(url)"}\#(event)}"#
    }

    /// The files of a workspace after an import of a collection.
    private static func imported(
        _ collection: String, environment: String = #"{"baseURL": "https://good.example"}"#,
        _ others: [String: String] = [:]
    ) async -> MemoryFiles {
        let start = ["reqcli.json": "{}", "c.json": collection, "environments/development.json": environment]
        let files = MemoryFiles(start.merging(others) { $1 })
        let run = await reqcli("import", "postman", "c.json", "--into", "s", files: files)
        #expect(run.status == 0, "\(run)")
        return files
    }

    /// Updates the import, and expects that nothing is written.
    private static func expectRefusal(
        of collection: String, _ options: String..., files: MemoryFiles, naming message: String,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        try files.write(.text(collection), at: "/work/c.json")
        let before = files.texts
        let update = await reqcli(["import", "--update"] + options, files: files)
        #expect(update.status == 3 && update.messages.contains(message), "\(update)", sourceLocation: location)
        #expect(files.texts == before, sourceLocation: location)
    }

    // MARK: Logging in

    /// A request that sets the token of the collection.
    private static func login(_ name: String, auth: String) -> String {
        #"""
        {"name": "\#(name)", "request": {"method": "POST", "url": "https://h/\#(name)"\#(auth)},
         "event": [{"listen": "test", "script": {"exec": ["pm.collectionVariables.set('token', pm.response.json().token);"]}}]}
        """#
    }

    private static func importedLogin(_ logins: String..., variable: String, isStored: Bool) async -> MemoryFiles {
        let stored = #"[{"key": "url", "value": "https://h"}, \#(variable)]"#
        let collection = #"""
            {"info": {"name": "Shop"}, "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]},
             "item": [\#(logins.joined(separator: ", ")), {"name": "orders", "request": "{{url}}/orders"}],
             "variable": \#(isStored ? stored : "[]")}
            """#
        let files = MemoryFiles([
            "reqcli.json": "{}", "c.json": collection,
            "e.json": #"{"name": "Development", "values": \#(isStored ? "[]" : stored)}"#,
        ])
        let run = await reqcli("import", "c.json", "e.json", files: files)
        #expect(run.status == 0 && !run.messages.contains("for the secret"), "\(run)")
        return files
    }

    static let stored = [
        #"{"key": "token", "value": "", "type": "secret"}"#, #"{"key": "token", "value": ""}"#,
        #"{"key": "token", "value": "eyJhbGciOi-stale-1", "type": "secret"}"#,
        #"{"key": "token", "value": "eyJhbGciOi-stale-1"}"#,
    ]

    @Test("A value that a script has stored does not replace the login", arguments: stored, [false, true])
    func storedToken(variable: String, isInCollection: Bool) async {
        let files = await Self.importedLogin(
            Self.login("login", auth: #", "auth": {"type": "noauth"}"#), variable: variable, isStored: isInCollection)
        let texts = files.texts.filter { !$0.key.hasSuffix("/c.json") && !$0.key.hasSuffix("/e.json") }.values.joined()
        #expect(
            texts.contains(#""needs": { "login": "shop.login.login" }"#) && texts.contains("{{login.token}}"),
            "\(texts)")
        #expect(!texts.contains("secret.token") && !texts.contains("TOKEN") && !texts.contains("stale"), "\(texts)")
        let update = await reqcli("import", "--update", files: files)
        #expect(update.output == "nothing to change\n", "\(update)")
    }

    @Test("Of several requests that set a variable, the one without auth is the login")
    func openLogin() async {
        let files = await Self.importedLogin(
            Self.login("renew", auth: ""), Self.login("login", auth: #", "auth": {"type": "noauth"}"#),
            variable: Self.stored[0], isStored: false)
        let texts = files.texts.values.joined()
        #expect(
            texts.contains(#""needs": { "login": "shop.login.login" }"#) && texts.contains("{{login.token}}"),
            "\(texts)")
        #expect(!texts.contains("secret.token"), "\(texts)")
    }

    @Test("A login that sends the value that it sets keeps the stored value, and a note says what to do")
    func needyLogin() async {
        let files = MemoryFiles([
            "reqcli.json": "{}",
            "c.json": #"""
            {"info": {"name": "Shop"}, "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]},
             "item": [\#(Self.login("login", auth: "")), {"name": "orders", "request": "https://h/orders"}],
             "variable": [{"key": "token", "value": "eyJhbGciOi-stale-1"}]}
            """#,
        ])
        let run = await reqcli("import", "c.json", files: files)
        #expect(run.status == 0 && run.messages.contains("docs/how-to/log-in.md"), "\(run)")
        #expect(files.texts.values.contains { $0.contains("{{secret.token}}") })
    }

    // MARK: Servers

    @Test("A need of a newer source passes no param of the user to another server")
    func param() async throws {
        let other = Self.item("l", "http://other.example/l?q={{ref}}")
        let files = await Self.imported(Self.collection(Self.item("a", "https://good.example/a"), other))
        try files.write(
            .text(
                #"""
                {"endpoints": {"a": {"path": "/a", "params": {"ref": {"type": "string"}}, "query": {"ref": "{{ref}}"}}}}
                """#), at: "/work/endpoints/s/a.json")
        let newer = Self.collection(
            Self.item("a", "https://good.example/a?t={{tk}}"),
            Self.item("l", "http://other.example/l?q={{ref}}", capturing: "tk"))
        let message = #"would send the param "ref" of s.a.a to http://other.example"#
        try await Self.expectRefusal(of: newer, files: files, naming: message)
        try await Self.expectRefusal(of: newer, "--new-servers", files: files, naming: message)
    }

    @Test("A newer source passes a param of its own to another server only if the user agrees")
    func importedParam() async throws {
        let other = Self.item("l", "http://other.example/l?q={{ref}}")
        let files = await Self.imported(
            Self.collection(Self.item("a", "https://good.example/a?ref={{ref}}"), other))
        let newer = Self.collection(
            Self.item("a", "https://good.example/a?ref={{ref}}&t={{tk}}"),
            Self.item("l", "http://other.example/l?q={{ref}}", capturing: "tk"))
        let message = #"would send the param "ref" of s.a.a to http://other.example"#
        try await Self.expectRefusal(of: newer, files: files, naming: message)
        let agreed = await reqcli("import", "--update", "--new-servers", files: files)
        #expect(agreed.status == 0, "\(agreed)")
    }

    @Test("A newer source gets no value that an endpoint of the user captures")
    func capture() async throws {
        let files = await Self.imported(Self.collection(Self.item("l", "http://other.example/l")))
        let own = #"{"endpoints": {"login": {"path": "/login", "capture": {"tk": {"json": "$.tk"}}}}}"#
        try files.write(.text(own), at: "/work/endpoints/s/login.json")
        let newer = Self.collection(
            Self.item("l", "http://other.example/l?t={{tk}}"),
            Self.item("login", "http://other.example/login", capturing: "tk"))
        let message = #"would send the value "tk" that s.login.login captures to http://other.example"#
        try await Self.expectRefusal(of: newer, files: files, naming: message)
        try await Self.expectRefusal(of: newer, "--new-servers", files: files, naming: message)
    }

    @Test("A variable of a source doesn't complete the server of an endpoint of the user")
    func openServer() async throws {
        let files = MemoryFiles([
            "reqcli.json": "{}", "s.http": "@partner = other.example\n\nGET https://{{partner}}/a\n",
            "environments/development.json":
                #"{"baseURL": "https://good.example", "secrets": {"own": {"env": "OWN"}}}"#,
            "endpoints/own.json":
                #"{"baseURL": "https://{{partner}}", "path": "/p", "auth": {"bearer": "{{secret.own}}"}}"#,
        ])
        let before = files.texts
        let run = await reqcli("import", "http", "s.http", files: files)
        #expect(
            run.status == 3 && run.messages.contains("would send the value of OWN to https://other.example"), "\(run)")
        #expect(files.texts == before)
    }

    @Test("A variable that another import has written isn't the user's choice of a server")
    func variableOfImport() async {
        let files = MemoryFiles([
            "reqcli.json": "{}", "one.http": "@api = http://other.example\n\nGET https://good.example/a?u={{api}}\n",
            "two.http": "GET {{api}}/b\nX-Key: {{key}}\n",
            "environments/development.json": #"""
            {"baseURL": "https://good.example", "variables": {"key": "k{{secret.own}}"},
             "secrets": {"own": {"env": "OWN"}}}
            """#,
        ])
        #expect(await reqcli("import", "http", "one.http", "--as", "one", files: files).status == 0)
        let run = await reqcli("import", "http", "two.http", "--as", "two", files: files)
        let request = await reqcli(
            "render", "two", "--reveal", files: files, variables: ["OWN": "own-secret-of-the-user"])
        #expect(run.status == 0 && !request.output.contains("own-secret"), "\(run) \(request)")
    }

    @Test("A variable of the user chooses the server for the secrets of an environment that has no other server")
    func variableOfUser() async {
        let files = MemoryFiles([
            "reqcli.json": "{}", "s.http": "GET {{api}}/b\nX-Key: {{key}}\n",
            "environments/development.json": #"""
            {"variables": {"api": "https://good.example", "key": "k{{secret.own}}"}, "secrets": {"own": {"env": "OWN"}}}
            """#,
        ])
        let run = await reqcli("import", "http", "s.http", "--as", "one", files: files)
        let request = await reqcli(
            "render", "one", "--reveal", files: files, variables: ["OWN": "own-secret-of-the-user"])
        #expect(run.status == 0 && request.output.contains("own-secret"), "\(run) \(request)")
    }

    @Test("A param of a newer source doesn't choose the server that credentials of the user go to")
    func shadowedServer() async throws {
        func description(_ params: String) -> String {
            #"""
            {"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "x-reqcli": {"version": 1},
             "servers": [{"url": "https://first.example"}], "paths": {"/a": {"get": {"operationId": "a", "x-reqcli":
              {"baseURL": "https://{{host}}", "path": "/a"\#(params)}, "responses": {"200": {"description": "x"}}}}}}
            """#
        }
        let files = MemoryFiles([
            "reqcli.json": "{}", "c.json": description(""),
            "environments/development.json": #"""
            {"baseURL": "https://good.example", "variables": {"host": "good.example"}, "secrets": {"own": {"env": "OWN"}}}
            """#,
        ])
        let run = await reqcli("import", "openapi", "c.json", "--into", "s", files: files)
        #expect(run.status == 0, "\(run)")
        let path = try #require(files.texts.keys.first { $0.hasPrefix("/work/endpoints/s") })
        let text = try #require(files.texts[path]).replacing(
            #""auth": null"#, with: #""auth": { "bearer": "{{secret.own}}" }"#)
        #expect(text.contains("secret.own"), "\(text)")
        try files.write(.text(text), at: path)
        try await Self.expectRefusal(
            of: description(#", "params": {"host": {"type": "string", "default": "other.example"}}"#),
            "--new-servers", files: files, naming: "would send the value of OWN to https://other.example")
    }

    @Test(
        "A query that is text with a credential isn't sent to another server",
        arguments: ["environments/development.json", "endpoints/s.json"])
    func queryText(path: String) async throws {
        let query = #""query": "page=1&api_key=literal-of-the-user-1""#
        var start = [
            "reqcli.json": "{}", "s.http": "GET http://other.example/a\n",
            "environments/development.json": #"{"baseURL": "https://good.example"}"#,
            "endpoints/s.json": #"{"endpoints": {"m": {"path": "/m"}}}"#,
        ]
        start[path] =
            path.hasPrefix("endpoints")
            ? #"{"defaults": {\#(query)}, "endpoints": {"m": {"path": "/m"}}}"#
            : #"{"baseURL": "https://good.example", \#(query)}"#
        let files = MemoryFiles(start)
        let before = files.texts
        let run = await reqcli("import", "http", "s.http", "--as", "s.x", files: files)
        #expect(run.status == 2 && run.messages.contains("would also be sent to another server"), "\(run)")
        #expect(files.texts == before)
    }
}
