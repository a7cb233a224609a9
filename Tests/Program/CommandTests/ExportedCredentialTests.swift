import TestSupport
import Testing

/// Credentials that files of the workspace contain as text.
struct ExportedCredentialTests {
    private static let environment = #"""
        {"baseURL": "https://good.example", "auth": {"bearer": "Lit-0"}, "headers": {"X-Api-Key": "Lit-1"},
         "variables": {"part": "p", "apiKey": "Lit-2", "page": "two"}, "secrets": {"own": {"env": "OWN"}}}
        """#

    /// Endpoints without their paths, each with credentials whose values begin with `Lit-`.
    private static let endpoints = [
        "beside": #""headers": {"X-Api-Key": "Lit-3{{part}}", "Authorization": "Bearer Lit-4{{part}}"}"#,
        "list": #""headers": {"X-Token": ["Lit-5", "Lit-6"]}, "query": {"api_key": ["Lit-7", "Lit-8{{part}}"]}"#,
        "choice": #"""
        "params": {"p": {"type": "string", "default": "a"}},
        "headers": {"X-Token": {"$switch": "{{p}}", "a": "Lit-9", "$default": "Lit-10"}},
        "query": {"api_key": {"$switch": "{{p}}", "a": "Lit-11", "$default": "Lit-12"}}
        """#,
        "json": #"""
        "method": "POST", "body": {"json": {"password": "Lit-13", "deep": [{"token": "Lit-14{{part}}"}], "x": "kept-1",
          "secret": {"$switch": "{{part}}", "p": "Lit-15", "$default": "Lit-16"}}}
        """#,
        "form":
            #""method": "POST", "body": {"form": {"password": "Lit-17", "client_secret": ["Lit-18"], "x": "kept-2"}}"#,
        "multipart": #""method": "POST", "body": {"multipart": {"password": {"text": "Lit-19"}, "pin": "Lit-20"}}"#,
        "text": #""method": "POST", "body": {"text": "password=Lit-21a&x=kept-3"}"#,
        "jsonText": #""method": "POST", "body": {"text": "{\"password\": \"Lit-22a\", \"x\": \"kept-4\"}"}"#,
        "graphql": #"""
        "method": "POST", "body": {"graphql": {"query": "query Q($password: String) { a(password: $password) }",
          "variables": {"password": "Lit-23", "x": "kept-5"}}}
        """#,
        "basic": #""auth": {"basic": {"user": "ann", "password": "Lit-24"}}"#,
        "digest": #""auth": {"digest": {"user": "ann", "password": "Lit-25{{part}}"}}"#,
        "key": #""auth": {"apiKey": {"query": "k", "value": "Lit-26"}}"#,
        "queryText": #""query": "api_key=Lit-27&x=kept-6""#,
        "param": #""params": {"password": {"type": "string", "default": "Lit-28"}}, "query": {"p": "{{password}}"}"#,
        "variable": #""headers": {"X-V": "{{apiKey}}", "X-W": "{{page}}"}"#,
        "overlay": #""environments": {"development": {"headers": {"X-Token": "Lit-29"}}}"#,
        "cookie": #""headers": {"Cookie": "sid=Lit-30"}"#,
        "scheme": #""headers": {"X-Any": "Bearer Lit-33{{part}}"}"#,
        "number": #""headers": {"X-Pin": 987650034}, "query": {"pin": 987650035}"#,
        "shape": #""headers": {"X-Any": "ghp_0123456789Lit-31"}"#,
    ]

    private static var files: [String: String] {
        let all = endpoints.sorted { $0.key < $1.key }.map { #""\#($0)": {"path": "/\#($0)", \#($1)}"# }
        return [
            "reqcli.json": "{}", "environments/development.json": environment,
            "endpoints/a.json":
                #"{"defaults": {"headers": {"X-Secret": "Lit-32"}}, "endpoints": {\#(all.joined(separator: ",\n"))}}"#,
        ]
    }

    @Test(
        "No export holds a credential that a file names as one",
        arguments: ["openapi", "postman", "hurl", "http", "locust", "k6", "html"])
    func formats(format: String) async {
        let files = MemoryFiles(Self.files)
        let before = Set(files.texts.keys)
        let run = await reqcli("export", format, "-o", "out/", files: files)
        #expect(run.status == 0, "\(run)")
        let text = files.texts.filter { !before.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value).joined()
        let found = Set(text.matches(of: #/Lit-[0-9]+|98765[0-9]+/#).map { String($0.0) }).sorted()
        #expect(found == [], "\(text)")
        for id in Self.endpoints.keys { #expect(text.contains("/\(id)"), "\(id)") }
        for number in 1...6 { #expect(text.contains("kept-\(number)"), "kept-\(number)") }
        #expect(run.messages.contains("note: a credential in a file is not exported"), "\(run)")
    }
}
