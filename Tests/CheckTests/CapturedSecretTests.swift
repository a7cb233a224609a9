import Testing
import ToolSupport

/// What was captured as a secret, where a request that carries it is shown.
@Suite(.serialized) struct CapturedSecretTests {
    @Test("its mask has the name that it has in the endpoint's file", arguments: [["send", "it.me", "-v"], ["check"]])
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
