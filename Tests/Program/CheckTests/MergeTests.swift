import HostileServing
import Testing
import ToolSupport

/// A run on several machines: each part by the built program, and `report merge` of what they have written.
@Suite(.serialized) struct MergeTests {
    /// Three cases that pass, one that fails, and two that need a login.
    private static func workspace(port: Int) throws -> ToolWorkspace {
        var files = ["environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(port)"}"#]
        for name in ["a", "b", "c", "ill"] {
            files["endpoints/\(name).json"] = #"{"path": "/\#(name)", "expect": {"status": 200}}"#
        }
        files["endpoints/login.json"] =
            #"{"path": "/login", "capture": {"token": {"json": "$.token", "secret": true}}}"#
        for name in ["d", "e"] {
            files["endpoints/\(name).json"] = #"""
                {"path": "/\#(name)", "needs": {"l": "login"}, "headers": {"X-Token": "{{l.token}}"}, "expect": {"status": 200}}
                """#
        }
        return try ToolWorkspace(files)
    }

    private static func server(_ respond: (@Sendable (String) -> Int)? = nil) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let status = respond?(request.line) ?? (request.line.contains("/ill") ? 500 : 200)
                connection.respond(
                    status, body: request.line.contains("/login") ? #"{"token": "tok-1234567890"}"# : "{}")
            }
        }
    }

    private static func runParts(_ count: Int, _ more: [String] = [], in workspace: ToolWorkspace) async throws
        -> [Int32]
    {
        var statuses: [Int32] = []
        for index in 0..<count {
            let run = try await Tool.run(
                ["check", "--shard", "auto", "--report", "json=part-\(index).json"] + more, in: workspace,
                environment: ["REQCLI_SHARD_INDEX": "\(index)", "REQCLI_SHARD_COUNT": "\(count)"])
            statuses.append(run.status)
        }
        return statuses
    }

    private static func merge(_ words: [String], in workspace: ToolWorkspace) async throws -> ToolRun {
        try await Tool.run(["report", "merge"] + words, in: workspace)
    }

    @Test("merged parts have the output and the status of one run, and all reports")
    func merged() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(port: server.port)
        let statuses = try await Self.runParts(3, in: workspace)
        #expect(statuses.sorted() == [0, 0, 1])
        let reports = ["junit", "tap", "json", "html", "github"].flatMap { ["--report", "\($0)=all.\($0)"] }
        let run = try await Self.merge(["part-0.json", "part-1.json", "part-2.json"] + reports, in: workspace)
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.errors == "")
        #expect(run.outputText.contains("✗ ill  "))
        #expect(run.outputText.contains("found    500"))
        #expect(!run.outputText.contains("✓"))
        #expect(run.outputText.contains("6 cases in "))
        #expect(run.outputText.contains("(development): 5 passed, 1 failed"))
        #expect(run.outputText.contains("needed: login "))
        for kind in ["junit", "tap", "json", "html", "github"] {
            let bytes = try #require(workspace.read("all.\(kind)"))
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("ill"))
            #expect(!text.contains("tok-1234567890"))
        }
        // What is left to run can be read from it, and the next run can be balanced by it.
        let again = try await Tool.run(["check", "--list", "--failed", "all.json"], in: workspace)
        #expect(again.outputText.contains("1 case\n"))
        let balanced = try await Self.runParts(3, ["--balance", "all.json"], in: workspace)
        #expect(balanced.sorted() == [0, 0, 1])
        let second = try await Self.merge(
            ["part-2.json", "part-0.json", "part-1.json", "--quiet", "--report", "tap=-"], in: workspace)
        #expect(second.status == 1)
        #expect(second.outputText.hasPrefix("TAP version 14\n1..6\n"))
    }

    @Test("recorded durations give parts that take about the same time")
    func balanced() async throws {
        var files = ["environments/development.json": #"{"baseURL": "http://127.0.0.1:1"}"#]
        for index in 0..<48 {
            let delay = index % 8 == 0 ? 60 + index : 5 + index % 13
            files["endpoints/e\(index).json"] = #"""
                {"path": "/", "expect": {"status": 200},
                 "stubs": {"variants": {"standard": {"json": {}, "delay": "\#(delay)ms"}}}}
                """#
        }
        let workspace = try ToolWorkspace(files)
        let whole = try await Tool.run(["check", "--stub", "--report", "json=timings.json"], in: workspace)
        #expect(whole.status == 0)
        let list = try await Tool.run(
            ["check", "--list", "--shard", "1/4", "--balance", "timings.json"], in: workspace)
        let numbers = try #require(
            list.outputText.firstMatch(of: /planned: [0-9]+ms in this shard, ([0-9]+)ms to ([0-9]+)ms in all 4/))
        let (least, most) = (try #require(Double(numbers.1)), try #require(Double(numbers.2)))
        #expect(most / least <= 1.05, "\(list.outputText)")
    }

    @Test("a part that is missing is exit 2 though all others passed, and JUnit is red")
    func missing() async throws {
        let server = try Self.server { _ in 200 }
        defer { server.stop() }
        let workspace = try Self.workspace(port: server.port)
        #expect(try await Self.runParts(3, in: workspace) == [0, 0, 0])
        let run = try await Self.merge(
            ["part-0.json", "part-2.json", "none.json", "--report", "junit=all.xml"], in: workspace)
        #expect(run.status == 2)
        #expect(run.errors.contains("error: part 2/3 is missing: "))
        #expect(run.errors.contains("error: cannot read \"none.json\": there is no such file"))
        let text = String(decoding: try #require(workspace.read("all.xml")), as: UTF8.self)
        #expect(text.contains("<error type=\"incomplete\" message=\"part 2/3 is missing: "))
        // As a shell leaves a pattern that matches nothing.
        let none = try await Self.merge(["part-*.txt", "--report", "junit=none.xml"], in: workspace)
        #expect(none.status == 2)
        #expect(none.errors.contains("error: cannot read \"part-*.txt\""))
        #expect(!workspace.files.contains("none.xml"))
    }

    @Test(
        "a part from stubs, or without the description of the others, is of another run",
        arguments: [["--stub"], ["--stub", "--openapi", "api.json"], ["--openapi", "api.json"]])
    func otherFlags(_ flags: [String]) async throws {
        let server = try Self.server { _ in 200 }
        defer { server.stop() }
        let workspace = try Self.workspace(port: server.port)
        for name in ["a", "b", "c"] {
            try workspace.write(
                "endpoints/\(name).json",
                #"""
                {"path": "/\#(name)", "expect": {"status": 200}, "stubs": {"variants": {"standard": {"json": {}}}}}
                """#)
        }
        let operations = ["a", "b", "c"].map { #""/\#($0)": {"get": {"responses": {"200": {"description": ""}}}}"# }
        let paths = operations.joined(separator: ",")
        try workspace.write(
            "api.json", #"{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {\#(paths)}}"#)
        func check(_ part: String, _ flags: [String]) async throws {
            let name = "json=\(part.prefix(1)).json"
            let words = ["check", "a", "b", "c", "--shard", part, "--report", name]
            _ = try await Tool.run(words + flags, in: workspace)
        }
        try await check("1/2", flags)
        try await check("2/2", flags)
        let alike = try await Self.merge(["1.json", "2.json"], in: workspace)
        #expect(!alike.errors.contains("error:"), "\(alike.errors)")
        try await check("2/2", [])
        let run = try await Self.merge(["1.json", "2.json"], in: workspace)
        #expect(run.status == 2)
        #expect(run.errors.contains("has a different plan from"), "\(run.errors)")
    }

    @Test("a part that Ctrl-C has ended is exit 2 in the merged run")
    func interrupted() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let hanging = try HostileServer { connection in
            while connection.readRequest() != nil { connection.pause(20) }
        }
        defer { hanging.stop() }
        let workspace = try Self.workspace(port: server.port)
        _ = try await Self.runParts(2, in: workspace)
        let port = hanging.port
        let part = try Tool.start(
            ["check", "--shard", "2/2", "--base-url", "http://127.0.0.1:\(port)", "--report", "json=part-1.json"],
            in: workspace)
        for _ in 0..<200 where hanging.requests.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        part.send(signal: .interrupt)
        #expect(try await part.end(within: .seconds(20)).status == 130)
        let run = try await Self.merge(["part-0.json", "part-1.json", "--report", "tap=all.tap"], in: workspace)
        #expect(run.status == 2)
        #expect(run.errors.contains("error: part 2/2 was interrupted: "), "\(run.errors)")
    }

    @Test("a flaky case is marked, and --fail-on-flaky makes it exit 1, in a part and merged")
    func flaky() async throws {
        let server = try Self.server { line in line.contains("/ill") && Int.random(in: 0...1) == 0 ? 500 : 200 }
        defer { server.stop() }
        let workspace = try Self.workspace(port: server.port)
        // A stub that answers in turn: the second attempt passes.
        try workspace.write(
            "endpoints/shy.json",
            #"""
            {"path": "/", "expect": {"status": 200}, "stubs": {"variants": {"standard": {
              "sequence": [{"status": 503}, {"status": 200}]}}}}
            """#)
        let words = ["check", "shy", "--stub", "--retry", "2", "--retry-interval", "1ms"]
        let green = try await Tool.run(words, in: workspace)
        #expect(green.status == 0, "\(green.errors)")
        #expect(green.outputText.contains("  flaky  2 requests"))
        #expect(green.outputText.contains("at first status: expected 200, found 503"))
        let red = try await Tool.run(
            words + ["--fail-on-flaky", "--shard", "1/1", "--report", "json=part.json"], in: workspace)
        #expect(red.status == 1)
        #expect(red.outputText.contains("passed at attempt 2; at first status: expected 200, found 503"))
        let run = try await Self.merge(["part.json"], in: workspace)
        #expect(run.status == 1)
        #expect(run.outputText.contains("1 failed, 1 flaky"), "\(run.outputText)")
    }
}
