import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// What a need has captured is used again, for its own calls alone.
@Suite(.serialized) struct KeptLoginTests {
    private static let endpoints = """
        {"endpoints": {
          "login": {"method": "POST", "path": "/login", "params": {"user": {"type": "string"}},
            "body": {"json": {"user": "{{user}}", "password": "{{secret.password}}", "note": "{{secret.note}}"}},
            "capture": {"token": {"json": "$.token", "secret": true}}},
          "me": {"path": "/me", "params": {"user": {"type": "string", "default": "ada"}},
            "needs": {"login": {"endpoint": "it.login", "with": {"user": "{{user}}"}, "refreshOn": [401]}},
            "auth": {"bearer": "{{login.token}}"}, "expect": {"status": 200}},
          "lazy": {"path": "/me",
            "needs": {"login": {"endpoint": "it.login", "with": {"user": "ada"}, "keep": "10m", "refreshOn": [401]}},
            "auth": {"bearer": "{{login.token}}"}, "expect": {"status": 200}}}}
        """
    private static let secrets = #""secrets": {"password": {"env": "PASSWORD"}, "note": {"env": "NOTE"}}"#

    /// Issues `token-1`, `token-2`, …; `/me` takes those that `isGood`.
    private static func server(_ isGood: @escaping @Sendable (Int) -> Bool = { _ in true }) throws -> HostileServer {
        let logins = Locked(0)
        return try HostileServer { connection in
            while let request = connection.readRequest() {
                if request.line.hasPrefix("POST /login") {
                    let number = logins.withLock { count in
                        count += 1
                        return count
                    }
                    connection.respond(200, body: #"{"token": "token-number-\#(number)"}"#)
                } else {
                    let number = request.values("Authorization").first?.split(separator: "-").last.flatMap { Int($0) }
                    connection.respond(isGood(number ?? 0) ? 200 : 401, body: "hello")
                }
            }
        }
    }

    private static func workspace(_ server: HostileServer) throws -> ToolWorkspace {
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: endpoints, environment: secrets)
        try workspace.write(
            "environments/other.json", #"{"baseURL": "http://127.0.0.1:\#(server.port)", \#(secrets)}"#)
        return workspace
    }

    private static let variables = ["PASSWORD": "hunter2 \"?", "NOTE": "n\u{e9}-note"]
    private static let folder = ".local/state/reqcli/logins"

    private static func send(
        _ workspace: ToolWorkspace, _ words: String..., variables: [String: String] = [:]
    ) async throws -> ToolRun {
        try await Tool.run(
            ["send"] + words, in: workspace, environment: Self.variables.merging(variables) { $1 })
    }

    private static func logins(_ server: HostileServer) -> Int {
        server.requests.count { $0.line.hasPrefix("POST /login") }
    }

    private static func files(_ workspace: ToolWorkspace) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: workspace.path(folder))) ?? []).sorted()
    }

    @Test("With --keep the second call does not log in, and without it each does")
    func kept() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        for _ in 0..<2 { #expect(try await Self.send(workspace, "it.me", "--keep", "10m").status == 0) }
        #expect(Self.logins(server) == 1)
        let narrated = try await Self.send(workspace, "it.me", "--keep", "10m", "-v")
        #expect(narrated.errors.contains("note: it.login is not called: its captures are kept for "), "\(narrated)")
        #expect(!narrated.errors.contains("token-number"), "\(narrated)")
        #expect(try await Self.send(workspace, "it.me").status == 0)
        #expect(Self.logins(server) == 2)
    }

    @Test("status names the logins and the calls that are kept for its environment, also in a pipe")
    func status() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try await Self.send(workspace, "it.me", "--keep", "10m", variables: ["REQCLI_HISTORY": "1"])
        let variables = ["REQCLI_HISTORY": "1"]
        let status = try await Tool.run(["status"], in: workspace, environment: variables)
        #expect(status.outputText.contains("  it.login, kept for "), "\(status)")
        #expect(status.outputText.contains("on: command lines and responses; 1 call kept\n"), "\(status)")
        let json = try await Tool.run(["status", "--json"], in: workspace, environment: variables).outputText
        for member in ["\"it.login\"", "\"calls\": 1", "\"history\": \"whole\""] {
            #expect(json.contains(member), "\(json)")
        }
        let other = try await Tool.run(["status", "-e", "other"], in: workspace).outputText
        #expect(!other.contains("login"), "\(other)")
        #expect(!status.outputText.contains("token-number") && !json.contains("token-number"))
    }

    @Test("The file holds the captures and whose they are, and only its owner can read it")
    func content() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try await Self.send(workspace, "it.me", "--keep", "10m")
        let name = try #require(Self.files(workspace).first)
        let text = String(decoding: try #require(workspace.read("\(Self.folder)/\(name)")), as: UTF8.self)
        #expect(
            text.wholeMatch(
                of:
                    /\{"until":[0-9]+,"owner":"[0-9a-f]{32}-development","endpoint":"it.login","captures":\{"token":"token-number-1"\}\}\n/
            ) != nil, "\(text)")
        for form in ["hunter2", "hunter2%20", "hunter2 \\\"", "aHVudGVyM", "note", "127.0.0.1"] {
            #expect(!text.contains(form) && !name.contains(form))
        }
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: workspace.path(path))[.posixPermissions] as? Int
        }
        #expect(try mode(Self.folder) == 0o700 && mode("\(Self.folder)/\(name)") == 0o600)
    }

    @Test("Another environment, workspace, user, password or server gets nothing of it")
    func others() async throws {
        let server = try Self.server()
        let second = try Self.server()
        defer {
            server.stop()
            second.stop()
        }
        let workspace = try Self.workspace(server)
        _ = try await Self.send(workspace, "it.me", "--keep", "10m")
        _ = try await Self.send(workspace, "it.me", "--keep", "10m", "--env", "other")
        #expect(Self.logins(server) == 2, "another environment")
        _ = try await Self.send(workspace, "it.me", "user=bob", "--keep", "10m")
        #expect(Self.logins(server) == 3, "another user")
        _ = try await Self.send(workspace, "it.me", "--keep", "10m", variables: ["PASSWORD": "other"])
        #expect(Self.logins(server) == 4, "another password")
        _ = try await Self.send(
            workspace, "it.me", "--keep", "10m", "--base-url", "http://localhost:\(server.port)")
        #expect(Self.logins(server) == 5, "another name of the server")
        _ = try await Self.send(
            workspace, "it.me", "--keep", "10m", "--base-url", "http://127.0.0.1:\(second.port)")
        #expect(Self.logins(server) == 5 && Self.logins(second) == 1, "another server")
        _ = try await Self.send(
            workspace, "it.me", "--keep", "10m", "--proxy", "http://127.0.0.1:\(second.port)")
        #expect(second.requests.contains { $0.line.hasPrefix("POST http://127.0.0.1") }, "a proxy")
        let copy = try Self.workspace(server)
        _ = try await Self.send(copy, "it.me", "--keep", "10m", variables: ["HOME": workspace.folder.path])
        #expect(Self.logins(server) == 6, "another workspace")
        _ = try await Self.send(workspace, "it.me", "--keep", "10m")
        #expect(Self.logins(server) == 6, "the first one is still kept")
    }

    @Test("A file's keep needs agreement, which --trust and --keep give")
    func agreement() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let run = try await Self.send(workspace, "it.lazy")
        #expect(run.status == 0)
        #expect(
            run.errors
                == "note: keeping the captures of it.login for 600s needs your agreement: pass --keep 600s, or --trust\n"
        )
        #expect(Self.files(workspace) == [])
        for _ in 0..<2 { _ = try await Self.send(workspace, "it.lazy", "--trust") }
        #expect(Self.logins(server) == 2 && Self.files(workspace).count == 1)
    }

    @Test("Neither check nor CI uses or keeps any")
    func checkAndCI() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try await Self.send(workspace, "it.lazy", "--trust", variables: ["CI": "true"])
        #expect(Self.files(workspace) == [])
        _ = try await Self.send(workspace, "it.lazy", "--trust")
        _ = try await Self.send(workspace, "it.lazy", "--trust", variables: ["CI": "true"])
        #expect(Self.logins(server) == 3)
        let check = try await Tool.run(
            ["check", "it.lazy", "--trust"], in: workspace, environment: Self.variables)
        #expect(check.status == 0 && Self.logins(server) == 4, "\(check)")
    }

    @Test("A status in refreshOn ends it: the call logs in once, and keeps what that captured")
    func refreshed() async throws {
        let server = try Self.server { $0 != 1 }
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        // The first token is refused at once, so the second is the one that is kept.
        #expect(try await Self.send(workspace, "it.me", "--keep", "10m").status == 0)
        #expect(Self.logins(server) == 2)
        #expect(try await Self.send(workspace, "it.me", "--keep", "10m").status == 0)
        #expect(Self.logins(server) == 2)
    }

    @Test("A kept one that has expired at the server is replaced")
    func expiredAtServer() async throws {
        let expired = Locked(0)
        let server = try Self.server { number in number > expired.withLock { $0 } }
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try await Self.send(workspace, "it.me", "--keep", "10m")
        expired.withLock { $0 = 1 }
        #expect(try await Self.send(workspace, "it.me", "--keep", "10m").status == 0)
        #expect(Self.logins(server) == 2 && Self.files(workspace).count == 1)
        _ = try await Self.send(workspace, "it.me", "--keep", "10m")
        #expect(Self.logins(server) == 2)
    }

    @Test(
        "A file that says something else is as good as none",
        arguments: [
            "", "{", "[]", #"{"until": 99999999999, "captures": {"token": "evil"}}"#, #"{"until": 1, "captures": {}}"#,
            #"{"captures": {"token": "evil"}}"#,
        ])
    func damaged(_ text: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try await Self.send(workspace, "it.me", "--keep", "10m")
        let name = try #require(Self.files(workspace).first)
        try workspace.write("\(Self.folder)/\(name)", text)
        let run = try await Self.send(workspace, "it.me", "--keep", "10m")
        #expect(run.status == 0 && Self.logins(server) == 2 && run.errors == "", "\(run)")
    }

    @Test("--keep 0 forgets it, and --keep without a need is refused")
    func forgotten() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        _ = try await Self.send(workspace, "it.me", "--keep", "10m")
        _ = try await Self.send(workspace, "it.me", "--keep", "0")
        #expect(Self.files(workspace) == [] && Self.logins(server) == 2)
        let run = try await Self.send(workspace, "it.login", "user=a", "--keep", "1m")
        #expect(run.status == 2 && Self.logins(server) == 2, "\(run)")
    }

    // MARK: Many processes, and killed ones

    /// `REQCLI_PROCESSES=50` for the whole proof.
    private static let processes = count("REQCLI_PROCESSES", 8)
    /// `REQCLI_KILLS=200` for the whole proof.
    private static let kills = count("REQCLI_KILLS", 10)

    private static func count(_ variable: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? standard
    }

    @Test("Many processes at once lose nothing of each other")
    func manyProcesses() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        for _ in 0..<2 {
            try await withThrowingTaskGroup(of: Int32.self) { group in
                for number in 0..<Self.processes {
                    group.addTask {
                        try await Self.send(workspace, "it.me", "user=user\(number)", "--keep", "10m").status
                    }
                }
                for try await status in group { #expect(status == 0) }
            }
            #expect(Self.logins(server) == Self.processes)
            #expect(Self.files(workspace).count == Self.processes)
        }
    }

    @Test("However a process is killed, what is kept can be read, and the next run tidies up")
    func killed() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        var random = SeededGenerator(seed: 19)
        for number in 0..<Self.kills {
            let tool = try Tool.start(
                ["send", "it.me", "user=user\(number % 3)", "--keep", "10m"], in: workspace,
                environment: Self.variables)
            // The moment is random; no moment may do harm.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &random)))
            tool.kill()
            _ = try await tool.end()
            for name in Self.files(workspace) where !name.hasPrefix(".") {
                let bytes = try #require(workspace.read("\(Self.folder)/\(name)"))
                let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
                #expect(object?.keys.sorted() == ["captures", "endpoint", "owner", "until"], "\(name)")
            }
        }
        for number in 0..<3 {
            let run = try await Self.send(workspace, "it.me", "user=user\(number)", "--keep", "10m")
            #expect(run.status == 0, "\(run)")
        }
        #expect(Self.files(workspace).count { $0.hasPrefix(".") } == 0)
        let before = Self.logins(server)
        for number in 0..<3 { _ = try await Self.send(workspace, "it.me", "user=user\(number)", "--keep", "10m") }
        #expect(Self.logins(server) == before)
    }
}
