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
            "body": {"mode": "raw", "raw": "{\"password\": \"⟦body⟧\", \"id\": {{plain}}, \"n\": \"{{⟦t⟧}}\"}"}},
           "event": [{"listen": "test", "script": {"exec": ["pm.test('⟦t⟧', () => { pm.expect(pm.response.json().token).to.eql('⟦t⟧'); });", "pm.test('⟦t⟧', () => { odd('⟦t⟧'); });"]}}],
           "response": [{"name": "Good ⟦t⟧", "code": 200, "header": [{"key": "Set-Cookie", "value": "⟦setcookie⟧"}], "body": "{\"token\": \"⟦answer⟧\", \"x\": \"⟦t⟧ ⟦body⟧\"}"}]},
          {"name": "Two", "request": {"url": "https://h/b", "auth": {"type": "basic", "basic": [{"key": "username", "value": "⟦user⟧"}, {"key": "password", "value": "⟦pw⟧"}]}}},
          {"name": "Three", "request": {"url": "https://h/c", "header": [{"key": "X-Api-Key", "value": "{{jwt}}"}], "auth": {"type": "apikey", "apikey": [{"key": "key", "value": "X-K"}, {"key": "value", "value": "⟦apikey⟧"}]}, "body": {"mode": "urlencoded", "urlencoded": [{"key": "client_secret", "value": "⟦form⟧"}]}}},
          {"name": "Four", "request": {"url": "https://h/d", "auth": {"type": "oauth2", "oauth2": [{"key": "accessToken", "value": "⟦oauth⟧"}, {"key": "clientSecret", "value": "⟦client⟧"}]}, "body": {"mode": "graphql", "graphql": {"query": "{a}", "variables": "{\"password\": \"⟦gql⟧\"}"}}}},
          {"name": "Five", "request": {"url": "https://h/e", "auth": {"type": "oauth2", "oauth2": {"accessTokenUrl": "https://i/t", "authUrl": "https://i/a", "clientSecret": "⟦confidential⟧", "accessToken": "⟦t⟧"}}}},
          {"name": "⟦t⟧"}]}]}
        """#

    static let insomnia = #"""
        {"_type": "export", "__export_format": 4, "resources": [
         {"_id": "wrk_⟦t⟧", "_type": "workspace", "name": "Shop ⟦t⟧", "description": "⟦t⟧"},
         {"_id": "env_1", "parentId": "wrk_1", "_type": "environment", "name": "Base", "data": {"apiToken": "⟦named⟧", "plain": "⟦t⟧", "jwt": "⟦used⟧", "nested": {"password": "⟦nested⟧", "list": ["⟦t⟧"]}, "outer": "Bearer {{ _.inner }}", "inner": "⟦inner⟧"}, "kvPairData": [{"name": "pin", "value": "⟦kv⟧", "type": "secret", "enabled": true}]},
         {"_id": "env_2", "parentId": "env_1", "_type": "environment", "name": "Dev ⟦t⟧", "data": {"client_secret": "⟦sub⟧"}},
         {"_id": "fld_1", "parentId": "wrk_1", "_type": "request_group", "name": "Folder ⟦t⟧", "description": "⟦t⟧", "environment": {"secretKey": "⟦folder⟧", "x": "⟦t⟧"},
          "authentication": {"type": "bearer", "token": "⟦bearer⟧", "prefix": "Token"}, "headers": [{"name": "X-Auth-Token", "value": "⟦folderheader⟧"}],
          "preRequestScript": "insomnia.environment.set('apiKey', '⟦set⟧'); insomnia.environment.set('k', '⟦t⟧' + x);", "afterResponseScript": "insomnia.test('⟦t⟧', () => { odd('⟦t⟧'); });"},
         {"_id": "r1", "parentId": "fld_1", "_type": "request", "name": "One ⟦t⟧", "description": "Uses ⟦bearer⟧ and ⟦t⟧", "method": "POST", "url": "https://h/a/⟦t⟧/:id?token=⟦query⟧", "pathParameters": [{"name": "id", "value": "⟦t⟧"}],
          "parameters": [{"name": "secret", "value": "⟦param⟧"}, {"name": "access_token", "value": "⟦off⟧", "disabled": true, "description": "⟦t⟧"}, {"name": "s", "value": "{{ _.secretKey }}{{ _.x }}"}],
          "headers": [{"name": "X-Session", "value": "⟦header⟧"}, {"name": "X-A", "value": "{% ⟦t⟧ '⟦t⟧' %}{% response 'body', '⟦t⟧', '$.⟦t⟧' %}{{ _.⟦t⟧ }}{{ '⟦t⟧' }}"}],
          "body": {"mimeType": "application/json", "text": "{\"password\": \"⟦body⟧\", \"id\": {{ _.plain }}, \"note\": \"⟦t⟧\"}"}},
         {"_id": "r2", "parentId": "wrk_1", "_type": "request", "name": "Two", "url": "https://h/b", "authentication": {"type": "basic", "username": "⟦user⟧", "password": "⟦pw⟧"}, "body": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "client_secret", "value": "⟦form⟧"}, {"name": "x", "value": "⟦t⟧", "disabled": true}]}},
         {"_id": "r3", "parentId": "wrk_1", "_type": "request", "name": "Three", "url": "https://me:⟦url⟧@h/c", "headers": [{"name": "X-Api-Key", "value": "{{ jwt }}"}], "authentication": {"type": "apikey", "key": "sid", "value": "⟦cookie⟧", "addTo": "cookie"}, "body": {"mimeType": "multipart/form-data", "params": [{"name": "password", "value": "⟦part⟧"}, {"name": "f", "type": "file", "fileName": "/x/⟦t⟧"}]}},
         {"_id": "r4", "parentId": "wrk_1", "_type": "request", "name": "Four", "url": "https://h/d", "authentication": {"type": "oauth2", "clientSecret": "⟦client⟧", "accessToken": "⟦oauth⟧"}, "body": {"mimeType": "application/graphql", "text": "{\"query\": \"{a}\", \"variables\": {\"password\": \"⟦gql⟧\"}}"}},
         {"_id": "r5", "parentId": "wrk_1", "_type": "request", "name": "Five", "url": "https://h/e", "authentication": {"type": "apikey", "key": "X-K", "value": "⟦apikey⟧"}, "body": {"mimeType": "text/plain", "text": "⟦t⟧"}},
         {"_id": "r6", "parentId": "fld_1", "_type": "request", "name": "Six", "url": "https://h/f", "headers": [{"name": "Authorization", "value": "{{ _.outer }}"}]},
         {"_id": "jar_1", "parentId": "wrk_1", "_type": "cookie_jar", "name": "⟦t⟧", "cookies": [{"key": "sid", "value": "⟦jar⟧"}]},
         {"_id": "uts_1", "parentId": "wrk_1", "_type": "unit_test_suite", "name": "⟦t⟧"}, {"_id": "grpc", "_type": "grpc_request", "name": "⟦t⟧"}]}
        """#
    static let insomniaYAML = """
        type: collection.insomnia.rest/5.0
        name: Shop ⟦t⟧
        collection:
          - name: Folder ⟦t⟧
            meta: { id: fld_1, description: ⟦t⟧ }
            authentication: { type: basic, username: ⟦user⟧, password: ⟦pw⟧ }
            environment: { secretKey: ⟦folder⟧ }
            children:
              - name: One
                url: "https://h/a?token=⟦query⟧&s={{ _.secretKey }}"
                method: POST
                headers: [ { name: X-Api-Key, value: "⟦header⟧" }, { name: X-B, value: "{{ _.apiKey }}" } ]
                body: { mimeType: application/json, text: '{"password": "⟦body⟧"}' }
                scripts: { afterResponse: "insomnia.environment.set('apiKey', '⟦t⟧'); x('⟦t⟧');" }
          - { name: Two, url: "https://h/b/⟦t⟧", method: GET, meta: { id: r2 } }
          - { name: Three, url: "https://h/c", method: GET, authentication: { type: ntlm, password: ⟦ntlm⟧ } }
        environments:
          name: Base
          data: { api_key: ⟦base⟧ }
          subEnvironments: [ { name: Dev, data: { password: ⟦sub⟧, plain: ⟦t⟧ } } ]
        cookieJar: { cookies: [ { key: sid, value: ⟦jar⟧ } ] }
        """
    static let postmanFolder: [(name: String, text: String)] = [
        (
            "c/.resources/definition.yaml",
            """
            $kind: collection
            name: Shop ⟦t⟧
            description: ⟦t⟧
            variables: { apiToken: ⟦named⟧, plain: ⟦t⟧ }
            auth: { type: bearer, credentials: { token: ⟦bearer⟧ } }
            scripts:
              - { type: http:beforeRequest, code: "pm.environment.set('apiKey', '⟦set⟧'); x('⟦t⟧');" }
            """
        ),
        (
            "c/One.request.yaml",
            """
            $kind: http-request
            name: One ⟦t⟧
            description: Uses ⟦bearer⟧ and ⟦t⟧
            method: POST
            url: "https://h/a/⟦t⟧/:id?token=⟦query⟧"
            queryParams:
              - { key: token, value: ⟦query⟧ }
              - { key: secret, value: ⟦off⟧, disabled: true, description: ⟦t⟧ }
            pathVariables: [ { key: id, value: ⟦t⟧ } ]
            headers: { X-Auth-Token: ⟦header⟧, X-A: "{{plain}}" }
            body: { type: json, content: '{"password": "⟦body⟧", "note": "⟦t⟧"}' }
            scripts: [ { type: afterResponse, code: "pm.test('⟦t⟧', () => { odd('⟦t⟧'); });" }, { type: ⟦t⟧ } ]
            settings: { ⟦t⟧: 1 }
            """
        ),
        (
            "c/.resources/One.resources/examples/⟦t⟧.example.yaml",
            "$kind: http-example\nresponse:\n  statusCode: 200\n  headers: { Set-Cookie: ⟦setcookie⟧ }\n  body: { type: json, content: '{\"token\": \"⟦answer⟧\", \"x\": \"⟦t⟧ ⟦body⟧\"}' }\n"
        ),
        (
            "c/Two.request.yaml",
            "$kind: http-request\nurl: https://h/b\nauth: { type: apikey, credentials: [ { key: key, value: X-K }, { key: value, value: ⟦apikey⟧ } ] }\nbody: { type: urlencoded, content: { client_secret: ⟦form⟧ } }\nmethod: PUT\n"
        ),
        ("c/Three.request.yaml", "$kind: http-request\nurl: https://me:⟦url⟧@h/c\n"),
        ("c/Four.request.yaml", "$kind: ⟦t⟧-request\nurl: grpc://h\n"),
        (
            "environments/Dev.environment.yaml",
            "name: Dev ⟦t⟧\nvalues:\n- { key: password, value: ⟦env⟧, type: secret }\n- { key: client_secret, value: ⟦env2⟧ }\n"
        ),
    ]

    static let sources: [(format: String, files: [(name: String, text: String)])] = [
        ("har", [("a.har", har)]), ("postman", [("a.json", postman)]), ("postman", postmanFolder),
        ("insomnia", [("a.json", insomnia)]), ("insomnia", [("a.yaml", insomniaYAML)]),
    ]

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

    @Test("No credential of any place is written or shown", arguments: sources.indices)
    func secrets(index: Int) throws {
        let (name, files) = Self.sources[index]
        // All files are one text for the planted values, so that each place gets its own value.
        let (text, values) = Self.planted(files.map { "\($0.name)\u{1}\($0.text)" }.joined(separator: "\u{2}"))
        let sources = text.split(separator: "\u{2}").map { file in
            let sides = file.split(separator: "\u{1}")
            return SourceFile(name: String(sides[0]), text: String(sides[1]), isSecret: true)
        }
        let format = try #require(ImportFormats.all.first { $0.name == name })
        let imported = try ImportedSource(format, sources)
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
