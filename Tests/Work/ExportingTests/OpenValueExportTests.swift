import Foundation
import ReqcliText
import TestSupport
import Testing
import ToolSupport

/// Values that are only known when a request is sent are in an export as the tool's own variables.
@Suite struct OpenValueExportTests {
    private static let formats: [[String]] = [
        ["openapi"], ["postman"], ["hurl"], ["http"], ["http", "--flavor", "jetbrains"],
        ["http", "--flavor", "vscode"],
        ["locust"], ["k6"], ["html"],
    ]

    /// The places of a request for a value, as endpoints. `VALUE` is the value alone, and `TEXT` has text around it.
    private static let places: [(name: String, endpoint: String)] = [
        ("path", #""path": "a/VALUE/xVALUEx""#),
        ("query", #""path": "a", "query": {"k": "VALUE", "r": ["TEXT", "1"]}"#),
        ("header", #""path": "a", "headers": {"X-A": "VALUE", "X-B": "TEXT", "Cookie": "a=VALUE"}"#),
        ("text", #""method": "POST", "path": "a", "body": {"text": "TEXT"}"#),
        ("json", #""method": "POST", "path": "a", "body": {"json": {"k": "VALUE", "l": ["TEXT"]}}"#),
        ("form", #""method": "POST", "path": "a", "body": {"form": {"k": "VALUE", "r": ["TEXT", "1"]}}"#),
        (
            "parts",
            #""method": "POST", "path": "a", "body": {"multipart": {"k": "VALUE", "t": {"text": "TEXT", "contentType": "text/csv"}}}"#
        ),
        ("file", #""method": "POST", "path": "a", "body": {"file": "files/VALUE.txt"}"#),
        ("part", #""method": "POST", "path": "a", "body": {"multipart": {"f": {"file": "files/VALUE.txt"}}}"#),
        (
            "graphQL",
            #""method": "POST", "path": "a", "body": {"graphql": {"query": "query { a }", "variables": {"k": "VALUE", "l": "TEXT"}}}"#
        ),
        (
            "expect",
            #""path": "a", "expect": {"json": {"$.k": "VALUE", "$.l": {"contains": "TEXT"}, "$.m": {"in": ["VALUE"]}, "$.n": {"<": "VALUE"}}, "headers": {"X": "VALUE"}, "body": {"contains": "TEXT"}}"#
        ),
        ("bearer", #""path": "a", "auth": {"bearer": "VALUE"}"#),
        ("basic", #""path": "a", "auth": {"basic": {"user": "TEXT", "password": "VALUE"}}"#),
        ("digest", #""path": "a", "auth": {"digest": {"user": "TEXT", "password": "VALUE"}}"#),
        ("key", #""path": "a", "auth": {"apiKey": {"query": "key", "value": "TEXT"}}"#),
        ("server", #""baseURL": "VALUE/v1", "path": "a""#),
        ("host", #""baseURL": "https://VALUE.example:8443/v1", "path": "a""#),
        ("port", #""baseURL": "https://a.example:VALUE/v1", "path": "a""#),
        ("unmade", #""baseURL": "https://a b VALUE", "path": "a""#),
    ]

    private static let values = [
        "$uuid", "$timestamp", "$isoTimestamp", "$randomInt", "p", "v", "secret.s", "$env.E", "login.t",
        "secret.s | upper", "$now | iso", "v | base64",
    ]

    /// One endpoint with the value at a place, and one that another endpoint needs with the value as a param.
    private static func endpoints(_ value: String, _ place: (name: String, endpoint: String)) -> String {
        let needs = value == "login.t" ? #", "needs": {"login": "login"}"# : ""
        let text = place.endpoint.replacing("TEXT", with: "a {{\(value)}} b").replacing("VALUE", with: "{{\(value)}}")
        let params = value == "p" ? #", "params": {"p": {"type": "string"}}"# : ""
        return "\"\(place.name)\": {\(text)\(needs)\(params)}"
    }

    @Test("no format shows a stand-in, in a file or in a note", arguments: values)
    func standIns(value: String) async throws {
        let endpoints = Self.places.map { Self.endpoints(value, $0) }
        let params = value == "p" ? #", "params": {"p": {"type": "string"}}"# : ""
        let login = value == "login.t" ? #", "login": "login""# : ""
        let needs = #"""
            "needed": {"path": "n/{{q}}", "params": {"q": {"type": "string", "example": "1"}}, "capture": {"t": {"json": "$.t"}}},
            "needs": {"path": "n", "headers": {"X": "{{it.t}}"}, "needs": {"it": {"endpoint": "all.needed", "with": {"q": "{{\#(value)}}"}}\#(login)}\#(params)}
            """#
        let workspace = try ToolWorkspace([
            "endpoints/all.json": "{\"endpoints\": {\((endpoints + [needs]).joined(separator: ",\n"))}}",
            "endpoints/login.json": #"{"path": "login", "capture": {"t": {"json": "$.t"}}}"#,
            "environments/development.json": #"""
            {"baseURL": "http://localhost:8080", "variables": {"v": "https://v.example"}, "secrets": {"s": {"env": "S"}}}
            """#,
        ])
        for words in Self.formats {
            let run = try await Tool.run(["export"] + words + ["-o", "out/", "--force"], in: workspace)
            #expect(run.status == 0, "\(words): \(run.errors)")
            #expect(Self.standIn(in: run.errors) == nil, "\(words)")
            try Self.checkFiles(workspace, words)
        }
        // Of notes of one kind, only three are shown: endpoints of which there may be no request are exported alone, too.
        for format in ["hurl", "k6"] {
            for place in ["server", "port", "file", "part", "unmade"] {
                let run = try await Tool.run(["export", format, "all.\(place)"], in: workspace)
                #expect(run.status == (run.outputText.isEmpty ? 1 : 0), "\(run.errors)")
                #expect(place != "unmade" || run.status == 1)
                #expect(Self.standIn(in: run.errors) == nil, "\(format) \(place)")
            }
        }
    }

    @Test(
        "a generated value is the tool's own",
        arguments: [
            ([], "openapi", [#""in": "query""#, #""in": "path""#]),
            ([], "postman", [#""raw": "{{baseUrl}}/a/{{$isoTimestamp}}?at={{$isoTimestamp}}&n={{$randomInt}}""#]),
            ([], "hurl", ["GET {{baseUrl}}/a/{{newDate}}?at={{newDate}}&n={{randomInt}}"]),
            ([], "http", ["/a/{{$datetime iso8601}}?at={{$datetime iso8601}}&n={{$randomInt 0 999999999}}"]),
            (
                ["--flavor", "jetbrains"], "http",
                ["/a/{{$isoTimestamp}}?at={{$isoTimestamp}}&n={{$random.integer(0, 999999999)}}"]
            ),
            ([], "locust", ["{'generated': 'isoTimestamp'},\n", "{'generated': 'randomInt'}"]),
            ([], "k6", [#"{"generated": "isoTimestamp"},"#, #"{"generated": "randomInt"}"#]),
        ])
    func generated(words: [String], format: String, parts: [String]) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"""
            {"path": "a/{{$isoTimestamp}}", "query": {"at": "{{$isoTimestamp}}", "n": "{{$randomInt}}"}}
            """#, "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        let run = try await Tool.run(["export", format] + words, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        for part in parts { #expect(run.outputText.contains(part), "\(run.outputText)") }
    }

    @Test("functions are in no file as they are written, and are noted", arguments: formats.filter { $0 != ["html"] })
    func functions(words: [String]) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"""
            {"method": "POST", "path": "a/{{$random.text 8}}", "query": {"t": "{{$now | date 'yyyy'}}"}, "headers": {"M": "x{{secret.s | upper}}"},
             "body": {"json": {"n": "{{$random.int 1 6 | plus 1}}"}}}
            """#,
            "environments/development.json": #"{"baseURL": "http://localhost:8080", "secrets": {"s": {"env": "S"}}}"#,
        ])
        let run = try await Tool.run(["export"] + words, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        for value in [
            "{{$random.text 8}}", "{{$now | date 'yyyy'}}", "{{secret.s | upper}}", "{{$random.int 1 6 | plus 1}}",
        ] {
            // A description of an API has the definition beside the standard parts, so that nothing is lost.
            if words == ["openapi"] { continue }
            #expect(!run.outputText.contains(value), "\(run.outputText)")
            #expect(run.errors.contains("\(value) has functions"), "\(run.errors)")
        }
    }

    @Test(
        "a generated value that the tool can't generate is noted",
        arguments: [
            ("hurl", ["timestamp", "randomInt"]), ("postman", []), ("http", []), ("locust", []), ("k6", []),
        ])
    func notGenerated(format: String, names: [String]) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"""
            {"path": "a", "query": {"a": "{{$timestamp}}", "b": "{{$isoTimestamp}}", "c": "{{$randomInt}}", "d": "{{$uuid}}", "e": "{{$timestamp}}"}}
            """#, "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        let run = try await Tool.run(["export", format], in: workspace)
        let message = "note: the tool can't generate the value: give the variable a value"
        let notes = run.errors.split(separator: "\n").filter { $0.contains(message) }
        #expect(notes.count == names.count, "\(run.errors)")
        for name in names { #expect(notes.contains { $0.hasSuffix("(\(name))") }, "\(name): \(run.errors)") }
    }

    @Test(
        "a param without a value is noted by every tool in which it is a variable",
        arguments: ["hurl", "postman", "http"])
    func openVariables(format: String) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"{"path": "a/{{id}}", "params": {"id": {"type": "string"}}}"#,
            "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        let run = try await Tool.run(["export", format], in: workspace)
        #expect(run.errors.contains("a.json:1:33: note: a variable needs a value (id)"), "\(run.errors)")
    }

    @Test("OpenAPI has no example for a value that is only known when the request is sent")
    func noInventedExample() async throws {
        let workspace = try ToolWorkspace([
            "endpoints/a.json": #"""
            {"method": "POST", "path": "a", "params": {"id": {"type": "integer", "example": 7}, "pin": {"type": "string", "secret": true, "example": "hunter2"}},
             "headers": {"X-Pin": "a {{pin}}"},
             "query": {"q": "at {{$isoTimestamp}}", "p": "no {{id}}", "r": ["no {{id}}", "{{$uuid}}"]},
             "body": {"form": {"f": "at {{$timestamp}}", "g": "no {{id}}"}}}
            """#, "environments/development.json": #"{"baseURL": "http://localhost:8080"}"#,
        ])
        let run = try await Tool.run(["export", "openapi"], in: workspace)
        #expect(!run.outputText.contains("hunter2"))
        let root = JSONDocument.read(SourceFile(name: "api", text: run.outputText)).root
        let operation = try #require(root?["paths"]?["/a"]?["post"])
        let parameters = operation["parameters"].map { Array($0.elements) } ?? []
        #expect(parameters.map { $0["name"]?.string } == ["q", "p", "r", "X-Pin"])
        #expect(parameters.map { $0["example"]?.string } == [nil, "no 7", nil, nil])
        let content = operation["requestBody"]?["content"]?["application/x-www-form-urlencoded"]
        let fields = content?["schema"]?["properties"]
        #expect(fields?["f"].map { OrderedJSON($0).compact } == #"{"type":"string"}"#)
        #expect(fields?["g"]?["examples"].map { OrderedJSON($0).compact } == #"["no 7"]"#)
        // The notes say the same for a value with an example and for one without.
        #expect(run.errors.matches(of: /with text around a param becomes one string parameter/).count == 4)
    }

    private static func checkFiles(_ workspace: ToolWorkspace, _ words: [String]) throws {
        let out = workspace.path("out")
        let files = try FileManager.default.subpathsOfDirectory(atPath: out).filter {
            !FileManager.default.fileExists(atPath: "\(out)/\($0)/.")
        }
        #expect(!files.isEmpty)
        for file in files {
            let text = String(decoding: workspace.read("out/\(file)") ?? [], as: UTF8.self)
            #expect(standIn(in: text) == nil, "\(words): \(file)")
        }
    }

    /// The surroundings of a stand-in in a text, of which the program must show none.
    private static func standIn(in text: String) -> Substring? {
        text.firstMatch(of: /.{0,40}(zqx0reqcli|2255-08-18|9013524871|7013524873001).{0,40}/)?.0
    }
}
