import TestSupport
import Testing

/// What `import --update` finds right after an import.
@Suite("An import that is taken over again")
struct ImportUpdateTests {
    private static let collection = #"""
        {"info": {"name": "Shop"}, "item": [{"name": "Orders", "description": "What people buy", "item": [
          {"name": "a", "request": "http://h/a"}, {"name": "b", "request": "http://h/b"}]}]}
        """#

    @Test("A source that is as it was changes nothing", arguments: [#"{"baseURL": "http://h"}"#, nil])
    func same(environment: String?) async throws {
        var start = ["reqcli.json": "{}", "c.json": Self.collection]
        start["environments/development.json"] = environment
        let files = MemoryFiles(start)
        let first = await reqcli("import", "postman", "c.json", files: files)
        #expect(first.status == 0, "\(first)")
        let again = await reqcli("import", "--update", files: files)
        #expect(again.status == 0, "\(again)")
        #expect(again.output == "nothing to change\n")
    }

    // MARK: Secrets

    /// A collection with a password in its environment, and with a request for each of the keys.
    private static func tracker(keys: String...) -> MemoryFiles {
        MemoryFiles([
            "reqcli.json": "{}", "c.json": trackerCollection(keys),
            "e.json": #"""
            {"name": "Development", "values": [{"key": "url", "value": "https://h"},
             {"key": "password", "value": "hunter2-hunter2", "type": "secret"},
             {"key": "token", "value": "", "type": "secret"}]}
            """#,
        ])
    }

    private static func trackerCollection(_ keys: [String]) -> String {
        let items = keys.map { key in
            #"{"name": "\#(key)", "request": {"url": "{{url}}/\#(key)", "header": [{"key": "X-Api-Key", "value": "\#(key)"}]}}"#
        }
        return #"""
            {"info": {"name": "Tracker"}, "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}"}]},
             "item": [{"name": "log in", "request": {"method": "POST", "url": "{{url}}/login", "auth": {"type": "noauth"},
              "body": {"mode": "raw", "raw": "{\"password\": \"{{password}}\"}"}}},
              {"name": "list", "request": "{{url}}/list"}\#(items.map { ", " + $0 }.joined())]}
            """#
    }

    /// The file of the environment after the import, with other secrets.
    private static func environment(_ members: String) -> String {
        #"{"baseURL": "https://h", "redirects": {"follow": true}, \#(members)}"#
    }

    private static let token = #""token": {"env": "TRACKER_TOKEN"}"#

    /// The user's versions of the environment, and of an environment that it extends.
    static let edits = [
        (environment(#""secrets": {"password": {"env": "OWN"}, \#(token)}"#), "{}"),
        (environment(#""secrets": {"password": {"command": ["pass", "tracker"]}, \#(token)}"#), "{}"),
        (
            environment(#""secrets": {"password": {"env": "TRACKER_TOKEN"}, "token": {"env": "TRACKER_PASSWORD"}}"#),
            "{}"
        ),
        (environment(#""extends": "base""#), #"{"secrets": {"password": {"env": "TRACKER_PASSWORD"}, \#(token)}}"#),
        (environment(#""extends": "base""#), #"{"secrets": {"password": {"env": "OWN"}, \#(token)}}"#),
    ]

    @Test("A secret that the user reads from elsewhere or inherits stays the secret of the import", arguments: edits)
    func editedSecret(environment: String, base: String) async throws {
        let files = Self.tracker()
        let first = await reqcli("import", "c.json", "e.json", files: files)
        #expect(first.status == 0 && first.messages.contains("set TRACKER_PASSWORD for"), "\(first)")
        try files.write(.text(environment), at: "/work/environments/development.json")
        try files.write(.text(base), at: "/work/environments/base.json")
        let before = files.texts
        let update = await reqcli("import", "--update", files: files)
        #expect(update.status == 0 && update.output == "nothing to change\n", "\(update)")
        #expect(!update.messages.contains("for the secret"), "\(update)")
        #expect(files.texts == before)
    }

    @Test("An update names only the process variables of new secrets", arguments: edits)
    func newSecret(environment: String, base: String) async throws {
        let files = Self.tracker(keys: "key-of-the-source-1")
        #expect(await reqcli("import", "c.json", "e.json", files: files).status == 0)
        let path = "/work/environments/development.json"
        let apiKey = #""apiKey": {"env": "TRACKER_API_KEY"}"#
        #expect(try #require(files.texts[path]).contains(#""apiKey": { "env": "TRACKER_API_KEY" }"#))
        try files.write(.text(environment.replacing(Self.token, with: Self.token + ", " + apiKey)), at: path)
        try files.write(
            .text(base.replacing(Self.token, with: Self.token + ", " + apiKey)), at: "/work/environments/base.json")
        try files.write(
            .text(Self.trackerCollection(["key-of-the-source-1", "key-of-the-source-2"])), at: "/work/c.json")
        let update = await reqcli("import", "--update", files: files)
        #expect(update.status == 0, "\(update)")
        let notes = update.messages.split(separator: "\n").filter { $0.contains("for the secret") }
        #expect(notes.count == 1 && notes[0].contains("TRACKER_API_KEY_2 for the secret apiKey2"), "\(notes)")
        let written = files.texts.values.joined()
        #expect(written.contains("{{secret.apiKey2}}") && !written.contains("password2") && !written.contains("token2"))
    }

    // MARK: Choices

    private static let shop = """
        openapi: 3.1.0
        info: { title: Shop }
        servers: [ { url: https://shop.example } ]
        paths:
          /things:
            get: { responses: { 200: { content: { application/json: { schema: { type: object } } } } } }
        """

    @Test("An update takes --make-stubs for itself and for later updates", arguments: [[], ["shop"]])
    func stubs(names: [String]) async throws {
        let files = MemoryFiles(["reqcli.json": "{}", "shop.yaml": Self.shop])
        let first = await reqcli("import", "shop.yaml", "--make-stubs", "none", files: files)
        #expect(first.status == 0, "\(first)")
        let path = "/work/endpoints/shop/things.json"
        let edited = try #require(files.texts[path]).replacing(#"things""#, with: #"my-things""#)
        try files.write(.text(edited), at: path)
        let update = await reqcli(["import", "--update"] + names + ["--make-stubs", "all"], files: files)
        #expect(update.status == 0 && update.output.contains("shop.things.list"), "\(update)")
        let made = try #require(files.texts[path])
        #expect(made.contains(#""standard": { "json": {} }"#) && made.contains("my-things"), "\(made)")
        let record = try #require(files.texts["/work/imports/shop.json"])
        #expect(record.filter { !$0.isWhitespace }.contains(#""options":["--make-stubs","all"]"#), "\(record)")
        #expect(await reqcli("import", "--update", files: files).output == "nothing to change\n")
    }

    @Test("An update with --print writes nothing")
    func printed() async throws {
        let files = MemoryFiles(["reqcli.json": "{}", "shop.yaml": Self.shop])
        #expect(await reqcli("import", "shop.yaml", files: files).status == 0)
        try files.write(.text(Self.shop.replacing("/things", with: "/thing")), at: "/work/shop.yaml")
        let before = files.texts
        let update = await reqcli("import", "--update", "--print", files: files)
        #expect(update.output.contains("endpoints/shop/thing"), "\(update)")
        #expect(files.texts == before)
    }

    @Test("An endpoint that exists is replaced only with --force, and the hint says that edits are lost")
    func existing() async throws {
        let files = MemoryFiles(["reqcli.json": "{}", "shop.yaml": Self.shop])
        #expect(await reqcli("import", "shop.yaml", files: files).status == 0)
        let again = await reqcli("import", "shop.yaml", files: files)
        let hint = "pass --force to replace it (your edits in it are lost), or choose another id"
        #expect(again.status == 2 && again.messages.contains(hint), "\(again)")
    }

    // MARK: Servers

    @Test("A source that moves to another server does not take a credential there that was added here")
    func movedServer() async throws {
        func collection(_ server: String) -> String {
            #"{"info": {"name": "Shop"}, "item": [{"name": "a", "request": "\#(server)/a"}]}"#
        }
        let environment = #"{"baseURL": "http://own", "secrets": {"own": {"env": "OWN"}}}"#
        let files = MemoryFiles([
            "reqcli.json": "{}", "c.json": collection("http://h"), "environments/development.json": environment,
        ])
        let first = await reqcli("import", "postman", "c.json", files: files)
        #expect(first.status == 0, "\(first)")
        let path = try #require(files.texts.keys.first { $0.hasPrefix("/work/endpoints/") })
        let edited = try #require(files.texts[path]).replacing(
            #""auth": null"#, with: #""auth": { "bearer": "{{secret.own}}" }"#)
        try files.write(.text(edited), at: path)
        try files.write(.text(collection("http://moved")), at: "/work/c.json")
        let update = await reqcli("import", "--update", files: files)
        #expect(update.status == 1 && update.messages.contains("so the old server is kept"), "\(update)")
        #expect(files.texts[path] == edited)
    }

    @Test("An update takes over a new server only if the user agrees")
    func newServer() async throws {
        func collection(_ server: String) -> String {
            #"{"info": {"name": "Shop"}, "item": [{"name": "a", "request": "\#(server)/a"}]}"#
        }
        let files = MemoryFiles([
            "reqcli.json": "{}", "c.json": collection("http://h"),
            "environments/development.json": #"{"baseURL": "http://own"}"#,
        ])
        #expect(await reqcli("import", "postman", "c.json", files: files).status == 0)
        try files.write(.text(collection("http://moved")), at: "/work/c.json")
        let before = files.texts
        let refused = await reqcli("import", "--update", files: files)
        #expect(refused.status != 0 && refused.messages.contains("before: http://moved"), "\(refused)")
        #expect(files.texts == before)
        let agreed = await reqcli("import", "--update", "--new-servers", files: files)
        #expect(agreed.status == 0 && files.texts.values.contains { $0.contains("http://moved") }, "\(agreed)")
    }

    @Test("An update adds nothing to a group that is not of the import")
    func ownGroup() async throws {
        func description(_ tags: [String], server: String = "http://h") -> String {
            let paths = tags.map { tag in
                #""/\#(tag)": {"get": {"tags": ["\#(tag)"], "operationId": "\#(tag)", "responses": {"200": {"description": "x"}}}}"#
            }
            return
                #"{"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "servers": [{"url": "\#(server)"}], "paths": {\#(paths.joined(separator: ","))}}"#
        }
        let own = #"{ "endpoints": { "login": { "method": "POST", "path": "/login" } } }"#
        let files = MemoryFiles([
            "reqcli.json": "{}", "s.json": description(["a"]),
            "environments/development.json": #"{"baseURL": "http://own"}"#,
            "endpoints/auth.json": own,
        ])
        #expect(await reqcli("import", "openapi", "s.json", "--into", ".", files: files).status == 0)
        try files.write(.text(description(["a", "auth"])), at: "/work/s.json")
        let update = await reqcli("import", "--update", files: files)
        #expect(update.messages.contains("its endpoints are left out"), "\(update)")
        #expect(files.texts["/work/endpoints/auth.json"] == own)
        // The group is still the user's own when the source changes again.
        try files.write(.text(description(["a", "auth"], server: "http://h/v2")), at: "/work/s.json")
        let next = await reqcli("import", "--update", "--new-servers", files: files)
        #expect(next.messages.contains("its endpoints are left out"), "\(next)")
        #expect(files.texts["/work/endpoints/auth.json"] == own)
    }
}
