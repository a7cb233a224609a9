import Foundation
import Importing
import ReqcliText
import TestSupport
import Testing

@Suite("Sources of JSON that are broken or hold secrets")
struct HostileFormatTests {
    static let har = #"""
        {"log": {"version": "1.2", "entries": [
         {"_resourceType": "xhr", "request": {"method": "POST", "url": "https://me:⟦pw⟧@api.example.com/v1/a/⟦t⟧/7?api_key=⟦key⟧&x=⟦t⟧&q=1",
          "headers": [{"name": "Authorization", "value": "Bearer ⟦bearer⟧"}, {"name": "Cookie", "value": "sid=⟦cookie⟧"}, {"name": "X-Api-Key", "value": "⟦header⟧"}, {"name": "X-Other", "value": "⟦t⟧"}],
          "queryString": [{"name": "session", "value": "⟦list⟧"}], "cookies": [{"name": "a", "value": "⟦jar⟧"}],
          "postData": {"mimeType": "application/json", "text": "{\"password\": \"⟦body⟧\", \"note\": \"⟦t⟧\", \"list\": [{\"token\": \"⟦deep⟧\"}]}"}},
          "response": {"status": 200, "headers": [{"name": "Set-Cookie", "value": "sid=⟦set⟧"}, {"name": "X-Session", "value": "⟦answer⟧"}],
           "content": {"mimeType": "application/json", "text": "{\"access_token\": \"⟦answered⟧\", \"note\": \"⟦t⟧\", \"again\": \"⟦bearer⟧\"}"}}},
         {"request": {"method": "PUT", "url": "https://api.example.com/v1/b",
          "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "client_secret=⟦form⟧&x=⟦t⟧"}}},
         {"request": {"method": "PATCH", "url": "https://api.example.com/v1/b?flag&access_token=⟦flag⟧",
          "postData": {"mimeType": "multipart/form-data; boundary=x", "params": [{"name": "password", "value": "⟦part⟧"}]}}},
         {"request": {"method": "GET", "url": "wss://api.example.com/⟦t⟧"}}, {"⟦t⟧": 1}]}}
        """#
    static let postman = #"""
        {"info": {"name": "Shop ⟦t⟧", "description": "⟦t⟧"},
         "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "⟦bearer⟧"}]},
         "variable": [{"key": "apiToken", "value": "⟦named⟧"}, {"key": "plain", "value": "⟦t⟧"}, {"key": "jwt", "value": "⟦used⟧"}, {"key": "outer", "value": "Bearer {{inner}}"}, {"key": "inner", "value": "⟦inner⟧"}, {"key": "hidden", "value": "⟦secret⟧", "type": "secret"}],
         "event": [{"listen": "prerequest", "script": {"exec": ["pm.environment.set('apiKey', '⟦set⟧');", "pm.environment.set('k', '⟦t⟧' + x);"]}}],
         "item": [{"name": "Folder ⟦t⟧", "item": [
          {"name": "One ⟦t⟧", "request": {"method": "POST", "description": "Uses ⟦bearer⟧ and ⟦t⟧",
            "url": {"raw": "https://h/a/⟦t⟧/:id?token=⟦query⟧", "variable": [{"key": "id", "value": "⟦t⟧", "description": "⟦t⟧"}], "query": [{"key": "token", "value": "⟦query⟧"}, {"key": "secret", "value": "⟦off⟧", "disabled": true}, {"key": "x", "value": "⟦t⟧", "disabled": true, "description": "⟦t⟧"}]},
            "header": [{"key": "X-Auth-Token", "value": "⟦header⟧"}, {"key": "Authorization", "value": "{{outer}}"}, {"key": "X-Session", "value": "⟦offheader⟧", "disabled": true}],
            "body": {"mode": "raw", "raw": "{\"password\": \"⟦body⟧\", \"id\": {{plain}}}"}},
           "event": [{"listen": "test", "script": {"exec": ["pm.test('⟦t⟧', () => { pm.expect(pm.response.json().token).to.eql('⟦t⟧'); });", "pm.test('⟦t⟧', () => { odd('⟦t⟧'); });"]}}],
           "response": [{"name": "Good ⟦t⟧", "code": 200, "header": [{"key": "Set-Cookie", "value": "⟦setcookie⟧"}], "body": "{\"token\": \"⟦answer⟧\", \"x\": \"⟦t⟧ ⟦body⟧\"}"}]},
          {"name": "Two", "request": {"url": "https://h/b", "auth": {"type": "basic", "basic": [{"key": "username", "value": "⟦user⟧"}, {"key": "password", "value": "⟦pw⟧"}]}}},
          {"name": "Three", "request": {"url": "https://h/c", "header": [{"key": "X-Api-Key", "value": "{{jwt}}"}], "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "X-K"}, {"key": "value", "value": "⟦apikey⟧"}]}, "body": {"mode": "urlencoded", "urlencoded": [{"key": "client_secret", "value": "⟦form⟧"}]}}},
          {"name": "Four", "request": {"url": "https://h/d", "auth": {"type": "oauth2", "oauth2": [{"key": "accessToken", "value": "⟦oauth⟧"}, {"key": "clientSecret", "value": "⟦client⟧"}]}, "body": {"mode": "graphql", "graphql": {"query": "{a}", "variables": "{\"password\": \"⟦gql⟧\"}"}}}},
          {"name": "⟦t⟧"}]}]}
        """#

    /// The source with a value of its own in each marked place: `⟦t⟧` is a token by its shape, the others are secrets by their places.
    private static func planted(_ source: String) -> (text: String, values: [String]) {
        var text = ""
        var values: [String] = []
        for (index, part) in source.split(separator: "⟦", omittingEmptySubsequences: false).enumerated() {
            let sides = part.split(separator: "⟧", maxSplits: 1, omittingEmptySubsequences: false)
            guard index > 0, sides.count == 2 else {
                text += part
                continue
            }
            let value =
                sides[0] == "t" ? "ghp_\(index)abcdefghijklmnop\(index)" : "plant\(sides[0])Zq\(sides[0].count)x"
            values.append(value)
            text += value + sides[1]
        }
        return (text, values)
    }

    @Test("No credential of any place is written or shown", arguments: ["har", "postman"])
    func secrets(name: String) throws {
        let (text, values) = Self.planted(name == "har" ? Self.har : Self.postman)
        let format = try #require(ImportFormats.all.first { $0.name == name })
        let imported = try ImportedSource(format, text)
        #expect(imported.workspace.requests.count > 2)
        let everything = imported.everything
        for value in values { #expect(!everything.contains(value), "\(value) is in\n\(everything)") }
    }

    // MARK: The corpus

    private static let folder =
        (ProcessInfo.processInfo.environment["REQCLI_CORPORA"] ?? FilePaths.corpora) + "/har"

    private enum FilePaths {
        static let corpora = URL(fileURLWithPath: Repository.root).deletingLastPathComponent()
            .appendingPathComponent("shared/corpora").path
    }

    @Test(
        "Each request of httpsnippet's corpus is imported, and nothing of it is lost but what isn't recorded",
        .enabled(
            if: FileManager.default.fileExists(atPath: folder),
            "not run: there is no \(folder); set REQCLI_CORPORA to the folder above it"))
    func corpus() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".json") }
        #expect(names.count > 15)
        for name in names.sorted() {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: Self.folder + "/" + name)))
            let file = SourceFile(name: name, bytes: bytes)
            #expect(HARImport.looksLike(file), "\(name)")
            let imported = try ImportedSource(HARImport.self, [file])
            #expect(imported.workspace.requests.count == 1, "\(name)")
            let expected =
                switch name {
                case "multipart-file.json":
                    ["10:14: to do: a file of the request is not recorded; the endpoint has a param for it (foo)"]
                case "multipart-form-data-no-params.json": ["20:23: lost: the body of the request is not recorded"]
                default: [String]()
                }
            #expect(imported.notes.map { $0.drop { $0 != " " } } == expected.map { $0.drop { $0 != " " } }, "\(name)")
        }
    }
}
