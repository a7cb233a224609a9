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
}
