import Exchange
import Foundation
import ReqcliBasics
import ReqcliNetworking
import RequestBuilding
import TestSupport

/// A workspace whose calls are kept, the files of its user, and what the server has been asked.
struct HistoryScene {
    private static let group = #"""
        { "endpoints": {
            "get": { "path": "/users/{{id}}", "params": { "id": { "type": "integer" } } },
            "login": { "method": "POST", "path": "/login",
              "params": { "name": { "type": "string" }, "pin": { "type": "string", "secret": true } },
              "body": { "json": { "name": "{{name}}", "pin": "{{pin}}" } },
              "capture": { "key": { "json": "$.key", "secret": true } } } } }
        """#

    let workspace: TemporaryFolder
    let requests = AskedRequests()
    var variables: [String: String]
    var respond: @Sendable (PreparedRequest) -> Response = { _ in
        Response(status: 200, headers: ["Content-Type": "application/json"], body: Data(#"{"id": 7}"#.utf8))
    }

    init(_ files: [String: String] = [:], variables: [String: String] = ["REQCLI_HISTORY": "1"]) throws {
        workspace = try .workspace(["endpoints/user.json": Self.group].merging(files) { $1 })
        self.variables = variables.merging(["HOME": workspace.path("home")]) { $1 }
    }

    func run(_ words: String...) async -> InProcess.Run { await run(words) }

    func run(_ words: [String]) async -> InProcess.Run {
        let program = InProcess(
            response: { [requests, respond] request in
                requests.add(request)
                return respond(request)
            }, variables: variables)
        return await program.run(words, in: workspace)
    }

    /// The files of the history, by their names.
    var kept: [String: [UInt8]] {
        let all = workspace.contents.filter {
            $0.key.contains("/history/") && !$0.key.hasSuffix("/") && !$0.value.isEmpty
        }
        return Dictionary(
            uniqueKeysWithValues: all.map { ($0.key.split(separator: "/").last.map(String.init) ?? "", $0.value) })
    }
}

/// What a server has been asked.
final class AskedRequests: Sendable {
    private let all = Mutex<[PreparedRequest]>([])

    var last: PreparedRequest? { all.withLock(\.last) }
    var count: Int { all.withLock(\.count) }

    func add(_ request: PreparedRequest) { all.withLock { $0.append(request) } }
}
