import HostileServing
import Testing
import ToolSupport

/// `--exclude` leaves out cases.
@Suite(.serialized) struct ExclusionTests {
    private static func workspace(port: Int = 9) throws -> ToolWorkspace {
        let each = #"{"path": "/NAME", "tags": ["TAG"], "expect": {"status": 200}}"#
        return try ToolWorkspace([
            "endpoints/fast.json": each.replacing("NAME", with: "fast").replacing("TAG", with: "smoke"),
            "endpoints/slow.json": each.replacing("NAME", with: "slow").replacing("TAG", with: "night"),
            "endpoints/user.json": """
            {"path": "/user", "expect": {"status": 200}, "checks": [{"name": "again", "expect": {"status": 200}}]}
            """,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(port)"}"#,
        ])
    }

    @Test("the requests of excluded cases are not sent")
    func notSent() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(200, body: "{}") }
        }
        defer { server.stop() }
        let run = try await Tool.run(
            ["check", "--jobs", "1", "--exclude", "tag:night", "--exclude=user/again"],
            in: Self.workspace(port: server.port))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.outputText.contains("2 cases"))
        #expect(server.requests.map(\.line) == ["GET /fast HTTP/1.1", "GET /user HTTP/1.1"])
    }

    @Test("excluded cases are not listed")
    func list() async throws {
        let run = try await Tool.run(["check", "--list", "--exclude", "us*"], in: Self.workspace())
        #expect(run.outputText == "fast  GET  /fast\nslow  GET  /slow\n2 cases\n")
        #expect(run.status == 0)
    }

    @Test(
        "an exclusion that selects nothing, and exclusions that leave nothing, are errors with --list, too",
        arguments: [
            (["--exclude", "slwo"], #"there is no endpoint or group "slwo""#, #"did you mean "slow"?"#),
            (
                ["slow", "--exclude", "tag:night"],
                "there is nothing to check: --exclude leaves out every selected case", "exclude fewer cases"
            ),
            (["--exclude", "tag:"], "--exclude", "tag:NAME"),
        ])
    func mistakes(_ words: [String], _ message: String, _ hint: String) async throws {
        for more in [[], ["--list"]] {
            let run = try await Tool.run(["check"] + words + more, in: Self.workspace())
            #expect(run.status == 2)
            #expect(run.outputText == "")
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(run.errors.contains(hint), "\(run.errors)")
        }
    }

    @Test(
        "If nothing can be compared, the message says why",
        arguments: [
            (["bare"], "no selected endpoint has stubs", "\"reqcli send bare --save-stub standard\""),
            (["put"], "every selected endpoint with stubs may change something", "that have \"expect\" or \"checks\""),
            (["bare", "--exclude", "bare"], "--exclude leaves out every selected case", "exclude fewer cases"),
        ])
    func nothingToCompare(_ words: [String], _ message: String, _ hint: String) async throws {
        let workspace = try ToolWorkspace([
            "endpoints/bare.json": #"{"path": "/bare", "expect": {"status": 200}}"#,
            "endpoints/put.json": #"{"path": "/", "method": "PUT", "stubs": {"variants": {"a": {"json": 1}}}}"#,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:9"}"#,
        ])
        let run = try await Tool.run(["drift"] + words, in: workspace)
        #expect(run.status == 2 && run.errors.contains("there is nothing to compare: \(message)"), "\(run.errors)")
        #expect(run.errors.contains(hint) && run.errors.contains("--exclude") == words.contains("--exclude"))
    }
}
