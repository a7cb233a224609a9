import ReqcliDefinitions
import ReqcliText
import TestSupport
import Testing

/// What stands at a byte of a file.
@Suite struct WalkTests {
    private static let files = [
        "reqcli.json": #"{"environment": "dev"}"#,
        "environments/dev.json": """
        {"baseURL": "http://{{host}}", "variables": {"host": "localhost"}, "tls": {"ca": "ca-{{host}}.pem"},
         "stubs": {"user.get": "found", "*": "any"}}
        """,
        "environments/local.json": #"{"extends": "dev"}"#,
        "endpoints/user.json": """
        {"defaults": {"headers": {"X-Team": "{{team}}"}, "params": {"team": {"type": "string", "pattern": "[a-z]+"}}},
         "endpoints": {
           "login": {"capture": {"token": {"header": "X-Token", "match": "t-[0-9]+"}}},
           "get": {
             "path": "/users/{{id}}",
             "params": {"id": {"type": "json", "schema": {"type": "integer"}}},
             "needs": {"login": {"endpoint": "user.login", "with": {"team": "core"}}},
             "expect": {"json": {"$.name": {"matches": "^A"}}, "schema": "user.json", "openapi": "api.yaml"},
             "stubs": {"default": "found", "variants": {"found": {"file": "user.json", "when": {"params": {"id": 1}}}}},
             "environments": {"local": {"body": {"file": "big.bin"}}}}}}
        """,
        "scenarios/visit.json": """
        {"steps": [{"name": "first", "endpoint": "user.get", "with": {"id": 7}, "forEach": "ids.csv", "capture": {"n": {"json": "$.n"}}}]}
        """,
    ]

    @Test(
        "each name, path, pattern, schema and file is found at its place",
        arguments: [
            ("reqcli.json", #""dev""#, "environment dev"),
            ("environments/dev.json", "{{host}}\",", "placeholder host"),
            ("environments/dev.json", "ca-", "file"),
            ("environments/dev.json", "{{host}}.pem", "placeholder host"),
            ("environments/dev.json", "user.get", "endpoint user.get"),
            ("environments/dev.json", "found", "variant found of user.get"),
            ("environments/dev.json", "any", "variant any of *"),
            ("environments/local.json", "dev", "environment dev"),
            ("endpoints/user.json", "{{team}}", "placeholder team"),
            ("endpoints/user.json", "[a-z]", "pattern [a-z]+"),
            ("endpoints/user.json", "t-[0", "pattern t-[0-9]+"),
            ("endpoints/user.json", "{{id}}", "placeholder id"),
            ("endpoints/user.json", #"{"type": "integer"}"#, "schema"),
            ("endpoints/user.json", #"user.login""#, "endpoint user.login"),
            ("endpoints/user.json", #"team": "core"#, "param team of user.login"),
            ("endpoints/user.json", "$.name", "path $.name"),
            ("endpoints/user.json", "^A", "pattern ^A"),
            ("endpoints/user.json", #"user.json", "openapi"#, "schema"),
            ("endpoints/user.json", "api.yaml", "description api.yaml"),
            ("endpoints/user.json", #"found", "variants"#, "variant found"),
            ("endpoints/user.json", #"user.json", "when"#, "stub file user.json"),
            ("endpoints/user.json", #"id": 1"#, "param id"),
            ("endpoints/user.json", #"local": {"body"#, "environment local"),
            ("endpoints/user.json", "big.bin", "file"),
            ("scenarios/visit.json", "user.get", "endpoint user.get"),
            ("scenarios/visit.json", #"id": 7"#, "param id of user.get"),
            ("scenarios/visit.json", "ids.csv", "file"),
            ("scenarios/visit.json", "$.n", "path $.n"),
            ("endpoints/user.json", "X-Team", nil),
            ("endpoints/user.json", "core", nil),
        ])
    func found(file: String, text: String, expected: String?) throws {
        let content = try #require(Self.files[file])
        let range = try #require(content.firstRange(of: text))
        let offset = content.utf8.distance(from: content.startIndex, to: range.lowerBound)
        let reading = WorkspaceReading(.inMemory(Self.files.map { ($0.key, $0.value) }))
        #expect(reading.mention(at: offset, in: file).map(Self.told) == expected)
    }

    private static func told(_ mention: Mention) -> String {
        switch mention {
        case .placeholder(let placeholder): "placeholder \(placeholder.value.text)"
        case .path(let path): "path \(path.value)"
        case .pattern(let pattern): "pattern \(pattern.value)"
        case .schema: "schema"
        case .description(let description): "description \(description.file.value)"
        case .file: "file"
        case .stubFile(let path): "stub file \(path.value)"
        case .environment(let name): "environment \(name.value)"
        case .endpoint(let id): "endpoint \(id.value)"
        case .variant(let name, let id): "variant \(name.value)" + (id.map { " of \($0)" } ?? "")
        case .parameter(let name, let id): "param \(name.value)" + (id.map { " of \($0)" } ?? "")
        }
    }
}
