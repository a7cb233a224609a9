import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// The history of real processes.
@Suite(.serialized) struct HistoryTests {
    private static let endpoint = #"{ "path": "/{{id}}", "params": { "id": { "type": "string" } } }"#
    private static let folder = ".local/state/reqcli/history"
    private static let on = ["REQCLI_HISTORY": "1"]
    /// `REQCLI_KILLS=200` for the whole proof.
    private static let kills = ProcessInfo.processInfo.environment["REQCLI_KILLS"].flatMap { Int($0) } ?? 40

    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.respond(200, body: #"{"text": "\#(String(repeating: "abcdefgh", count: 2000))"}"#)
            }
        }
    }

    private static func workspace(_ server: HostileServer) throws -> ToolWorkspace {
        try ToolWorkspace(server: "http://127.0.0.1:\(server.port)", endpoint: endpoint)
    }

    private static func reqcli(_ workspace: ToolWorkspace, _ words: String...) async throws -> ToolRun {
        try await Tool.run(words, in: workspace, environment: on)
    }

    /// The files, by their paths below the folder of the history.
    private static func files(_ workspace: ToolWorkspace) -> [String] {
        (FileManager.default.enumerator(atPath: workspace.path(folder))?.compactMap { $0 as? String } ?? [])
            .filter { $0.contains("/") }.sorted()
    }

    @Test("Of a call at a terminal the words are kept, which is said once, and --again repeats the call")
    func words() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        func atTerminal(_ words: String..., variables: [String: String] = [:]) async throws -> (ToolRun, String) {
            let terminal = try PseudoTerminal()
            let tool = try Tool.start(
                words, in: workspace, environment: ["REQCLI_HISTORY": ""].merging(variables) { $1 },
                input: terminal.program, errors: .descriptor(terminal.program))
            let run = try await tool.end()
            return (run, await terminal.finalText())
        }
        let note = "the words of calls at a terminal are kept"
        let (script, silent) = (
            try await Tool.run(["send", "it", "id=0"], in: workspace, environment: ["REQCLI_HISTORY": ""]),
            Self.files(workspace)
        )
        #expect(script.status == 0 && silent.isEmpty && !script.errors.contains(note))
        let (off, told) = try await atTerminal("send", "it", "id=0", variables: ["REQCLI_HISTORY": "0"])
        #expect(off.status == 0 && !told.contains(note) && Self.files(workspace).isEmpty)

        let (first, said) = try await atTerminal("send", "it", "id=7", "-H", "X-Api-Key: hunter2-s3cret")
        #expect(first.status == 0 && said.contains(note), "\(said)")
        let file = try #require(Self.files(workspace).first)
        let kept = String(decoding: workspace.read("\(Self.folder)/\(file)") ?? [], as: UTF8.self)
        #expect(kept.contains("id=7") && !kept.contains("abcdefgh") && !kept.contains("hunter2"), "\(kept)")
        let (second, silence) = try await atTerminal("send", "--again", "--no-input", "id=8")
        #expect(second.status == 2 && silence.contains("X-Api-Key"), "\(silence)")
        let (third, thirdText) = try await atTerminal("send", "--again", "id=8", "-H", "X-Api-Key: other-s3cret")
        #expect(third.status == 0 && !thirdText.contains(note))
        let compared = try await Tool.run(["diff", "--last", "it"], in: workspace)
        #expect(compared.status == 2 && compared.errors.contains("only the words of call"), "\(compared)")
        let shown = try await Tool.run(["history", "show", "1"], in: workspace)
        #expect(shown.status == 0 && shown.errors.contains("heads and body are not kept"), "\(shown)")
        #expect(server.requests.last?.line.hasPrefix("GET /8 ") == true)
    }

    @Test(
        "No word of a typed call keeps a secret, and a URL with one is not kept",
        arguments: [
            ["/x#access_token=S"], ["/x?a=1;token=S"], ["/x;jsessionid=S"], ["/a/password=S"],
            ["/x", "Ocp-Apim-Subscription-Key:S"], ["/x", "-H", "X-Auth-Key: S"], ["/x", "subscription-key==S"],
            ["/x", "DPoP:S"], ["/x", "signingKey=S"], ["/x", "credentials[x]=S"], ["/x", "auth[value]=S"],
            ["/x", "dsn=Server=db;Password=S"], ["/x", "x=a;token=S"], ["/x", "-H", "X-Info: user=a; password=S"],
        ])
    func typedSecrets(_ words: [String]) async throws {
        let secret = "3f9a1c77b2e84d50a6c1e9d07b5f2a88"
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let line = ["http://127.0.0.1:\(server.port)\(words[0])"] + words.dropFirst()
        let run = try await Tool.run(
            line.map { $0.hasSuffix("S") ? $0.dropLast() + secret : $0 },
            in: workspace, environment: Self.on)
        #expect(run.status == 0, "\(run.errors)")
        for file in Self.files(workspace) {
            let text = String(decoding: workspace.read("\(Self.folder)/\(file)") ?? [], as: UTF8.self)
            #expect(!text.contains(secret), "\(text)")
        }
    }

    @Test("Only the owner can read the files and the folders")
    func modes() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        #expect(try await Self.reqcli(workspace, "send", "it", "id=1").status == 0)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: workspace.path("\(Self.folder)/\(path)"))[
                .posixPermissions]
                as? Int
        }
        let file = try #require(Self.files(workspace).first)
        let parent = try #require(file.split(separator: "/").first.map(String.init))
        #expect(try mode("") == 0o700 && mode(parent) == 0o700 && mode(file) == 0o600)
        let list = try await Self.reqcli(workspace, "history")
        #expect(list.outputText.wholeMatch(of: /1  just now  200  [0-9]+ms  development  it id=1\n/) != nil, "\(list)")
    }

    @Test("50 processes at once lose nothing, and each call has a number of its own")
    func manyProcesses() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<50 {
                group.addTask { try await Self.reqcli(workspace, "send", "it", "id=n\(number)").status }
            }
            for try await status in group { #expect(status == 0) }
        }
        let list = try await Self.reqcli(workspace, "history")
        let lines = list.outputText.split(separator: "\n")
        #expect(lines.count == 50 && list.errors == "", "\(list)")
        #expect(Set(lines.compactMap { $0.split(separator: "=").last }).count == 50)
        #expect(lines.compactMap { Int($0.prefix { $0 != " " }) } == Array(1...50))
    }

    @Test("However a process is killed, the history can be read, and the next call tidies up")
    func killed() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        #expect(try await Self.reqcli(workspace, "send", "it", "id=first").status == 0)
        var random = SeededGenerator(seed: 19)
        for number in 0..<Self.kills {
            let tool = try Tool.start(["send", "it", "id=\(number)"], in: workspace, environment: Self.on)
            // Half of the moments are after the response, when the file is written.
            if number.isMultiple(of: 2) {
                let asked = server.requests.count
                while server.requests.count == asked { try await Task.sleep(for: .microseconds(200)) }
            }
            // The moment is random; no moment may do harm.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...30_000, using: &random)))
            tool.kill()
            _ = try await tool.end()
            let list = try await Self.reqcli(workspace, "history")
            #expect(list.status == 0 && list.errors == "" && list.outputText.hasPrefix("1 "), "\(list)")
        }
        #expect(try await Self.reqcli(workspace, "send", "it", "id=last").status == 0)
        #expect(Self.files(workspace).count { $0.hasSuffix(".part") } == 0)
        #expect(try await Self.reqcli(workspace, "history").outputText.hasSuffix("it id=last\n"))
    }

    @Test("A redirect is shown as -v shows it")
    func redirect() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                if request.line.hasPrefix("GET /old") {
                    connection.send(Array("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n".utf8))
                } else {
                    connection.respond(200, body: "new")
                }
            }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        #expect(try await Self.reqcli(workspace, "send", "it", "id=old", "--follow").status == 0)
        let show = try await Self.reqcli(workspace, "history", "show", "1")
        let marked = show.outputText.split(separator: "\n").filter { $0.hasPrefix("> GET") || $0.hasPrefix("< HTTP") }
        #expect(
            marked == ["> GET /old", "< HTTP/1.1 302 Found", "> GET /new", "< HTTP/1.1 200 Some Reason"], "\(show)")
        #expect(show.outputText.contains("<\nnew\n* "), "\(show)")
    }
}
