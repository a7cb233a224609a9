import HostileServing
import Testing
import ToolSupport

/// A response body that is larger than `check` keeps.
@Suite(.serialized) struct LargeBodyTests {
    private static func check(_ expect: String, _ words: [String] = []) async throws -> ToolRun {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(200, ["X-Id: 7"], body: String(repeating: "[1], ", count: 1000))
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace([
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(server.port)"}"#,
            "endpoints/a.json": "{\"path\": \"/a\", \"expect\": \(expect)}",
        ])
        return try await Tool.run(["check"] + words, in: workspace)
    }

    @Test("status, headers and time are checked even if the body is larger than --max-body")
    func judged() async throws {
        let run = try await Self.check(
            #"{"status": 200, "headers": {"X-Id": "7"}, "maxTime": "60s"}"#, ["--max-body", "1K"])
        #expect(run.status == 0, "\(run.outputText)")
    }

    @Test("an expectation about a body larger than --max-body fails and names the flag", arguments: ["body", "json"])
    func failed(part: String) async throws {
        let condition = part == "body" ? #"{"contains": "["}"# : #"{"$[0]": {"exists": true}}"#
        let run = try await Self.check("{\"\(part)\": \(condition)}", ["--max-body", "1K"])
        #expect(run.status == 1)
        #expect(run.outputText.contains("it is larger than 1 KiB; --max-body allows more"), "\(run.outputText)")
        #expect(run.outputText.contains("answered 200 with more than "), "\(run.outputText)")
    }

    @Test("a body that never ends is read until its time limit")
    func endless() async throws {
        let server = try HostileServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let block = [UInt8](repeating: 0x61, count: 1 << 16)
            while connection.send(block) {}
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)",
            endpoint: #"{ "path": "/", "expect": { "status": 200, "maxTime": "300ms" } }"#)
        let run = try await Tool.run(["check", "--max-body", "1M"], in: workspace)
        #expect(run.status == 1)
        #expect(run.outputText.contains("expected at most 300ms"), "\(run.outputText)")
        #expect(run.outputText.contains("with more than"), "\(run.outputText)")
    }

    @Test("a body within --max-body is checked as a whole")
    func allowed() async throws {
        let run = try await Self.check(#"{"body": {"length": 5000}}"#, ["--max-body", "5000"])
        #expect(run.status == 0, "\(run.outputText)")
    }

    @Test("An invalid --max-body is rejected", arguments: ["0", "4G", "1MB", "x"])
    func usage(size: String) async throws {
        let run = try await Self.check("{}", ["--max-body", size])
        #expect(run.status == 2)
        #expect(run.errors.contains("512M"), "\(run.errors)")
    }
}
