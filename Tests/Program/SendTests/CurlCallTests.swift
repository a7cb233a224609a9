import Foundation
import TestSupport
import Testing
import ToolSupport

/// `reqcli curl …`, beside curl itself.
struct CurlCallTests {
    @Test(
        "a pasted curl command sends what curl sends",
        arguments: [
            ["U/a?b=c%20d&e"], ["-X", "DELETE", "U/a/7"], ["-d", "a=1", "-d", "b=x y", "U"],
            ["-G", "-d", "q=1", "U/s"],
            ["--json", #"{"a": [1, 2.50]}"#, "U/json"],
            ["-H", "X-A: 1", "-H", "Accept: text/plain", "-H", "X-E;", "U"],
            ["-u", "ada:s3cr3t pw", "U/p"], ["-b", "sid=abc123", "U"], ["--data-raw", "@not a file", "U"],
            ["-d", "@body.txt", "U"], ["--data-binary", "@body.txt", "-H", "Content-Type: text/x", "U"],
            ["-T", "body.txt", "U/up"], ["-I", "U/h"], ["-A", "agent", "-e", "http://r.test/", "U"],
            ["U/one", "U/two"], ["U/[1-3]/{a,b}"], ["U/[08-11:2]?x={p,q}"], ["-d", "{{a}} $HOME", "U"],
            ["-H", "Authorization: Bearer abcdefgh12345678", "U/users/42?page=2&api_key=ABCDEFGH12345678"],
        ])
    func same(_ words: [String]) async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([
            "body.txt": "line 1\nline 2\n", "reqcli.json": "broken", "environments/development.json": "broken",
        ])
        let line = words.map { $0.hasPrefix("U") ? "http://127.0.0.1:\(server.port)" + $0.dropFirst() : $0 }
        let before = workspace.files
        let run = try await Tool.run(["curl"] + line, in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(workspace.files == before, "no file is made")
        let ours = server.requests
        _ = try await Tool.run(["-q", "-sS"] + line, in: workspace.folder.path, program: ["curl"])
        let theirs = server.requests.dropFirst(ours.count)
        #expect(ours.map(Self.shown) == theirs.map(Self.shown))
    }

    /// What has to be equal. The User-Agent is the program's own, and the program decodes compressed bodies.
    private static func shown(_ request: RecordedRequest) -> String {
        let left = ["accept-encoding", "user-agent", "host", "expect", "connection", "content-length"]
        let headers = request.headers.filter { !left.contains($0.name.lowercased()) }
            .map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        return ([request.method, request.target] + headers + [String(decoding: request.body, as: UTF8.self)])
            .joined(separator: "\n")
    }

    @Test("the output goes where curl's options say, a URL for each -o, and secrets are masked")
    func output() async throws {
        let server = try RecordingServer()
        let url = "http://127.0.0.1:\(server.port)"
        let workspace = try ToolWorkspace([:])
        let run = try await Tool.run(
            ["curl", "-s", "-D", "heads", "-o", "one", "\(url)/1", "\(url)/2", "-v", "-u", "ada:s3cr3tpassword"],
            in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(Set(workspace.files).isSuperset(of: ["heads", "one"]))
        #expect(run.errors.contains("> GET /1\n") && !run.errors.contains("s3cr3tpassword"), "\(run.errors)")
        #expect(!run.errors.contains("YWRhOnMzY3IzdHBhc3N3b3Jk"), "\(run.errors)")
    }

    @Test("each URL of a range goes to its own file")
    func ranges() async throws {
        let server = try RecordingServer()
        let workspace = try ToolWorkspace([:])
        let url = "http://127.0.0.1:\(server.port)/[1-3]/{a,b}"
        let run = try await Tool.run(["curl", "-s", url, "-o", "x-#2-#1.json"], in: workspace)
        #expect(run.status == 0, "\(run.errors)")
        #expect(server.requests.map(\.target) == ["/1/a", "/1/b", "/2/a", "/2/b", "/3/a", "/3/b"])
        #expect(
            workspace.files.filter { $0.hasPrefix("x-") }.sorted()
                == ["a", "b"].flatMap { a in (1...3).map { "x-\(a)-\($0).json" } })
    }

    @Test(
        "what has no counterpart is a note, and a wrong command is an error before anything is sent",
        arguments: [
            (["--limit-rate", "5k", "U"], 0 as Int32, "--limit-rate is not converted"),
            (["--no-such-option", "U"], 3, "curl has no option --no-such-option"),
            ([], 2, "takes the words of a curl command"),
            (["-X", "GET"], 3, "URL"),
        ])
    func mistakes(_ words: [String], _ status: Int32, _ message: String) async throws {
        let server = try RecordingServer()
        let line = words.map { $0 == "U" ? "http://127.0.0.1:\(server.port)/" : $0 }
        let run = try await Tool.run(["curl"] + line, in: try ToolWorkspace([:]))
        #expect(run.status == status && run.errors.contains(message), "\(run)")
        #expect(server.requests.isEmpty == (status != 0))
    }
}
