import HostileServing
import Testing
import ToolSupport

/// Scenarios in a run on several machines: each stays whole on one of them, and merges as cases do.
@Suite(.serialized) struct ScenarioMergeTests {
    /// Six cases, and four flows of three steps with a cleanup; one flow fails at its second step.
    private static func workspace(port: Int) throws -> ToolWorkspace {
        var files = ["environments/development.json": #"{"baseURL": "http://127.0.0.1:\#(port)"}"#]
        for name in ["a", "b", "c", "d", "e", "ill"] {
            files["endpoints/\(name).json"] = #"{"path": "/\#(name)", "expect": {"status": 200}}"#
        }
        for (name, second) in [("one", "a"), ("two", "b"), ("three", "ill"), ("four", "c")] {
            files["scenarios/\(name).json"] = #"""
                { "description": "The flow \#(name)",
                  "steps": [
                    { "name": "first", "endpoint": "a", "capture": { "id": { "json": "$.id" } } },
                    { "name": "second", "endpoint": "\#(second)" },
                    { "name": "third", "endpoint": "d", "if": { "value": "{{first.id}}", ">": 100 } },
                    { "name": "fourth", "endpoint": "e" } ],
                  "cleanup": [ { "endpoint": "e" } ] }
                """#
        }
        return try ToolWorkspace(files)
    }

    private static func server() throws -> HostileServer {
        try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.respond(request.line.contains("/ill") ? 500 : 200, body: #"{"id": 7}"#)
            }
        }
    }

    private static let kinds = ["junit", "tap", "json", "html", "github"]

    private static func reports(_ name: String) -> [String] { kinds.flatMap { ["--report", "\($0)=\(name).\($0)"] } }

    /// The lines of a report without its times; of what lists calls by the time at which they began, in order.
    private static func timeless(_ kind: String, _ name: String, in workspace: ToolWorkspace) throws -> [String] {
        let bytes = try #require(workspace.read("\(name).\(kind)"))
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing(/"(startMs|durationMs)": [0-9]+/, with: "TIME").replacing(/"startedAt": "[^"]*"/, with: "TIME")
            .replacing(/duration_ms: [0-9]+/, with: "TIME").replacing(/(time|timestamp)="[^"]*"/, with: "TIME")
            .replacing(/began after [0-9.msh ]+/, with: "TIME ").replacing(/, after [0-9.ms]+/, with: "TIME")
            .replacing(/within [0-9.ms]+/, with: "TIME").replacing(/"(time|track)">[0-9.ms]*/, with: "TIME")
            .replacing(/left:[0-9.]+%;width:[0-9.]+%/, with: "TIME").replacing(/need-[0-9]+/, with: "need")
            .replacing(/<span>(Took|Started)<\/span> [^<]+/, with: "TIME")
            .replacing(/"(queued|nameLookup|connect|tls|sending|sent|firstByte|total)": [0-9.]+/, with: "TIME")
            .replacing(
                /<p class="about">((queue|DNS|connect|TLS|request|first byte|body) [0-9.ms]+( · )?)+<\/p>\n/, with: ""
            )
            .replacing(/<i class="[a-z]+" style="[^>]*"><\/i>/, with: "")
            .replacing(/(?s)<section id="durations".*?<\/section>/, with: "")
        let lines = text.split(separator: "\n").map(String.init)
        return kind == "json" || kind == "html"
            ? lines.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }.sorted() : lines
    }

    @Test("a scenario is whole on one machine, and merged reports are those of one run", arguments: [1, 2, 3, 7])
    func merged(_ count: Int) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(port: server.port)
        let whole = try await Tool.run(["check", "--jobs", "1"] + Self.reports("whole"), in: workspace)
        #expect(whole.status == 1, "\(whole.errors)")
        for balance in [[], ["--balance", "whole.json"]] {
            var listed: [Substring] = []
            for index in 1...count {
                let part = ["--shard", "\(index)/\(count)"] + balance
                let run = try await Tool.run(
                    ["check", "--jobs", "1", "--report", "json=part-\(index).json"] + part, in: workspace)
                #expect(run.status <= 1, "\(run.errors)")
                let list = try await Tool.run(["check", "--list"] + part, in: workspace)
                listed += list.outputText.split(separator: "\n").map { $0.prefix { $0 != " " } }.filter {
                    $0.hasPrefix("scenario:")
                }
            }
            #expect(
                listed.sorted() == ["scenario:four", "scenario:one", "scenario:three", "scenario:two"], "\(count) parts"
            )
            let parts = (1...count).map { "part-\($0).json" }
            let run = try await Tool.run(["report", "merge"] + parts + Self.reports("merged"), in: workspace)
            #expect(run.status == 1)
            #expect(run.errors == "")
            #expect(run.outputText.contains("scenario:three"))
            for kind in Self.kinds {
                #expect(
                    try Self.timeless(kind, "merged", in: workspace) == Self.timeless(kind, "whole", in: workspace),
                    "\(kind), \(count) parts")
            }
        }
    }

    @Test("a part with a scenario that is missing is exit 2")
    func missing() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let workspace = try Self.workspace(port: server.port)
        for index in 1...2 {
            _ = try await Tool.run(
                ["check", "scenario:*", "--shard", "\(index)/3", "--report", "json=part-\(index).json"], in: workspace)
        }
        let run = try await Tool.run(["report", "merge", "part-1.json", "part-2.json"], in: workspace)
        #expect(run.status == 2)
        #expect(run.errors.contains("error: part 3/3 is missing: "))
    }
}
