import HostileServing
import Testing
import ToolSupport

/// The words that `--select` offers: the paths of the last kept response.
@Suite struct SelectCompletionTests {
    @Test("the paths of the last response of the endpoint, or of the last of all")
    func paths() async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.respond(
                    200,
                    body: request.line.contains("/it")
                        ? #"{"items": [{"id": 1}, {"id": 2, "first name": "A"}], "next": null}"#
                        : #"{"other": {"a": 1}}"#)
            }
        }
        defer { server.stop() }
        let workspace = try ToolWorkspace(
            server: "http://127.0.0.1:\(server.port)", endpoint: #"{ "path": "/it" }"#)
        let kept = ["REQCLI_HISTORY": "1"]
        for words in [["send", "it"], ["send", "/other"]] {
            #expect(try await Tool.run(words, in: workspace, environment: kept).status == 0)
        }
        func offered(_ words: String...) async throws -> [String] {
            let run = try await Tool.run(["__complete", "fish", "\(words.count - 1)"] + words, in: workspace)
            return run.outputText.split(separator: "\n").dropFirst().map(String.init)
        }
        #expect(
            try await offered("send", "it", "-s", "") == [
                "$.items", "$.items[*]", "$.items[*].id", "$.items[*]['first name']", "$.next",
            ])
        #expect(try await offered("send", "-s", "$.o") == ["$.other", "$.other.a"])
        #expect(try await offered("send", "/none", "-s", "") == [])
    }
}
