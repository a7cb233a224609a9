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
