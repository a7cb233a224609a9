import Foundation
import HostileServing
import TestSupport
import Testing
import ToolSupport

/// `diff` with a server that is reached as two environments, `staging` and `production`.
@Suite(.serialized) struct DiffTests {
    /// Responds below `/staging` and `/production` with these bodies.
    private static func server(
        staging: String, production: String, status: Int = 200, _ headers: [String] = []
    ) throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                let isStaging = request.line.contains(" /staging")
                connection.respond(
                    isStaging ? 200 : status, ["Content-Type: application/json"] + headers,
                    body: isStaging ? staging : production)
            }
        }
    }

    private static func workspace(
        _ server: HostileServer,
        endpoint: String = #"{"path": "user/{{userID}}", "params": {"userID": {"type": "integer"}}}"#,
        staging: String = "", production: String = ""
    ) throws -> ToolWorkspace {
        let url = "http://127.0.0.1:\(server.port)"
        return try ToolWorkspace([
            "endpoints/user.json": #"{"endpoints": {"get": \#(endpoint)}}"#,
            "endpoints/login.json":
                #"{"method": "POST", "path": "login", "capture": {"token": {"json": "$.token", "secret": true}}}"#,
            "environments/staging.json": #"{"baseURL": "\#(url)/staging"\#(staging)}"#,
            "environments/production.json": #"{"baseURL": "\#(url)/production"\#(production)}"#,
        ])
    }

    private static let environments = ["--env", "staging", "--env", "production"]

    private static func diff(
        _ words: [String], in workspace: ToolWorkspace, environment: [String: String] = [:]
    ) async throws -> ToolRun {
        try await Tool.run(["diff", "user.get"] + words + environments, in: workspace, environment: environment)
    }

    /// The lines of requests, without the version.
    private static func requests(_ server: HostileServer) -> Set<String> {
        Set(server.requests.map { $0.line.split(separator: " ").prefix(2).joined(separator: " ") })
    }

    private static func withoutTimes(_ text: String) -> String { text.replacing(/in [0-9.]+m?s/, with: "in 0ms") }

    @Test("The same call is sent in both environments, and each difference is a line")
    func layout() async throws {
        let server = try Self.server(
            staging: #"{"id": 7, "plan": "free"}"#,
            production: #"{"plan": "pro", "id": 7.0, "createdAt": "2024-03-08T17:37:09Z"}"#)
        defer { server.stop() }
        let run = try await Self.diff(["userID=7"], in: try Self.workspace(server))
        #expect(run.status == 1 && run.errors == "", "\(run.errors)")
        #expect(
            Self.withoutTimes(run.outputText) == """
                user.get   staging 200 in 0ms   production 200 in 0ms
                    $.plan        staging "free"       production "pro"
                    $.createdAt   staging nothing      production "2024-03-08T17:37:09Z"

                """)
        #expect(Self.requests(server) == ["GET /staging/user/7", "GET /production/user/7"])
    }

    @Test("Responses that say the same are the same, whatever their status")
    func same() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.respond(404, body: "not here") }
        }
        defer { server.stop() }
        let run = try await Self.diff(["userID=7"], in: try Self.workspace(server))
        #expect(run.status == 0)
        #expect(run.outputText.hasSuffix("\n    no differences\n"), "\(run)")
    }

    @Test("Another status is a difference")
    func status() async throws {
        let server = try Self.server(staging: "{}", production: "{}", status: 203)
        defer { server.stop() }
        let run = try await Self.diff(["userID=7"], in: try Self.workspace(server))
        #expect(run.status == 1)
        #expect(run.outputText.hasSuffix("\n    status   staging 200      production 203\n"), "\(run)")
    }

    @Test("--headers compares the headers, without those of the moment")
    func headers() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let name = request.line.contains(" /staging") ? "one" : "two"
                connection.respond(
                    200, ["X-Served-By: \(name)", "Date: \(name)", "Set-Cookie: sid=\(name)"], body: "x")
            }
        }
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        #expect(try await Self.diff(["userID=7"], in: workspace).status == 0)
        let run = try await Self.diff(["userID=7", "--headers"], in: workspace)
        #expect(run.status == 1)
        #expect(
            run.outputText.hasSuffix("\n    header X-Served-By   staging \"one\"      production \"two\"\n"), "\(run)")
    }

    @Test("Without a response the failure names the environment, and nothing is compared")
    func noResponse() async throws {
        let server = try Self.server(staging: "{}", production: "{}")
        defer { server.stop() }
        let workspace = try Self.workspace(server)
        let port = try HostileServer.freePort()
        try workspace.write("environments/production.json", #"{"baseURL": "http://127.0.0.1:\#(port)"}"#)
        let run = try await Self.diff(["userID=7"], in: workspace)
        #expect(run.status == 6 && run.outputText == "")
        #expect(
            run.errors.hasPrefix("error: in the environment production: 127.0.0.1:\(port) refused"), "\(run.errors)")
    }

    @Test("What is wrong in either environment is told before anything is sent")
    func nothingSent() async throws {
        let server = try Self.server(staging: "{}", production: "{}")
        defer { server.stop() }
        let missing = try await Self.diff(["--no-input"], in: try Self.workspace(server))
        #expect(
            missing.status == 2
                && missing.errors.contains("in the environment staging: user.get needs the param \"userID\""))
        let unknown = try await Tool.run(
            ["diff", "user.get", "userID=7", "-e", "staging", "-e", "prod"], in: try Self.workspace(server))
        #expect(unknown.status == 2 && unknown.errors.contains("there is no environment \"prod\""), "\(unknown.errors)")
        let asking = try Self.workspace(server, production: #", "policy": {"confirm": ["GET"]}"#)
        let unasked = try await Self.diff(["userID=7"], in: asking)
        #expect(unasked.status == 8 && unasked.errors.contains("production asks before each GET"), "\(unasked.errors)")
        let refusing = try Self.workspace(server, staging: #", "policy": {"methods": ["POST"]}"#)
        #expect(try await Self.diff(["userID=7", "--yes"], in: refusing).status == 8)
        #expect(server.connections == 0)
        #expect(try await Self.diff(["userID=7", "--yes"], in: asking).status == 0)
    }

    @Test("A param that lacks a value is asked for once, not for each environment")
    func askedOnce() async throws {
        let server = try Self.server(staging: "{}", production: "{}")
        defer { server.stop() }
        let terminal = try PseudoTerminal()
        let tool = try Tool.start(
            ["diff", "user.get", "--env", "staging", "--env", "production"], in: try Self.workspace(server),
            input: terminal.program, errors: .descriptor(terminal.program))
        #expect(await terminal.shows("userID (integer): "))
        terminal.type("\u{4}")
        #expect(try await tool.end(within: .seconds(30)).status == 2)
        let text = await terminal.finalText()
        #expect(text.components(separatedBy: "userID (integer): ").count == 2, "\(text)")
        #expect(server.requests.isEmpty)
    }

    @Test("each environment has its own needs")
    func ownNeeds() async throws {
        let servers = [try RecordingServer(answer: Self.token), try RecordingServer(answer: Self.token)]
        let workspace = try ToolWorkspace([
            "endpoints/login.json": #"{"path": "login", "auth": null, "capture": {"token": {"json": "$.token"}}}"#,
            "endpoints/me.json": #"{"path": "me"}"#,
            "environments/a.json":
                #"{"baseURL": "http://127.0.0.1:\#(servers[0].port)", "needs": {"login": "login"}, "auth": {"bearer": "{{login.token}}"}}"#,
            "environments/b.json": #"{"baseURL": "http://127.0.0.1:\#(servers[1].port)"}"#,
        ])
        for order in [["a", "b"], ["b", "a"]] {
            let run = try await Tool.run(["diff", "me"] + order.flatMap { ["-e", $0] }, in: workspace)
            #expect(run.status == 0, "\(run.outputText) \(run.errors)")
        }
        #expect(servers[0].requests.map(\.target) == ["/login", "/me", "/login", "/me"])
        #expect(servers[1].requests.map(\.target) == ["/me", "/me"])
    }

    private static let token = Array(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"token\":\"t\"}".utf8)

    @Test("A method that changes something needs --yes")
    func unsafe() async throws {
        let server = try Self.server(staging: "{}", production: "{}")
        defer { server.stop() }
        let endpoint = #"{"path": "user", "environments": {"production": {"method": "PUT"}}}"#
        let workspace = try Self.workspace(server, endpoint: endpoint)
        let run = try await Self.diff([], in: workspace)
        #expect(run.status == 2 && run.outputText == "")
        #expect(
            run.errors
                == "error: diff would send PUT in staging and in production\n  pass --yes if that is what you want\n")
        let typed = try await Tool.run(["diff", "DELETE", "/x"] + Self.environments, in: workspace)
        #expect(typed.status == 2 && typed.errors.contains("diff would send DELETE"), "\(typed.errors)")
        #expect(server.connections == 0)
        #expect(try await Self.diff(["--yes"], in: workspace).status == 0)
        #expect(Self.requests(server) == ["GET /staging/user", "PUT /production/user"])
    }

    @Test("A typed path is sent below both servers, with a body from standard input")
    func typed() async throws {
        let server = try Self.server(staging: "1", production: "1.0")
        defer { server.stop() }
        let input = Pipe()
        input.fileHandleForWriting.write(Data("hello".utf8))
        try input.fileHandleForWriting.close()
        let run = try await Tool.run(
            ["diff", "POST", "/x", "--body", "-", "--yes"] + Self.environments, in: try Self.workspace(server),
            input: input.fileHandleForReading.fileDescriptor)
        #expect(run.status == 0, "\(run)")
        #expect(server.requests.map(\.body) == [Data("hello".utf8), Data("hello".utf8)])
    }

    @Test("Each environment logs in by itself, and no secret is shown")
    func needs() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let name = request.line.contains(" /staging") ? "staging" : "production"
                if request.line.hasPrefix("POST") {
                    // --max-body is about the compared bodies, so a login may be larger.
                    let pad = String(repeating: " ", count: 5000)
                    connection.respond(200, body: #"{"token": "t0ken-of-\#(name)"\#(pad)}"#)
                } else {
                    let token = request.values("Authorization").first?.dropFirst(7) ?? "none"
                    let key = request.values("X-Key").first ?? "none"
                    connection.respond(
                        200, ["X-Echo: \(token)"],
                        body: #"{"mine": "\#(token)", "key": "\#(key)", "session": "issued-\#(name)"}"#)
                }
            }
        }
        defer { server.stop() }
        let endpoint = """
            {"path": "me", "needs": {"login": "login"}, "auth": {"bearer": "{{login.token}}"},
             "headers": {"X-Key": "{{secret.key}}"}, "capture": {"s": {"json": "$.session", "secret": true}}}
            """
        func secret(_ variable: String) -> String { #", "secrets": {"key": {"env": "\#(variable)"}}"# }
        let workspace = try Self.workspace(
            server, endpoint: endpoint, staging: secret("ONE"), production: secret("TWO"))
        for flags in [["--headers"], ["--json", "--headers"]] {
            let run = try await Self.diff(
                flags + ["--max-body", "1K"], in: workspace, environment: ["ONE": "swordfish", "TWO": "hunter2"])
            #expect(run.status == 1 && run.errors == "", "\(run.errors)")
            for hidden in ["t0ken", "swordfish", "hunter2", "issued"] { #expect(!run.outputText.contains(hidden)) }
            guard flags == ["--headers"] else { continue }
            #expect(
                run.outputText.split(separator: "\n").dropFirst() == [
                    #"    header X-Echo   staging "<login.token>"      production "<login.token>""#,
                    #"    $.mine          staging "<login.token>"      production "<login.token>""#,
                    #"    $.key           staging "<secret.key>"       production "<secret.key>""#,
                    #"    $.session       staging "<user.get.s>"       production "<user.get.s>""#,
                ], "\(run.outputText)")
        }
    }

    @Test("The cookies of a login go to its own environment, and an expired login is made once more")
    func expired() async throws {
        let logins = Locked<[String: Int]>([:])
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let name = request.line.contains(" /staging") ? "staging" : "production"
                if request.line.hasPrefix("POST") {
                    let count = logins.withLock { counts in
                        counts[name, default: 0] += 1
                        return counts[name] ?? 0
                    }
                    connection.respond(
                        200, ["Set-Cookie: sid=\(name); Path=/"], body: #"{"token": "token-\#(name)-\#(count)"}"#)
                } else {
                    let isMine =
                        request.values("Authorization") == ["Bearer token-\(name)-2"]
                        && request.values("Cookie") == ["sid=\(name)"]
                    connection.respond(isMine ? 200 : 401, body: "{}")
                }
            }
        }
        defer { server.stop() }
        let endpoint = """
            {"path": "me", "needs": {"login": {"endpoint": "login", "refreshOn": [401]}},
             "auth": {"bearer": "{{login.token}}"}}
            """
        let run = try await Self.diff([], in: try Self.workspace(server, endpoint: endpoint))
        #expect(run.status == 0, "\(run)")
        #expect(
            Self.withoutTimes(run.outputText)
                == "user.get   staging 200 in 0ms   production 200 in 0ms\n    no differences\n")
        #expect(logins.withLock(\.self) == ["staging": 2, "production": 2])
    }

    @Test("A body that is too large is not compared")
    func large() async throws {
        let server = try Self.server(staging: #"{"a": "\#(String(repeating: "x", count: 5000))"}"#, production: "{}")
        defer { server.stop() }
        let run = try await Self.diff(["userID=7", "--max-body", "1K"], in: try Self.workspace(server))
        #expect(run.status == 2 && run.outputText == "")
        #expect(
            run.errors
                == "error: in the environment staging: the body is larger than 1 KiB\n  --max-body allows more\n",
            "\(run.errors)")
    }

    @Test("two URLs are compared without a workspace, and unsafe methods need --yes")
    func urls() async throws {
        let (one, two) = (
            try Self.server(staging: "{\"a\": 1}", production: ""),
            try Self.server(staging: "{\"a\": 2}", production: "")
        )
        defer {
            one.stop()
            two.stop()
        }
        let workspace = try ToolWorkspace(["reqcli.json": "broken"])
        let words = ["127.0.0.1:\(one.port)/staging/x", "http://127.0.0.1:\(two.port)/staging/x"]
        let run = try await Tool.run(["diff"] + words + ["q==1", "-H", "X-A: 1"], in: workspace)
        #expect(run.status == 1 && run.outputText.contains("$.a"), "\(run)")
        #expect(run.outputText.contains("http://127.0.0.1:\(one.port)/staging/x"), "\(run)")
        #expect(one.requests.map(\.line) == two.requests.map(\.line) && one.requests.count == 1)
        #expect(one.requests[0].values("X-A") == ["1"] && two.requests[0].values("X-A") == ["1"])
        let same = try await Tool.run(["diff", words[0], words[0]], in: workspace)
        #expect(same.status == 0, "\(same)")
        let unsafe = try await Tool.run(["diff"] + words + ["a=1"], in: workspace)
        #expect(unsafe.status == 2 && unsafe.errors.contains("diff would send POST to"), "\(unsafe)")
        #expect(one.requests.count == 3)
    }
}
