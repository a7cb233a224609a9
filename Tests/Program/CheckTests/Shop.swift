import Foundation
import HostileServing
import ToolSupport

/// A server that counts what is made in it: things, and parts of things, each of which someone has to delete.
///
/// `POST /things` makes one, `POST /things/1/parts` a part of it; both respond with an id. `GET /things/1` counts how often it was
/// asked. `POST /login` gives a token and a cookie, and `GET /me` tells which ones came.
final class Shop: Sendable {
    private struct State {
        var made: Set<String> = []
        var asked: [String: Int] = [:]
        var last = 0
        /// Which requests are refused, by the beginning of their lines: `PUT /things`.
        var refused: String?
        var requests: [String] = []
    }

    private let state = Locked(State())
    private let server: Locked<HostileServer?> = Locked(nil)

    /// - Parameter delay: The longest time that a response takes, in microseconds.
    init(refusing refused: String? = nil, delay: Int = 0) throws {
        state.withLock { $0.refused = refused }
        let server = try HostileServer { [self] connection in
            while let request = connection.readRequest() {
                if delay > 0 { usleep(UInt32.random(in: 0...UInt32(delay))) }
                let reply = reply(to: request)
                // The response is lost on its way: the thing is there all the same.
                if delay > 0 { usleep(UInt32.random(in: 0...UInt32(delay))) }
                connection.respond(reply.status, reply.headers, body: reply.body)
            }
        }
        self.server.withLock { $0 = server }
    }

    var port: Int { server.withLock { $0?.port ?? 0 } }

    func stop() { server.withLock { $0?.stop() } }

    /// What was made and not deleted.
    var left: Set<String> { state.withLock(\.made) }

    /// How many things were made.
    var count: Int { state.withLock(\.last) }

    /// The methods and paths of all requests.
    var requests: [String] { state.withLock(\.requests) }

    private struct Reply {
        var status = 200
        var headers: [String] = []
        var body = "{}"
    }

    private func reply(to request: HostileServer.Request) -> Reply {
        let words = request.line.split(separator: " ").map(String.init)
        let (method, path) = (words.first ?? "", words.count > 1 ? words[1] : "")
        func header(_ name: String) -> String { request.values(name).first ?? "" }
        return state.withLock { state in
            state.requests.append("\(method) \(path)")
            if let refused = state.refused, "\(method) \(path)".hasPrefix(refused) { return Reply(status: 500) }
            switch (method, path) {
            case ("POST", "/login"):
                let user = String(decoding: request.body, as: UTF8.self)
                return Reply(
                    headers: ["Set-Cookie: sid=cookie-\(user)-4711"], body: #"{"token": "token-\#(user)-4711"}"#)
            case ("GET", "/me"):
                return Reply(body: #"{"auth": "\#(header("Authorization"))", "cookie": "\#(header("Cookie"))"}"#)
            case ("POST", _) where path == "/things" || path.hasSuffix("/parts"):
                state.last += 1
                let id = path == "/things" ? "/things/\(state.last)" : "/parts/\(state.last)"
                state.made.insert(id)
                return Reply(status: 201, body: #"{"id": \#(state.last)}"#)
            case _ where !state.made.contains(path): return Reply(status: 404)
            case ("GET", _):
                state.asked[path, default: 0] += 1
                let isReady = state.asked[path, default: 0] > 2
                return Reply(
                    body: #"{"state": "\#(isReady ? "ready" : "waiting")", "asked": \#(state.asked[path, default: 0])}"#
                )
            case ("DELETE", _):
                state.made.remove(path)
                return Reply(status: 204, body: "")
            default: return Reply()
            }
        }
    }

    // MARK: The workspace

    static let endpoints = """
        {"endpoints": {
          "create": {"method": "POST", "path": "/things", "capture": {"id": {"json": "$.id"}}},
          "part": {"method": "POST", "path": "/things/{{id}}/parts", "params": {"id": {"type": "integer"}},
            "capture": {"id": {"json": "$.id"}}},
          "change": {"method": "PUT", "path": "/things/{{id}}", "params": {"id": {"type": "integer"}}},
          "get": {"path": "/things/{{id}}", "params": {"id": {"type": "integer"}}},
          "delete": {"method": "DELETE", "path": "/things/{{id}}", "params": {"id": {"type": "integer"}}},
          "deletePart": {"method": "DELETE", "path": "/parts/{{id}}", "params": {"id": {"type": "integer"}}},
          "login": {"method": "POST", "path": "/login", "params": {"user": {"type": "string"}},
            "body": {"text": "{{user}}"}, "capture": {"token": {"json": "$.token", "secret": true}}},
          "me": {"path": "/me", "needs": {"login": {"endpoint": "shop.login", "with": {"user": "ada"}}},
            "auth": {"bearer": "{{login.token}}"}}}}
        """

    /// Makes a thing with parts, changes it, waits for it, deletes it, and finds it gone.
    static let life = """
        {"steps": [
          {"name": "made", "endpoint": "shop.create"},
          {"name": "parts", "endpoint": "shop.part", "forEach": ["a", "b"], "with": {"id": "{{made.id}}"}},
          {"name": "changed", "endpoint": "shop.change", "with": {"id": "{{made.id}}"}},
          {"name": "ready", "endpoint": "shop.get", "with": {"id": "{{made.id}}"},
            "poll": {"until": {"json": {"$.state": "ready"}}, "every": "5ms", "within": "10s"}},
          {"name": "deleted", "endpoint": "shop.delete", "with": {"id": "{{made.id}}"}},
          {"name": "gone", "endpoint": "shop.get", "with": {"id": "{{made.id}}"}, "expect": {"status": 404}}],
         "cleanup": [
          {"endpoint": "shop.delete", "with": {"id": "{{made.id}}"}, "expect": {"status": [204, 404]}},
          {"endpoint": "shop.deletePart", "forEach": "{{parts.id}}", "with": {"id": "{{item}}"}}]}
        """

    /// A workspace with these scenarios, by name.
    func workspace(_ scenarios: [String: String], _ others: [String: String] = [:]) throws -> ToolWorkspace {
        var files = [
            "endpoints/shop.json": Self.endpoints,
            "environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(port)"}"#,
        ]
        for (name, text) in scenarios { files["scenarios/\(name).json"] = text }
        return try ToolWorkspace(files.merging(others) { $1 })
    }

    /// A workspace with the life of a thing, this many times.
    ///
    /// - Parameter patience: How long each waits for its thing to be ready.
    func flows(_ count: Int, patience: String = "10s") throws -> ToolWorkspace {
        let life = Self.life.replacing(#""within": "10s""#, with: #""within": "\#(patience)""#)
        return try workspace(Dictionary(uniqueKeysWithValues: (1...count).map { ("flow\($0)", life) }))
    }

    /// Makes a thing as the step `made`, and deletes it.
    static let made = #"{"name": "made", "endpoint": "shop.create"}"#
    static let delete = #"{"endpoint": "shop.delete", "with": {"id": "{{made.id}}"}}"#

    /// Runs `check` with one scenario, `scenario:a`.
    static func check(
        _ scenario: String, _ words: [String] = [], refusing refused: String? = nil, _ others: [String: String] = [:]
    ) async throws -> (run: ToolRun, shop: Shop, workspace: ToolWorkspace) {
        let shop = try Shop(refusing: refused)
        let workspace = try shop.workspace(["a": scenario], others)
        let run = try await Tool.run(["check"] + words, in: workspace)
        shop.stop()
        return (run, shop, workspace)
    }
}
