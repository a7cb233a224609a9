import Foundation
import HTTPWire
import ReqcliAssembly
import ReqcliDefinitions
import TestSupport

@testable import ReqcliMocking

/// A workspace in memory whose endpoints an engine answers for.
struct EngineFixture {
    static let feed = #"""
        "feed": { "path": "user/{{id}}/feed", "params": { "id": { "type": "integer" }, "pin": { "type": "string", "secret": true, "required": false, "minLength": 5 } },
          "query": { "pin": "{{pin}}" },
          "stubs": { "default": "standard", "variants": {
            "standard": { "json": [1] }, "empty": { "json": [] },
            "turns": { "sequence": ["standard", "empty"], "then": "fail" },
            "large": { "when": { "params": { "id": { ">": 1000 } } }, "json": ["large"] } } } },
        "create": { "method": "POST", "path": "user", "body": { "json": { "name": "{{name}}" } },
          "params": { "name": { "type": "string", "minLength": 2 } },
          "stubs": { "variants": { "created": { "status": 201 } } } },
        "only": { "path": "only", "stubs": { "variants": {
          "one": { "when": { "query": { "a": "1" } }, "text": "one" } } } },
        "bare": { "path": "bare" }
        """#

    let world: World
    var options = MockEngine.Options()
    var environment = #"{ "baseURL": "https://api.example.com/v1" }"#

    init() {
        var world = World.unstubbed(MemoryFiles(["/w/x": .text("")]))
        world.clock.elapsed = { .zero }
        self.world = world
    }

    func served(
        _ endpoints: String = feed, chosen: [String: String] = [:], rest: String? = nil, last: String? = nil
    ) throws -> ServedEndpoints {
        let files = MemoryFiles([
            "/w/environments/env.json": .text(environment),
            "/w/endpoints/user.json": .text(#"{ "endpoints": { \#(endpoints) } }"#),
        ])
        let workspace = Workspace(root: "/w", currentFolder: "/w", files: files.fileSystem)
        guard case .found(let environment) = workspace.environment("env").value else { throw NotFound() }
        let entries = workspace.endpointEntries().value
        let located = workspace.load(endpointFiles: entries).compactMap(\.value).flatMap(\.located)
        let maker = RequestPattern.Maker(
            workspace, in: environment, for: located, world: .unstubbed(files), version: "test")
        return try ServedEndpoints(
            located.map { try maker.pattern(of: $0) }, of: workspace, variables: [:],
            chosen: { chosen[$0.id] }, rest: rest,
            last: located.first { $0.id == last }.map { ($0, nil) })
    }

    func engine(chosen: [String: String] = [:], last: String? = nil) throws -> MockEngine {
        MockEngine(try served(chosen: chosen, last: last), world: world, options: options)
    }

    struct NotFound: Error {}
}

extension IncomingRequest {
    /// A request such as `POST /path?query {"a": 1}`, with headers such as `X-Name: value`.
    convenience init(_ line: String, _ headers: String..., session: String? = nil) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        let type = words.count > 2 ? [Field("Content-Type", "application/json")] : []
        let others = headers.map { header in
            let parts = header.split(separator: ":", maxSplits: 1)
            return Field(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        self.init(
            method: words[0], path: target[0], query: target.count > 1 ? target[1] : nil,
            headers: type.filter { _ in !others.contains { $0.name == "Content-Type" } } + others,
            body: words.count > 2 ? Array(words[2].utf8) : [], session: session)
    }

    convenience init(
        method: String, path: String, query: String?, headers: [Field], body: [UInt8], session: String? = nil,
        authority: String? = nil
    ) {
        self.init(
            method: method, path: path, query: query,
            headers: HeaderLines(headers.map { (name: $0.name, value: $0.value) }), body: body,
            session: session ?? Self.standardSession, authority: authority)
    }
}

extension MockEngine {
    /// The variant that answers, or the status of a refusal with its title.
    func shown(_ request: IncomingRequest) -> String {
        let answer = answer(request)
        switch answer.content {
        case .stub: return answer.stub ?? ""
        case .refusal(let refusal): return "\(refusal.status) \(refusal.title)"
        case .passedOn: return "passed on"
        }
    }
}
