import Foundation
import HostileServing
import ToolSupport

/// A server for loads, which counts its requests, and a workspace that calls it.
final class LoadServer: Sendable {
    private struct State {
        var lines: [String] = []
        var tokens: [String: Int] = [:]
        var logins = 0
    }

    private let state = Locked(State())
    private let server: HostileServer

    /// - Parameter respond: Responds to the request with this number, counted from 1.
    init(
        _ respond: @escaping @Sendable (_ number: Int, _ connection: HostileConnection) -> Void = {
            $1.respond(200, body: "{}")
        }
    ) throws {
        let state = self.state
        server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let words = request.line.split(separator: " ").map(String.init)
                let (number, login) = state.withLock { state in
                    state.lines.append(words.prefix(2).joined(separator: " "))
                    if let token = request.values("Authorization").first { state.tokens[token, default: 0] += 1 }
                    if words[1] == "/login" { state.logins += 1 }
                    return (state.lines.count, state.logins)
                }
                if words[1] == "/login" {
                    connection.respond(200, body: #"{"token": "token-\#(login)-4711"}"#)
                } else {
                    respond(number, connection)
                }
            }
        }
    }

    var port: Int { server.port }
    var connections: Int { server.connections }
    /// The methods and paths of all requests.
    var lines: [String] { state.withLock(\.lines) }
    /// How often each token came.
    var tokens: [String: Int] { state.withLock(\.tokens) }

    func stop() { server.stop() }

    /// Waits until this many requests have come, for at most 20 s.
    func wait(for count: Int) {
        for _ in 0..<2000 where lines.count < count { usleep(10_000) }
    }

    static let endpoints = """
        {"endpoints": {
          "get": {"path": "/things/{{id}}", "params": {"id": {"type": "integer", "default": 1}}, "expect": {"status": 200}},
          "list": {"path": "/things"},
          "create": {"method": "POST", "path": "/things"},
          "login": {"method": "POST", "path": "/login", "capture": {"token": {"json": "$.token", "secret": true}}},
          "me": {"path": "/me", "needs": {"login": "it.login"}, "auth": {"bearer": "{{login.token}}"}}}}
        """

    func workspace(environment: String = "", host: String = "127.0.0.1", _ files: [String: String] = [:]) throws
        -> ToolWorkspace
    {
        try ToolWorkspace(
            [
                "endpoints/it.json": Self.endpoints,
                "environments/development.json": #"{"baseURL": "http://\#(host):\#(port)"\#(environment)}"#,
            ].merging(files) { $1 })
    }

    /// Runs `load` with these words, each time with a new server, until this machine was not too busy for it.
    static func load(
        _ words: String..., environment: String = "", files: [String: String] = [:],
        respond: @escaping @Sendable (_ number: Int, _ connection: HostileConnection) -> Void = {
            $1.respond(200, body: "{}")
        }
    ) async throws -> (run: ToolRun, server: LoadServer) {
        var attempts = 0
        while true {
            let server = try LoadServer(respond)
            let run = try await Tool.run(["load"] + words, in: try server.workspace(environment: environment, files))
            server.stop()
            attempts += 1
            let wasBusy = ["began more than 10 ms late", "stood still"].contains(where: run.errors.contains)
            if !wasBusy || attempts == 20 { return (run, server) }
        }
    }
}
