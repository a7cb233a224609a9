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
}
