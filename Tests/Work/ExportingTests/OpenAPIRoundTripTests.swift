import ReqcliText
import TestSupport
import Testing
import ToolSupport

@Suite("An OpenAPI export that is imported again")
struct OpenAPIRoundTripTests {
    private static func comesBack(_ endpoints: String, _ expected: String, defaults: String = "{}") async throws {
        let workspace = try ToolWorkspace([
            "endpoints/shop.json": "{\"defaults\": \(defaults), \"endpoints\": \(endpoints)}",
            "environments/development.json": #"""
            {"baseURL": "http://localhost:8080", "auth": {"bearer": "{{secret.token}}"},
             "secrets": {"token": {"env": "A"}, "token2": {"env": "B"}, "password": {"env": "C"}}}
            """#,
        ])
        let imported = try ToolWorkspace(["reqcli.json": "{}"])
        let export = try await Tool.run(["export", "openapi", "-o", "api.json"], in: workspace)
        #expect(export.status == 0, "\(export)")
        let words = ["import", "openapi", workspace.path("api.json"), "--into", "."]
        let run = try await Tool.run(words, in: imported)
        #expect(run.status == 0, "\(run)")
        let text = String(decoding: imported.read("endpoints/shop.json") ?? [], as: UTF8.self)
        let root = try #require(JSONDocument.read(SourceFile(name: "shop", text: text)).root?["endpoints"])
        #expect(OrderedJSON(root).compact == expected)
    }

    @Test("Each secret stays one, and a user stays text")
    func secrets() async throws {
        let endpoints = #"""
            {"a":{"path":"/a"},"b":{"path":"/b","auth":{"bearer":"{{secret.token2}}"}},"c":{"path":"/c","auth":{"basic":{"user":"ada","password":"{{secret.password}}"}}}}
            """#
        try await Self.comesBack(endpoints, endpoints)
    }

    @Test("A part that is a file stays required, and a constant needs no param")
    func parts() async throws {
        let endpoints = #"""
            {"a":{"method":"POST","path":"/a","params":{"photo":{"type":"file","description":"Which"}},"body":{"multipart":{"kind":{"text":"picture"},"photo":{"file":"{{photo}}"}}}}}
            """#
        try await Self.comesBack(endpoints, endpoints)
    }

    @Test("The params and secrets of a signature keep their names, and a literal in a signed header becomes a secret")
    func signature() async throws {
        func endpoints(_ key: String) -> String {
            #"""
            {"a":{"path":"/a","params":{"shop":{"type":"string","example":"x"}},"auth":{"hmac":{"algorithm":"sha256","key":"{{secret.token2}}","sign":"{{$method}}\n{{shop}}\n{{$body | sha256 | hex}}","headers":{"X-Shop":"{{shop}}","X-Api-Key":"\#(key)","Authorization":"v1={{$signature}}"},"query":{"t":"{{$now | unix}}"}}}}}
            """#
        }
        try await Self.comesBack(endpoints("key-19-abc-77"), endpoints("{{secret.X-Api-Key}}"))
    }

    @Test("A query that is text in a group becomes one with the items of an endpoint")
    func query() async throws {
        try await Self.comesBack(
            #"{"a":{"path":"/a","query":{"c":"3"}}}"#,
            #"{"a":{"path":"/a","query":{"a":["1","x y"],"b":"2","c":"3"}}}"#,
            defaults: #"{"query": "a=1&b=2&a=x%20y"}"#)
    }
}
