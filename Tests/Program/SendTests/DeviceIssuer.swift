import Foundation
import Glibc
import HostileServing
import Testing
import ToolSupport

/// A server that gives tokens for the code of a device: an issuer at `/`, and an API at `/api`. It rotates refresh tokens.
final class DeviceIssuer: Sendable {
    let server: HostileServer
    private let state = Locked(State())

    struct State: Sendable {
        var count = 0
        /// The response to a request for a token, in place of a token; `FORM` and `ACCOUNT` are what the request had.
        var error: String?
        var hasRefresh = true
        var hasRevocation = true
        var userInfo = #"{"sub": "1"}"#
        /// Whether a request for a token gets no response yet.
        var holdsTokens = false
        /// The seconds before the response to a request for a token, once it is no longer held.
        var delay = 0.0
        var apiStatus = 200
    }

    init() throws {
        let state = state
        server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let path = request.line.split(separator: " ")[1]
                let base = "http://\(request.values("Host").first ?? "")"
                let now = state.withLock { $0 }
                func json(_ status: Int, _ body: String) {
                    connection.respond(status, ["Content-Type: application/json"], body: body)
                }
                if path.hasPrefix("/.well-known/") {
                    let revocation = now.hasRevocation ? #", "revocation_endpoint": "\#(base)/revoke""# : ""
                    json(
                        200,
                        #"{"issuer": "\#(base)", "token_endpoint": "\#(base)/token", "userinfo_endpoint": "\#(base)/me", "#
                            + #""device_authorization_endpoint": "\#(base)/device"\#(revocation)}"#)
                } else if path == "/device" {
                    json(
                        200,
                        #"{"device_code": "device-secret-1", "user_code": "AB-CD", "verification_uri": "\#(base)/e", "interval": 1}"#
                    )
                } else if path == "/token" {
                    let count = state.withLock { state in
                        state.count += 1
                        return state.count
                    }
                    while state.withLock({ $0.holdsTokens }) { Thread.sleep(forTimeInterval: 0.01) }
                    Thread.sleep(forTimeInterval: state.withLock { $0.delay })
                    if let error = now.error {
                        let text = error.replacing("FORM", with: String(decoding: request.body, as: UTF8.self))
                            .replacing("ACCOUNT", with: request.values("Authorization").first ?? "")
                        json(400, #"{"error": "invalid_request", "error_description": "\#(text)"}"#)
                        continue
                    }
                    let refresh = now.hasRefresh ? #", "refresh_token": "refresh-token-\#(count)""# : ""
                    json(200, #"{"access_token": "access-token-\#(count)", "expires_in": 3600\#(refresh)}"#)
                } else if path == "/me" {
                    let echo = request.values("Authorization").first ?? ""
                    json(200, now.userInfo.replacing("ECHO", with: echo))
                } else if path == "/revoke" {
                    json(200, "{}")
                } else {
                    connection.respond(now.apiStatus, [], body: "fine")
                }
            }
        }
    }

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    var url: String { "http://127.0.0.1:\(server.port)" }

    func bodies(_ path: String) -> [String] {
        server.requests.filter { $0.line.contains(" \(path)") }.map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// The tokens that the API got.
    var received: [String] {
        server.requests.filter { $0.line.contains(" /api") }.map { $0.values("Authorization").first ?? "none" }
    }

    func environment(_ more: String = "", client: String = "tv", secret: Bool = false) -> String {
        let secrets =
            secret ? #", "clientSecret": "{{secret.client}}""# : ""
        return #"{ "baseURL": "\#(url)", "auth": { "oauth2": { "flow": "deviceCode", "issuer": "\#(url)", "#
            + #""clientID": "\#(client)"\#(secrets) } }, "secrets": { "client": { "env": "CLIENT" } }\#(more) }"#
    }

    func workspace() throws -> ToolWorkspace {
        try ToolWorkspace([
            "endpoints/it.json": #"{ "path": "/api", "expect": { "status": 200 } }"#,
            "environments/development.json": environment(),
        ])
    }

    // MARK: Logins and their files

    static func logIn(
        _ workspace: ToolWorkspace, _ more: [String] = [], variables: [String: String] = [:]
    ) async throws -> (status: Int32, screen: String) {
        let terminal = try PseudoTerminal(columns: 400)
        let tool = try Tool.start(
            ["login"] + more, in: workspace, environment: variables.merging(["NO_COLOR": "1"]) { $1 },
            input: terminal.program, errors: .descriptor(terminal.program))
        terminal.type("y\n")
        let run = try await tool.end()
        return (run.status, await terminal.finalText())
    }

    static func folder(_ workspace: ToolWorkspace) -> String {
        workspace.path(".local/state/reqcli/tokens")
    }

    static func file(_ workspace: ToolWorkspace) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder(workspace))
        return folder(workspace) + "/" + (try #require(names.first { $0.hasSuffix(".json") && !$0.hasPrefix(".") }))
    }

    static func age(_ workspace: ToolWorkspace, obtained: Int = -4000, expires: Int = -400) throws {
        let path = try file(workspace)
        let now = Int(Date().timeIntervalSince1970)
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(/"obtained": \d+/, with: "\"obtained\": \(now + obtained)")
            .replacing(/"expires": \d+/, with: "\"expires\": \(now + expires)")
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    static func change(_ workspace: ToolWorkspace, _ environment: String) throws {
        try workspace.write("environments/development.json", environment)
    }
}
