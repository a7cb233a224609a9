import Testing
import ToolSupport

/// Captured secrets are masked wherever a request that contains them is shown.
@Suite(.serialized) struct CapturedSecretTests {
    @Test("a captured secret is masked under its name in the file", arguments: [["send", "it.me", "-v"], ["check"]])
    func name(words: [String]) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/it.json": """
            {"endpoints": {
              "login": {"path": "/login", "capture": {"token": {"json": "$.token", "secret": true}},
                "stubs": {"variants": {"standard": {"json": {"token": "tok-123456"}}}}},
              "me": {"path": "/me", "needs": {"login": "it.login"}, "auth": {"bearer": "{{login.token}}"},
                "expect": {"status": 201}, "stubs": {"variants": {"standard": {"json": {}}}}}}}
            """,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:1", "stubs": {"*": "standard"}}"#,
        ])
        let run = try await Tool.run(words + (words == ["check"] ? ["--report", "json=-"] : []), in: workspace)
        let shown = run.outputText + run.errors
        #expect(shown.contains("Authorization: Bearer <login.token>"), "\(shown)")
        #expect(!shown.contains("secret.login") && !shown.contains("tok-123456"), "\(shown)")
    }
}
