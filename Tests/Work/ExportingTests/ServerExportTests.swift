import ReqcliText
import TestSupport
import Testing
import ToolSupport

@Suite("Servers with variables in an export")
struct ServerExportTests {
    private static let workspace = [
        "endpoints/shop.json": #"""
        {"endpoints": {
            "own": {"path": "own", "query": {"p": "{{port}}"}},
            "other": {"baseURL": "https://{{region}}.other.example:{{port}}/v2", "path": "b"},
            "parts": {"host": "h.example", "port": "{{port}}", "path": "c"},
            "params": {
                "baseURL": "https://{{host}}:{{number}}/v2", "path": "d/{{number}}",
                "params": {"host": {"type": "string", "default": "h.example"}, "number": {"type": "integer", "default": 81}}
            }
        }}
        """#,
        "environments/development.json": #"""
        {"baseURL": "https://{{region}}.example.com:{{port}}/v1", "variables": {"region": "eu", "port": 8443}}
        """#,
    ]

    @Test(
        "no endpoint is left out, and an import sends the same",
        arguments: [
            (
                "postman",
                [
                    "{{baseUrl}}/own?p={{port}}", "https://{{region}}.other.example:{{port}}/v2/b",
                    "https://h.example:{{port}}/v1/c", "https://{{host}}:{{number}}/v2/d/{{number}}",
                    #""port": "{{port}}""#,
                ]
            ),
            (
                "hurl",
                [
                    "GET {{baseUrl}}/own?p={{port}}", "GET https://{{region}}.other.example:{{port}}/v2/b",
                    "GET https://h.example:{{port}}/v1/c", "GET https://{{host}}:{{number}}/v2/d/{{number}}",
                ]
            ),
            (
                "http",
                [
                    "GET {{baseUrl}}/own?p={{port}}", "GET https://{{region}}.other.example:{{port}}/v2/b",
                    "GET https://h.example:{{port}}/v1/c", "GET https://{{host}}:{{number}}/v2/d/{{number}}",
                ]
            ),
            ("openapi", ["https://eu.example.com:8443/v1", "https://{host}:{number}", #""default": "81""#]),
        ])
    func ports(format: String, parts: [String]) async throws {
        let main = ["postman": "collection.json", "hurl": "requests.hurl", "http": "requests.http"]
        let file = main[format] ?? "openapi.json"
        let workspace = try ToolWorkspace(Self.workspace)
        let text = try await export(format, file, workspace)
        for part in parts { #expect(text.contains(part), "\(part)") }
        if format == "openapi" { return }
        let environment = format == "postman" ? [workspace.path("out/development.postman_environment.json")] : []
        let source = format == "postman" ? workspace.path("out/collection.json") : workspace.path("out")
        let imported = try ToolWorkspace(["reqcli.json": "{}"])
        let run = try await Tool.run(["import", format, source] + environment + ["--into", "."], in: imported)
        #expect(run.status == 0, "\(run)")
        #expect(try await requests(of: imported) == requests(of: workspace))
    }

    /// What the endpoints of a workspace send, whatever they are called.
    private func requests(of workspace: ToolWorkspace) async throws -> [String] {
        let list = try await Tool.run(["list", "--json"], in: workspace)
        let root = try #require(JSONDocument.read(SourceFile(name: "list", bytes: list.output)).root)
        var requests: [String] = []
        for endpoint in root.elements {
            let id = try #require(endpoint["id"]?.string)
            let run = try await Tool.run(
                ["render", id, "--env", "development", "--format", "http"], in: workspace)
            #expect(run.status == 0, "\(run)")
            requests.append(run.outputText)
        }
        return requests.sorted()
    }

    private func export(_ format: String, _ file: String, _ workspace: ToolWorkspace) async throws -> String {
        let words = ["export", format, "--env", "development", "-o", "out/"]
        let run = try await Tool.run(words, in: workspace)
        #expect(run.status == 0, "\(run)")
        #expect(!run.errors.contains("left out"), "\(run.errors)")
        return String(decoding: workspace.read("out/\(file)") ?? [], as: UTF8.self)
    }
}
