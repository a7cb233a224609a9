import Foundation
import HostileServing
import Testing
import ToolSupport

/// Requests with access tokens (OAuth 2), against a server that gives out numbered tokens and answers the requests, too.
@Suite(.serialized) struct AccessTokenTests {
    /// The server: an issuer at `/`, and an API at `/api` that echoes what it gets.
    final class Issuer: Sendable {
        let server: HostileServer
        private let state = Locked(State())

        struct State: Sendable {
            var count = 0
            /// The seconds for which a token is valid.
            var lifetime: String? = "3600"
            /// Tokens with smaller numbers are rejected.
            var oldest = 0
            var error: String?
        }

        init() throws {
            let state = state
            server = try HostileServer { connection in
                while let request = connection.readRequest() {
                    let path = request.line.split(separator: " ")[1]
                    let host = request.values("Host").first ?? ""
                    if path.hasPrefix("/.well-known/openid-configuration") {
                        connection.respond(
                            200, ["Content-Type: application/json"],
                            body: #"{"issuer": "http://\#(host)", "token_endpoint": "http://\#(host)/token", "#
                                + #""revocation_endpoint": "http://\#(host)/revoke"}"#)
                    } else if path == "/token" {
                        let (number, lifetime, error) = state.withLock { state in
                            state.count += 1
                            return (state.count, state.lifetime, state.error)
                        }
                        if let error {
                            connection.respond(400, [], body: error)
                            continue
                        }
                        let expires = lifetime.map { #", "expires_in": \#($0)"# } ?? ""
                        connection.respond(200, [], body: #"{"access_token": "access-token-\#(number)"\#(expires)}"#)
                    } else if path == "/revoke" {
                        connection.respond(200, [], body: "")
                    } else {
                        let token = request.values("Authorization").first ?? "none"
                        let number = Int(token.split(separator: "-").last ?? "") ?? 0
                        let isValid = number >= state.withLock(\.oldest)
                        connection.respond(
                            isValid ? 200 : 401, ["X-Echo: \(token)", "Content-Type: text/plain"], body: "fine")
                    }
                }
            }
        }

        func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

        /// How often a token was asked for.
        var asked: Int { state.withLock(\.count) }

        /// The tokens that the API got.
        var received: [String] {
            server.requests.filter { $0.line.contains(" /api") }.map { $0.values("Authorization").first ?? "none" }
        }

        var url: String { "http://127.0.0.1:\(server.port)" }

        func workspace(endpoint: String = #"{ "path": "/api" }"#) throws -> ToolWorkspace {
            try ToolWorkspace(
                server: url, endpoint: endpoint,
                environment: #"""
                    "auth": { "oauth2": { "flow": "clientCredentials", "issuer": "\#(url)", "clientID": "me",
                      "clientSecret": "{{secret.client}}", "scopes": ["a"] } }, "secrets": { "client": { "env": "CLIENT" } }
                    """#)
        }
    }

    private static let variables = ["CLIENT": "client-secret-1", "REQCLI_HISTORY": "1"]

    private static func file(in workspace: ToolWorkspace) throws -> String {
        let folder = workspace.path(".local/state/reqcli/tokens")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        return folder + "/" + (try #require(names.first))
    }

    @Test("A token is obtained once, kept in a file of the user alone, and renewed at its end")
    func kept() async throws {
        let issuer = try Issuer()
        let workspace = try issuer.workspace()
        issuer.set { $0.lifetime = "3600" }
        for _ in 1...2 {
            let run = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
            #expect(run.status == 0 && run.outputText == "fine", "\(run.errors)")
        }
        #expect(issuer.received == ["Bearer access-token-1", "Bearer access-token-1"] && issuer.asked == 1)
        let path = try Self.file(in: workspace)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let folder = (path as NSString).deletingLastPathComponent
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)

        // A tenth of a short life before its end, and a token from the future.
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let now = Int(Date().timeIntervalSince1970)
        for (obtained, expires) in [(now - 91, now + 9), (now + 1000, now + 5000)] {
            let aged = text.replacing(/"obtained": \d+/, with: "\"obtained\": \(obtained)")
                .replacing(/"expires": \d+/, with: "\"expires\": \(expires)")
            try aged.write(toFile: path, atomically: false, encoding: .utf8)
            let count = issuer.asked
            let run = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
            #expect(run.status == 0 && issuer.asked == count + 1, "\(obtained) \(run.errors)")
        }
        #expect(issuer.received.last == "Bearer access-token-3")
    }

    @Test("After a 401 one other token is tried")
    func rejected() async throws {
        let issuer = try Issuer()
        let workspace = try issuer.workspace(
            endpoint: #"{ "path": "/api", "expect": { "status": 200 } }"#)
        issuer.set { $0.oldest = 2 }
        var run = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
        #expect(run.status == 0 && issuer.asked == 2, "\(run.errors)")
        issuer.set { $0.oldest = 100 }
        run = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
        #expect(run.status == 4 && issuer.asked == 3, "\(run.errors)")
        #expect(
            issuer.received == [1, 2, 2, 3].map { "Bearer access-token-\($0)" })
    }

    @Test("No sink shows a token or the client's secret")
    func masked() async throws {
        let issuer = try Issuer()
        let workspace = try issuer.workspace(
            endpoint: #"{ "path": "/api", "expect": { "status": 201, "headers": { "X-Echo": "other" } } }"#)
        let calls: [[String]] = [
            ["send", "it", "-v", "-i"], ["send", "it", "--json"], ["explain", "it"], ["explain", "it", "--json"],
            ["render", "it"], ["render", "it", "--format", "http"], ["render", "it", "--format", "json"],
            ["render", "it", "--format", "har"], ["render", "it", "--reveal", "--shell", "fish"],
            ["check", "it", "--report", "json=-"], ["check", "it", "--report", "junit=-"], ["check", "it", "-v"],
            ["history", "show", "1"], ["status"], ["whoami"], ["whoami", "--json"],
            ["send", "it", "--base-url", "http://127.0.0.1:1"], ["logout"],
        ]
        var shown = ""
        for call in calls {
            let run = try await Tool.run(call, in: workspace, environment: Self.variables)
            shown += "\n== \(call)\n\(run.outputText)\n\(run.errors)"
        }
        #expect(issuer.received.count >= 5, "\(shown)")
        for value in ["access-token-", "client-secret-1", Data("Bearer access-token-1".utf8).base64EncodedString()] {
            #expect(!shown.contains(value), "\(value) in \(shown)")
        }
        #expect(shown.contains("Bearer <token>"), "\(shown)")
        #expect(shown.contains("logged out of development"), "\(shown)")
        let revocation = issuer.server.requests.last { $0.line.contains("/revoke") }
        #expect(revocation.map { String(decoding: $0.body, as: UTF8.self) }?.hasPrefix("token=access-token-") == true)
    }

    @Test("render prints a command that asks for the token when it runs")
    func rendered() async throws {
        let issuer = try Issuer()
        let workspace = try issuer.workspace()
        let run = try await Tool.run(["render", "it", "--one-line"], in: workspace, environment: Self.variables)
        let command = "reqcli token -e development --for \(issuer.url)"
        #expect(run.outputText.contains(#"'Authorization: Bearer '"$(\#(command))""#), "\(run)")
        #expect(issuer.asked == 0)
        let token = try await Tool.run(["token"], in: workspace, environment: Self.variables)
        #expect(token.outputText == "access-token-1\n" && token.errors == "")
    }

    @Test("A file that others could have read or made is an error")
    func unsafe() async throws {
        let issuer = try Issuer()
        let workspace = try issuer.workspace()
        _ = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
        let path = try Self.file(in: workspace)
        let folder = (path as NSString).deletingLastPathComponent
        let copy = workspace.path("copy.json")
        func refused(_ reason: String, at place: String) async throws {
            let run = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
            #expect(run.status == 3 && run.errors.contains("cannot use \(place): \(reason)"), "\(run.errors)")
        }
        chmod(path, 0o640)
        try await refused("others can open it (its mode is 0640)", at: path)
        chmod(path, 0o600)
        chmod(folder, 0o755)
        try await refused("others can open it (its mode is 0755)", at: folder)
        chmod(folder, 0o700)
        try FileManager.default.moveItem(atPath: path, toPath: copy)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: copy)
        try await refused("it is a link", at: path)
        try FileManager.default.removeItem(atPath: path)
        try "{}".write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o600)
        try await refused("it has no token", at: path)
        #expect(issuer.asked == 1 && issuer.received.count == 1)
    }

    @Test("A copy of the workspace, and CI, get tokens of their own")
    func apart() async throws {
        let issuer = try Issuer()
        let workspace = try issuer.workspace()
        _ = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
        for folder in ["endpoints", "environments"] {
            try workspace.write("copy/\(folder)/.keep", "")
            for name in try FileManager.default.contentsOfDirectory(atPath: workspace.path(folder)) {
                try workspace.write(
                    "copy/\(folder)/\(name)",
                    try String(contentsOfFile: workspace.path("\(folder)/\(name)"), encoding: .utf8))
            }
        }
        var run = try await Tool.run(["send", "it", "-C", "copy"], in: workspace, environment: Self.variables)
        #expect(run.status == 0 && issuer.received.last == "Bearer access-token-2", "\(run.errors)")
        let ci = Self.variables.merging(["CI": "1"]) { $1 }
        run = try await Tool.run(["send", "it"], in: workspace, environment: ci)
        #expect(run.status == 0 && issuer.received.last == "Bearer access-token-3", "\(run.errors)")
        run = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
        #expect(run.status == 0 && issuer.received.last == "Bearer access-token-1", "\(run.errors)")
    }

    @Test("An error of the server ends the command with status 3 before the request, and no server with 6")
    func refused() async throws {
        let issuer = try Issuer()
        let workspace = try issuer.workspace()
        issuer.set { $0.error = #"{"error": "invalid_client", "error_description": "bad client-secret-1"}"# }
        var run = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
        #expect(run.status == 3, "\(run.errors)")
        #expect(
            run.errors.contains("\(issuer.url)/token refused: invalid_client: bad <secret.client>"), "\(run.errors)")
        #expect(issuer.received.isEmpty)
        let environment = try String(contentsOfFile: workspace.path("environments/development.json"), encoding: .utf8)
        try workspace.write(
            "environments/development.json",
            environment.replacing(#""issuer": "\#(issuer.url)""#, with: #""tokenURL": "http://127.0.0.1:1/token""#))
        run = try await Tool.run(["send", "it"], in: workspace, environment: Self.variables)
        #expect(run.status == 6 && issuer.received.isEmpty, "\(run.errors)")
        run = try await Tool.run(["send", "it", "--bearer", "own"], in: workspace, environment: Self.variables)
        #expect(run.status == 0 && issuer.received == ["Bearer own"], "\(run.errors)")
    }

    @Test("Where nobody is logged in, nothing is sent; login needs a flow for people and a terminal")
    func login() async throws {
        let issuer = try Issuer()
        let workspace = try issuer.workspace()
        var run = try await Tool.run(["login"], in: workspace, environment: Self.variables)
        #expect(run.status == 2 && run.errors.contains("the flow clientCredentials needs no login"), "\(run.errors)")
        let environment = try String(contentsOfFile: workspace.path("environments/development.json"), encoding: .utf8)
        try workspace.write(
            "environments/development.json", environment.replacing("clientCredentials", with: "authorizationCode"))
        for command in [["send", "it"], ["token"]] {
            run = try await Tool.run(command, in: workspace, environment: Self.variables)
            #expect(
                run.status == 3
                    && run.errors == "error: not logged in to development\n  run \"reqcli login -e development\"\n",
                "\(command) \(run)")
        }
        run = try await Tool.run(["login"], in: workspace, environment: Self.variables)
        #expect(run.status == 2 && run.errors.contains("login needs a person at a terminal"), "\(run.errors)")
        run = try await Tool.run(
            ["send", "it"], in: workspace, environment: Self.variables.merging(["CI": "true"]) { $1 })
        #expect(run.status == 3 && run.errors.contains("in CI, logins are neither kept nor used"), "\(run.errors)")
        #expect(issuer.server.requests.isEmpty)
    }
}
