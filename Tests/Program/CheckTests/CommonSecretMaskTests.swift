import Testing
import ToolSupport

/// Secrets that are names of the workspace or words of messages, tried with the program.
@Suite(.serialized) struct CommonSecretMaskTests {
    private static let files = [
        "endpoints/test.json": """
        {"endpoints": {
          "login": {"path": "/login", "headers": {"X-Password": "{{secret.password}}"}, "expect": {"status": 200},
            "stubs": {"variants": {"refused": {"status": 401, "json": {"a": "a", "echo": "test"}}}}},
          "list": {"path": "/list", "query": {"q": "{{secret.password}}"}, "expect": {"status": 200},
            "stubs": {"variants": {"good": {"json": []}}}}}}
        """,
        "environments/development.json":
            #"{"baseURL": "http://127.0.0.1:9", "secrets": {"password": {"env": "PASSWORD"}}}"#,
    ]

    @Test(
        "check reports ids whatever the secret is, warns once, and --failed finds them",
        arguments: ["test", "a", "401", "login", "status", "expected"])
    func failed(secret: String) async throws {
        let workspace = try ToolWorkspace(Self.files)
        let environment = ["PASSWORD": secret]
        let run = try await Tool.run(
            ["check", "--stub", "--report", "json=run.json", "--report", "junit=run.xml"], in: workspace,
            environment: environment)
        #expect(run.status == 1)
        #expect(run.outputText.contains("✗ test.login"), "\(run.outputText)")
        #expect(run.outputText.contains("expected 200") && run.outputText.contains("found    401 Unauthorized"))
        let warnings = run.errors.split(separator: "\n").filter { $0.contains("masked only as a whole word") }
        #expect(warnings.count == (["status", "expected"].contains(secret) ? 0 : 1), "\(run.errors)")
        #expect(String(decoding: workspace.read("run.xml") ?? [], as: UTF8.self).contains("name=\"test.login\""))
        let again = try await Tool.run(
            ["check", "--stub", "--failed", "run.json"], in: workspace, environment: environment)
        #expect(again.status == 1)
        #expect(again.outputText.contains("✗ test.login") && !again.outputText.contains("test.list"), "\(again.errors)")
    }

    @Test(
        "a secret is no reason to mask the words of what went wrong",
        arguments: ["refused", "connection", "server", "127.0.0.1:9"])
    func transportErrors(secret: String) async throws {
        let workspace = try ToolWorkspace(Self.files)
        let sent = try await Tool.run(["send", "test.login"], in: workspace, environment: ["PASSWORD": secret])
        let target = secret == "127.0.0.1:9" ? "<secret.password>" : "127.0.0.1:9"
        #expect(sent.status == 6)
        #expect(sent.errors.contains("\(target) refused the connection: check that the server runs"), "\(sent.errors)")
        let checked = try await Tool.run(["check", "test.login"], in: workspace, environment: ["PASSWORD": secret])
        #expect(checked.outputText.contains("\(target) refused the connection: check"), "\(checked.outputText)")
    }

    @Test(
        "send -v masks a common secret in values, and leaves names and reasons alone", arguments: ["a", "test", "GET"])
    func send(secret: String) async throws {
        let workspace = try ToolWorkspace(Self.files)
        let run = try await Tool.run(
            ["send", "test.login", "--stub", "-v"], in: workspace, environment: ["PASSWORD": secret])
        #expect(run.errors.contains("> GET /login\n"), "\(run.errors)")
        #expect(run.errors.contains("> X-Password: <secret.password>\n"), "\(run.errors)")
        #expect(run.errors.contains("401 Unauthorized\n"), "\(run.errors)")
        #expect(run.errors.split(separator: "masked only as a whole word").count == 2, "\(run.errors)")
    }
}
