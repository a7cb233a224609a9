import Foundation
import TestSupport
import Testing
import ToolSupport

/// The endpoints of this repository, answered by `serve` and by their stubs.
@Suite struct OwnEndpointsTests {
    @Test("each variant of each endpoint responds as it does without a server")
    func sameResponses() async throws {
        let input = try Descriptor.pipe()
        let output = try Descriptor.pipe()
        let workspace = try ToolWorkspace([:])
        for folder in ["endpoints", "environments", "stubs"] {
            try FileManager.default.copyItem(atPath: "\(Repository.root)/\(folder)", toPath: workspace.path(folder))
        }
        let server = try Tool.start(
            ["serve", "--port", "0", "--json", "--until-eof"], in: workspace, input: input.reading,
            output: .descriptor(output.writing))
        Descriptor.close(output.writing)
        let line = String(decoding: Descriptor.read(output.reading, upTo: 4096) ?? [], as: UTF8.self)
        let ready = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let url = try #require(ready["url"] as? String)
        var compared = 0
        for id in try await Self.ids(workspace) {
            let shown = try await Tool.run(["show", id, "--json"], in: workspace)
            let endpoint = try #require(try JSONSerialization.jsonObject(with: Data(shown.output)) as? [String: Any])
            let call = Self.words(endpoint["call"] as? String ?? "")
            for variant in endpoint["variants"] as? [String] ?? [] {
                let stub = try await Tool.run(["send"] + call + ["--stub=\(variant)", "-i"], in: workspace)
                let served = try await Tool.run(
                    ["send"] + call + ["--base-url", url, "-H", "X-Reqcli-Stub: \(variant)", "-i"], in: workspace)
                #expect(served.status == stub.status || [6, 7].contains(stub.status), "\(id)=\(variant) \(served)")
                if ![6, 7].contains(stub.status) {
                    #expect(Self.response(served) == Self.response(stub), "\(id)=\(variant)")
                }
                compared += 1
            }
        }
        #expect(compared > 20)
        Descriptor.close(input.writing)
        Descriptor.close(input.reading)
        #expect(try await server.end(within: .seconds(20)).status == 0)
        Descriptor.close(output.reading)
    }

    private static func ids(_ workspace: ToolWorkspace) async throws -> [String] {
        let list = try await Tool.run(["list", "--json"], in: workspace)
        let endpoints = try JSONSerialization.jsonObject(with: Data(list.output)) as? [[String: Any]]
        return (endpoints ?? []).compactMap { $0["id"] as? String }
    }

    /// The words of a command behind `reqcli send`; quotes stand around whole words.
    private static func words(_ command: String) -> [String] {
        let parts = command.split(separator: "'", omittingEmptySubsequences: false)
        let words = parts.enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
        return Array(words.dropFirst(2))
    }

    /// The response without the headers that every server adds.
    private static func response(_ run: ToolRun) -> [String] {
        run.outputText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).filter { line in
            !["date:", "content-length:", "x-reqcli-stub:", "vary:"].contains { line.lowercased().hasPrefix($0) }
        }
    }
}
