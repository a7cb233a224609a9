import Foundation
import Glibc
import TestSupport
import Testing
import ToolSupport

/// What happens to a server while it runs: saved files, typed choices, signals.
@Suite struct RunTests {
    @Test(
        "a saved file answers at once; one with errors leaves its last version",
        arguments: [[], ["--poll"]] as [[String]])
    func reload(_ options: [String]) async throws {
        let server = try await ServeProcess(options)
        #expect(try await server.curl("/v1/user/1/feed").body == "[1]")
        let file = "endpoints/user.json"
        try server.workspace.write(file, ServeProcess.endpoints.replacing("[1]", with: "[2]"))
        let saved = try await server.event("reload")
        #expect(saved["files"] as? [String] == [file])
        #expect(saved["endpoints"] as? Int == 3)
        #expect(saved["problems"] == nil)
        #expect(try await server.curl("/v1/user/1/feed").body == "[2]")

        try server.workspace.write(file, "{")
        try server.workspace.write(
            "endpoints/other.json", #"{ "path": "other", "stubs": { "variants": { "x": { "text": "x" } } } }"#)
        var broken = try await server.event("reload")
        if broken["endpoints"] as? Int != 4 { broken = try await server.event("reload") }
        #expect((broken["problems"] as? [String])?.first?.hasPrefix("endpoints/user.json:1:") == true)
        #expect(try await server.curl("/v1/user/1/feed").body == "[2]")
        #expect(try await server.curl("/v1/other").body == "x")
        #expect(try await server.control("GET", "").body.contains("endpoints/user.json:1:"))

        try server.workspace.write(file, ServeProcess.endpoints.replacing("[1]", with: "[3]"))
        #expect(try await server.event("reload")["problems"] == nil)
        #expect(try await server.curl("/v1/user/1/feed").body == "[3]")
        #expect(try await server.end().status == 0)
    }

    @Test("with a seed and a time, two servers fill stubs with the same values, and each response with its own")
    func seed() async throws {
        var bodies: [[String]] = []
        for seed in ["1", "1", "2"] {
            let server = try await ServeProcess(
                ["--seed", seed, "--at", "2026-01-01T00:00:00Z"],
                [
                    "endpoints/any.json": #"""
                    { "path": "any", "stubs": { "variants": { "x": { "fill": true,
                      "text": "{{$uuid}} {{$random.hex 8}} {{$random.hex 8}} {{$now | unix}} {{$timestamp}}" } } } }
                    """#
                ])
            bodies.append([try await server.curl("/v1/any").body, try await server.curl("/v1/any").body])
            #expect(try await server.end().status == 0)
        }
        #expect(bodies[0] == bodies[1] && Set(bodies.flatMap(\.self)).count == 4, "\(bodies)")
        #expect(bodies[0][0].hasSuffix(" 1767225600 1767225600") && Set(bodies[0][0].split(separator: " ")).count == 4)
    }

    @Test("a broken file at the start is an error")
    func brokenAtStart() async throws {
        let workspace = try ToolWorkspace(ServeProcess.files.merging(["endpoints/other.json": "{"]) { $1 })
        let run = try await Tool.run(["serve", "--port", "0"], in: workspace, within: .seconds(20))
        #expect(run.status == 3)
        #expect(run.errors.contains("endpoints/other.json:1:"))
    }

    @Test(
        "what validate refuses is an error at the start",
        arguments: [
            #"{ "path": "a/{{p}}", "params": { "p": { "type": "string", "pattern": "[0-9" } } }"#,
            #"{ "path": "a/{{p}}", "params": { "p": { "type": "string", "schema": "nope.json" } } }"#,
            #"{ "path": "a", "stubs": { "variants": { "x": { "when": { "json": { "$.[": 1 } } } } } }"#,
            #"{ "path": "a", "stubs": { "variants": { "x": { "when": { "params": { "zz": 1 } } } } } }"#,
            #"{ "path": "a", "stubs": { "default": "q", "variants": { "x": {} } } }"#,
            #"{ "path": "a", "stubs": { "variants": { "x": { "like": "y" }, "y": { "like": "x" } } } }"#,
        ])
    func invalidAtStart(_ endpoint: String) async throws {
        let files = ["endpoints/other.json": #"{ "endpoints": { "a": \#(endpoint) } }"#]
        let workspace = try ToolWorkspace(ServeProcess.files.merging(files) { $1 })
        let run = try await Tool.run(["serve", "--port", "0"], in: workspace, within: .seconds(20))
        #expect(run.status == 3)
        #expect(run.errors.contains("endpoints/other.json:1:"))
        // A file that isn't served doesn't matter.
        let server = try await ServeProcess(["user.*"], files)
        #expect(try await server.end().status == 0)
    }

    @Test("an environment's variant for all endpoints that one of them lacks is an error at the start")
    func allLackVariant() async throws {
        func run(_ stubs: String, _ options: String...) async throws -> ToolRun {
            let environment = #"{ "baseURL": "http://a.test/v1", "stubs": { \#(stubs) } }"#
            let workspace = try ToolWorkspace(
                ServeProcess.files.merging(["environments/development.json": environment]) { $1 })
            return try await Tool.run(
                ["serve", "--port", "0"] + options + ["--", "true"], in: workspace, within: .seconds(20))
        }
        let refused = try await run(#""*": "empty""#)
        #expect(refused.status == 3)
        #expect(
            refused.errors.hasPrefix(
                "environments/development.json:1:50: error: not all endpoints have a stub variant \"empty\": "
                    + "user.create has created\n"))
        #expect(refused.errors.contains("in addition to \"*\", name a variant for each of these endpoints"))
        #expect(try await run(#""*": "empty", "user.create": "created""#).status == 0)
        #expect(try await run(#""*": "empty""#, "--stub=user.create=created").status == 0)
        #expect(try await run(#""*": "empty""#, "user.feed").status == 0)
        #expect(try await run(#""*": "empty""#, "user.feed", "--rest", "user.create").status == 3)
        #expect(try await run(#""*": "empty""#, "user.feed", "--rest", "user.create=created").status == 0)
    }

    @Test("--stub takes selectors, and the last one that fits an endpoint counts")
    func stubSelectors() async throws {
        let server = try await ServeProcess(
            ["--stub", "user.*=standard", "--stub", "user.f*=empty"],
            ["endpoints/user.json": ServeProcess.endpoints.replacing(#""created": {"#, with: #""standard": {"#)])
        #expect(try await server.curl("/v1/user/1/feed").outputText.contains("X-Reqcli-Stub: user.feed=empty\r\n"))
        #expect(try await server.end().status == 0)
        func errors(_ options: String...) async throws -> String {
            let workspace = try ToolWorkspace(ServeProcess.files)
            let run = try await Tool.run(["serve", "--port", "0"] + options, in: workspace, within: .seconds(20))
            #expect(run.status == 2)
            return run.errors
        }
        let lacking = try await errors("--stub", "user.*=empty")
        #expect(lacking.contains("user.create has no stub variant \"empty\"") && lacking.contains("available: created"))
        #expect(try await errors("--stub", "user.bare=empty").contains("user.bare has no stub variants"))
        #expect(try await errors("--stub", "user.x*=empty").contains("no endpoint's id matches \"user.x*\""))
    }

    @Test("an edit that takes a chosen variant away leaves only that file as it was")
    func chosenVariantGone() async throws {
        let files = ["endpoints/a.json": #"{ "path": "a", "stubs": { "variants": { "x": { "text": "1" } } } }"#]
        let server = try await ServeProcess(["--stub", "user.feed=gone"], files)
        try server.workspace.write(
            "endpoints/user.json", ServeProcess.endpoints.replacing("\"gone\"", with: "\"left\""))
        #expect("\(try await server.event("reload")["problems"] ?? "")".contains("user.feed has no stub variant"))
        try server.workspace.write(
            "endpoints/a.json", #"{ "path": "a", "stubs": { "variants": { "x": { "text": "2" } } } }"#)
        #expect("\(try await server.event("reload")["problems"] ?? "")".contains("user.feed has no stub variant"))
        #expect(try await server.curl("/v1/a").body == "2")
        #expect(try await server.curl("/v1/user/1/feed").code == "410")
        // The other file's last good version is the new one.
        try server.workspace.write("endpoints/a.json", "{")
        _ = try await server.event("reload")
        #expect(try await server.curl("/v1/a").body == "2")
        #expect(try await server.end().status == 0)
    }

    @Test("an endpoint that can't be told from another one is reported when it is saved")
    func twin() async throws {
        let server = try await ServeProcess([])
        try server.workspace.write("endpoints/twin.json", #"{ "path": "bare" }"#)
        _ = try await server.event("reload")
        let end = try await server.end()
        #expect(end.status == 0)
        #expect(end.errors.contains("no request can reach user.bare, because the same requests match twin"))
    }

    @Test("a log that can't be written is told at the end")
    func fullLog() async throws {
        let workspace = try ToolWorkspace(ServeProcess.files)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        let server = try Tool.start(
            ["serve", "--port", "0", "--until-eof"], in: workspace, errors: .descriptor(full))
        #expect(try await server.end(within: .seconds(20)).status == 9)
    }

    @Test("choices are typed at the terminal")
    func typing() async throws {
        let workspace = try ToolWorkspace(ServeProcess.files)
        let terminal = try PseudoTerminal()
        let server = try Tool.start(
            ["serve", "--port", "0"], in: workspace, input: terminal.program, output: .descriptor(terminal.program),
            errors: .descriptor(terminal.program))
        #expect(await terminal.shows("? for help"))
        #expect(terminal.text.contains("from stubs; all paths begin with /v1; type user.feed=empty to choose"))
        let url = try #require(terminal.text.firstMatch(of: /http:\/\/localhost:[0-9]+/)).output
        func body() async throws -> String {
            try await Tool.run(["-sS", "\(url)/v1/user/1/feed"], program: [Tool.path(of: "curl") ?? "curl"]).outputText
        }
        terminal.type("user.feed=empty\n")
        #expect(await terminal.shows("user.feed responds with empty"))
        #expect(try await body() == "[]")
        terminal.type("user.feed=emty\n")
        #expect(await terminal.shows("did you mean \"empty\"?"))
        terminal.type("?\n")
        #expect(await terminal.shows("standard | empty (chosen) | large"))
        terminal.type("reset\n")
        #expect(await terminal.shows("journal are reset"))
        #expect(try await body() == "[1]")
        #expect(await terminal.shows("GET /v1/user/1/feed  200  user.feed=standard"))
        server.send(signal: .interrupt)
        #expect(try await server.end(within: .seconds(20)).status == 0)
    }

    @Test("responses under way are finished at the end, and a second signal ends at once")
    func end() async throws {
        let server = try await ServeProcess([])
        async let late = server.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: late")
        _ = try await server.event("request")
        server.tool.send(signal: .terminate)
        #expect(try await late.body == "late")
        #expect(try await server.tool.end(within: .seconds(20)).status == 0)

        let stuck = try await ServeProcess(["--grace", "60s"])
        async let slow = stuck.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: slow")
        _ = try await stuck.event("request")
        stuck.tool.send(signal: .interrupt)
        // Two signals that arrive together count as one. So the test sends the second one when the server accepts no more requests.
        while try await stuck.curl("/v1/user/1/feed", "--max-time", "2").status == 0 {}
        stuck.tool.send(signal: .interrupt)
        #expect(try await stuck.tool.end(within: .seconds(20)).status == 130)
        #expect(try await slow.status != 0)

        let short = try await ServeProcess(["--grace", "200ms"])
        async let cut = short.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: slow")
        _ = try await short.event("request")
        #expect(try await short.end().status == 0)
        #expect(try await cut.status != 0)
    }

    @Test("a command that has to be killed takes the programs along that it has started")
    func childrenOfCommand() async throws {
        let workspace = try ToolWorkspace(ServeProcess.files)
        // The inner shell is a child of a child; all of them ignore the signal that asks.
        let script =
            "trap '' TERM; sh -c 'sh -c \"echo \\$\\$ > inner; sleep 60; :\"; :' & echo $! > outer; wait; sleep 60"
        let server = try Tool.start(
            ["serve", "--port", "0", "--grace", "300ms", "--", "sh", "-c", script], in: workspace)
        func process(_ name: String) -> pid_t? {
            workspace.read(name).map { String(decoding: $0, as: UTF8.self) }
                .flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        #expect(await eventually { process("inner") != nil && process("outer") != nil })
        server.send(signal: .terminate)
        #expect(try await server.end(within: .seconds(20)).status == 137)
        for name in ["outer", "inner"] {
            let id = try #require(process(name))
            #expect(await eventually { kill(id, 0) != 0 }, "\(name)")
        }
    }

    @Test("a log that nobody reads holds up no response, and lines are counted")
    func unreadLog() async throws {
        let workspace = try ToolWorkspace(ServeProcess.files)
        let log = try Descriptor.pipe()
        let output = try Descriptor.pipe()
        let server = try Tool.start(
            ["serve", "--port", "0"], in: workspace, output: .descriptor(output.writing),
            errors: .descriptor(log.writing))
        Descriptor.close(log.writing)
        Descriptor.close(output.writing)
        let url = String(decoding: Descriptor.read(output.reading, upTo: 100) ?? [], as: UTF8.self).prefix {
            $0 != "\n"
        }
        // Each line is longer than 4 KB: a pipe and 1 MiB are full after 300.
        let path = "\(url)/v1/" + String(repeating: "x", count: 4000)
        let urls = (0..<500).flatMap { ["-o", "/dev/null", "\(path)?\($0)"] }
        let run = try await Tool.run(
            ["-s", "-w", "%{http_code}"] + urls, program: [Tool.path(of: "curl") ?? "curl"], within: .seconds(60))
        #expect(run.outputText == String(repeating: "404", count: 500))
        let reading = Task.detached { String(decoding: Descriptor.readAll(log.reading), as: UTF8.self) }
        // At the end the rest of the log has a second.
        try await Task.sleep(for: .seconds(3))
        server.send(signal: .terminate)
        #expect(try await server.end(within: .seconds(20)).status == 0)
        #expect(await reading.value.contains(/[0-9]+ lines are missing, because the log was not read/))
        Descriptor.close(log.reading)
        Descriptor.close(output.reading)
    }

    @Test("a large file, a last endpoint, a unix socket, and the addresses that others reach")
    func addresses() async throws {
        let server = try await ServeProcess(["--rest", "user.feed=gone"])
        #expect(try await server.curl("/anything").body == "gone")
        #expect(try await server.curl("/v1/user/1/feed", "-H", "X-Reqcli-Stub: file").body.utf8.count == 200_000)
        #expect(try await server.end().status == 0)

        let workspace = try ToolWorkspace(ServeProcess.files)
        let path = workspace.path("s.sock")
        let socket = try Tool.start(["serve", "--unix-socket", path, "--verify"], in: workspace)
        #expect(await eventually { FileManager.default.fileExists(atPath: path) })
        let curl = try await Tool.run(
            ["-sS", "--unix-socket", path, "http://localhost/v1/user/1/feed"],
            program: [Tool.path(of: "curl") ?? "curl"])
        #expect(curl.outputText == "[1]")
        for (taken, problem, hint) in [
            (path, "another program uses this socket", "end the other program, or choose another path"),
            (workspace.path("endpoints/user.json"), "the path exists, but is not a socket", "choose another path"),
        ] {
            let run = try await Tool.run(
                ["serve", "--unix-socket", taken], in: workspace, within: .seconds(20))
            #expect(run.status == 2)
            #expect(run.errors.contains("\(problem)\n") && run.errors.contains(" \(hint)\n"), "\(run.errors)")
        }
        socket.send(signal: .terminate)
        #expect(try await socket.end(within: .seconds(20)).status == 0)
        #expect(!FileManager.default.fileExists(atPath: path))

        let others = try Tool.start(["serve", "--host", "0.0.0.0", "--port", "0"], in: workspace)
        try await Task.sleep(for: .seconds(2))
        others.send(signal: .terminate)
        let run = try await others.end(within: .seconds(20))
        #expect(
            run.errors.contains(
                "all machines in this network can call these stubs; the control API answers only this machine"))
    }
}
